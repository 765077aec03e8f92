// Requirements of kernels: conditions that eager mode checks, but that a type function does not
// need to compute the type. A row applies to all forms of an operator; its function runs before the
// type function and uses the same argument numbers. Private to passes/shape/.
#pragma once

#include "fx/ir/types/strides.h"
#include "fx/passes/shape/call_checks_internal.h"
#include "fx/passes/shape/type_call.h"

#include "absl/types/span.h"

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace fx::shape {

struct Requirement {
  std::string_view op;
  RequirementFunction holds;
};

// The families, each in requirements_<family>.cpp.
absl::Span<const Requirement> backward_requirements();
absl::Span<const Requirement> index_requirements();
absl::Span<const Requirement> linalg_requirements();
absl::Span<const Requirement> norm_requirements();
absl::Span<const Requirement> number_requirements();
absl::Span<const Requirement> pool_requirements();
absl::Span<const Requirement> random_requirements();
absl::Span<const Requirement> reduction_requirements();

// ---- Conditions of requirements. Each returns true, or fails the call with a message that names
// the argument and returns false. An argument that is None or of unknown value passes.

/// True if a size is 0. A symbolic size is not assumed to be 0.
inline bool is_empty(const Dim& size) { return size == Dim(0); }
/// Greater than the rank of any tensor.
inline constexpr int kAnyRank = 1 << 16;
/// The rank of a tensor is in [min_rank, max_rank].
bool has_rank(TypeCall& call, int i, int min_rank, int max_rank);
inline bool has_rank(TypeCall& call, int i, int rank) { return has_rank(call, i, rank, rank); }
/// A tensor has these sizes.
bool has_sizes(TypeCall& call, int i, absl::Span<const Dim> sizes);
inline bool has_sizes(TypeCall& call, int i, std::initializer_list<Dim> sizes) {
  return has_sizes(call, i, absl::MakeConstSpan(sizes.begin(), sizes.size()));
}
/// Tensors i and k have the same sizes.
bool has_sizes_of(TypeCall& call, int i, int k);
/// Tensor i can be broadcast to these sizes, or to the sizes of tensor k.
bool broadcasts_to(TypeCall& call, int i, absl::Span<const Dim> sizes);
bool broadcasts_to(TypeCall& call, int i, int k);
/// Tensors i and k can be broadcast together.
bool broadcast_together(TypeCall& call, int i, int k);
/// Dimension `d` of tensor i has this size; a negative `d` counts from the end.
bool has_size(TypeCall& call, int i, int d, const Dim& size);
/// Tensors i and k have the same number of elements.
bool has_numel_of(TypeCall& call, int i, int k);
/// Dimension `first` and the dimensions after it are not empty.
bool is_not_empty_from(TypeCall& call, int i, int first);
/// The last two dimensions have the same size.
bool is_square(TypeCall& call, int i);
/// A number, or each item of a list, is at least `min`, greater than `bound`, or in [min, max].
bool is_at_least(TypeCall& call, int i, int64_t min);
bool is_greater_than(TypeCall& call, int i, double bound);
bool is_in_range(TypeCall& call, int i, double min, double max);
/// How a kernel converts a number to the dtype of a tensor.
enum class NumberUse : uint8_t {
  kElement,
  kFloat,      ///< the parameter is a float: an integer is converted to a float first
  kNegated,    ///< the kernel converts the negated number
  kTruncated,  ///< for a dtype of integers, the number is truncated first
};
/// A number can be converted to `dtype`: eager mode rejects numbers out of the range of the dtype.
bool fits_dtype(TypeCall& call, int i, DType dtype, NumberUse use = NumberUse::kElement);
/// The numbers among the operands can be converted to the dtype to which the operands promote.
bool fit_promoted_dtype(TypeCall& call, std::initializer_list<int> operands);
/// scatter(self, dim, index, value): the kernel converts the value unless the index is empty.
bool fits_scattered(TypeCall& call);
/// A number plus `change` is in the range of a dtype. A number may be negative only if elements
/// may.
bool is_in_range_of(TypeCall& call, int i, DType dtype, double change = 0);
/// Returns the dtype of a factory's result: that of out=, else of argument `options`, else
/// `if_none`. Undefined on meta, where factories do not write to the tensor.
DType factory_dtype(TypeCall& call, int options, DType if_none);
/// A string is one of these.
bool is_one_of(TypeCall& call, int i, std::initializer_list<std::string_view> words);
/// A list has `count` items or, with `one_for_all`, one item.
bool has_count(TypeCall& call, int i, size_t count, bool one_for_all = false);
/// A dimension, or each dimension in a list, is in range for this rank.
bool are_dims_of(TypeCall& call, int i, int rank);

}  // namespace fx::shape
