// Views and rearrangements. They are linear: the operator applies to tangents, and its transpose to
// gradients.
#include "fx/ir/graph/context.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/autodiff/rules_internal.h"

#include <algorithm>
#include <utility>

namespace fx {
namespace {

/// Returns the gradient with the sizes of the operand.
AnyArg reshaped(D& d) { return d.reshape(d.grad(), d.sizes(d("self"))); }

AnyArg transpose_grad(D& d) { return transpose(d.grad(), d.integer("dim0"), d.integer("dim1")); }
AnyArg permute_grad(D& d) {
  const std::vector<int64_t> dims = d.integers("dims");
  std::vector<int64_t> inverse(dims.size());
  for (size_t i = 0; i < dims.size(); ++i)
    inverse[static_cast<size_t>(d.wrapped(dims[i], d.rank(d("self"))))] = static_cast<int64_t>(i);
  return d.grad().permute(inverse);
}
AnyArg unsqueeze_grad(D& d) {
  int64_t dim = d.integer("dim");
  if (dim < 0) dim += d.rank(d("self")) + 1;
  return d.emit("aten.squeeze.dim", {d.grad(), dim});
}
/// Inserts the dimensions of size 1 that the call dropped: those in `dims`, or all.
Proxy unsqueeze_to(D& d, const std::vector<int64_t>& dims) {
  const Proxy x = d("self");
  Proxy result = d.grad();
  for (int64_t i = 0; i < d.rank(x); ++i) {
    const bool is_listed = std::ranges::find(dims, i) != dims.end();
    if (is_listed && d.type(x).size(static_cast<int>(i)) == Dim(1)) result = unsqueeze(result, i);
  }
  return result;
}
AnyArg squeeze_grad(D& d) { return unsqueeze_to(d, D::range(0, d.rank(d("self")))); }
AnyArg squeeze_dim_grad(D& d) {
  const int64_t rank = d.rank(d("self"));
  return unsqueeze_to(d, {d.wrapped(d.integer("dim"), rank)});
}
AnyArg squeeze_dims_grad(D& d) {
  const int64_t rank = d.rank(d("self"));
  std::vector<int64_t> dims = d.integers("dim");
  for (int64_t& dim : dims) dim = d.wrapped(dim, rank);
  return unsqueeze_to(d, dims);
}
AnyArg expand_grad(D& d) { return d.sum_to(d.grad(), d("self")); }

AnyArg repeat_grad(D& d) {
  const Proxy x = d("self");
  const std::vector<IntArg> repeats = d.dims("repeats"), sizes = d.sizes(x);
  const size_t leading = repeats.size() - sizes.size();
  if (sizes.empty()) return d.sum_all(d.grad());
  std::vector<IntArg> grouped;
  std::vector<int64_t> summed;
  for (size_t i = 0; i < repeats.size(); ++i) {
    const bool is_one = repeats[i].value() == Argument(1);
    if (i < leading || !is_one) {
      summed.push_back(static_cast<int64_t>(grouped.size()));
      grouped.push_back(repeats[i]);
    }
    if (i >= leading) grouped.push_back(sizes[i - leading]);
  }
  if (summed.empty()) return d.grad();
  return sum(d.reshape(d.grad(), grouped), summed);
}

AnyArg slice_grad(D& d) {
  const Proxy x = d("self");
  const auto bound = [&](std::string_view name, int64_t otherwise) {
    const Argument value = d.argument(name);
    if (value.is_node()) return AnyArg(Proxy(*value.as_node(), d));
    return AnyArg(value.is_none() ? Argument(otherwise) : value);
  };
  return d.emit("aten.slice_backward.default",
                {d.grad(), IntList(d.sizes(x)), d.integer("dim"), bound("start", 0),
                 bound("end", INT64_MAX), bound("step", 1)});
}
AnyArg narrow_grad(D& d) {
  const int64_t start = d.integer("start");
  return d.emit("aten.slice_backward.default",
                {d.grad(), IntList(d.sizes(d("self"))), d.integer("dim"), start,
                 start + d.integer("length"), 1});
}
/// Returns an integer argument that may be a value of the graph.
AnyArg number_of(D& d, std::string_view name) {
  const Argument value = d.argument(name);
  return value.is_node() ? AnyArg(Proxy(*value.as_node(), d)) : AnyArg(value);
}
AnyArg select_grad(D& d) {
  return d.emit("aten.select_backward.default",
                {d.grad(), IntList(d.sizes(d("self"))), d.integer("dim"), number_of(d, "index")});
}
AnyArg diagonal_grad(D& d) {
  return d.emit("aten.diagonal_backward.default",
                {d.grad(), IntList(d.sizes(d("self"))), d.integer("offset"), d.integer("dim1"),
                 d.integer("dim2")});
}
AnyArg unfold_grad(D& d) {
  return d.emit("aten.unfold_backward.default",
                {d.grad(), IntList(d.sizes(d("self"))), d.integer("dimension"), d.integer("size"),
                 d.integer("step")});
}
AnyArg trace_grad(D& d) {
  const Proxy x = d("self");
  if (d.is_readable()) {
    const Proxy on_diagonal = d.emit("aten.eye.m", {d.size(x, 0), d.size(x, 1)},
                                     {{"dtype", DType::kBool}, {"device", d.type(x).device()}});
    return d.emit("aten.where.ScalarOther", {on_diagonal, d.grad(), 0});
  }
  const int64_t rows = d.known_size(x, 0), columns = d.known_size(x, 1);
  const Proxy zeros = d.zeros({rows * columns}, d.grad());
  const int64_t end = std::min(rows, columns) * (columns + 1);
  const Proxy indices = d.emit("aten.arange.start_step", {0, end, columns + 1},
                               {{"dtype", DType::kInt64}, {"device", d.type(x).device()}});
  const Proxy filled = d.emit("aten.index_fill.int_Tensor", {zeros, 0, indices, d.grad()});
  return d.reshape(filled, d.sizes(x));
}

// ---- Splitting and joining

/// Returns the gradients of all items, with zeros for items that have no gradient.
std::vector<Proxy> piece_grads(D& d) {
  std::vector<Proxy> grads;
  grads.reserve(d.num_grads());
  for (size_t i = 0; i < d.num_grads(); ++i) grads.push_back(d.grad_or_zeros(i));
  return grads;
}
AnyArg joined_grad(D& d) { return cat(piece_grads(d), d.integer("dim")); }
AnyArg stacked_grad(D& d) { return stack(piece_grads(d), d.integer("dim")); }

AnyArg cat_grads(D& d) {
  const std::vector<Proxy> parts = d.tensors("tensors");
  const Argument list = d.argument("tensors");
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(d.value()));
  std::vector<AnyArg> grads;
  ScalarArg begin(0);
  for (size_t i = 0; i < parts.size(); ++i) {
    const Proxy& part = parts[i];
    if (d.rank(part) != d.rank(d.grad())) {  // libtorch skips empty tensors
      grads.emplace_back(Argument());
      continue;
    }
    const IntArg size = d.size(part, dim);
    const auto as_proxy = [&](const Argument& value) { return Proxy(*value.as_node(), d); };
    const Argument& from = begin.value();
    const Argument& length = size.value();
    ScalarArg end;
    if (from.is_int() && length.is_int())
      end = ScalarArg(from.as_int() + length.as_int());
    else if (from.is_node())
      end = ScalarArg(length.is_node() ? as_proxy(from) + as_proxy(length)
                                       : as_proxy(from) + length.as_int());
    else
      end = ScalarArg(from.as_int() == 0 ? as_proxy(length) : as_proxy(length) + from.as_int());
    const bool is_needed = d.needs_grad_of_item(list[i]);
    grads.push_back(
        is_needed ? AnyArg(d.emit("aten.slice.Tensor", {d.grad(), dim, AnyArg(begin), AnyArg(end)}))
                  : AnyArg(Argument()));
    begin = end;
  }
  return AnyArg(grads);
}
AnyArg stack_grads(D& d) {
  const Argument list = d.argument("tensors");
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(d.value()));
  const Proxy pieces = d.emit("aten.unbind.int", {d.grad(), dim});
  std::vector<AnyArg> grads;
  grads.reserve(list.size());
  for (size_t i = 0; i < list.size(); ++i)
    grads.push_back(d.needs_grad_of_item(list[i]) ? AnyArg(pieces[static_cast<int64_t>(i)])
                                                  : AnyArg(Argument()));
  return AnyArg(grads);
}

AnyArg block_diag_grads(D& d) {
  std::vector<AnyArg> grads;
  int64_t row = 0, column = 0;
  for (const Proxy& part : d.tensors("tensors")) {
    const int64_t rank = d.rank(part);
    const int64_t rows = rank == 2 ? d.known_size(part, 0) : 1;
    const int64_t columns = rank == 0 ? 1 : d.known_size(part, rank - 1);
    const Proxy across = d.slice(d.grad(), 0, row, row + rows);
    const Proxy block = d.slice(across, 1, column, column + columns);
    grads.emplace_back(d.reshape(block, d.sizes(part)));
    row += rows;
    column += columns;
  }
  return AnyArg(grads);
}

// ---- Scatters: the functional forms of writes to views

AnyArg of_source(D& d, std::string_view op) {
  std::vector<Argument> args = d.call().args();
  args.erase(args.begin() + 1);
  args[0] = AnyArg(d.grad()).value();
  return d.call_function(d.context().function(op), args);
}
AnyArg without_source(D& d) {
  return d.call_with({{"self", d.grad()}, {"src", zeros_like(d("src"))}});
}

AnyArg pad_grad(D& d) {
  std::vector<AnyArg> negated;
  const Argument pad = d.argument("pad");
  for (size_t i = 0; i < pad.size(); ++i) {
    if (pad[i].is_node())
      negated.emplace_back(d.call_function(d.context().function("operator.neg"), {pad[i]}));
    else
      negated.emplace_back(Argument(-pad[i].as_int()));
  }
  return d.emit("aten.constant_pad_nd.default", {d.grad(), AnyArg(negated)});
}
AnyArg pad_tangent(D& d) {
  return d.emit("aten.constant_pad_nd.default", {d.tangent("self"), AnyArg(d.argument("pad"))});
}

AnyArg roll_grad(D& d) {
  std::vector<int64_t> shifts = d.integers("shifts"), dims = d.integers("dims");
  std::ranges::reverse(shifts);
  std::ranges::reverse(dims);
  for (int64_t& shift : shifts) shift = -shift;
  return d.emit("aten.roll.default", {d.grad(), IntList(shifts), IntList(dims)});
}

}  // namespace

absl::Span<const DerivativeRow> view_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.view.default", kLinear, {{"self", reshaped}}},
      {"aten.view_copy.default", kLinear, {{"self", reshaped}}},
      {"aten._unsafe_view.default", kLinear, {{"self", reshaped}}},
      {"aten.reshape.default", kLinear, {{"self", reshaped}}},
      {"aten._reshape_copy.default", kLinear, {{"self", reshaped}}},
      {"aten._reshape_alias.default", kLinear, {{"self", reshaped}}},
      {"aten.view_as.default", kLinear, {{"self", reshaped}}},
      {"aten.reshape_as.default", kLinear, {{"self", reshaped}}},
      {"aten.flatten.using_ints", kLinear, {{"self", reshaped}}},
      {"aten.unflatten.int", kLinear, {{"self", reshaped}}},
      {"aten.t.default",
       kLinear,
       {{"self", [](D& d) { return d.emit("aten.t.default", {d.grad()}); }}}},
      {"aten.t_copy.default",
       kLinear,
       {{"self", [](D& d) { return d.emit("aten.t.default", {d.grad()}); }}}},
      {"aten.mT.default", kLinear, {{"self", [](D& d) { return transpose(d.grad(), -2, -1); }}}},
      {"aten.transpose.int", kLinear, {{"self", transpose_grad}}},
      {"aten.transpose_copy.int", kLinear, {{"self", transpose_grad}}},
      {"aten.permute.default", kLinear, {{"self", permute_grad}}},
      {"aten.permute_copy.default", kLinear, {{"self", permute_grad}}},
      {"aten.unsqueeze.default", kLinear, {{"self", unsqueeze_grad}}},
      {"aten.unsqueeze_copy.default", kLinear, {{"self", unsqueeze_grad}}},
      {"aten.squeeze.default", kLinear, {{"self", squeeze_grad}}},
      {"aten.squeeze.dim", kLinear, {{"self", squeeze_dim_grad}}},
      {"aten.squeeze.dims", kLinear, {{"self", squeeze_dims_grad}}},
      {"aten.squeeze_copy.default", kLinear, {{"self", squeeze_grad}}},
      {"aten.squeeze_copy.dim", kLinear, {{"self", squeeze_dim_grad}}},
      {"aten.squeeze_copy.dims", kLinear, {{"self", squeeze_dims_grad}}},
      {"aten.channel_shuffle.default",
       kLinear,
       {{"self",
         [](D& d) {
           return d.emit("aten.channel_shuffle.default",
                         {d.grad(), d.known_size(d.grad(), 1) / d.integer("groups")});
         }}}},
      {"aten.expand.default", kLinear, {{"self", expand_grad}}},
      {"aten.expand_copy.default", kLinear, {{"self", expand_grad}}},
      {"aten.expand_as.default", kLinear, {{"self", expand_grad}}},
      {"aten.broadcast_to.default", kLinear, {{"self", expand_grad}}},
      {"aten.repeat.default", kLinear, {{"self", repeat_grad}}},
      {"aten.slice.Tensor", kLinear, {{"self", slice_grad}}},
      {"aten.slice_copy.Tensor", kLinear, {{"self", slice_grad}}},
      {"aten.narrow.default", kLinear, {{"self", narrow_grad}}},
      {"aten.narrow_copy.default", kLinear, {{"self", narrow_grad}}},
      {"aten.select.int", kLinear, {{"self", select_grad}}},
      {"aten.select_copy.int", kLinear, {{"self", select_grad}}},
      {"aten.diagonal.default", kLinear, {{"self", diagonal_grad}}},
      {"aten.diagonal_copy.default", kLinear, {{"self", diagonal_grad}}},
      {"aten.diag_embed.default",
       kLinear,
       {{"self",
         [](D& d) {
           return d.grad().diagonal(d.integer("offset"), d.integer("dim1"), d.integer("dim2"));
         }}}},
      {"aten.unfold.default", kLinear, {{"self", unfold_grad}}},
      {"aten.unfold_copy.default", kLinear, {{"self", unfold_grad}}},
      {"aten.trace.default", kLinear, {{"self", trace_grad}}},
      {"aten.tril.default",
       kLinear,
       {{"self", [](D& d) { return tril(d.grad(), d.integer("diagonal")); }}}},
      {"aten.triu.default",
       kLinear,
       {{"self", [](D& d) { return triu(d.grad(), d.integer("diagonal")); }}}},
      {"aten.flip.default",
       kLinear,
       {{"self", [](D& d) { return flip(d.grad(), d.integers("dims")); }}}},
      {"aten.roll.default", kLinear, {{"self", roll_grad}}},
      {"aten.rot90.default",
       kLinear,
       {{"self",
         [](D& d) {
           return d.emit("aten.rot90.default",
                         {d.grad(), -d.integer("k"), IntList(d.integers("dims"))});
         }}}},
      {"aten.constant_pad_nd.default", kFunction, {{"self", pad_grad}}, pad_tangent},
      {"aten.pixel_shuffle.default",
       kLinear,
       {{"self",
         [](D& d) {
           return d.emit("aten.pixel_unshuffle.default", {d.grad(), d.integer("upscale_factor")});
         }}}},
      {"aten.pixel_unshuffle.default",
       kLinear,
       {{"self",
         [](D& d) {
           return d.emit("aten.pixel_shuffle.default", {d.grad(), d.integer("downscale_factor")});
         }}}},
      // Splitting and joining
      {"aten.split.Tensor", kLinear, {{"self", joined_grad}}},
      {"aten.split_with_sizes.default", kLinear, {{"self", joined_grad}}},
      {"aten.split_copy.Tensor", kLinear, {{"self", joined_grad}}},
      {"aten.split_with_sizes_copy.default", kLinear, {{"self", joined_grad}}},
      {"aten.unsafe_split.Tensor", kLinear, {{"self", joined_grad}}},
      {"aten.unsafe_split_with_sizes.default", kLinear, {{"self", joined_grad}}},
      {"aten.chunk.default", kLinear, {{"self", joined_grad}}},
      {"aten.tensor_split.sections", kLinear, {{"self", joined_grad}}},
      {"aten.tensor_split.indices", kLinear, {{"self", joined_grad}}},
      {"aten.unbind.int", kLinear, {{"self", stacked_grad}}},
      {"aten.unbind_copy.int", kLinear, {{"self", stacked_grad}}},
      {"aten.cat.default", kLinear, {{"tensors", cat_grads}}},
      {"aten.stack.default", kLinear, {{"tensors", stack_grads}}},
      {"aten.block_diag.default", kLinear, {{"tensors", block_diag_grads}}},
      // Functional writes to views
      {"aten.slice_scatter.default",
       kLinear,
       {{"self", without_source}, {"src", [](D& d) { return of_source(d, "aten.slice.Tensor"); }}}},
      {"aten.select_scatter.default",
       kLinear,
       {{"self", without_source}, {"src", [](D& d) { return of_source(d, "aten.select.int"); }}}},
      {"aten.diagonal_scatter.default",
       kLinear,
       {{"self", without_source},
        {"src", [](D& d) { return of_source(d, "aten.diagonal.default"); }}}},
      // Transposes of these operators
      {"aten.slice_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return d.emit("aten.slice.Tensor", {d.grad(), d.integer("dim"), number_of(d, "start"),
                                               number_of(d, "end"), number_of(d, "step")});
         }}}},
      {"aten.select_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return d.emit("aten.select.int", {d.grad(), d.integer("dim"), number_of(d, "index")});
         }}}},
      {"aten.diagonal_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return d.grad().diagonal(d.integer("offset"), d.integer("dim1"), d.integer("dim2"));
         }}}},
      {"aten.unfold_backward.default",
       kLinear,
       {{"grad_in",
         [](D& d) {
           return d.grad().unfold(d.integer("dim"), d.integer("size"), d.integer("step"));
         }}}},
  };
  return kRows;
}

}  // namespace fx
