// Requirements for operators that read and write by index.
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

/// Requires that an index in the list is a tensor, unless the indexed tensor is empty.
template <int list>
bool has_index(TypeCall& c) {
  for (Type index : c.tensors(list))
    if (index) return true;
  // Eager mode accepts a list without tensors for an empty tensor.
  if (c.failed() || numel(c.tensor(0).sizes()) == Dim(0)) return !c.failed();
  c.fail_argument(list, "a list with at least one index");
  return false;
}

/// index_select(self, dim, index): a 0-dimensional tensor requires an index with one element.
bool index_select(TypeCall& c) {
  if (c.tensor(0).rank() > 0 || c.guard_equal(numel(c.tensor(2).sizes()), 1)) return true;
  c.fail_argument(2, "a single index for a 0-dimensional tensor");
  return false;
}
/// take(self, index)
bool take(TypeCall& c) {
  if (numel(c.tensor(0).sizes()) != Dim(0) || numel(c.tensor(1).sizes()) == Dim(0)) return true;
  c.fail("take from an empty tensor requires an empty index");
  return false;
}

/// fill(self, value), _foreach_add(self, other): the second tensor is a number.
bool is_scalar_operand(TypeCall& c) { return has_rank(c, 1, 0); }
bool masked_fill_value(TypeCall& c) { return has_rank(c, 2, 0); }
/// index_fill(self, dim, index, value)
bool index_fill(TypeCall& c) {
  return has_rank(c, 2, 0, 1) && fits_dtype(c, 3, c.tensor(0).dtype());
}
bool index_fill_value(TypeCall& c) { return has_rank(c, 2, 0, 1) && has_rank(c, 3, 0); }

/// index_add(self, dim, index, source): a 0-dimensional tensor requires a 0-dimensional source.
bool has_source_rank(TypeCall& c) {
  return (c.tensor(0).rank() == 0) == (c.tensor(3).rank() == 0) ||
         has_rank(c, 3, c.tensor(0).rank());
}
bool index_add(TypeCall& c) { return has_source_rank(c) && fits_dtype(c, 4, c.tensor(0).dtype()); }
bool index_reduce(TypeCall& c) {
  return is_one_of(c, 4, {"prod", "mean", "amax", "amin"}) && has_source_rank(c);
}

/// put(self, index, source)
bool put(TypeCall& c) {
  if (!has_numel_of(c, 2, 1)) return false;
  if (numel(c.tensor(0).sizes()) != Dim(0) || numel(c.tensor(1).sizes()) == Dim(0)) return true;
  c.fail("put into an empty tensor requires an empty index");
  return false;
}

/// scatter(self, dim, index, src or value, reduce)
bool scatter_reduce_by(TypeCall& c) { return is_one_of(c, 4, {"add", "multiply"}); }
bool scatter_value_by(TypeCall& c) { return scatter_reduce_by(c) && fits_scattered(c); }
bool scatter_reduce(TypeCall& c) {
  return is_one_of(c, 4, {"sum", "prod", "mean", "amax", "amin"});
}

/// segment_reduce(data, reduce)
bool segment_reduce(TypeCall& c) {
  return is_one_of(c, 1, {"max", "mean", "min", "sum", "prod"}) && has_rank(c, 0, 1, kAnyRank);
}
/// _segment_reduce_backward(grad, output, data, reduce, lengths, offsets, axis)
bool segment_reduce_backward(TypeCall& c) {
  return is_one_of(c, 3, {"max", "mean", "min", "sum", "prod"}) && has_rank(c, 1, 1, kAnyRank) &&
         has_rank(c, 2, 1, kAnyRank);
}

/// repeat_interleave(self, repeats, dim)
bool repeat_interleave(TypeCall& c) {
  const Type x = c.tensor(0), repeats = c.tensor(1);
  if (!has_rank(c, 1, 0, 1) || repeats.rank() == 0) return !c.failed();
  Dim length = numel(x.sizes());
  if (!c.is_none(2)) {
    const auto dim = c.argument(2).as_dim();
    if (!dim || !dim->is_int() || !are_dims_of(c, 2, x.rank())) return !c.failed();
    const int64_t d = dim->value() < 0 ? dim->value() + x.rank() : dim->value();
    length = x.rank() == 0 ? Dim(1) : x.sizes()[static_cast<size_t>(d)];
  }
  if (repeats.sizes()[0] == Dim(1) || c.guard_equal(repeats.sizes()[0], length)) return true;
  c.fail_argument(1, fmt::format("a tensor with one element or {} elements", to_string(length)));
  return false;
}

/// repeat_interleave(repeats)
bool repeats(TypeCall& c) { return has_rank(c, 0, 1); }

// ---------------------------------------------------------------- embeddings

/// embedding_dense_backward(grad, indices, num_weights): the gradient has a row for each index.
bool embedding_dense_backward(TypeCall& c) {
  const Type grad = c.tensor(0);
  if (!has_rank(c, 0, 1, kAnyRank)) return false;
  return c.guard_equal(numel(grad.sizes()), numel(c.tensor(1).sizes()) * grad.sizes().back()) ||
         has_sizes(c, 0, {numel(c.tensor(1).sizes()), grad.sizes().back()});
}

/// _embedding_bag_backward(grad, indices, offsets, offset2bag, bag_size, maxima, num_weights,
/// scale, mode, sparse, per_sample_weights)
bool embedding_bag_backward(TypeCall& c) {
  constexpr int64_t kSum = 0, kMax = 2;
  const auto mode = c.argument(8).as_dim();
  if (!is_in_range(c, 8, kSum, kMax)) return false;
  // The dense kernel for sums uses neither the offsets nor the shape of offset2bag.
  const bool is_dense_sum = mode == Dim(kSum) && c.argument(9).as_bool() == false;
  const bool has_padding = c.argument(11).as_dim().value_or(Dim(-1)) != Dim(-1);
  if (!has_rank(c, 1, is_dense_sum && !has_padding ? 0 : 1, 1)) return false;
  if (!is_dense_sum && (!has_rank(c, 2, 1) || !has_rank(c, 3, 1))) return false;
  return c.is_none(10) || !mode || *mode == Dim(kSum) || is_in_range(c, 8, kSum, kSum);
}
/// _embedding_bag_per_sample_weights_backward(grad, weight, indices, offsets, offset2bag, mode)
bool per_sample_weights_backward(TypeCall& c) {
  return is_in_range(c, 5, 0, 0) && has_rank(c, 0, 2) && has_rank(c, 1, 2) && has_rank(c, 2, 1) &&
         has_size(c, 1, 1, c.tensor(0).sizes()[1]);
}

constexpr Requirement kIndexRequirements[] = {
    {"aten._foreach_add.Tensor", is_scalar_operand},
    {"aten._foreach_div.Tensor", is_scalar_operand},
    {"aten._foreach_mul.Tensor", is_scalar_operand},
    {"aten.fill.Tensor", is_scalar_operand},
    {"aten.index.Tensor", has_index<1>},
    {"aten._unsafe_index.Tensor", has_index<1>},
    {"aten._unsafe_masked_index.default", has_index<2>},
    {"aten.index_put.default", has_index<1>},
    {"aten._unsafe_index_put.default", has_index<1>},
    {"aten._index_put_impl.default", has_index<1>},
    {"aten.repeat_interleave.Tensor", repeats},
    {"aten.index_select.default", index_select},
    {"aten.take.default", take},
    {"aten.masked_fill.Tensor", masked_fill_value},
    {"aten.index_fill.int_Scalar", index_fill},
    {"aten.index_fill.int_Tensor", index_fill_value},
    {"aten.index_add.default", index_add},
    {"aten.index_reduce.default", index_reduce},
    {"aten.put.default", put},
    {"aten.scatter.reduce", scatter_reduce_by},
    {"aten.scatter.value_reduce", scatter_value_by},
    {"aten.scatter_reduce.two", scatter_reduce},
    {"aten.segment_reduce.default", segment_reduce},
    {"aten._segment_reduce_backward.default", segment_reduce_backward},
    {"aten.repeat_interleave.self_Tensor", repeat_interleave},
    {"aten.embedding_dense_backward.default", embedding_dense_backward},
    {"aten._embedding_bag_backward.default", embedding_bag_backward},
    {"aten._embedding_bag_per_sample_weights_backward.default", per_sample_weights_backward},
};

}  // namespace

absl::Span<const Requirement> index_requirements() { return kIndexRequirements; }

}  // namespace fx::shape
