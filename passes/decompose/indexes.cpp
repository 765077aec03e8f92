// Decompositions of embeddings, and of operators that read and write parts of tensors.
#include "fx/passes/decompose/families_internal.h"

#include <limits>
#include <optional>

namespace fx {
namespace {

/// Returns a list of indices with an index for dimension `dim` only.
OptionalTensorList at_dim(int64_t dim, const Proxy& index) {
  std::vector<OptionalTensor> indices(static_cast<size_t>(dim), OptionalTensor(std::nullopt));
  indices.emplace_back(index);
  return indices;
}

AnyArg embedding(Decomposer& d) {
  const Proxy weight = d.tensor("weight"), indices = d.tensor("indices");
  if (d.rank(weight) != 2) return d.reject("the weight must be a matrix");
  if (d.rank(indices) > 1) return d.index(weight, {OptionalTensor(indices)});
  if (d.rank(indices) == 1) return index_select(weight, 0, indices);
  return squeeze(index_select(weight, 0, indices), {0});
}

AnyArg embedding_dense_backward(Decomposer& d) {
  Proxy grad = d.opmath("grad_output"), indices = d.tensor("indices");
  const int64_t count = d.integer("num_weights"), padding = d.integer("padding_idx");
  if (d.dtype(indices) != DType::kInt64) indices = d.cast(indices, DType::kInt64);
  if (d.flag("scale_grad_by_freq")) {
    const Proxy zeros = d.full({count}, 0, indices, DType::kInt64);
    const Proxy ones = d.full(d.sizes(indices), 1, indices, DType::kInt64);
    const Proxy counts = index_put(zeros, {OptionalTensor(indices)}, ones, true);
    grad = grad / unsqueeze(d.index(counts, {OptionalTensor(indices)}), -1);
  }
  const Proxy kept = d.unsqueeze_to(indices != padding, d.rank(grad));
  std::vector<IntArg> sizes = d.sizes(grad, d.rank(indices));
  sizes.insert(sizes.begin(), IntArg(count));
  const Proxy zeros = d.zeros(sizes, grad);
  return index_put(zeros, {OptionalTensor(indices)}, d.where(kept, grad, 0), true);
}

/// True if libtorch reads the rows of a bag using the offsets (is_fast_path in EmbeddingBag.cpp),
/// and so ignores indices after the last offset. If false, these indices belong to the last bag.
/// nullopt if the strides are unknown.
std::optional<bool> reads_bags_by_offsets(Decomposer& d) {
  constexpr int64_t kMax = 2;
  const Type weight = d.type(d.tensor("weight"));
  const bool has_kernel = weight.dtype() == DType::kFloat32 || weight.dtype() == DType::kFloat16 ||
                          weight.dtype() == DType::kBFloat16;
  if (!has_kernel || d.integer("mode") == kMax || d.integer("padding_idx") >= 0) return false;
  if (!weight.has_strides()) return std::nullopt;
  if (weight.stride(1) != Dim(1)) return false;
  const Proxy weights = d.optional_tensor("per_sample_weights");
  if (!weights.defined()) return true;
  if (!d.type(weights).has_strides()) return std::nullopt;
  return d.type(weights).stride(0) == Dim(1);
}

/// Reduces the rows of each bag. The bag of an index is the last bag that starts at or before it.
AnyArg embedding_bag_rows(Decomposer& d) {
  constexpr int64_t kMean = 1, kMax = 2;
  for (size_t item = 1; item < 4; ++item)
    if (d.reads_result(item)) return d.reject("only the first result may have users");
  const int64_t mode = d.integer("mode"), padding = d.integer("padding_idx");
  const Proxy weight = d.opmath("weight"), indices = d.tensor("indices");
  Proxy starts = d.tensor("offsets");
  if (d.rank(indices) != 1 || d.rank(starts) != 1)
    return d.reject("the indices and the offsets must have one dimension");
  const bool has_last = d.flag("include_last_offset");
  const std::optional<bool> by_offsets = has_last ? reads_bags_by_offsets(d) : false;
  if (!by_offsets) return d.reject("the strides must be known if the last offset is included");
  const int64_t bags = d.known_size(starts, 0);
  const std::vector<IntArg> sizes = {bags, d.size(weight, 1)};
  // The number of bags that start at each index, and after the last index.
  const Proxy none = cat({d.zeros({d.size(indices, 0)}, starts), d.zeros({1}, starts)}, 0);
  const Proxy begun =
      index_put(none, {OptionalTensor(starts)}, d.full({bags}, 1, starts, d.dtype(starts)), true);
  const Proxy begin = d.slice(cumsum(begun, 0), 0, 0, -1) - 1;
  const Proxy counted = has_last ? clamp(begin, std::nullopt, bags - 2) : begin;
  const Proxy bag = *by_offsets ? begin : counted;
  Proxy rows = index_select(weight, 0, indices);
  const Proxy weights = d.optional_tensor("per_sample_weights");
  if (weights.defined()) rows = rows * unsqueeze(d.opmath(weights), 1);
  const Proxy is_kept = indices != padding;
  const double neutral = mode == kMax ? -std::numeric_limits<double>::infinity() : 0;
  if (padding >= 0) rows = d.where(unsqueeze(is_kept, 1), rows, neutral);
  const auto results = [&](const Proxy& sums) {
    const Proxy first = has_last ? d.slice(sums, 0, 0, -1) : sums;
    return AnyArg::tuple({first, std::nullopt, std::nullopt, std::nullopt});
  };
  const Proxy start = d.full(sizes, neutral, rows, d.dtype(rows));
  const Proxy total =
      mode == kMax ? d.emit("aten.scatter_reduce.two",
                            {start, 0, d.emit("aten.expand_as.default", {unsqueeze(bag, 1), rows}),
                             rows, AnyArg(Argument("amax"))})
                   : index_put(start, {OptionalTensor(bag)}, rows, true);
  if (mode != kMean && mode != kMax) return results(total);
  // A mean always counts the indices after the last offset as part of the last bag.
  const Proxy counts = unsqueeze(index_put(d.zeros({bags}, rows), {OptionalTensor(counted)},
                                           d.cast(is_kept, d.dtype(rows)), true),
                                 1);
  if (mode == kMean) return results(total / clamp(counts, 1));
  return results(d.where(counts == 0, 0, total));
}

// ---- Gradients of views: zeros with the gradient written into the part

Proxy zeros_of_input(Decomposer& d, const Proxy& grad) {
  return d.zeros(d.dims("input_sizes"), grad);
}
AnyArg select_backward(Decomposer& d) {
  const Proxy grad = d.tensor("grad_output");
  const Argument at = d.argument("index");
  const IntArg index = at.is_node() ? IntArg(Proxy(*at.as_node(), d)) : IntArg(d.integer("index"));
  return select_scatter(zeros_of_input(d, grad), grad, d.integer("dim"), index);
}
AnyArg slice_backward(Decomposer& d) {
  const Proxy grad = d.tensor("grad_output");
  return slice_scatter(zeros_of_input(d, grad), grad, d.integer("dim"), d.integer("start"),
                       d.integer("end"), d.integer("step"));
}
AnyArg diagonal_backward(Decomposer& d) {
  const Proxy grad = d.tensor("grad_output");
  return diagonal_scatter(zeros_of_input(d, grad), grad, d.integer("offset"), d.integer("dim1"),
                          d.integer("dim2"));
}
/// Adds the elements of overlapping windows.
AnyArg unfold_backward(Decomposer& d) {
  const Proxy grad = d.tensor("grad_in");
  const std::vector<int64_t> sizes = d.integers("input_sizes");
  const auto rank = static_cast<int64_t>(sizes.size());
  const int64_t size = d.integer("size"), step = d.integer("step");
  if (rank == 0 || step < 1)
    return d.reject("input_sizes must not be empty, and step must be positive");
  const int64_t dim = d.wrapped(d.integer("dim"), rank);
  const int64_t windows = d.known_size(grad, dim);
  const Proxy starts = unsqueeze(d.iota(ScalarArg(windows), grad) * step, 1);
  const Proxy places = (starts + d.iota(ScalarArg(size), grad)).view(IntList({windows * size}));
  // Moves the last dimension, the elements of a window, after the windows.
  std::vector<int64_t> order = Decomposer::range(0, rank);
  order.insert(order.begin() + dim + 1, rank);
  std::vector<IntArg> merged;
  merged.reserve(sizes.size());
  for (int64_t i = 0; i < rank; ++i)
    merged.push_back(i == dim ? IntArg(windows * size) : IntArg(sizes[static_cast<size_t>(i)]));
  const Proxy source = d.reshape(permute(grad, order), merged);
  return index_put(zeros_of_input(d, grad), at_dim(dim, places), source, true);
}

// ---- Writing along a dimension

AnyArg index_add(Decomposer& d) {
  const Proxy x = d.tensor("self"), source = d.tensor("source");
  const Argument alpha = d.argument("alpha");
  if (d.rank(x) == 0) return d.reject("a 0-dimensional tensor is not supported");
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  // The kernel ignores the indices if the dimension has no elements; index_put rejects them.
  if (d.has_size(x, dim, 0)) return x.clone();
  const bool is_one = alpha.is_int() && alpha.as_int() == 1;
  const Proxy scaled = is_one ? source : source * d.scalar("alpha");
  if (d.dtype(scaled) != d.dtype(x))  // eager mode accepts such a number if there are no elements
    return d.reject("alpha must not change the dtype of the source");
  return index_put(x, at_dim(dim, d.tensor("index")), scaled, true);
}
AnyArg index_copy(Decomposer& d) {
  const Proxy x = d.tensor("self");
  if (d.rank(x) == 0) return d.reject("a 0-dimensional tensor is not supported");
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  return index_put(x, at_dim(dim, d.tensor("index")), d.tensor("source"));
}
AnyArg index_fill(Decomposer& d) {
  const Proxy x = d.tensor("self");
  if (d.rank(x) == 0) return d.reject("a 0-dimensional tensor is not supported");
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  const Proxy value = is_tensor_argument(d, "value") ? d.cast(d.tensor("value"), d.dtype(x))
                                                     : d.scalar_tensor(d.scalar("value"), x);
  return index_put(x, at_dim(dim, d.tensor("index")), value);
}
AnyArg unsafe_index(Decomposer& d) {
  return d.emit("aten.index.Tensor", {d.tensor("self"), AnyArg(d.argument("indices"))});
}
AnyArg unsafe_index_put(Decomposer& d) {
  return d.emit("aten.index_put.default", {d.tensor("self"), AnyArg(d.argument("indices")),
                                           d.tensor("values"), d.flag("accumulate")});
}
AnyArg take(Decomposer& d) {
  const Proxy flat = d.reshape(d.tensor("self"), {-1});
  return d.index(flat, {OptionalTensor(d.tensor("index"))});
}

AnyArg masked_fill(Decomposer& d) {
  const Proxy x = d.tensor("self"), mask = d.tensor("mask");
  if (is_tensor_argument(d, "value"))
    return d.where(mask, d.cast(d.tensor("value"), d.dtype(x)), x);
  return d.where(mask, d.scalar("value"), x);
}

}  // namespace

absl::Span<const DecompositionRow> index_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten._embedding_bag.default", embedding_bag_rows, kByName},
      {"aten._embedding_bag_forward_only.default", embedding_bag_rows, kByName},
      {"aten._unsafe_index.Tensor", unsafe_index, kCore},
      {"aten._unsafe_index_put.default", unsafe_index_put, kCore},
      {"aten.diagonal_backward.default", diagonal_backward, kCore},
      {"aten.embedding.default", embedding, kByName},
      {"aten.embedding_dense_backward.default", embedding_dense_backward, kCore},
      {"aten.index_add.default", index_add, kCore},
      {"aten.index_copy.default", index_copy, kCore},
      {"aten.index_fill.int_Scalar", index_fill, kCore},
      {"aten.index_fill.int_Tensor", index_fill, kCore},
      {"aten.masked_fill.Scalar", masked_fill, kCore},
      {"aten.masked_fill.Tensor", masked_fill, kCore},
      {"aten.select_backward.default", select_backward, kCore},
      {"aten.slice_backward.default", slice_backward, kCore},
      {"aten.take.default", take, kCore},
      {"aten.unfold_backward.default", unfold_backward, kCore},
  };
  return kRows;
}

}  // namespace fx
