// Emits calls through the dispatcher, for operators without a C++ function in libtorch.
#include "fx/codegen/cpp/emitter_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"

#include <algorithm>

namespace fx::cpp {

using ops::SchemaTypeKind;

namespace {

/// Returns the code that converts an IValue to a value of this kind; empty if there is none.
std::string_view ivalue_conversion(ValueKind kind) {
  switch (kind) {
    case ValueKind::kTensor:
      return ".toTensor()";
    case ValueKind::kTensors:
      return ".toTensorVector()";
    case ValueKind::kInt:
      return ".toInt()";
    case ValueKind::kFloat:
      return ".toDouble()";
    case ValueKind::kBool:
      return ".toBool()";
    case ValueKind::kInts:
      return ".toIntVector()";
    default:
      return "";
  }
}

}  // namespace

void Emitter::append_ivalue(std::string& out, const Parameter& parameter, const Bound& bound,
                            const Node& node) {
  const bool none = bound.value
                        ? bound.value->is_none()
                        : bound.num_variadic == 0 && parameter.argument->default_value->is_none();
  if (none) {
    out += parameter.base == SchemaTypeKind::kTensor && !parameter.optional ? "at::Tensor()"
                                                                            : "c10::IValue()";
    return;
  }
  Parameter plain = parameter;
  plain.optional = false;  // so that braces have no type before them
  if (parameter.list) {
    plain.optional_items = false;
    const std::string_view type = parameter.base == SchemaTypeKind::kTensor ? "at::Tensor"
                                  : is_int_kind(parameter.base)             ? "int64_t"
                                  : is_float_kind(parameter.base)           ? "double"
                                                                            : "";
    if (type.empty() || parameter.optional_items)
      return fail(
          fmt::format("the type of \"{}\" cannot be expressed in C++", parameter.argument->name));
    absl::StrAppend(&out, "std::vector<", std::string(type), ">(");
    append_argument(out, plain, bound, node, Style::kBraces);
    out += ')';
    return;
  }
  std::string_view head = "c10::IValue(", tail = ")";
  if (is_int_kind(parameter.base)) head = "c10::IValue(int64_t{", tail = "})";
  if (parameter.base == SchemaTypeKind::kString) head = "c10::IValue(std::string(", tail = "))";
  if (parameter.base == SchemaTypeKind::kScalar) head = "c10::IValue(at::Scalar(", tail = "))";
  if (parameter.base == SchemaTypeKind::kScalarType || parameter.base == SchemaTypeKind::kLayout ||
      parameter.base == SchemaTypeKind::kMemoryFormat)
    head = "c10::IValue(static_cast<int64_t>(", tail = "))";
  out += head;
  append_argument(out, plain, bound, node, Style::kBraces);
  out += tail;
}

bool Emitter::append_dispatched(std::string& text, Value& value, const Node& node,
                                const Operator& op, const std::vector<Bound>& bound) {
  include("ATen/core/dispatch/Dispatcher.h");
  include("ATen/core/ivalue.h");
  shared_.uses_call = true;
  if (std::ranges::find(shared_.dispatched, op.info->name()) == shared_.dispatched.end())
    shared_.dispatched.emplace_back(op.info->name());
  text = "fxcpp::call_operator(";
  append_literal(text, op.schema->name());
  text += ", ";
  append_literal(text, op.schema->overload());
  text += ", {";
  for (size_t i = 0; i < op.parameters.size(); ++i) {
    if (i > 0) text += ", ";
    append_ivalue(text, op.parameters[i], bound[i], node);
  }
  text += "})";
  if (!status_.ok()) return false;
  const auto unsupported = [&] {
    fail(fmt::format("the result of {} cannot be expressed in C++", op.info->name()));
    return false;
  };
  if (op.schema->returns().size() == 1) {
    const std::string_view conversion = ivalue_conversion(value.kind);
    if (conversion.empty()) return unsupported();
    text += ".at(0)";
    text += conversion;
  } else if (value.kind == ValueKind::kTuple) {
    value = shared_.types.aggregate(*value.items);
    if (value.kind != ValueKind::kTensors) return unsupported();
    text = "fxcpp::tensors_of(" + text + ")";
  }
  return true;
}

}  // namespace fx::cpp
