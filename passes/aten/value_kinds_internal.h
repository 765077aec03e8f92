// Kinds of values without types: tensors, numbers, sizes. Lowering must not take a number for a
// tensor where a graph has no types.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/types/type.h"

#include <cstdint>

namespace fx::aten {

/// The type that torch.fx's ShapeProp recorded in the meta data `tensor_meta`; null when it did not.
Type recorded_type(const Node& node);

enum class ValueKind : uint8_t {
  kUnknown,  ///< may be anything
  kTensor,
  kNumber,
  kNumbers,  ///< a list or tuple of numbers: sizes, strides
  kOther,    ///< lists, strings, dtypes, None
};

/// What values are, by their types, else by the calls that make and use them: a value is a tensor
/// where an operator, function, method or layer has it as an operand that must be one.
class ValueKinds {
 public:
  /// Reads the uses of all values.
  explicit ValueKinds(const Graph& graph);

  ValueKind of(const Argument& value) const;
  /// Records what a call without a type returns, and gives it the type of a number where it is one.
  /// Nodes come in program order. Returns true when the node has got a type.
  bool note(Node& node);

 private:
  ValueKind kind_of_call(const Node& node, Type& number) const;
  ValueKind kind_of_operator(const Node& node, Type& number) const;

  NodeMap<char> used_as_tensor_;
  NodeMap<ValueKind> kinds_;
};

}  // namespace fx::aten
