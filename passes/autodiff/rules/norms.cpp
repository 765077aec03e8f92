// Normalizations and attention.
#include "fx/passes/autodiff/rules_internal.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// Returns a tuple of the first `count` items of `results`, for a rule with `count` arguments.
AnyArg items_of(const Proxy& results, int64_t count) {
  std::vector<Argument> items;
  items.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) items.push_back(AnyArg(results[i]).value());
  return AnyArg(Argument::tuple(items));
}

/// Returns the contribution of the gradients of the saved mean and reciprocal standard deviation
/// (results 1 and 2) to the gradient of x. They are functions of x, and receive gradients when
/// second derivatives are computed.
/// `aligned` makes a statistic broadcast to x; `count` is the number of elements that
/// each mean averages.
Proxy from_statistics(D& d, const Proxy& x, const std::function<Proxy(const Proxy&)>& aligned,
                      const ScalarArg& count) {
  const Proxy mean = d.grad(1).defined() ? aligned(d.grad(1)) / count : Proxy();
  if (!d.grad(2).defined()) return mean.defined() ? d.expand_like(mean, x) : Proxy();
  const Proxy rstd = aligned(d.value(2));
  const Proxy slope = neg(aligned(d.grad(2)) * (rstd * rstd * rstd)) / count;
  return d.sum_of({slope * (x - aligned(d.value(1))), mean});
}
/// Returns the operator's gradients. Adds the contribution of the statistics to the first gradient.
AnyArg with_statistics(D& d, const Proxy& results, const Proxy& added) {
  std::vector<Argument> items(3);
  const std::string_view names[] = {"input", "weight", "bias"};
  for (int64_t i = 0; i < 3; ++i) {
    if (results.defined() && d.needs_grad(names[i]))
      items[static_cast<size_t>(i)] = AnyArg(results[i]).value();
  }
  if (added.defined()) {
    Node* const input = items[0].node();
    items[0] = AnyArg(input != nullptr ? Proxy(*input, d) + added : added).value();
  }
  return AnyArg(Argument::tuple(items));
}

AnyArg layer_norm_grads(D& d) {
  const Proxy x = d("input");
  Proxy results;
  if (d.grad(0).defined()) {
    results = d.emit(
        "aten.native_layer_norm_backward.default",
        {d.grad(0), x, argument_of(d, "normalized_shape"), d.value(1), d.value(2),
         argument_of(d, "weight"), argument_of(d, "bias"), d.mask({"input", "weight", "bias"})});
  }
  const auto count = static_cast<int64_t>(d.argument("normalized_shape").size());
  return with_statistics(d, results,
                         from_statistics(
                             d, x, [](const Proxy& values) { return values; },
                             d.product(d.sizes(x, d.rank(x) - count))));
}
/// The tangents of the saved mean and reciprocal standard deviation (results 1 and 2), which second
/// derivatives use. `along`: the mean of normal * centered.
struct StatisticsTangents {
  AnyArg mean = AnyArg(Argument()), rstd = AnyArg(Argument());
};
StatisticsTangents tangents_of_statistics(D& d, const Proxy& t, const Proxy& rstd,
                                          const Proxy& along, const std::vector<int64_t>& dims) {
  const auto saved = [&](const Proxy& values, size_t i) {
    const Proxy like = d.value(i);
    return d.cast(d.reshape(values, d.sizes(like)), d.dtype(like));
  };
  return {saved(fx::mean(t, dims, true), 1), saved(neg(rstd * rstd * along), 2)};
}

/// Returns the tangent of y = (x - mean) rstd weight + bias over dimensions `dims`.
AnyArg norm_tangent(D& d, const Proxy& x, const Proxy& t, const Proxy& mean, const Proxy& rstd,
                    const std::vector<int64_t>& dims,
                    const std::function<Proxy(const Proxy&)>& aligned) {
  const Proxy weight = d.optional_tensor("weight");
  const Proxy normal = (x - mean) * rstd;
  Proxy total;
  StatisticsTangents statistics;
  if (t.defined()) {
    const Proxy centered = t - fx::mean(t, dims, true);
    const Proxy along = fx::mean(normal * centered, dims, true);
    const Proxy change = (centered - normal * along) * rstd;
    total = weight.defined() ? aligned(change) * weight : aligned(change);
    statistics = tangents_of_statistics(d, t, rstd, along, dims);
  }
  if (const Proxy w = d.tangent("weight"); w.defined())
    total = d.sum_of({total, aligned(normal) * w});
  if (const Proxy b = d.tangent("bias"); b.defined())
    total = d.sum_of({total, d.conform_tangent(b, d.value(0))});
  return AnyArg::tuple(
      {total.defined() ? AnyArg(total) : AnyArg(Argument()), statistics.mean, statistics.rstd});
}
AnyArg layer_norm_tangent(D& d) {
  const Proxy x = d("input");
  const int64_t rank = d.rank(x);
  const auto count = static_cast<int64_t>(d.argument("normalized_shape").size());
  return norm_tangent(d, x, d.tangent("input"), d.value(1), d.value(2),
                      D::range(rank - count, rank), [](const Proxy& values) { return values; });
}

AnyArg group_norm_grads(D& d) {
  const Proxy x = d("input");
  Proxy results;
  if (d.grad(0).defined()) {
    results = d.emit("aten.native_group_norm_backward.default",
                     {d.grad(0), x, d.value(1), d.value(2), argument_of(d, "weight"),
                      argument_of(d, "N"), argument_of(d, "C"), argument_of(d, "HxW"),
                      d.integer("group"), d.mask({"input", "weight", "bias"})});
  }
  const bool has_none = !d.grad(1).defined() && !d.grad(2).defined();
  if (has_none || d.is_empty(x)) return with_statistics(d, results, Proxy());
  const Proxy groups = d.reshape(x, {d.size(x, 0), d.integer("group"), -1});
  const auto aligned = [](const Proxy& values) { return unsqueeze(values, -1); };
  const Proxy added = from_statistics(d, groups, aligned, d.product({d.size(groups, 2)}));
  return with_statistics(d, results, d.reshape(added, d.sizes(x)));
}

AnyArg group_norm_tangent(D& d) {
  const Proxy x = d("input"), t = d.tangent("input");
  if (d.is_empty(x)) return AnyArg::tuple({zeros_like(x), Argument(), Argument()});
  const int64_t rank = d.rank(x);
  const auto groups = [&](const Proxy& values) {
    return d.reshape(values, {d.size(values, 0), d.integer("group"), -1});
  };
  const auto channels = [&](const Proxy& values) {
    return values.defined() ? d.unsqueeze_to(values, rank - 1) : values;
  };
  const Proxy mean = unsqueeze(d.value(1), -1), rstd = unsqueeze(d.value(2), -1);
  const Proxy normal = (groups(x) - mean) * rstd;
  const Proxy weight = channels(d.optional_tensor("weight"));
  Proxy total;
  StatisticsTangents statistics;
  if (t.defined()) {
    const Proxy grouped = groups(t);
    const Proxy centered = grouped - fx::mean(grouped, {2}, true);
    const Proxy along = fx::mean(normal * centered, {2}, true);
    const Proxy change = d.reshape((centered - normal * along) * rstd, d.sizes(x));
    total = weight.defined() ? change * weight : change;
    statistics = tangents_of_statistics(d, grouped, rstd, along, {2});
  }
  const Proxy w = channels(d.tangent("weight")), b = channels(d.tangent("bias"));
  total = d.sum_of({total, w.defined() ? d.reshape(normal, d.sizes(x)) * w : Proxy(),
                    b.defined() ? d.expand_like(b, x) : Proxy()});
  return AnyArg::tuple(
      {total.defined() ? AnyArg(total) : AnyArg(Argument()), statistics.mean, statistics.rstd});
}

// ---- Batch norm: saved statistics are results 1 and 2

AnyArg batch_norm_grads(D& d, bool has_stats, bool training) {
  const AnyArg none(std::nullopt);
  const Proxy x = d("input");
  Proxy results;
  if (d.grad(0).defined()) {
    results = d.emit(
        "aten.native_batch_norm_backward.default",
        {d.grad(0), x, argument_of(d, "weight"), has_stats ? argument_of(d, "running_mean") : none,
         has_stats ? argument_of(d, "running_var") : none, d.value(1), d.value(2), training,
         d.number("eps"), d.mask({"input", "weight", "bias"})});
  }
  if (!training) return with_statistics(d, results, Proxy());
  const int64_t rank = d.rank(x);
  const auto aligned = [&](const Proxy& values) { return d.unsqueeze_to(values, rank - 1); };
  std::vector<IntArg> reduced_sizes = d.sizes(x, 2);
  reduced_sizes.insert(reduced_sizes.begin(), d.size(x, 0));
  return with_statistics(d, results, from_statistics(d, x, aligned, d.product(reduced_sizes)));
}
/// In training mode the result does not depend on the running statistics.
AnyArg of_running_statistics(D& d) {
  return d.flag("training") ? AnyArg(Proxy()) : unknown_derivative(d);
}
AnyArg batch_norm_training(D& d) { return batch_norm_grads(d, true, d.flag("training")); }
AnyArg batch_norm_no_stats(D& d) { return batch_norm_grads(d, false, d.flag("training")); }
AnyArg batch_norm_inference(D& d) { return batch_norm_grads(d, true, false); }

AnyArg batch_norm_tangent(D& d, bool training) {
  const Proxy x = d("input"), t = d.tangent("input");
  const int64_t rank = d.rank(x);
  std::vector<int64_t> dims = D::range(1, rank);
  if (!dims.empty()) dims[0] = 0;
  const auto channels = [&](const Proxy& values) {
    return values.defined() ? d.unsqueeze_to(values, rank - 1) : values;
  };
  Proxy mean, rstd;
  if (training) {
    mean = channels(d.value(1));
    rstd = channels(d.value(2));
  } else {
    mean = channels(d("running_mean"));
    rstd = channels(rsqrt(d("running_var") + d.number("eps")));
  }
  const Proxy normal = (x - mean) * rstd;
  const Proxy weight = channels(d.optional_tensor("weight"));
  Proxy total;
  StatisticsTangents statistics;
  if (t.defined()) {
    Proxy change = t * rstd;
    if (training) {
      const Proxy centered = t - fx::mean(t, dims, true);
      const Proxy along = fx::mean(normal * centered, dims, true);
      change = (centered - normal * along) * rstd;
      statistics = tangents_of_statistics(d, t, rstd, along, dims);
    }
    total = weight.defined() ? change * weight : change;
  }
  const Proxy w = channels(d.tangent("weight")), b = channels(d.tangent("bias"));
  total = d.sum_of(
      {total, w.defined() ? normal * w : Proxy(), b.defined() ? d.expand_like(b, x) : Proxy()});
  return AnyArg::tuple(
      {total.defined() ? AnyArg(total) : AnyArg(Argument()), statistics.mean, statistics.rstd});
}

// ---- Attention

AnyArg flash_attention_grads(D& d) {
  if (!d.grad(0).defined()) return d.reject("the gradient of its log-sum-exp is not supported");
  return items_of(
      d.emit("aten._scaled_dot_product_flash_attention_for_cpu_backward.default",
             {d.grad(0), d("query"), d("key"), d("value"), d.value(0), d.value(1),
              d.number("dropout_p"), d.flag("is_causal")},
             {{"attn_mask", argument_of(d, "attn_mask")}, {"scale", argument_of(d, "scale")}}),
      3);
}

}  // namespace

absl::Span<const DerivativeRow> norm_derivatives() {
  static constexpr std::string_view kAffine = "input, weight, bias";
  static constexpr DerivativeRow kRows[] = {
      {"aten.native_layer_norm.default",
       kFunction,
       {{kAffine, layer_norm_grads}},
       layer_norm_tangent},
      {"aten.native_group_norm.default",
       kFunction,
       {{kAffine, group_norm_grads}},
       group_norm_tangent},
      {"aten._batch_norm_with_update_functional.default",
       kFunction,
       {{kAffine, [](D& d) { return batch_norm_grads(d, true, true); }}},
       [](D& d) { return batch_norm_tangent(d, true); }},
      {"aten._batch_norm_no_update.default",
       kFunction,
       {{kAffine, batch_norm_inference}},
       [](D& d) { return batch_norm_tangent(d, false); }},
      {"aten.native_batch_norm.default",
       kFunction,
       {{kAffine, batch_norm_training},
        {"running_mean", of_running_statistics},
        {"running_var", of_running_statistics}},
       [](D& d) { return batch_norm_tangent(d, d.flag("training")); }},
      {"aten._native_batch_norm_legit.default",
       kFunction,
       {{kAffine, batch_norm_training},
        {"running_mean", of_running_statistics},
        {"running_var", of_running_statistics}},
       [](D& d) { return batch_norm_tangent(d, d.flag("training")); }},
      {"aten._native_batch_norm_legit_functional.default",
       kFunction,
       {{kAffine, batch_norm_training},
        {"running_mean", of_running_statistics},
        {"running_var", of_running_statistics}},
       [](D& d) { return batch_norm_tangent(d, d.flag("training")); }},
      {"aten._native_batch_norm_legit.no_stats",
       kFunction,
       {{kAffine, batch_norm_no_stats}},
       [](D& d) { return batch_norm_tangent(d, true); }},
      {"aten._native_batch_norm_legit_no_training.default",
       kFunction,
       {{kAffine, batch_norm_inference},
        {"running_mean", unknown_derivative},
        {"running_var", unknown_derivative}},
       [](D& d) { return batch_norm_tangent(d, false); }},
      {"aten._scaled_dot_product_flash_attention_for_cpu.default",
       kTransposed,
       {{"query, key, value", flash_attention_grads}, {"attn_mask", unknown_derivative}}},
  };
  return kRows;
}

}  // namespace fx
