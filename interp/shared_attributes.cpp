#include "fx/interp/shared_attributes.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

namespace fx {
namespace {

/// The memory of a tensor. Bytes are compared only within one storage or tensor.
struct Extent {
  const void* memory;
  uintptr_t begin, end;
  std::string path;
};

/// Returns the memory of a tensor; nullopt for a tensor without elements.
std::optional<Extent> extent_of(const NamedAttribute& named) {
  const Tensor& tensor = named.attribute->tensor;
  if (!tensor.has_data()) return Extent{tensor.identity(), 0, 1, named.path};
  if (tensor.num_elements() == 0) return std::nullopt;
  int64_t last = 0;
  for (size_t d = 0; d < tensor.sizes().size(); ++d)
    last += (tensor.sizes()[d] - 1) * tensor.strides()[d];
  const auto item_size = static_cast<uintptr_t>(dtype_item_size(tensor.dtype()));
  const uintptr_t begin = static_cast<uintptr_t>(tensor.offset()) * item_size;
  return Extent{tensor.storage().get(), begin,
                begin + (static_cast<uintptr_t>(last) + 1) * item_size, named.path};
}

}  // namespace

SharedAttributes::SharedAttributes(const Module* root) {
  if (root == nullptr) return;
  const auto all = root->state_dict({.non_persistent_buffers = true, .constants = true});
  if (!all.ok()) return;
  std::vector<Extent> extents;
  extents.reserve(all->size());
  for (const NamedAttribute& named : *all)
    if (std::optional<Extent> extent = extent_of(named)) extents.push_back(*std::move(extent));
  std::ranges::stable_sort(extents, [](const Extent& a, const Extent& b) {
    return a.memory != b.memory ? std::less<>()(a.memory, b.memory) : a.begin < b.begin;
  });
  for (size_t i = 0; i < extents.size();) {
    uintptr_t end = extents[i].end;
    size_t next = i + 1;
    for (; next < extents.size() && extents[next].memory == extents[i].memory &&
           extents[next].begin < end;
         ++next)
      end = std::max(end, extents[next].end);
    if (next - i > 1) {
      std::vector<std::string>& paths = groups_.emplace_back();
      for (size_t k = i; k < next; ++k) {
        group_of_.emplace(extents[k].path, groups_.size() - 1);
        paths.push_back(std::move(extents[k].path));
      }
    }
    i = next;
  }
}

}  // namespace fx
