// EinsumEquation: the equation of einsum, for operands of known rank, and the order in which it
// multiplies them. Used by its type function and its decomposition.
#pragma once

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// Each label of an equation, and each dimension of `...`, is a dimension of the products of operands:
/// first those of the result, then the others in alphabetical order, upper case first
/// (aten/src/ATen/native/Linear.cpp).
struct EinsumEquation {
  /// For each operand, and each of its dimensions, the dimension of the products. A repeated label
  /// has the same number.
  std::vector<std::vector<size_t>> places;
  size_t rank = 0;         ///< the number of dimensions of a product
  size_t num_results = 0;  ///< those of the result

  /// `ranks` has the number of dimensions of each operand. Returns an error for an equation that
  /// libtorch does not accept.
  static absl::StatusOr<EinsumEquation> parse(std::string_view equation,
                                              absl::Span<const size_t> ranks);
};

/// Returns, for each multiplication of `num_operands` operands, the positions of its left and right operand
/// among those that are left; then both are removed, and the product is appended. Without a path, the
/// product of the first two is multiplied with the third, and so on; a path has the positions, in pairs.
/// Returns an error for a path that libtorch does not accept.
absl::StatusOr<std::vector<std::pair<size_t, size_t>>> einsum_order(
    size_t num_operands, std::optional<absl::Span<const int64_t>> path);

}  // namespace fx
