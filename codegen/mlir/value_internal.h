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
  kItems,  ///< several values: what a call with several results returns
  kGraph,  ///< a nested graph
};

/// A type of the torch dialect. Equal types are one pointer.
struct ValueType {
  ValueKind kind = ValueKind::kUnset;
  std::string text;  ///< `!torch.vtensor<[2,3],f32>`
  DType dtype = DType::kUndefined;
};

/// See the head of this file. Names live as long as the writer.
struct Value {
  const ValueType* type = nullptr;  ///< of all kinds but kItems and kGraph
  std::string_view name = {};       ///< `%x`, `%topk#1`
  const Value* items = nullptr;     ///< of kItems
  uint32_t num_items = 0;           ///< of kItems
  ValueKind kind = ValueKind::kUnset;
  const Graph* graph = nullptr;  ///< of kGraph
  const Node* node = nullptr;    ///< that computes it; null for constants

  absl::Span<const Value> span() const { return {items, num_items}; }
};

/// Makes ValueTypes.
class ValueTypes {
 public:
  ValueTypes();

  /// `!torch.int`, ...: of the kinds that have one type only.
  const ValueType* simple(ValueKind kind) const { return &simple_[static_cast<size_t>(kind)]; }
  /// A list of this element: "int", "vtensor", "optional<vtensor>".
  const ValueType* list(std::string_view element);
  /// A tensor of no dimensions.
  const ValueType* scalar(DType dtype);
  /// The type of a value. Unimplemented for what the torch dialect does not have: sparse tensors,
  /// some element types, aggregates, objects.
  absl::StatusOr<const ValueType*> of(Type type);
  /// A tensor of which nothing is known.
  const ValueType* unknown_tensor();

 private:
  const ValueType* intern(ValueKind kind, std::string text, DType dtype = DType::kUndefined);
  absl::StatusOr<const ValueType*> make(Type type);

  std::vector<ValueType> simple_;
  absl::flat_hash_map<Type, const ValueType*> known_;
  absl::flat_hash_map<std::string, std::unique_ptr<ValueType>> by_text_;
};

/// The name of an element type in MLIR; empty when it has none.
std::string_view element_type(DType dtype);

/// Texts that stay where they are.
class TextArena {
 public:
  std::string_view keep(std::string_view text) {
    if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < text.size()) {
      chunks_.emplace_back();
      chunks_.back().reserve(text.size() > kChunk ? text.size() : kChunk);
    }
    std::string& chunk = chunks_.back();
    const size_t begin = chunk.size();
    chunk += text;  // within its capacity
    return std::string_view(chunk).substr(begin);
  }

 private:
  static constexpr size_t kChunk = 1 << 16;
  std::vector<std::string> chunks_;
};

}  // namespace fx::mlir
