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

/// Each label of an equation, and each dimension of `...`, becomes a dimension of the products of
/// the operands. The dimensions of the result come first; the other labels follow in alphabetical
/// order, uppercase first (aten/src/ATen/native/Linear.cpp).
struct EinsumEquation {
  /// dims[operand][dim] is the dimension of the products. Equal labels have equal dimensions.
  std::vector<std::vector<size_t>> dims;
  size_t rank = 0;         ///< the number of dimensions of a product
  size_t num_results = 0;  ///< the number of dimensions of the result

  /// `ranks` contains the rank of each operand. Returns InvalidArgument for an equation that
  /// libtorch rejects.
  static absl::StatusOr<EinsumEquation> parse(std::string_view equation,
                                              absl::Span<const size_t> ranks);
};

/// Returns the order in which `num_operands` operands are multiplied: for each product, the indices
/// of its left and right operand in the list of remaining operands. Each product removes both
/// operands from the list and is appended to it. Without a path, the product of the first two
/// operands is multiplied by the third, and so on; a path contains the indices in pairs. Returns
/// InvalidArgument for a path that libtorch rejects.
absl::StatusOr<std::vector<std::pair<size_t, size_t>>> einsum_order(
    size_t num_operands, std::optional<absl::Span<const int64_t>> path);

}  // namespace fx
