// Regions: the elements of a storage that a tensor type covers.
#pragma once

#include "fx/ir/types/type.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace fx::functional {

/// True if the sizes and strides of the tensor are known.
bool has_layout(Type type);

/// True if the sizes and strides of the tensor are numbers.
bool has_number_layout(Type type);

/// False if every element of the tensor has a separate memory location: each stride is greater than
/// the extent of the inner dimensions. True if the layout is unknown or symbolic.
bool may_overlap_itself(Type type);

/// How the elements of two tensors in one storage overlap.
enum class Overlap : uint8_t {
  kNone,     ///< the tensors have no elements in common
  kSame,     ///< the tensors have the same elements in the same order
  kPartial,  ///< some elements in common, or the same elements in a different order
  kUnknown,  ///< a layout is unknown or symbolic, or only a search can decide
};

/// Compares the layouts of two tensors that share a storage and have the same element size.
Overlap compare_regions(Type a, Type b);

/// True if `outer` spans the memory of `inner`: no element of `inner` is before the first or after
/// the last element of `outer`. False if that depends on symbols.
bool spans(Type outer, Type inner);

/// The index range, in one dimension of a tensor, that a part of it covers.
struct IndexRange {
  int64_t start = 0, step = 1, count = 1;
  int dim = -1;  ///< the dimension of the part; -1 if it has none, or a dimension of size 1
};

/// Returns the ranges of indices of `outer`, one for each dimension, whose combinations are the
/// elements of `inner`. Nullopt if there are none, or if a layout is unknown, symbolic or overlaps.
std::optional<std::vector<IndexRange>> box_of(Type outer, Type inner);

/// True if every element of `inner` is known to be an element of `outer`: it is between the first
/// and the last element of `outer`, and not in a gap.
bool covers(Type outer, Type inner);

}  // namespace fx::functional
