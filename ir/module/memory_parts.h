// Tensors that share memory.
//
//   for (const fx::MemoryPart& part : fx::memory_parts(tensors))
//     if (part.tensors.size() > 1) ...   // part.tensors: the indices of tensors that overlap
#pragma once

#include "fx/ir/module/tensor.h"

#include "absl/types/span.h"

#include <cstddef>
#include <vector>

namespace fx {

/// A range of memory that tensors use.
struct MemoryPart {
  const std::byte* data = nullptr;  ///< null for a tensor without data
  size_t num_bytes = 0;             ///< from the first to the last byte that a tensor uses
  std::vector<size_t> tensors;      ///< indices of the tensors, ascending; at least one
};

enum class MemoryParts {
  kAnyDTypes,
  /// Tensors of different dtypes are in different parts, which may overlap. So are tensors whose
  /// distance is not a multiple of the size of an element.
  kOneDType,
};

/// Returns the smallest parts of memory such that each tensor is in one part, and no two parts
/// overlap, in the order of their first tensors. Tensors in one part overlap, directly or through
/// other tensors of the part: the bytes between the first and the last element of a tensor count as
/// used. A tensor without data overlaps only with itself. Undefined tensors, and tensors without
/// elements, are in no part. Takes O(n log n) time.
std::vector<MemoryPart> memory_parts(absl::Span<const Tensor> tensors,
                                     MemoryParts kind = MemoryParts::kAnyDTypes);

/// Returns the range of bytes from the first to the last element. The tensor must have data and
/// elements; checked.
absl::Span<const std::byte> memory_of(const Tensor& tensor);

}  // namespace fx
