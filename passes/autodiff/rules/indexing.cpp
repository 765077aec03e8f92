// Indexing, gathers and scatters.
#include "fx/passes/autodiff/rules_internal.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// Returns zeros with the operand's sizes, in the gradient's dtype.
Proxy zeros_of_self(D& d) {
  return d.emit("aten.new_zeros.default", {d.grad(), IntList(d.sizes(d("self")))});
}

AnyArg index_grad(D& d) {
  return d.emit("aten.index_put.default",
                {zeros_of_self(d), argument_of(d, "indices"), d.grad(), true});
}
AnyArg unsafe_index_grad(D& d) {
  return d.emit("aten._unsafe_index_put.default",
                {zeros_of_self(d), argument_of(d, "indices"), d.grad(), true});
}
AnyArg index_put_self(D& d, std::string_view op) {
  if (d.flag("accumulate")) return d.grad();
  return d.emit(op, {d.grad(), argument_of(d, "indices"), zeros_like(d("values")), false});
}

AnyArg index_select_grad(D& d) {
  const Proxy index = d("index");
  return d.emit("aten.index_add.default", {zeros_of_self(d), d.integer("dim"), index, d.grad()});
}
/// Returns the elements of the gradient at `index`, with the sizes of the source.
Proxy grad_at_index(D& d) {
  const Proxy source = d("source"), index = d("index");
  if (d.rank(source) > 0)
    return d.expand_like(index_select(d.grad(), d.integer("dim"), index), source);
  const Proxy flat = d.rank(index) > 0 ? d.emit("aten.squeeze.dim", {index, 0}) : index;
  return index_select(d.grad(), d.integer("dim"), flat);
}
AnyArg filled_grad(D& d) {
  return d.emit("aten.index_fill.int_Scalar", {d.grad(), d.integer("dim"), d("index"), 0});
}

AnyArg gather_grad(D& d) {
  return d.emit("aten.scatter_add.default",
                {zeros_of_self(d), d.integer("dim"), d("index"), d.grad()});
}
AnyArg gathered(D& d) { return gather(d.grad(), d.integer("dim"), d("index")); }
AnyArg scattered_zero(D& d) {
  return d.emit("aten.scatter.value", {d.grad(), d.integer("dim"), d("index"), 0});
}

AnyArg take_grad(D& d) {
  return d.emit("aten.put.default", {zeros_of_self(d), d("index"), d.grad(), true});
}
AnyArg masked_select_grad(D& d) {
  const Proxy x = d("self"), mask = d("mask");
  const Proxy filled =
      d.emit("aten.masked_scatter.default",
             {d.zeros(d.sizes(x + d.cast(mask, d.dtype(x))), d.grad()), mask, d.grad()});
  return filled;
}

/// Handles reductions of the elements that are scattered to the same index.
AnyArg scatter_reduce_grads(D& d) {
  const Proxy g = d.grad(), x = d("self"), src = d("src"), index = d("index"), y = d.value();
  const int64_t dim = d.integer("dim");
  const std::string reduce = d.text("reduce");
  const bool includes = d.flag("include_self");
  if (d.rank(x) == 0) return d.reject("a 0-dimensional tensor is not supported");
  Proxy grad_x = g, grad_src;
  if (reduce == "sum") {
    grad_src = gather(g, dim, index);
  } else if (reduce == "mean") {
    const Proxy start = includes ? ones_like(g) : zeros_like(g);
    const Proxy added = scatter_add(start, dim, index, ones_like(src));
    const Proxy count = masked_fill(added, added == 0, 1);
    grad_x = g / count;
    grad_src = gather(g, dim, index) / gather(count, dim, index);
  } else if (reduce == "amax" || reduce == "amin") {
    const Proxy values = gather(y, dim, index);
    const Proxy x_equal = d.cast(x == y, d.dtype(x)),
                src_equal = d.cast(src == values, d.dtype(src));
    const Proxy count = scatter_add(x_equal, dim, index, src_equal);
    const Proxy share = g / count;
    grad_x = x_equal * share;
    grad_src = src_equal * gather(share, dim, index);
  } else {
    const auto reduced = [&](const Proxy& self, const Proxy& source) {
      return d.call_with({{"self", self}, {"src", source}});
    };
    const Proxy nonzero = masked_fill(x, x == 0, 1);
    grad_x = g * reduced(nonzero, src) / nonzero;
    const Proxy is_zero = src == 0;
    const Proxy zeros =
        gather(scatter_add(zeros_like(x), dim, index, d.cast(is_zero, d.dtype(x))), dim, index);
    const Proxy is_alone = logical_and(is_zero, zeros == 1);
    const Proxy others = reduced(x, masked_fill(src, is_alone, 1));
    grad_src = fx::where(is_alone, gather(g * others, dim, index),
                         gather(g * y, dim, index) / masked_fill(src, is_zero, 1));
  }
  if (!includes) grad_x = d.emit("aten.scatter.value", {grad_x, dim, index, 0});
  return AnyArg::tuple({grad_x, grad_src});
}

/// Handles reductions of the slices that have the same index along a dimension.
AnyArg index_reduce_grads(D& d) {
  const Proxy g = d.grad(), x = d("self"), src = d("source"), index = d("index"), y = d.value();
  const int64_t dim = d.integer("dim");
  const std::string reduce = d.text("reduce");
  const bool includes = d.flag("include_self");
  const auto chosen = [&](const Proxy& values) { return index_select(values, dim, index); };
  const auto added = [&](const Proxy& to, const Proxy& values) {
    return d.emit("aten.index_add.default", {to, dim, index, values});
  };
  if (d.rank(x) == 0) return d.reject("a 0-dimensional tensor is not supported");
  Proxy grad_x, grad_src;
  if (reduce == "mean") {
    const Proxy start = includes ? ones_like(g) : zeros_like(g);
    const Proxy number = added(start, ones_like(src));
    const Proxy count = masked_fill(number, number == 0, 1);
    grad_x = g / count;
    grad_src = chosen(g) / chosen(count);
  } else if (reduce == "amax" || reduce == "amin") {
    const Proxy x_equal = d.cast(x == y, d.dtype(x)),
                src_equal = d.cast(src == chosen(y), d.dtype(src));
    const Proxy share = g / added(x_equal, src_equal);
    grad_x = x_equal * share;
    grad_src = src_equal * chosen(share);
  } else {
    const auto reduced = [&](const Proxy& self, const Proxy& source) {
      return d.call_with({{"self", self}, {"source", source}});
    };
    const Proxy nonzero = masked_fill(x, x == 0, 1);
    grad_x = g * reduced(nonzero, src) / nonzero;
    const Proxy is_zero = src == 0;
    const Proxy zeros = chosen(added(zeros_like(x), d.cast(is_zero, d.dtype(x))));
    const Proxy is_alone = logical_and(is_zero, zeros == 1);
    const Proxy others = reduced(x, masked_fill(src, is_alone, 1));
    grad_src =
        fx::where(is_alone, chosen(g * others), chosen(g * y) / masked_fill(src, is_zero, 1));
  }
  if (!includes) grad_x = d.emit("aten.index_fill.int_Scalar", {grad_x, dim, index, 0});
  return AnyArg::tuple({grad_x, grad_src});
}

AnyArg embedding_grad(D& d) {
  if (d.flag("sparse")) return d.reject("sparse gradients are not supported");
  const Proxy weight = d("weight");
  const Argument padding = d.argument("padding_idx");
  return d.emit("aten.embedding_dense_backward.default",
                {d.grad(), d("indices"), AnyArg(d.size(weight, 0)), AnyArg(padding),
                 d.flag("scale_grad_by_freq")});
}
/// Selects rows of the gradient; rows of padding stay zero.
AnyArg embedding_grad_grad(D& d) {
  const Proxy indices = d("indices");
  const Proxy rows = d.emit("aten.index_select.default", {d.grad(), 0, d.reshape(indices, {-1})});
  std::vector<IntArg> sizes = d.sizes(indices);
  sizes.push_back(d.size(d.grad(), -1));
  const Proxy result = d.reshape(rows, sizes);
  const Argument padding = d.argument("padding_idx");
  if (padding.is_int() && padding.as_int() < 0) return result;
  return masked_fill(result, unsqueeze(indices == d.scalar("padding_idx"), -1), 0);
}
AnyArg embedding_bag_grad(D& d) {
  if (d.flag("sparse")) return d.reject("sparse gradients are not supported");
  if (!d.grad(0).defined()) return Proxy();
  return d.emit("aten._embedding_bag_backward.default",
                {d.grad(0), d("indices"), d("offsets"), d.value(1), d.value(2), d.value(3),
                 AnyArg(d.size(d("weight"), 0)), d.flag("scale_grad_by_freq"), d.integer("mode"),
                 false, argument_of(d, "per_sample_weights"), d.integer("padding_idx")});
}
AnyArg bag_weights_grad(D& d) {
  return d.emit("aten._embedding_bag_per_sample_weights_backward.default",
                {d.grad(0), d("weight"), d("indices"), d("offsets"), d.value(1), d.integer("mode"),
                 d.integer("padding_idx")});
}

}  // namespace

absl::Span<const DerivativeRow> index_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.index.Tensor", kLinear, {{"self", index_grad}}},
      {"aten._unsafe_index.Tensor", kLinear, {{"self", unsafe_index_grad}}},
      {"aten._unsafe_masked_index_put_accumulate.default",
       kLinear,
       {{"self", [](D& d) { return d.grad(); }},
        {"values",
         [](D& d) {
           return d.emit("aten._unsafe_masked_index.default",
                         {d.grad(), d("mask"), argument_of(d, "indices"), 0});
         }}}},
      {"aten._unsafe_masked_index.default",
       kFunction,
       {{"self",
         [](D& d) {
           return d.emit("aten._unsafe_masked_index_put_accumulate.default",
                         {zeros_of_self(d), d("mask"), argument_of(d, "indices"), d.grad()});
         }}},
       [](D& d) {
         return d.emit("aten._unsafe_masked_index.default",
                       {d.tangent("self"), d("mask"), argument_of(d, "indices"), 0});
       }},
      {"aten.index_put.default",
       kLinear,
       {{"self", [](D& d) { return index_put_self(d, "aten.index_put.default"); }},
        {"values",
         [](D& d) { return d.emit("aten.index.Tensor", {d.grad(), argument_of(d, "indices")}); }}}},
      {"aten._unsafe_index_put.default",
       kLinear,
       {{"self", [](D& d) { return index_put_self(d, "aten._unsafe_index_put.default"); }},
        {"values",
         [](D& d) {
           return d.emit("aten._unsafe_index.Tensor", {d.grad(), argument_of(d, "indices")});
         }}}},
      {"aten.index_select.default", kLinear, {{"self", index_select_grad}}},
      {"aten.index_add.default",
       kLinear,
       {{"self", [](D& d) { return d.grad(); }},
        {"source", [](D& d) { return d.scaled(grad_at_index(d), "alpha"); }}}},
      {"aten.index_copy.default",
       kLinear,
       {{"self", filled_grad}, {"source", [](D& d) { return grad_at_index(d); }}}},
      {"aten.index_fill.int_Scalar",
       kFunction,
       {{"self", filled_grad}},
       [](D& d) {
         return d.emit("aten.index_fill.int_Scalar",
                       {d.tangent("self"), d.integer("dim"), d("index"), 0});
       }},
      {"aten.index_fill.int_Tensor",
       kLinear,
       {{"self", filled_grad},
        {"value",
         [](D& d) {
           const Proxy ones = d.emit("aten.index_fill.int_Scalar",
                                     {zeros_like(d.grad()), d.integer("dim"), d("index"), 1});
           return d.sum_all(d.where(ones == 1, d.grad(), 0));
         }}}},
      {"aten.gather.default", kLinear, {{"self", gather_grad}}},
      {"aten.scatter.src", kLinear, {{"self", scattered_zero}, {"src", gathered}}},
      {"aten.scatter.value",
       kFunction,
       {{"self", scattered_zero}},
       [](D& d) {
         return d.emit("aten.scatter.value", {d.tangent("self"), d.integer("dim"), d("index"), 0});
       }},
      {"aten.scatter_add.default",
       kLinear,
       {{"self", [](D& d) { return d.grad(); }}, {"src", gathered}}},
      {"aten.scatter_reduce.two", kTransposed, {{"self, src", scatter_reduce_grads}}},
      {"aten.index_reduce.default", kTransposed, {{"self, source", index_reduce_grads}}},
      {"aten.take.default", kLinear, {{"self", take_grad}}},
      {"aten.put.default",
       kLinear,
       {{"self",
         [](D& d) {
           if (d.flag("accumulate")) return d.grad();
           return d.emit("aten.put.default",
                         {d.grad(), d("index"), zeros_like(d("source")), false});
         }},
        {"source",
         [](D& d) {
           return d.reshape(d.emit("aten.take.default", {d.grad(), d("index")}),
                            d.sizes(d("source")));
         }}}},
      {"aten.masked_fill.Scalar",
       kFunction,
       {{"self", [](D& d) { return masked_fill(d.grad(), d("mask"), 0); }}},
       [](D& d) { return masked_fill(d.tangent("self"), d("mask"), 0); }},
      {"aten.masked_fill.Tensor",
       kLinear,
       {{"self", [](D& d) { return masked_fill(d.grad(), d("mask"), 0); }},
        {"value", [](D& d) { return d.sum_all(d.where(d("mask"), d.grad(), 0)); }}}},
      {"aten.masked_scatter.default",
       kLinear,
       {{"self", [](D& d) { return masked_fill(d.grad(), d("mask"), 0); }},
        {"source",
         [](D& d) {
           return d.emit("aten.masked_scatter_backward.default",
                         {d.grad(), d("mask"), IntList(d.sizes(d("source")))});
         }}}},
      {"aten.masked_scatter_backward.default",
       kTransposed,
       {{"grad_output",
         [](D& d) {
           return d.emit("aten.masked_scatter.default",
                         {zeros_like(d("grad_output")), d("mask"), d.grad()});
         }}}},
      {"aten.masked_select.default", kLinear, {{"self", masked_select_grad}}},
      {"aten.embedding.default", kLinear, {{"weight", embedding_grad}}},
      {"aten.embedding_dense_backward.default", kLinear, {{"grad_output", embedding_grad_grad}}},
      {"aten._embedding_bag.default",
       kTransposed,
       {{"weight", embedding_bag_grad}, {"per_sample_weights", bag_weights_grad}}},
      {"aten._embedding_bag_forward_only.default",
       kTransposed,
       {{"weight", embedding_bag_grad}, {"per_sample_weights", bag_weights_grad}}},
  };
  return kRows;
}

}  // namespace fx
