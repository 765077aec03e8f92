// Values of the model that is being written, and attributes of its operators.
#pragma once

#include "fx/ir/types/dtype.h"
#include "fx/ir/types/type.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
class Graph;
}

namespace fx::onnx {

inline constexpr double kIntLimit = 0x1p63;  ///< the first number above those of int64

/// A tensor: an output of a node, an input or an initializer. An empty value is an omitted input.
/// The model keeps the name.
struct Value {
  std::string_view name = {};
  DType dtype = DType::kUndefined;

  explicit operator bool() const { return !name.empty(); }
};

/// An attribute of an ONNX operator.
struct Attribute {
  enum Kind : uint8_t { kInt, kReal, kText, kInts };
  Attribute(std::string_view n, int64_t v) : name(n), number(v) {}
  Attribute(std::string_view n, int v) : name(n), number(v) {}
  Attribute(std::string_view n, bool v) : name(n), number(v ? 1 : 0) {}
  Attribute(std::string_view n, double v) : name(n), kind(kReal), real(v) {}
  Attribute(std::string_view n, std::string_view v) : name(n), kind(kText), text(v) {}
  Attribute(std::string_view n, const char* v) : name(n), kind(kText), text(v) {}
  Attribute(std::string_view n, std::vector<int64_t> v)
      : name(n), kind(kInts), ints(std::move(v)) {}

  std::string_view name;
  Kind kind = kInt;
  int64_t number = 0;
  double real = 0;
  std::string_view text = {};
  std::vector<int64_t> ints = {};
};

/// The value of a node of the graph.
struct NodeValue {
  enum Kind : uint8_t {
    kUnset,   ///< not computed yet
    kTensor,  ///< a tensor, or a number as a 0-dimensional tensor
    kItems,   ///< the results of a call with multiple results, or a list
    kNone,
    kGraph,  ///< a nested graph
    kError,  ///< the node or one of its operands cannot be converted
  };
  Kind kind = kUnset;
  Value value = {};
  Type type = {};  ///< the type of a kTensor; null if unknown
  std::vector<NodeValue> items = {};
  const Graph* graph = nullptr;
};

}  // namespace fx::onnx
