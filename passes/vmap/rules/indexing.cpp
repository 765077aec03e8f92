// Indexing by index tensors, in one or more dimensions.
//
// If indices differ between examples, the batch also becomes an indexed dimension, before the other
// indexed dimensions: x[i, j] of x : [batch, ...] is x[0..batch-1, i, j].
#include "fx/ir/graph/context.h"
#include "fx/passes/vmap/rules_internal.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

// ---- Multiple dimensions: x[i, :, j]

struct Indices {
  std::vector<int64_t> dims, other_dims;  // dimensions of one example: indexed, and not indexed
  std::vector<Node*> positions;           // the index tensors, one for each of `dims`
  int64_t rank = 0;                       // the rank of the index tensors after broadcasting
  bool is_adjacent = true;                // if true, the result has them at the position of `dims`
  bool has_mask = false;
};

Indices indices_of(Batch& b, std::string_view name, int64_t rank) {
  Indices found;
  const Argument list = b.argument(name);
  for (size_t i = 0; i < list.size(); ++i) {
    Node* const position = list[i].node();
    if (position == nullptr) continue;
    found.dims.push_back(static_cast<int64_t>(i));
    found.positions.push_back(position);
    found.rank = std::max<int64_t>(found.rank, position->type().rank());
    const DType dtype = position->type().dtype();
    found.has_mask |= dtype == DType::kBool || dtype == DType::kUInt8;
  }
  for (int64_t i = 0; i < rank; ++i)
    if (std::ranges::find(found.dims, i) == found.dims.end()) found.other_dims.push_back(i);
  if (!found.dims.empty()) {
    found.is_adjacent =
        found.dims.back() - found.dims.front() + 1 == static_cast<int64_t>(found.dims.size());
  }
  return found;
}

/// Returns the batch, then the dimensions of one example in this order.
std::vector<int64_t> in_order(const std::vector<int64_t>& first, const std::vector<int64_t>& then) {
  std::vector<int64_t> order = {0};
  for (const int64_t dim : first) order.push_back(dim + 1);
  for (const int64_t dim : then) order.push_back(dim + 1);
  return order;
}
Proxy permuted(const Proxy& x, const std::vector<int64_t>& order) {
  return std::ranges::is_sorted(order) ? x : x.permute(order);
}

/// Returns the index tensors, with the batch as the first indexed dimension. Each broadcasts to
/// [batch, positions...].
AnyArg with_batch(Batch& b, const Indices& indices, const Proxy& like) {
  std::vector<AnyArg> list = {b.batch_indices(like, indices.rank + 1)};
  for (Node* const position : indices.positions)
    list.emplace_back(b.aligned(*position, indices.rank));
  return AnyArg(list);
}

/// Returns the permutation of [batch, positions..., others...] that moves the dimensions of
/// adjacent indices back to the position of `dims`.
std::vector<int64_t> order_of_result(const Indices& indices) {
  const int64_t before = indices.is_adjacent && !indices.dims.empty() ? indices.dims.front() : 0;
  std::vector<int64_t> order = {0};
  for (int64_t i = 0; i < before; ++i) order.push_back(1 + indices.rank + i);
  for (int64_t i = 0; i < indices.rank; ++i) order.push_back(1 + i);
  for (auto i = before; i < static_cast<int64_t>(indices.other_dims.size()); ++i)
    order.push_back(1 + indices.rank + i);
  return order;
}
std::vector<int64_t> inverse(const std::vector<int64_t>& order) {
  std::vector<int64_t> result(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    result[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return result;
}

AnyArg index_rule(Batch& b, std::string_view op) {
  const Indices indices = indices_of(b, "indices", b.rank_of("self"));
  if (!b.is_batched("indices") && indices.is_adjacent) {
    std::vector<AnyArg> list = {AnyArg(Argument())};
    const Argument given = b.argument("indices");
    for (size_t i = 0; i < given.size(); ++i)
      list.push_back(given[i].is_node() ? AnyArg(b.plain(*given[i].as_node()))
                                        : AnyArg(Argument()));
    return b.emit(op, {b("self"), AnyArg(list)});
  }
  if (indices.has_mask) return b.reject("masks are not supported");
  const Proxy x = permuted(b("self"), in_order(indices.dims, indices.other_dims));
  const Proxy chosen = b.emit(op, {x, with_batch(b, indices, x)});
  return permuted(chosen, order_of_result(indices));
}

AnyArg index_put_rule(Batch& b, std::string_view op) {
  const Indices indices = indices_of(b, "indices", b.rank_of("self"));
  if (indices.has_mask) return b.reject("masks are not supported");
  const std::vector<int64_t> order = in_order(indices.dims, indices.other_dims);
  const Proxy x = permuted(b("self"), order);
  // The values broadcast to the result of x[indices].
  const std::vector<int64_t> result = order_of_result(indices);
  const auto rank = static_cast<int64_t>(result.size()) - 1;
  Proxy values = b.aligned("values", rank);
  if (b.is_batched("values") || b.rank_of("values") > 0) {
    for (int64_t i = b.rank(values); i < rank + 1; ++i) values = unsqueeze(values, 0);
    values = permuted(values, inverse(result));
  }
  const Proxy written = b.emit(op, {x, with_batch(b, indices, x), values, b.flag("accumulate")});
  return permuted(written, inverse(order));
}

// ---- One dimension: the index is a vector

/// Moves the dimension to the position after the batch.
Proxy moved_first(Batch& b, std::string_view name, int64_t dim) {
  const Proxy x = b(name);
  return dim == 1 ? x : b.moved(x, dim, 1);
}
/// Returns [[0], [1], ...] and an index of sizes [batch, n]. Together they index the elements of
/// each example.
AnyArg rows_with_index(Batch& b, std::string_view index, const Proxy& like) {
  const Proxy positions = b.rank_of(index) == 0 ? unsqueeze(b(index), 1) : b(index);
  return AnyArg({AnyArg(b.batch_indices(like, 2)), AnyArg(positions)});
}
Proxy moved_back(Batch& b, const Proxy& x, int64_t dim) {
  return dim == 1 ? x : b.moved(x, 1, dim);
}

AnyArg index_select_rule(Batch& b) {
  const int64_t rank = b.rank_of("self");
  const Proxy operand = rank == 0 ? unsqueeze(b("self"), 1) : b("self");
  const int64_t dim = b.shifted(b.integer("dim"), rank);
  Proxy chosen;
  if (!b.is_batched("index")) {
    chosen = index_select(operand, dim, b.plain("index"));
  } else {
    const Proxy x = dim == 1 ? operand : moved_first(b, "self", dim);
    chosen = moved_back(b, b.emit("aten.index.Tensor", {x, rows_with_index(b, "index", x)}), dim);
  }
  return b.rank(chosen) == b.result().rank() + 1 ? chosen
                                                 : b.reshape(chosen, b.sizes_of(b.result()));
}

/// Handles index_add and index_copy, which write rows.
AnyArg index_write_rule(Batch& b, bool accumulates) {
  const int64_t rank = b.rank_of("self");
  if (rank == 0 || b.rank_of("source") != rank)
    return b.reject("0-dimensional tensors are not supported");
  const int64_t dim = b.shifted(b.integer("dim"), rank);
  if (!b.is_batched("index"))
    return b.call_with({{"self", b("self")}, {"dim", AnyArg(dim)}, {"source", b("source")}});
  const Proxy x = moved_first(b, "self", dim);
  Proxy source = moved_first(b, "source", dim);
  if (accumulates && !(b.argument("alpha") == Argument(1))) source = source * b.scalar("alpha");
  return moved_back(
      b, b.emit("aten.index_put.default", {x, rows_with_index(b, "index", x), source, accumulates}),
      dim);
}
AnyArg index_fill_rule(Batch& b) {
  const int64_t rank = b.rank_of("self");
  if (rank == 0) return b.reject("a 0-dimensional tensor is not supported");
  const int64_t dim = b.shifted(b.integer("dim"), rank);
  const Argument value = b.argument("value");
  const bool is_tensor = value.is_node() && value.as_node()->type().is_tensor();
  if (!b.is_batched("index") && !(is_tensor && b.is_batched("value")))
    return b.call_with({{"self", b("self")}, {"dim", AnyArg(dim)}});
  const Proxy x = moved_first(b, "self", dim);
  Proxy values =
      is_tensor ? b.cast(b.plain("value"), b.dtype(x)) : b.scalar_tensor(b.scalar("value"), x);
  if (is_tensor && b.is_batched("value")) values = b.unsqueeze_to(values, b.rank(x));
  return moved_back(
      b, b.emit("aten.index_put.default", {x, rows_with_index(b, "index", x), values, false}), dim);
}

/// Selects elements of the flattened operand.
AnyArg take_rule(Batch& b) {
  const Proxy x = b.flat(b("self"));
  const Proxy positions = b.flat(b("index"));
  const Proxy wrapped = b.emit("aten.add.Tensor", {positions, AnyArg(b.size(x, 1))});
  return b.reshape(gather(x, 1, b.where(positions < 0, wrapped, positions)),
                   b.sizes_of(b.result()));
}

// ---- Embeddings

AnyArg embedding_rule(Batch& b) {
  if (!b.is_batched("weight")) return b.call_with({{"indices", b.plain("indices")}});
  const Proxy weight = b("weight");
  if (!b.is_batched("indices")) {
    const Proxy chosen = index_select(weight, 1, b.reshape(b.plain("indices"), {-1}));
    return b.reshape(chosen, b.sizes_of(b.result()));
  }
  const Proxy positions = b.plain("indices");
  return b.emit(
      "aten.index.Tensor",
      {weight, AnyArg({AnyArg(b.batch_indices(weight, b.rank(positions))), AnyArg(positions)})});
}
/// Adds the rows of the gradient at their indices, except the rows of the padding.
AnyArg embedding_backward_rule(Batch& b) {
  if (b.flag("scale_grad_by_freq")) return b.reject("scale_grad_by_freq=True is not supported");
  Proxy grad = b("grad_output");
  const Proxy positions = b("indices");
  const Argument padding = b.argument("padding_idx");
  if (!padding.is_int() || padding.as_int() >= 0)
    grad = masked_fill(grad, unsqueeze(positions == b.scalar("padding_idx"), -1), 0);
  const std::vector<IntArg> sizes = b.sizes_of(b.result());
  const Proxy zeros = b.zeros(sizes, grad);
  return b.emit(
      "aten.index_put.default",
      {zeros, AnyArg({AnyArg(b.batch_indices(grad, b.rank(positions))), AnyArg(positions)}), grad,
       true});
}

/// Handles boundaries that all examples share.
AnyArg bucketize_rule(Batch& b) {
  if (b.is_batched("boundaries")) return b.reject("examples must share the boundaries");
  return b.call_with({{"self", b.plain("self")}});
}

}  // namespace

absl::Span<const BatchingRow> index_batching() {
  static constexpr BatchingRow kRows[] = {
      batch_by("aten.index.Tensor", [](Batch& b) { return index_rule(b, "aten.index.Tensor"); }),
      batch_by("aten._unsafe_index.Tensor",
               [](Batch& b) { return index_rule(b, "aten._unsafe_index.Tensor"); }),
      batch_by("aten.index_put.default",
               [](Batch& b) { return index_put_rule(b, "aten.index_put.default"); }),
      batch_by("aten._unsafe_index_put.default",
               [](Batch& b) { return index_put_rule(b, "aten._unsafe_index_put.default"); }),
      batch_by("aten.index_select.default", index_select_rule),
      batch_by("aten.index_add.default", [](Batch& b) { return index_write_rule(b, true); }),
      batch_by("aten.index_copy.default", [](Batch& b) { return index_write_rule(b, false); }),
      batch_by("aten.index_fill.int_Scalar", index_fill_rule),
      batch_by("aten.index_fill.int_Tensor", index_fill_rule),
      batch_by("aten.take.default", take_rule),
      batch_by("aten.embedding.default", embedding_rule),
      batch_by("aten.embedding_dense_backward.default", embedding_backward_rule),
      batch_by("aten.bucketize.Tensor", bucketize_rule),
      {.op = "aten.complex.default", .kind = BatchKind::kPointwise},
      {.op = "aten.polar.default", .kind = BatchKind::kPointwise},
      {.op = "aten.masked_fill.Scalar", .kind = BatchKind::kPointwise},
      {.op = "aten.masked_fill.Tensor", .kind = BatchKind::kPointwise},
  };
  return kRows;
}

}  // namespace fx
