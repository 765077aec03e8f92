// Requirements of kernels that no result shows: what eager mode checks beyond what a type function
// needs to compute the type. A row holds for all forms of an operator; its function runs before the
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
absl::Span<const Requirement> pool_requirements();
absl::Span<const Requirement> random_requirements();
absl::Span<const Requirement> reduction_requirements();

// ---- What a requirement consists of. Each returns true, or false after failing with a message
// that names the argument. An argument that is None, or of which only the type is known, passes.

/// Whether a size is 0. A symbolic size is not: nothing is assumed about it.
inline bool is_empty(const Dim& size) { return size == Dim(0); }
/// More than any tensor's rank.
inline constexpr int kAnyRank = 1 << 16;
/// A tensor's rank is in [least, most].
bool has_rank(TypeCall& call, int i, int least, int most);
inline bool has_rank(TypeCall& call, int i, int rank) { return has_rank(call, i, rank, rank); }
/// A tensor has these sizes.
bool has_sizes(TypeCall& call, int i, absl::Span<const Dim> sizes);
inline bool has_sizes(TypeCall& call, int i, std::initializer_list<Dim> sizes) {
  return has_sizes(call, i, absl::MakeConstSpan(sizes.begin(), sizes.size()));
}
/// Tensors i and k have the same sizes.
bool has_sizes_of(TypeCall& call, int i, int k);
/// Tensor i can be broadcast to these sizes, or to those of tensor k, which do not change.
bool broadcasts_to(TypeCall& call, int i, absl::Span<const Dim> sizes);
bool broadcasts_to(TypeCall& call, int i, int k);
/// Tensors i and k can be broadcast together.
bool broadcast_together(TypeCall& call, int i, int k);
/// Dimension `d` of tensor i has this size; counted from the end where `d` is negative.
bool has_size(TypeCall& call, int i, int d, const Dim& size);
/// Tensors i and k have as many elements.
bool has_numel_of(TypeCall& call, int i, int k);
/// No dimension from `first` on is empty.
bool is_not_empty_from(TypeCall& call, int i, int first);
/// The last two dimensions have the same size.
bool is_square(TypeCall& call, int i);
/// A number, or each of a list, is at least, or more than, or at most this.
bool is_at_least(TypeCall& call, int i, int64_t least);
bool is_above(TypeCall& call, int i, double bound);
bool is_in_range(TypeCall& call, int i, double least, double most);
/// A string is one of these.
bool is_one_of(TypeCall& call, int i, std::initializer_list<std::string_view> words);
/// A list has `count` items; or one, which stands for all, where `one_for_all`.
bool has_count(TypeCall& call, int i, size_t count, bool one_for_all = false);
/// A list of dimensions, or one dimension, is in the range of a rank.
bool are_dims_of(TypeCall& call, int i, int rank);

}  // namespace fx::shape
