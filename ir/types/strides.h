// Facts about sizes and strides: contiguity, memory formats, element counts.
#pragma once

#include "fx/ir/symbolic/dim.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/type.h"

#include "absl/types/span.h"

namespace fx {

/// Row-major strides: the product of the sizes to the right, a size 0 counting as 1. A symbolic
/// size counts as it is: torch's sizes are 2 or more unless they are constant.
DimVector contiguous_strides(absl::Span<const Dim> sizes);
/// Strides of `sizes` in a memory format. kChannelsLast wants rank 4, kChannelsLast3d rank 5;
/// others and kPreserve yield contiguous_strides.
DimVector strides_of(absl::Span<const Dim> sizes, MemoryFormat format);

/// As torch decides it, from strides of dimensions whose size is not 1; true for tensors without
/// elements. False when it depends on symbols, or the strides are not known.
bool is_contiguous(Type tensor, MemoryFormat format = MemoryFormat::kContiguous);
/// True when the elements fill their memory without gaps or overlap, in any order of dimensions.
bool is_non_overlapping_and_dense(Type tensor);

/// The number of elements: the product of the sizes. 0 if any is; undefined on overflow.
Dim numel(absl::Span<const Dim> sizes);

}  // namespace fx
