// How operators are called in C++, worked out once for each.
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

/// What an operator's parameter takes.
struct Parameter {
  ops::SchemaTypeKind base = ops::SchemaTypeKind::kAny;
  bool optional = false;
  bool list = false;
  bool optional_items = false;
  int32_t list_size = -1;  ///< n of T[n]
  const ops::SchemaArgument* argument = nullptr;
};

struct Operator {
  const ops::OpInfo* info = nullptr;
  const ops::OpSchema* schema = nullptr;
  const CppFunctionRow* row = nullptr;  ///< null: only the dispatcher has it
  std::string base;                     ///< "add"
  std::string struct_name;              ///< "add_Tensor", of at::_ops
  std::string root;                     ///< of its headers
  std::vector<Parameter> parameters;
  int options_at =
      -1;  ///< the first of dtype, layout, device, pin_memory: one TensorOptions in C++
  Value result;
  bool is_size = false;  ///< size.int, sym_numel, ...: a method that is no operator
  /// Others with the same name in C++, functions and methods.
  std::vector<const Operator*> functions, methods;
};

/// What a call passes to one parameter: a value, several ints that stand for a list, or nothing.
struct Bound {
  std::optional<ArgumentRef> value;
  uint32_t loose = 0;  ///< how many positional arguments, from `first` on, make up the list
  uint32_t first = 0;
};

/// What an argument looks like in C++, as far as the choice of an overload goes.
enum class Form : uint8_t {
  kTensor,
  kNumber,
  kNullopt,
  kString,
  kTensors,      ///< {a, b}
  kNumbers,      ///< {1, 2}
  kEmptyBraces,  ///< {}
  kOptions,      ///< TensorOptions
  kTyped,        ///< of exactly its parameter's type
};

class Operators {
 public:
  explicit Operators(ValueTypes& types) : types_(types) {}

  /// The operator of a row; null for functions of Python.
  const Operator* find(const ops::OpInfo* info);
  /// True when a call of `op` by its name, with these forms in order, can mean no other operator.
  static bool is_certain(const Operator& op, absl::Span<const Form> forms, bool is_method);

 private:
  std::unique_ptr<Operator> make(const ops::OpInfo& info);

  ValueTypes& types_;
  absl::flat_hash_map<const ops::OpInfo*, std::unique_ptr<Operator>> operators_;
  std::vector<std::unique_ptr<Operator>> rivals_;
};

/// The argument is what the schema has as default.
bool is_default(const Parameter& parameter, ArgumentRef value);

}  // namespace fx::cpp
