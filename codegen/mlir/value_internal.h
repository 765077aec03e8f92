// Values of the function that is being written, and their types.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::mlir {

enum class ValueKind : uint8_t {
  kUnset,  ///< not computed yet
  kTensor,
  kInt,
  kFloat,
  kBool,
  kString,
  kDevice,
  kNone,
  kList,   ///< one value, `!torch.list<...>`
  kItems,  ///< multiple values: the results of one call
  kGraph,  ///< a nested graph
};

/// A type of the torch dialect. Equal types have equal pointers.
struct ValueType {
  ValueKind kind = ValueKind::kUnset;
  std::string text;  ///< `!torch.vtensor<[2,3],f32>`
  DType dtype = DType::kUndefined;
};

/// See the top of this file. Names live as long as the writer.
struct Value {
  const ValueType* type = nullptr;  ///< null for kItems and kGraph
  std::string_view name = {};       ///< `%x`, `%topk#1`
  const Value* items = nullptr;     ///< the values of kItems
  uint32_t num_items = 0;           ///< of kItems
  ValueKind kind = ValueKind::kUnset;
  const Graph* graph = nullptr;  ///< the graph of kGraph
  const Node* node = nullptr;    ///< the node that computes the value; null for constants

  absl::Span<const Value> span() const { return {items, num_items}; }
};

/// Creates ValueTypes.
class ValueTypes {
 public:
  ValueTypes();

  /// Returns the type of a kind that has only one type: `!torch.int`, ...
  const ValueType* simple(ValueKind kind) const { return &simple_[static_cast<size_t>(kind)]; }
  /// Returns the type of a list with this element type: "int", "vtensor", "optional<vtensor>".
  const ValueType* list(std::string_view element);
  /// Returns the type of a 0-dimensional tensor.
  const ValueType* scalar(DType dtype);
  /// Returns the type of a value. Returns Unimplemented for types that the torch dialect does not
  /// have: sparse tensors, some element types, aggregates, objects.
  absl::StatusOr<const ValueType*> of(Type type);
  /// Returns the type of a tensor with unknown dtype and sizes.
  const ValueType* unknown_tensor();

 private:
  const ValueType* intern(ValueKind kind, std::string text, DType dtype = DType::kUndefined);
  absl::StatusOr<const ValueType*> make(Type type);

  std::vector<ValueType> simple_;
  absl::flat_hash_map<Type, const ValueType*> known_;
  absl::flat_hash_map<std::string, std::unique_ptr<ValueType>> by_text_;
};

/// Returns the name of an element type in MLIR; empty if it has none.
std::string_view element_type(DType dtype);

}  // namespace fx::mlir
