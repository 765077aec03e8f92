// Facts about sizes and strides: contiguity, memory formats, element counts.
#pragma once

#include "fx/ir/symbolic/dim.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/type.h"

#include "absl/types/span.h"

namespace fx {

/// Row-major strides: each is the product of the sizes after it; a size of 0 counts as 1. A
/// symbolic size is used unchanged: in torch it is at least 2.
DimVector contiguous_strides(absl::Span<const Dim> sizes);
/// Strides of `sizes` in a memory format. kChannelsLast applies to rank 4, kChannelsLast3d to rank
/// 5; the result for other ranks and for kPreserve is contiguous_strides.
DimVector strides_of(absl::Span<const Dim> sizes, MemoryFormat format);

/// True if the tensor is contiguous by torch's rule: the strides of dimensions of size 1 are
/// ignored, and a tensor without elements is contiguous. False if the result depends on symbols, or
/// the strides are unknown.
bool is_contiguous(Type tensor, MemoryFormat format = MemoryFormat::kContiguous);
/// True if the elements fill their memory without gaps or overlap, in any order of dimensions.
/// False if this depends on symbols, or the strides are unknown.
inline bool is_non_overlapping_and_dense(Type tensor) {
  return tensor.is_tensor() && tensor.data()->is_dense;
}
/// The same for sizes and strides, without a type.
bool are_non_overlapping_and_dense(absl::Span<const Dim> sizes, absl::Span<const Dim> strides);

/// Returns the type of the tensor with unknown strides, and hence an unknown offset.
Type without_strides_and_offset(TypeTable& types, Type tensor);

/// The number of elements: the product of the sizes. 0 if a size is 0; undefined on overflow.
Dim numel(absl::Span<const Dim> sizes);

}  // namespace fx
