// Kinds of values without types: tensors, numbers, sizes. In a graph without types, lowering must
// not treat a number as a tensor.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/types/type.h"

#include "absl/status/status.h"

#include <cstdint>
#include <string_view>

namespace fx::aten {

enum class ValueKind : uint8_t {
  kUnknown,  ///< may be of any kind
  kTensor,
  kNumber,
  kNumbers,  ///< a list or tuple of numbers: sizes, strides
  kOther,    ///< other lists, strings, dtypes, None
};

/// Returns the error for a value that may be a tensor or a number.
absl::Status unknown_kind(const Argument& value);

/// True for a tensor, and for a value without a type.
bool may_be_tensor(const Argument& value);

/// True for a Python number, and for a value whose type is a number.
bool is_number(const Argument& value);

/// Determines the kinds of values from their types or, for values without types, from the calls
/// that create and use them: a value is a tensor if a call to an operator, function, method or
/// layer uses it as an operand that must be a tensor.
class ValueKinds {
 public:
  /// Examines the uses of all values.
  explicit ValueKinds(const Graph& graph);

  ValueKind of(const Argument& value) const;
  bool is_integer(const Argument& value) const;
  /// Returns unknown_kind for an item of an index that may be a tensor or a number.
  absl::Status check_index(const Argument& index) const;
  /// Records the kind of the result of a call without a type, and sets the type if it is a number.
  /// Must be called in program order. Returns true if the type was set.
  bool note(Node& node);

 private:
  // Marks values without types that must be tensors.
  void mark(ArgumentRef value);
  void mark_all(const Node& call);
  /// Marks the operands that the operators of a packet require to be tensors.
  void mark_tensors(const Node& call, std::string_view packet);
  /// Marks the operands that a called function requires to be tensors.
  void mark_operands(const Node& call);
  ValueKind kind_of_call(const Node& node, Type& number) const;
  ValueKind kind_of_operator(const Node& node, Type& number) const;

  NodeMap<char> used_as_tensor_;
  NodeMap<ValueKind> kinds_;
};

}  // namespace fx::aten
