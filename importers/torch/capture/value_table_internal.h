// importers/torch/capture/value_table_internal.h - which node computed a tensor.
//
// A program names a value by an at::Tensor; the graph by a node. The handle alone does not say: a
// tensor that autograd saved comes back as a new TensorImpl, and a freed address is used again. So
// a tensor is looked up twice: by its TensorImpl, as long as its geometry is the recorded one, then
// by (storage, geometry), which finds the latest value with that place and form in memory.
// Addresses are pinned by weak references: memory is freed as without capture, but no address comes
// twice while it is known here; what the program has freed is forgotten now and then.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/support/symbol.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fx {

/// A tensor value of the graph.
struct TracedValue {
  Node* node = nullptr;
  Symbol module;               ///< of the parameter or buffer that it is or shares memory with
  bool requires_grad = false;  ///< seen to require grad; known only some time after it was computed
};

/// What is known of a piece of memory.
struct TracedStorage {
  explicit TracedStorage(c10::weak_intrusive_ptr<c10::StorageImpl> storage)
      : pin(std::move(storage)) {}

  c10::weak_intrusive_ptr<c10::StorageImpl> pin;
  Node* node = nullptr;           ///< the latest value in it
  bool written = false;           ///< an operator wrote to it
  c10::Storage original;          ///< of constants that were written to: the bytes before that
  std::vector<size_t> constants;  ///< which constants it holds
  // Of memory that an operator has just made from nothing, until an operator writes to it:
  Node* made = nullptr;  ///< what made it, or stands for what the program put there; else null
  size_t contents = 0;   ///< hash of the bytes that the graph has there
  bool read = false;     ///< an operator has read them
};

class ValueTable {
 public:
  explicit ValueTable(TypeTable& types) : types_(&types) {}

  /// The value that `tensor` holds, or null when no operator of the graph made it. `exact` is set
  /// when the very same handle was recorded, not only its memory.
  TracedValue* find(const at::Tensor& tensor, bool* exact = nullptr);
  /// From now on `tensor` holds the value of `node`.
  void bind(const at::Tensor& tensor, const TracedValue& value);

  /// From now on the memory of `tensor` holds the value of `node`, in the form of `tensor`: other
  /// values in it are forgotten. O(values).
  void renew(const at::Tensor& tensor, const TracedValue& value);

  /// Values of `node` are values of `by` from now on. O(values).
  void replace(const Node& node, Node& by);

  /// The memory of `tensor`, or null when it has none or none that is known.
  TracedStorage* storage(const at::Tensor& tensor);

  /// All values, in the order in which they were bound.
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
  struct Handle {
    c10::weak_intrusive_ptr<c10::TensorImpl> pin;
    Place place;
    uint32_t value;
  };

  Place place_of(const at::Tensor& tensor) const;
  /// Drops what nobody can ask for any more, and the memory that its pins hold.
  void forget_dead();

  TypeTable* types_;
  std::vector<TracedValue> values_;
  absl::flat_hash_map<const c10::TensorImpl*, Handle> by_handle_;
  absl::flat_hash_map<Place, uint32_t> by_place_;
  absl::flat_hash_map<const c10::StorageImpl*, TracedStorage> storages_;
  size_t forget_at_ = 1024;  ///< handles; twice as many as were alive the last time
};

}  // namespace fx
