#include "fx/interp/torch/interpret/torch_profiler.h"

#include <c10/core/StorageImpl.h>

#include <algorithm>
#include <vector>

namespace fx {
namespace {

using Storages = std::vector<const c10::StorageImpl*>;

void collect(const c10::IValue& value, Storages& storages) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (!tensor.defined() || !tensor.has_storage()) return;
    const c10::StorageImpl* storage = tensor.storage().unsafeGetStorageImpl();
    if (std::find(storages.begin(), storages.end(), storage) == storages.end())
      storages.push_back(storage);
    return;
  }
  for (const c10::IValue& item : items_of(value)) collect(item, storages);
}

}  // namespace

int64_t TorchProfiler::bytes_of(const Node& node, const c10::IValue& value) const {
  // Inputs, constants and the output require no new memory.
  if (node.is_placeholder() || node.is_output() || node.op() == Opcode::kGetAttr) return 0;
  Storages old, all;
  for (const c10::IValue& arg : current_call().args) collect(arg, old);
  for (const auto& [name, arg] : current_call().kwargs) collect(arg, old);
  all = old;
  collect(value, all);
  int64_t bytes = 0;
  for (size_t i = old.size(); i < all.size(); ++i) bytes += static_cast<int64_t>(all[i]->nbytes());
  return bytes;
}

}  // namespace fx
