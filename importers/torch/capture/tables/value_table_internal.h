// Finds the node that computed a tensor.
//
// The address of the TensorImpl is not sufficient: autograd unpacks a saved tensor as a new
// TensorImpl, and the address of a freed TensorImpl may be reused. Therefore, the lookup has two
// levels. The first is by the TensorImpl, if its geometry is unchanged. The second is by storage
// and geometry, and finds the latest value with this geometry in the storage. Weak references pin
// the addresses: the elements of a tensor are freed as they are without capture, but the address of
// its TensorImpl or StorageImpl is not reused while it is in the table.
//
// Most tensors are freed a few operators after they are computed. When the table adds a tensor, it
// therefore removes the oldest of the kNumRecent latest tensors if that one has been freed. The
// allocator then reuses the same few addresses, as it does without capture. Tensors that are freed
// later are removed when the table has doubled in size.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/support/symbol.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fx {

/// A tensor value of the graph.
struct TracedValue {
  Node* node = nullptr;
  Symbol module;               ///< the module of the parameter or buffer whose memory it shares
  bool requires_grad = false;  ///< may be set after the value was computed
};

/// The state of a storage.
struct TracedStorage {
  explicit TracedStorage(c10::weak_intrusive_ptr<c10::StorageImpl> storage)
      : pin(std::move(storage)) {}

  c10::weak_intrusive_ptr<c10::StorageImpl> pin;
  Node* node = nullptr;   ///< the latest value in the storage
  bool written = false;   ///< true if an operator wrote to the storage
  c10::Storage original;  ///< the original bytes, if constants in the storage were written to
  std::vector<size_t> constants;  ///< the indices of the constants in the storage
  // For memory that an operator created without using other tensors, until an operator writes to
  // it:
  /// The node that created it, or the constant for later contents; otherwise null.
  Node* creator = nullptr;
  size_t contents = 0;  ///< the hash of its bytes in the graph
  bool read = false;    ///< true if an operator has used the bytes
};

/// Returns the type without requires_grad.
Type without_grad(TypeTable& types, Type type);

/// Returns true if the types are equal except for requires_grad.
bool is_same_form(Type a, Type b);

/// Returns type_of without requires_grad. `likely` is a type that the tensor may have; comparing it
/// is faster than a lookup in the table of types.
Type form_of(TypeTable& types, const at::Tensor& tensor, Type likely);

class ValueTable {
 public:
  explicit ValueTable(TypeTable& types);

  /// Returns the value of `tensor`, or null if the table does not contain it.
  /// Sets `exact` to true if the same TensorImpl was recorded, not only its memory, and `form` to
  /// the type of the tensor without requires_grad.
  TracedValue* find(const at::Tensor& tensor, bool* exact = nullptr, Type* form = nullptr);
  /// Records that `tensor` has this value. `type` is the likely result of type_of; comparing it
  /// saves time.
  void bind(const at::Tensor& tensor, const TracedValue& value, Type type = {});
  /// Like bind, but `form` must be the result of form_of.
  void bind_as(const at::Tensor& tensor, const TracedValue& value, Type form);

  /// Records that `tensor` has this value, and removes all other values in its memory. Takes
  /// O(values) time.
  void renew(const at::Tensor& tensor, const TracedValue& value);

  /// Replaces `node` with `by` in all values. Takes O(values) time.
  void replace(const Node& node, Node& by);

  /// Removes the values of these nodes, which may have been erased. In values(), they become null.
  /// Takes O(values) time.
  void forget(const absl::flat_hash_set<const Node*>& nodes);

  /// Returns the state of the storage of `tensor`, or null if it has no storage or an unknown
  /// storage.
  TracedStorage* storage(const at::Tensor& tensor);

  /// Returns all values, in the order of calls to bind().
  absl::Span<const TracedValue> values() const { return values_; }
  /// Calls `f` for each value whose tensor is alive.
  void for_each_alive(absl::FunctionRef<void(const at::Tensor& tensor, TracedValue& value)> f);

 private:
  struct Form {
    Type type;  // dtype, device, layout, sizes, strides, offset; never requires_grad
    bool conjugate, negative;
    friend bool operator==(const Form&, const Form&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Form& f) {
      return H::combine(std::move(h), f.type, f.conjugate, f.negative);
    }
  };
  struct Place {
    const c10::StorageImpl* storage;
    Form form;
    friend bool operator==(const Place&, const Place&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Place& p) {
      return H::combine(std::move(h), p.storage, p.form);
    }
  };
  struct StorageEntry {
    explicit StorageEntry(TracedStorage s) : state(std::move(s)) {}

    TracedStorage state;
    bool is_forgotten = false;  // storage() does not return it
    uint32_t num_handles = 0;   // handles with this storage; the storage is removed after them
    /// The latest values of up to kMaxValues forms in the storage. The values of additional
    /// forms are in by_place_.
    absl::InlinedVector<std::pair<Form, uint32_t>, 1> values;
    bool has_more = false;
  };
  struct Handle {
    c10::weak_intrusive_ptr<c10::TensorImpl> pin;
    Place place;
    uint32_t value;
  };

  static constexpr size_t kNumRecent = 16;
  static constexpr size_t kMinEntries = 256;
  static constexpr size_t kMaxValues = 8;

  Place place_of(const at::Tensor& tensor, Type likely) const;
  void bind(const at::Tensor& tensor, const TracedValue& value, const Place& place);
  /// Returns the entry for the storage of `tensor`. Adds it if it is missing.
  StorageEntry& add_storage(const at::Tensor& tensor, const c10::StorageImpl* storage);
  /// Records the latest value of a form in the storage.
  void add_value(StorageEntry& storage, const Place& place, uint32_t index);
  /// Returns true if the entry of the storage is no longer needed.
  static bool is_freed(const StorageEntry& storage);
  /// Records that a handle no longer has this storage, which may be null.
  void remove_handle_of(const c10::StorageImpl* storage);
  /// Removes a handle and its storage if they were freed. Takes O(1) time.
  void remove_if_freed(const c10::TensorImpl* impl);
  /// Removes freed tensors and storages, which frees the memory of their pinned objects.
  void remove_freed();
  size_t num_entries() const { return by_handle_.size() + storages_.size() + by_place_.size(); }

  TypeTable* types_;
  std::vector<TracedValue> values_;
  absl::flat_hash_map<const c10::TensorImpl*, Handle> by_handle_;
  absl::flat_hash_map<const c10::StorageImpl*, StorageEntry> storages_;
  absl::flat_hash_map<Place, uint32_t> by_place_;               // see StorageEntry::has_more
  std::array<const c10::TensorImpl*, kNumRecent> recent_ = {};  // a ring buffer of handles
  size_t oldest_ = 0;                                           // its index in recent_
  size_t remove_at_ = kMinEntries;  // the number of entries at which remove_freed() runs next
};

}  // namespace fx
