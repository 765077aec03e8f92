#include "fx/ir/module/memory_parts.h"

#include "fx/ir/support/check.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>

namespace fx {
namespace {

/// The memory of one tensor. Addresses are compared only between tensors of the same `key`.
struct Extent {
  std::tuple<bool, int, int, int, std::uintptr_t> key;  // has data, device, dtype, alignment
  std::uintptr_t begin, end;
  size_t tensor;
};

Extent extent_of(const Tensor& tensor, size_t index, MemoryParts kind) {
  const Device device = tensor.device();
  if (!tensor.has_data()) {
    const auto identity = reinterpret_cast<std::uintptr_t>(tensor.identity());
    return {{false, 0, 0, 0, 0}, identity, identity + 1, index};
  }
  const absl::Span<const std::byte> memory = memory_of(tensor);
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  const bool is_any = kind == MemoryParts::kAnyDTypes;
  const int dtype = is_any ? 0 : static_cast<int>(tensor.dtype());
  const auto item_size = static_cast<std::uintptr_t>(dtype_item_size(tensor.dtype()));
  return {
      {true, static_cast<int>(device.type), device.index, dtype, is_any ? 0 : begin % item_size},
      begin,
      begin + memory.size(),
      index};
}

}  // namespace

absl::Span<const std::byte> memory_of(const Tensor& tensor) {
  FX_CHECK(tensor.has_data() && tensor.num_elements() > 0, "the tensor must have elements");
  int64_t span = 1;
  for (size_t d = 0; d < tensor.sizes().size(); ++d)
    span += (tensor.sizes()[d] - 1) * tensor.strides()[d];
  const int64_t item_size = dtype_item_size(tensor.dtype());
  return {tensor.storage()->data() + tensor.offset() * item_size,
          static_cast<size_t>(span * item_size)};
}

std::vector<MemoryPart> memory_parts(absl::Span<const Tensor> tensors, MemoryParts kind) {
  std::vector<Extent> extents;
  extents.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    if (tensor.defined() && (!tensor.has_data() || tensor.num_elements() > 0))
      extents.push_back(extent_of(tensor, i, kind));
  }
  std::ranges::sort(extents, {}, [](const Extent& extent) {
    return std::tie(extent.key, extent.begin, extent.tensor);
  });
  std::vector<MemoryPart> parts;
  for (size_t i = 0; i < extents.size();) {
    const Extent& first = extents[i];
    std::uintptr_t end = first.end;
    MemoryPart& part = parts.emplace_back();
    for (; i < extents.size() && extents[i].key == first.key && extents[i].begin < end; ++i) {
      end = std::max(end, extents[i].end);
      part.tensors.push_back(extents[i].tensor);
    }
    if (std::get<0>(first.key)) {
      part.data = memory_of(tensors[first.tensor]).data();
      part.num_bytes = end - first.begin;
    }
    std::ranges::sort(part.tensors);
  }
  std::ranges::sort(parts, {}, [](const MemoryPart& part) { return part.tensors[0]; });
  return parts;
}

}  // namespace fx
