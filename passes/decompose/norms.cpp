// Decompositions of normalizations, softmax, and their backward operators.
#include "fx/passes/decompose/families_internal.h"

#include <limits>

namespace fx {
namespace {

/// Returns all dimensions except the channel dimension.
std::vector<int64_t> non_channel_dims(int64_t rank) {
  std::vector<int64_t> dims = Decomposer::range(1, rank);
  if (!dims.empty()) dims[0] = 0;
  return dims;
}

struct Moments {
  Proxy mean, rstd, variance;  ///< reduced dimensions have size 1
};
Moments moments(Decomposer& d, const Proxy& x, const std::vector<int64_t>& dims) {
  const Proxy both = d.emit("aten.var_mean.correction", {x, IntList(dims)},
                            {{"correction", 0}, {"keepdim", true}});
  const Proxy variance = both[0], mean = both[1];
  return {mean, rsqrt(variance + d.number("eps")), variance};
}

// ---- Batch norm

struct BatchNorm {
  Proxy output, mean, rstd, running_mean, running_var;
};
/// `writes`: writes the running statistics, like the kernel, between the computation of the new
/// values and that of the output. One tensor may be both statistics, or also the weight.
BatchNorm batch_norm(Decomposer& d, bool training, bool writes = false) {
  const Proxy input = d.tensor("input"), x = d.opmath(input);
  const Proxy weight = d.optional_tensor("weight"), bias = d.optional_tensor("bias");
  const bool has_stats = !d.is_none("running_mean") && !d.is_none("running_var");
  const int64_t rank = d.rank(input);
  const auto unsqueezed = [&](const Proxy& values) {
    return d.unsqueeze_to(values, rank - 1);  // aligns the values with dimension 1
  };
  BatchNorm r;
  if (has_stats) {
    r.running_mean = d.tensor("running_mean");
    r.running_var = d.tensor("running_var");
  }
  if (training) {
    const std::vector<int64_t> dims = non_channel_dims(rank);
    const Moments m = moments(d, x, dims);
    r.mean = squeeze(m.mean, dims);
    r.rstd = squeeze(m.rstd, dims);
    if (has_stats) {
      const double momentum = d.number("momentum");
      const auto write = [&](const Proxy& statistic, const Proxy& value) {
        if (writes) d.emit("aten.copy_.default", {statistic, d.cast(value, d.dtype(statistic))});
      };
      const Proxy old_mean = r.running_mean, old_var = r.running_var;
      const Proxy new_mean = r.mean * momentum;
      r.running_mean = new_mean + old_mean * (1 - momentum);
      write(old_mean, r.running_mean);
      std::vector<IntArg> others = d.sizes(input, 2);
      others.insert(others.begin(), d.size(input, 0));
      const ScalarArg n = d.product(others);
      const Proxy biased = squeeze(m.variance, dims);
      Proxy unbiased;
      if (Node* count = n.value().node()) {
        const Proxy size(*count, d);
        unbiased = biased * (size / (size - 1));
      } else {
        const auto size = static_cast<double>(n.value().as_int());
        unbiased = biased * (size / (size - 1));
      }
      const Proxy new_var = unbiased * momentum;
      r.running_var = new_var + old_var * (1 - momentum);
      write(old_var, r.running_var);
    }
    r.output = (x - m.mean) * m.rstd;
  } else if (has_stats) {
    const Proxy mean = d.opmath(r.running_mean), variance = d.opmath(r.running_var);
    const Proxy rstd = 1 / sqrt(variance + d.number("eps"));
    const Proxy centered = x - unsqueezed(mean);
    r.output = centered * unsqueezed(rstd);
    r.mean = d.full({0}, 0, input, d.dtype(input));
    r.rstd = d.full({0}, 0, input, d.dtype(input));  // results do not share memory
  } else {
    d.reject("inference requires running statistics");
  }
  if (weight.defined()) r.output = r.output * unsqueezed(weight);
  if (bias.defined()) r.output = r.output + unsqueezed(bias);
  return r;
}

/// Rejects devices other than the CPU, because inference returns different saved statistics on
/// them.
bool is_known(Decomposer& d) {
  const bool on_cpu = d.type(d.tensor("input")).device().type == DeviceType::kCpu;
  if (!on_cpu) d.reject("its results on this device are unknown");
  return on_cpu;
}
AnyArg batch_norm_training(Decomposer& d) {
  const bool training = d.flag("training");
  if (!training && !is_known(d)) return {};
  const BatchNorm r = batch_norm(d, training, /*writes=*/training);
  return AnyArg::tuple({r.output, r.mean, r.rstd});
}
AnyArg batch_norm_no_stats(Decomposer& d) {
  const BatchNorm r = batch_norm(d, d.flag("training"));
  return AnyArg::tuple({r.output, r.mean, r.rstd});
}
AnyArg batch_norm_functional(Decomposer& d) {
  if (!d.flag("training") && !is_known(d)) return {};
  const BatchNorm r = batch_norm(d, d.flag("training"));
  return AnyArg::tuple({r.output, r.mean, r.rstd, r.running_mean, r.running_var});
}
AnyArg batch_norm_inference(Decomposer& d) {
  if (!is_known(d)) return {};
  const BatchNorm r = batch_norm(d, false);
  return AnyArg::tuple({r.output, r.mean, r.rstd});
}

/// Records the operator for training or inference, like torch.export's run_decompositions.
AnyArg batch_norm_composite(Decomposer& d) {
  const Proxy input = d.tensor("input");
  const bool training = d.flag("training");
  const bool has_stats = !d.is_none("running_mean");
  if (has_stats != !d.is_none("running_var"))
    return d.reject("either both running statistics must be passed, or neither");
  if (!training && !has_stats) return d.reject("inference requires running statistics");
  if (d.is_empty(input)) return d.reject("an empty input is not supported");
  const AnyArg weight(d.argument("weight")), bias(d.argument("bias"));
  const AnyArg mean(d.argument("running_mean")), variance(d.argument("running_var"));
  const double momentum = d.number("momentum"), eps = d.number("eps");
  if (!training) {
    return d.emit("aten._native_batch_norm_legit_no_training.default",
                  {input, weight, bias, mean, variance, momentum, eps})[0];
  }
  if (!has_stats) {
    return d.emit("aten._native_batch_norm_legit.no_stats",
                  {input, weight, bias, true, momentum, eps})[0];
  }
  return d.emit("aten._native_batch_norm_legit.default",
                {input, weight, bias, mean, variance, true, momentum, eps})[0];
}

AnyArg batch_norm_backward(Decomposer& d) {
  const Proxy grad = d.opmath("grad_out"), input = d.tensor("input"), x = d.opmath(input);
  const Proxy weight = d.optional_tensor("weight");
  const bool train = d.flag("train");
  const int64_t rank = d.rank(input);
  const std::vector<int64_t> dims = non_channel_dims(rank);
  const auto channels = [&](const Proxy& values) {
    std::vector<IntArg> sizes(static_cast<size_t>(rank), IntArg(1));
    if (rank > 1) sizes[1] = d.size(input, 1);
    return d.reshape(values, sizes);
  };
  std::vector<IntArg> others = d.sizes(input, 2);
  others.insert(others.begin(), d.size(input, 0));
  const ScalarArg norm = d.quotient(1.0, d.product(others));
  const Proxy mean = channels(d.opmath(train ? "save_mean" : "running_mean"));
  const Proxy invstd =
      train ? d.opmath("save_invstd") : rsqrt(d.opmath("running_var") + d.number("eps"));
  const Proxy grad_sum = sum(grad, dims);
  const Proxy centered = x - mean;
  const Proxy dot = sum(grad * centered, dims);
  const Proxy scale = channels(weight.defined() ? invstd * d.opmath(weight) : invstd);
  Proxy grad_input;
  if (train) {
    const Proxy mean_dot = dot * norm;
    const Proxy projection = centered * channels(mean_dot * (invstd * invstd));
    const Proxy rest = grad - projection;
    grad_input = (rest - channels(grad_sum * norm)) * scale;
  } else {
    grad_input = grad * scale;
  }
  const Argument mask = d.argument("output_mask");
  const auto wanted = [&](size_t i, const Proxy& value) {
    return i < mask.size() && mask[i] == Argument(true) ? AnyArg(value) : AnyArg(std::nullopt);
  };
  return AnyArg::tuple({wanted(0, grad_input), wanted(1, dot * invstd), wanted(2, grad_sum)});
}

// ---- Layer norm

AnyArg layer_norm(Decomposer& d) {
  const Proxy input = d.tensor("input"), x = d.opmath(input);
  const Proxy weight = d.optional_tensor("weight"), bias = d.optional_tensor("bias");
  const auto count = static_cast<int64_t>(d.argument("normalized_shape").size());
  const Moments m = moments(d, x, Decomposer::range(d.rank(x) - count, d.rank(x)));
  Proxy out = (x - m.mean) * m.rstd;
  if (weight.defined()) out = out * weight;
  if (bias.defined()) out = out + bias;
  return AnyArg::tuple({out, m.mean, m.rstd});
}

AnyArg layer_norm_backward(Decomposer& d) {
  const Proxy grad = d.opmath("grad_out"), input = d.tensor("input"), x = d.opmath(input);
  const Proxy weight = d.optional_tensor("weight"), bias = d.optional_tensor("bias");
  const Argument mask = d.argument("output_mask");
  const int64_t rank = d.rank(x);
  const int64_t axis = rank - static_cast<int64_t>(d.argument("normalized_shape").size());
  if (axis < 0 || mask.size() != 3)
    return d.reject("normalized_shape or output_mask has the wrong number of items");
  const std::vector<int64_t> inner = Decomposer::range(axis, rank),
                             outer = Decomposer::range(0, axis);
  const ScalarArg n = d.product(d.sizes(x, axis));
  const Proxy mean = d.unsqueeze_to(d.tensor("mean"), rank);
  const Proxy rstd = d.unsqueeze_to(d.tensor("rstd"), rank);
  const Proxy x_hat = (x - mean) * rstd;
  const Proxy grad_x_hat = weight.defined() ? grad * d.opmath(weight) : grad;
  const Proxy a = grad_x_hat * n;
  const Proxy b = sum(grad_x_hat, inner, true);
  const Proxy c = x_hat * sum(grad_x_hat * x_hat, inner, true);
  const Proxy mean_rstd = rstd / n, d_input = mean_rstd * (a - b - c);
  const auto reduced = [&](const Proxy& values) {
    return outer.empty() ? values : sum(values, outer);
  };
  const bool needs_weight = weight.defined() && mask[1] == Argument(true);
  const bool needs_bias = bias.defined() && mask[2] == Argument(true);
  const AnyArg d_weight = needs_weight ? AnyArg(reduced(grad * x_hat)) : AnyArg(std::nullopt);
  const AnyArg d_bias = needs_bias ? AnyArg(reduced(grad)) : AnyArg(std::nullopt);
  const bool needs_input = mask[0] == Argument(true);
  return AnyArg::tuple({needs_input ? AnyArg(d_input) : AnyArg(std::nullopt), d_weight, d_bias});
}

// ---- Group norm: N samples of C channels of HxW elements

struct Groups {
  IntArg n, channels, elements, per_group;
  int64_t groups;
};
Groups groups_of(Decomposer& d) {
  const int64_t groups = d.integer("group"), channels = d.integer("C");
  const int64_t per_group = groups > 0 ? channels / groups : 1;
  const auto size = [&](std::string_view name) {
    const Argument value = d.argument(name);
    return value.is_node() ? IntArg(Proxy(*value.as_node(), d)) : IntArg(d.integer(name));
  };
  return {size("N"), channels, size("HxW"), per_group, groups};
}

AnyArg group_norm(Decomposer& d) {
  const Proxy input = d.tensor("input"), x = d.opmath(input);
  const Proxy weight = d.optional_tensor("weight"), bias = d.optional_tensor("bias");
  const Groups g = groups_of(d);
  const Proxy parts = d.reshape(x, {g.n, g.groups, g.per_group, g.elements});
  const Moments m = moments(d, parts, {2, 3});
  const Proxy normalized = (parts - m.mean) * m.rstd;
  Proxy out = d.reshape(normalized, d.sizes(input));
  if (weight.defined()) out = out * d.unsqueeze_to(weight, d.rank(input) - 1);
  if (bias.defined()) out = out + d.unsqueeze_to(bias, d.rank(input) - 1);
  return AnyArg::tuple({out, squeeze(m.mean, {2, 3}), squeeze(m.rstd, {2, 3})});
}

AnyArg group_norm_backward(Decomposer& d) {
  const Proxy grad = d.opmath("grad_out"), input = d.tensor("input"), x = d.opmath(input);
  const Proxy mean = d.opmath("mean"), rstd = d.opmath("rstd");
  const Proxy weight = d.optional_tensor("weight");
  const Argument mask = d.argument("output_mask");
  const Groups g = groups_of(d);
  const auto is_requested = [&](size_t i) { return i < mask.size() && mask[i] == Argument(true); };
  const auto grouped = [&](const Proxy& values) {
    return d.reshape(values, {g.n, g.groups, g.per_group});
  };
  const auto elements = [&](const Proxy& values) {
    return d.reshape(values, {g.n, g.groups, g.per_group, g.elements});
  };
  const Proxy ds = sum(d.reshape(grad * x, {g.n, g.channels, g.elements}), {2});
  const Proxy db = sum(d.reshape(grad, {g.n, g.channels, g.elements}), {2});
  AnyArg d_input(std::nullopt), d_weight(std::nullopt), d_bias(std::nullopt);
  if (is_requested(0)) {
    const ScalarArg s = d.quotient(1.0, d.product({g.elements, g.per_group}));
    const Proxy gamma = weight.defined() ? d.opmath(weight) : Proxy();
    const auto weighted = [&](const Proxy& values) {
      return sum(grouped(weight.defined() ? values * unsqueeze(gamma, 0) : values), {2});
    };
    const Proxy ds_sum = weighted(ds), db_sum = weighted(db);
    Proxy c1 = unsqueeze(rstd, -1);
    if (weight.defined()) c1 = c1 * d.reshape(gamma, {1, g.groups, g.per_group});
    const Proxy c2 = (db_sum * mean - ds_sum) * rstd * rstd * rstd * s;
    const Proxy shift = -c2 * mean, c3 = shift - db_sum * rstd * s;
    const Proxy grads = elements(grad), grad_term = grads * unsqueeze(c1, -1);
    const Proxy inputs = elements(x), input_term = inputs * d.unsqueeze_to(c2, 4);
    const Proxy both = grad_term + input_term, total = both + d.unsqueeze_to(c3, 4);
    d_input = d.reshape(total, d.sizes(input));
  }
  if (is_requested(1)) {
    const Proxy ds_groups = grouped(ds), db_groups = grouped(db);
    const Proxy centered = ds_groups - db_groups * unsqueeze(mean, -1);
    d_weight = d.reshape(sum(centered * unsqueeze(rstd, -1), {0}), {g.channels});
  }
  if (is_requested(2)) d_bias = sum(db, {0});
  return AnyArg::tuple({d_input, d_weight, d_bias});
}

// ---- Softmax

/// Returns the input, cast to the dtype of the computation.
Proxy softmax_input(Decomposer& d) {
  const Proxy x = d.tensor("self");
  return d.cast(x, d.flag("half_to_float") ? DType::kFloat32 : Decomposer::opmath(d.dtype(x)));
}
/// Returns x - max(x), the operand of exp. A tensor without elements has no maximum.
Proxy shifted(Decomposer& d, const Proxy& x, int64_t dim) {
  if (d.is_empty(x)) return x;
  return d.rank(x) == 0 ? x - x : x - amax(x, {dim}, true);
}
AnyArg softmax(Decomposer& d) {
  const Proxy x = softmax_input(d);
  const int64_t dim = d.integer("dim");
  const Proxy e = exp(shifted(d, x, dim));
  return e / sum(e, {dim}, true);
}
AnyArg log_softmax(Decomposer& d) {
  const Proxy x = softmax_input(d);
  const int64_t dim = d.integer("dim");
  const Proxy s = shifted(d, x, dim);
  return s - log(sum(exp(s), {dim}, true));
}
AnyArg safe_softmax(Decomposer& d) {
  Proxy x = d.tensor("self");
  const int64_t dim = d.integer("dim");
  const Proxy given = x;
  if (!d.is_none("dtype")) x = d.cast(x, d.dtype_argument("dtype"));
  const Proxy kept = given != -std::numeric_limits<double>::infinity();
  const Proxy any = d.emit("aten.any.dim", {kept, dim, true});
  const Proxy out = d.emit("aten._softmax.default", {d.where(any, x, 0), dim, false});
  return d.where(any, out, 0);
}
AnyArg softmax_backward(Decomposer& d) {
  const Proxy grad = d.opmath("grad_output"), y = d.opmath("output");
  const Proxy product = grad * y;
  return product - y * sum(product, {d.integer("dim")}, true);
}
AnyArg log_softmax_backward(Decomposer& d) {
  const Proxy grad = d.opmath("grad_output"), y = d.opmath("output");
  const Proxy e = exp(y);
  return grad - e * sum(grad, {d.integer("dim")}, true);
}

}  // namespace

absl::Span<const DecompositionRow> norm_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten._log_softmax.default", log_softmax, kByName},
      {"aten._log_softmax_backward_data.default", log_softmax_backward, kCore},
      {"aten._native_batch_norm_legit.default", batch_norm_training, kByName},
      {"aten._native_batch_norm_legit.no_stats", batch_norm_no_stats, kByName},
      {"aten._native_batch_norm_legit_functional.default", batch_norm_functional, kByName},
      {"aten._native_batch_norm_legit_no_training.default", batch_norm_inference, kByName},
      {"aten._safe_softmax.default", safe_softmax, kCore},
      {"aten._softmax.default", softmax, kByName},
      {"aten._softmax_backward_data.default", softmax_backward, kCore},
      {"aten.batch_norm.default", batch_norm_composite, kCore},
      {"aten.native_batch_norm.default", batch_norm_training, kByName},
      {"aten.native_batch_norm_backward.default", batch_norm_backward, kCore},
      {"aten.native_group_norm.default", group_norm, kByName},
      {"aten.native_group_norm_backward.default", group_norm_backward, kCore},
      {"aten.native_layer_norm.default", layer_norm, kByName},
      {"aten.native_layer_norm_backward.default", layer_norm_backward, kCore},
  };
  return kRows;
}

}  // namespace fx
