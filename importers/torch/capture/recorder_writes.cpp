// Records writes to the memory of the graph's values, by operators or by code that bypasses
// operators.
#include "fx/importers/torch/capture/recorder_internal.h"
#include "fx/importers/torch/capture/tables/watched_memory_internal.h"
#include "fx/ir/support/check.h"

#include <ATen/Functions.h>
#include <c10/core/TensorImpl.h>
#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Creates a tensor of a static type at the start of the storage.
at::Tensor tensor_on(const c10::Storage& storage, Type type) {
  std::vector<int64_t> sizes, strides;
  for (int i = 0; i < type.rank(); ++i) {
    sizes.push_back(type.size(i).value());
    strides.push_back(type.stride(i).value());
  }
  return at::empty({0}, at::TensorOptions().dtype(to_torch(type.dtype())))
      .set_(storage, 0, sizes, strides);
}

}  // namespace

void Recorder::watch(const Row& row, Node& node, const c10::IValue& result) {
  if (!result.isTensor() || !node.type().is_tensor() || !node.type().has_strides()) return;
  if (watch_memory(values_, row, node, result.toTensor(), fake_kernels_ != nullptr))
    is_watching_ = true;
}

/// Called before an operator uses the tensor. If the program has written to it, adds a constant
/// with its contents.
void Recorder::note_own_writes(const c10::IValue& value) {
  if (!is_watching_) return;
  if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) note_own_writes(item);
    return;
  }
  if (!value.isTensor() || !value.toTensor().defined()) return;
  const at::Tensor& tensor = value.toTensor();
  TracedStorage* storage = values_.storage(tensor);
  if (storage == nullptr || storage->creator == nullptr) return;
  const bool was_read = std::exchange(storage->read, true);
  if (!has_changed(*storage, tensor)) return;

  Node& creator = *storage->creator;
  const KernelScope scope;
  const at::Tensor whole = tensor_on(tensor.storage(), creator.type());
  // Earlier calls still use the previous value. If there are no such calls, the constant replaces
  // the node.
  std::optional<InsertPointGuard> place;
  if (!was_read) place.emplace(graph_->inserting_before(&creator));
  Node* constant = add_constant("_tensor_constant", whole.clone(), creator.type());
  // Copy it, since later operators may write to it, and each run must start with the constant.
  const std::string_view copying = whole.is_contiguous() ? "lift_fresh_copy" : "clone";
  Node* copy = graph_->call_function(context_->function(fmt::format("aten.{}.default", copying)),
                                     {constant}, {}, {.name = copying, .type = creator.type()});
  copy->meta().copy_from(creator);
  storage->creator = copy;
  if (was_read) {
    values_.renew(whole, {.node = copy, .module = {}});
  } else {
    replace(creator, *copy);
  }
}

void Recorder::note_writes(const Row& row, Values arguments) {
  if (row.written.empty()) return;
  fx::note_writes(values_, row, arguments);
  for_each_written(values_, row, arguments, [this](TracedStorage& storage) {
    for (const size_t index : storage.constants) constants_[index].written = true;
    if (!storage.constants.empty() && fake_kernels_ == nullptr) save_constants(storage);
  });
}

void Recorder::number_write() {
  if (!write_) return;
  Write write = *std::exchange(write_, std::nullopt);
  const std::optional<uint64_t> sequence = history_sequence(write.tensor);
  if (!sequence || sequence == write.sequence_before) return;  // not recorded by autograd
  write.labels.position.sequence = sequence;
  // The scopes of the call may have ended since then.
  const auto module = write.node->meta().get(meta::kModule);
  set_sequence(*write.node, write.labels, module ? context_->symbol(*module) : Symbol());
}

/// Copies the storage of constants before the first write, because the graph starts with their
/// original values. All constants in one storage refer to the same copy.
void Recorder::save_constants(TracedStorage& storage) {
  if (storage.original) return;
  const KernelScope scope;
  for (const size_t index : storage.constants) {
    c10::IValue& constant = constants_[index].value;
    const at::Tensor tensor = constant.toTensor().detach();
    if (!storage.original) {
      const auto items = static_cast<int64_t>(tensor.storage().nbytes() / tensor.itemsize());
      storage.original = at::empty({0}, tensor.options())
                             .set_(tensor.storage(), 0, {items}, {1})
                             .clone()
                             .storage();
    }
    constant =
        at::empty({0}, tensor.options())
            .set_(storage.original, tensor.storage_offset(), tensor.sizes(), tensor.strides());
  }
}

}  // namespace fx
