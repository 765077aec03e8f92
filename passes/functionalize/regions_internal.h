// Regions: which elements of a storage a tensor type covers.
#pragma once

#include "fx/ir/types/type.h"

#include <cstdint>

namespace fx::functional {

/// True when the sizes and strides of the tensor are known.
bool has_layout(Type type);

/// True when the sizes and strides of the tensor are numbers.
bool has_number_layout(Type type);

/// False when every element of the tensor has a place of its own in memory: each dimension steps
/// over all inner ones. True also when the layout is unknown or symbolic.
bool may_overlap_itself(Type type);

/// How the elements of two tensors of one storage lie to each other.
enum class Overlap : uint8_t {
  kNone,     ///< the tensors have no element in common
  kSame,     ///< the same elements in the same order
  kPartial,  ///< some elements in common, or the same in another order
  kUnknown,  ///< a layout is unknown or symbolic, or only a search can tell
};

/// Compares two tensors of one storage and one element size by their layouts.
Overlap compare_regions(Type a, Type b);

/// True when `outer` spans the memory of `inner`: no element of `inner` lies before the first or
/// after the last element of `outer`. False when that depends on symbols.
bool spans(Type outer, Type inner);

}  // namespace fx::functional
