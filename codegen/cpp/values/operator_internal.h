// The C++ functions of operators, computed once for each operator.
#pragma once

#include "fx/codegen/cpp/values/cpp_functions_internal.h"
#include "fx/codegen/cpp/values/value_internal.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/ops/op_info.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::cpp {

inline bool is_int_kind(ops::SchemaTypeKind kind) {
  return kind == ops::SchemaTypeKind::kInt || kind == ops::SchemaTypeKind::kSymInt;
}
inline bool is_float_kind(ops::SchemaTypeKind kind) {
  return kind == ops::SchemaTypeKind::kFloat || kind == ops::SchemaTypeKind::kSymFloat;
}
inline bool is_bool_kind(ops::SchemaTypeKind kind) {
  return kind == ops::SchemaTypeKind::kBool || kind == ops::SchemaTypeKind::kSymBool;
}

/// The type of an operator's parameter.
struct Parameter {
  ops::SchemaTypeKind base = ops::SchemaTypeKind::kAny;
  bool optional = false;
  bool list = false;
  bool optional_items = false;
  int32_t list_size = -1;  ///< n in T[n]; -1 if unspecified
  const ops::SchemaArgument* argument = nullptr;
};

struct Operator {
  const ops::OpInfo* info = nullptr;
  const ops::OpSchema* schema = nullptr;
  const CppFunctionRow* row = nullptr;  ///< null if libtorch has no C++ function
  std::string base;                     ///< "add"
  std::string struct_name;              ///< "add_Tensor" in at::_ops
  std::string root;                     ///< NAME of its headers
  std::vector<Parameter> parameters;
  /// The index of the first of the parameters dtype, layout, device and pin_memory, which are one
  /// TensorOptions in C++; -1 if there are none.
  int options_at = -1;
  Value result;
  bool is_size = false;  ///< size.int, sym_numel, ...: methods of at::Tensor
  /// Other operators whose functions or methods have the same name in C++.
  std::vector<const Operator*> functions, methods;
};

/// The argument for one parameter: a value, positional integers that form a list, or none.
struct Bound {
  std::optional<ArgumentRef> value;
  /// The number of positional arguments, starting at `first`, that form the list.
  uint32_t num_variadic = 0;
  uint32_t first = 0;
};

/// The properties of an argument in C++ on which overload resolution depends.
enum class Form : uint8_t {
  kTensor,
  kNumber,
  kNullopt,
  kString,
  kTensors,      ///< {a, b}
  kNumbers,      ///< {1, 2}
  kEmptyBraces,  ///< {}
  kOptions,      ///< TensorOptions
  kTyped,        ///< an expression whose type is the type of the parameter
};

class Operators {
 public:
  explicit Operators(ValueTypes& types) : types_(types) {}

  /// Returns the operator of a row; null for Python functions.
  const Operator* find(const ops::OpInfo* info);
  /// True if C++'s overload resolution certainly selects `op` for a call by name with arguments of
  /// these forms.
  static bool is_certain(const Operator& op, absl::Span<const Form> forms, bool is_method);

 private:
  std::unique_ptr<Operator> make(const ops::OpInfo& info);

  ValueTypes& types_;
  absl::flat_hash_map<const ops::OpInfo*, std::unique_ptr<Operator>> operators_;
  std::vector<std::unique_ptr<Operator>> overloads_;
};

/// True if the argument equals the parameter's default value in the schema.
bool is_default(const Parameter& parameter, ArgumentRef value);

}  // namespace fx::cpp
