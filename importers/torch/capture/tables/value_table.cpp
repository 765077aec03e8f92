#include "fx/importers/torch/capture/tables/value_table_internal.h"
#include "fx/interp/torch/dispatch/convert.h"

#include <c10/core/TensorImpl.h>

#include <algorithm>
#include <utility>

namespace fx {
namespace {

/// Returns null if the tensor has no storage.
const c10::StorageImpl* storage_of(const at::Tensor& tensor) {
  return tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

template <class T>
c10::weak_intrusive_ptr<T> weak_reference(T* object) {
  c10::raw::weak_intrusive_ptr::incref(object);
  return c10::weak_intrusive_ptr<T>::reclaim(object);
}

/// Returns true if the dimensions equal the numbers.
bool are_equal(absl::Span<const Dim> dims, at::IntArrayRef numbers) {
  return std::equal(dims.begin(), dims.end(), numbers.begin(), numbers.end(),
                    [](const Dim& dim, int64_t number) { return dim == Dim(number); });
}

bool has_form(Type type, const at::Tensor& tensor) {
  if (!type.is_tensor() || type.requires_grad() || type.layout() != Layout::kStrided ||
      tensor.layout() != at::kStrided || !type.has_strides())
    return false;
  return type.dtype() == from_torch(tensor.scalar_type()) &&
         are_equal(type.sizes(), tensor.sizes()) && are_equal(type.strides(), tensor.strides()) &&
         type.offset() == Dim(tensor.storage_offset()) &&
         type.device() == from_torch(tensor.device());
}

/// Reduces the capacity of a table that has become much smaller, since iterating over it takes time
/// linear in the capacity.
template <class Table>
void shrink(Table& table) {
  if (table.capacity() > 16 * (table.size() + 1)) table.rehash(0);
}

}  // namespace

Type without_grad(TypeTable& types, Type type) {
  if (!type.is_tensor()) return type;
  TensorSpec spec = type.spec();
  spec.requires_grad = false;
  return types.tensor(spec);
}

bool is_same_form(Type a, Type b) {
  if (a == b) return true;
  if (a.is_tensor() && b.is_tensor()) {
    return a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.has_rank() == b.has_rank() &&
           a.has_strides() == b.has_strides() && a.strides() == b.strides() &&
           a.offset() == b.offset() && a.layout() == b.layout() && a.device() == b.device();
  }
  if (a.kind() != b.kind() || a.items().empty() || a.items().size() != b.items().size())
    return false;
  return std::ranges::equal(a.items(), b.items(), is_same_form);
}

Type form_of(TypeTable& types, const at::Tensor& tensor, Type likely) {
  return has_form(likely, tensor) ? likely : type_of(types, tensor, /*requires_grad=*/false);
}

ValueTable::ValueTable(TypeTable& types) : types_(&types) {}

ValueTable::Place ValueTable::place_of(const at::Tensor& tensor, Type likely) const {
  return {storage_of(tensor),
          {form_of(*types_, tensor, likely), tensor.is_conj(), tensor.is_neg()}};
}

TracedValue* ValueTable::find(const at::Tensor& tensor, bool* exact, Type* form) {
  const auto handle = by_handle_.find(tensor.unsafeGetTensorImpl());
  const bool is_known = handle != by_handle_.end();
  const Place place = place_of(tensor, is_known ? handle->second.place.form.type : Type());
  const bool same = is_known && handle->second.place == place;
  if (exact != nullptr) *exact = same;
  if (form != nullptr) *form = place.form.type;
  if (same) return &values_[handle->second.value];
  const auto storage = storages_.find(place.storage);
  if (storage == storages_.end()) return nullptr;
  for (const auto& [known, value] : storage->second.values)
    if (known == place.form) return &values_[value];
  if (!storage->second.has_more) return nullptr;
  const auto found = by_place_.find(place);
  return found == by_place_.end() ? nullptr : &values_[found->second];
}

void ValueTable::bind(const at::Tensor& tensor, const TracedValue& value, Type type) {
  bind(tensor, value, place_of(tensor, type));
}

void ValueTable::bind_as(const at::Tensor& tensor, const TracedValue& value, Type form) {
  bind(tensor, value, Place{storage_of(tensor), {form, tensor.is_conj(), tensor.is_neg()}});
}

void ValueTable::bind(const at::Tensor& tensor, const TracedValue& value, const Place& place) {
  const auto index = static_cast<uint32_t>(values_.size());
  values_.push_back(value);
  c10::TensorImpl* const impl = tensor.unsafeGetTensorImpl();
  bool is_new = false;
  Handle& handle = by_handle_
                       .lazy_emplace(impl,
                                     [&](const auto& construct) {
                                       construct(impl, Handle{weak_reference(impl), place, index});
                                       is_new = true;
                                     })
                       ->second;
  const bool is_new_place = is_new || handle.place.storage != place.storage;
  if (!is_new) {
    if (is_new_place) remove_handle_of(handle.place.storage);
    handle.place = place;
    handle.value = index;
  }
  if (place.storage != nullptr) {
    StorageEntry& storage = add_storage(tensor, place.storage);
    storage.num_handles += is_new_place ? 1 : 0;
    storage.is_forgotten = false;
    storage.state.node = value.node;
    add_value(storage, place, index);
  }
  if (!is_new) return;
  if (const c10::TensorImpl* const oldest = std::exchange(recent_[oldest_], impl))
    remove_if_freed(oldest);
  oldest_ = (oldest_ + 1) % kNumRecent;
  if (num_entries() >= remove_at_) remove_freed();
}

void ValueTable::add_value(StorageEntry& storage, const Place& place, uint32_t index) {
  for (auto& [known, latest] : storage.values) {
    if (!(known == place.form)) continue;
    latest = index;
    return;
  }
  if (storage.values.size() < kMaxValues && !storage.has_more) {
    storage.values.emplace_back(place.form, index);
    return;
  }
  storage.has_more = true;
  by_place_.insert_or_assign(place, index);
}

ValueTable::StorageEntry& ValueTable::add_storage(const at::Tensor& tensor,
                                                  const c10::StorageImpl* storage) {
  const auto make = [&](const auto& construct) {
    construct(storage, TracedStorage(weak_reference(tensor.storage().unsafeGetStorageImpl())));
  };
  return storages_.lazy_emplace(storage, make)->second;
}

void ValueTable::renew(const at::Tensor& tensor, const TracedValue& value) {
  const c10::StorageImpl* storage = storage_of(tensor);
  absl::erase_if(by_handle_,
                 [&](const auto& entry) { return entry.second.place.storage == storage; });
  if (const auto found = storages_.find(storage); found != storages_.end()) {
    found->second.values.clear();
    found->second.has_more = false;
    found->second.num_handles = 0;
    absl::erase_if(by_place_, [&](const auto& entry) { return entry.first.storage == storage; });
  }
  bind(tensor, value);
}

bool ValueTable::is_freed(const StorageEntry& storage) {
  return storage.num_handles == 0 &&
         (storage.is_forgotten || (storage.state.pin.expired() && storage.state.constants.empty()));
}

void ValueTable::remove_handle_of(const c10::StorageImpl* storage) {
  if (const auto found = storages_.find(storage); found != storages_.end())
    --found->second.num_handles;
}

void ValueTable::remove_if_freed(const c10::TensorImpl* impl) {
  const auto handle = by_handle_.find(impl);
  if (handle == by_handle_.end() || !handle->second.pin.expired()) return;
  const auto storage = storages_.find(handle->second.place.storage);
  by_handle_.erase(handle);
  if (storage == storages_.end()) return;
  --storage->second.num_handles;
  // Finding the values in by_place_ takes more time.
  if (!storage->second.has_more && is_freed(storage->second)) storages_.erase(storage);
}

void ValueTable::remove_freed() {
  absl::erase_if(by_handle_, [&](const auto& entry) {
    if (!entry.second.pin.expired()) return false;
    remove_handle_of(entry.second.place.storage);
    return true;
  });
  absl::erase_if(storages_, [](const auto& entry) { return is_freed(entry.second); });
  absl::erase_if(by_place_,
                 [&](const auto& entry) { return !storages_.contains(entry.first.storage); });
  shrink(by_handle_);
  shrink(storages_);
  shrink(by_place_);
  remove_at_ = std::max(kMinEntries, 2 * num_entries());
}

void ValueTable::replace(const Node& node, Node& by) {
  for (TracedValue& value : values_) {
    if (value.node == &node) value.node = &by;
  }
  for (auto& [address, storage] : storages_) {
    if (storage.state.node == &node) storage.state.node = &by;
  }
}

void ValueTable::forget(const absl::flat_hash_set<const Node*>& nodes) {
  if (nodes.empty()) return;
  const auto is_value = [&](uint32_t index) { return nodes.contains(values_[index].node); };
  absl::erase_if(by_handle_, [&](const auto& entry) {
    if (!is_value(entry.second.value)) return false;
    remove_handle_of(entry.second.place.storage);
    return true;
  });
  absl::erase_if(by_place_, [&](const auto& entry) { return is_value(entry.second); });
  for (auto& [address, storage] : storages_) {
    const auto removed = std::remove_if(storage.values.begin(), storage.values.end(),
                                        [&](const auto& entry) { return is_value(entry.second); });
    storage.values.erase(removed, storage.values.end());
    if (!nodes.contains(storage.state.node)) continue;
    storage.state = TracedStorage(std::move(storage.state.pin));
    storage.is_forgotten = true;
  }
  for (TracedValue& value : values_)
    if (nodes.contains(value.node)) value = {};
}

TracedStorage* ValueTable::storage(const at::Tensor& tensor) {
  const auto found = storages_.find(storage_of(tensor));
  return found == storages_.end() || found->second.is_forgotten ? nullptr : &found->second.state;
}

void ValueTable::for_each_alive(
    absl::FunctionRef<void(const at::Tensor& tensor, TracedValue& value)> f) {
  for (auto& [impl, handle] : by_handle_) {
    if (c10::intrusive_ptr<c10::TensorImpl> alive = handle.pin.lock()) {
      f(at::Tensor(std::move(alive)), values_[handle.value]);
    }
  }
}

}  // namespace fx
