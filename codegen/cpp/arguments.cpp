// Writes arguments: values of the graph and constants, converted to the type of the parameter.
#include "fx/codegen/cpp/emitter_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <optional>

namespace fx::cpp {

using ops::SchemaTypeKind;

namespace {

/// True for enumerations and devices, whose values are always written with their C++ type.
bool is_enumeration(SchemaTypeKind kind) {
  return kind == SchemaTypeKind::kScalarType || kind == SchemaTypeKind::kLayout ||
         kind == SchemaTypeKind::kMemoryFormat || kind == SchemaTypeKind::kDevice;
}

/// Returns the device for an argument that is a device or the name of a device; std::nullopt for
/// other values.
std::optional<Device> device_of(ArgumentRef value) {
  if (value.kind() == ArgumentKind::kDevice) return value.as_device();
  return value.is_string() ? device_from_name(value.as_string()) : std::nullopt;
}
/// True for a 0-dimensional tensor, which Python accepts as a number.
bool is_number_tensor(const Node& node) {
  return node.type().is_tensor() && node.type().has_rank() && node.type().rank() == 0;
}
/// Returns the value of an int, a float or a bool.
double number_of(ArgumentRef value) {
  if (value.is_int()) return static_cast<double>(value.as_int());
  return value.is_bool() ? static_cast<double>(value.as_bool()) : value.as_float();
}

/// Returns the text of a number of this kind, converted to an int64_t, a double or a bool; empty if
/// there is no conversion.
std::string converted_number(std::string_view text, ValueKind kind, SchemaTypeKind base) {
  const std::string number(text);
  if (is_bool_kind(base)) {
    if (kind == ValueKind::kScalar) return number + ".toBool()";
    return kind == ValueKind::kBool ? number : std::string();
  }
  const bool is_float = is_float_kind(base);
  switch (kind) {
    case ValueKind::kScalar:
      return number + (is_float ? ".toDouble()" : ".toLong()");
    case ValueKind::kFloat:
      return is_float ? number : std::string();
    case ValueKind::kInt:
      return is_float ? absl::StrCat("static_cast<double>(", number, ")") : number;
    case ValueKind::kBool:
      return absl::StrCat(is_float ? "static_cast<double>(" : "static_cast<int64_t>(", number, ")");
    default:
      return {};
  }
}

/// Appends an enumerator or a device. Returns false if the value is not of this kind.
bool append_enumeration(std::string& out, SchemaTypeKind base, ArgumentRef value) {
  const ArgumentKind kind = value.kind();
  switch (base) {
    case SchemaTypeKind::kScalarType:
      if (kind == ArgumentKind::kDType) append_dtype(out, value.as_dtype());
      return kind == ArgumentKind::kDType;
    case SchemaTypeKind::kLayout:
      if (kind == ArgumentKind::kLayout) append_layout(out, value.as_layout());
      return kind == ArgumentKind::kLayout;
    case SchemaTypeKind::kMemoryFormat:
      if (kind == ArgumentKind::kMemoryFormat) append_memory_format(out, value.as_memory_format());
      return kind == ArgumentKind::kMemoryFormat;
    case SchemaTypeKind::kDevice: {
      const std::optional<Device> device = device_of(value);
      if (device) append_device(out, *device);
      return device.has_value();
    }
    default:
      return false;
  }
}

/// Appends an integer that is a default value in a schema. It may represent an enumerator.
void append_int_constant(std::string& out, SchemaTypeKind base, int64_t number) {
  switch (base) {
    case SchemaTypeKind::kScalarType:
      return append_dtype(out, static_cast<DType>(number));
    case SchemaTypeKind::kLayout:
      return append_layout(out, static_cast<Layout>(number));
    case SchemaTypeKind::kMemoryFormat:
      return append_memory_format(out, static_cast<MemoryFormat>(number));
    case SchemaTypeKind::kFloat:
      return append_double(out, static_cast<double>(number));
    default:
      return append_int(out, number);
  }
}

}  // namespace

void Emitter::append_node(std::string& out, const Parameter& parameter, bool optional,
                          const Node& node) {
  if (values_[node].kind == ValueKind::kNone) {
    out += parameter.base == SchemaTypeKind::kTensor && !optional ? "at::Tensor()" : "std::nullopt";
    return;
  }
  const std::string text = converted(node, parameter.base);
  if (text.empty())
    return fail(
        fmt::format("{} cannot be passed as \"{}\"", node.name(), parameter.argument->name));
  out += text;
}

/// Returns the C++ expression of the node's value, converted to a parameter of this kind; empty if
/// there is no conversion.
std::string Emitter::converted(const Node& node, SchemaTypeKind base) {
  const ValueKind kind = values_[node].kind;
  const bool is_item = kind == ValueKind::kTensor && is_number_tensor(node);
  std::string name;
  append_name(name, node);
  const auto item = [&] {
    include("ATen/ops/item.h");
    return absl::StrCat(name, ".item()");
  };
  switch (base) {
    case SchemaTypeKind::kTensor:
      if (kind == ValueKind::kTensor) return name;
      if (!is_number({kind})) return {};
      include("ATen/ScalarOps.h");
      return absl::StrCat("at::native::wrapped_scalar_tensor(", name, ")");
    case SchemaTypeKind::kScalar:
      if (is_number({kind})) return name;
      return is_item ? item() : std::string();
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
      return is_item ? converted_number(item(), ValueKind::kScalar, base)
                     : converted_number(name, kind, base);
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
      return converted_number(name, kind, base);
    case SchemaTypeKind::kString:
      return kind == ValueKind::kString ? name : std::string();
    case SchemaTypeKind::kScalarType:
      return kind == ValueKind::kDType ? name : std::string();
    case SchemaTypeKind::kDevice:
      return kind == ValueKind::kDevice ? name : std::string();
    default:
      return {};
  }
}

void Emitter::append_leaf(std::string& out, const Parameter& parameter, bool optional,
                          ArgumentRef value) {
  if (value.is_node()) return append_node(out, parameter, optional, *value.as_node());
  if (value.is_none() && optional) {
    out += "std::nullopt";
  } else if (value.is_none() && parameter.base == SchemaTypeKind::kTensor) {
    out += "at::Tensor()";
  } else if (!append_literal_as(out, parameter.base, value)) {
    fail(fmt::format("a {} cannot be passed as \"{}\"", argument_kind_name(value.kind()),
                     parameter.argument->name));
  }
}

/// Appends a constant, converted to a parameter of this kind. Returns false if there is no
/// conversion.
bool Emitter::append_literal_as(std::string& out, SchemaTypeKind base, ArgumentRef value) {
  const bool is_real = value.is_int() || value.is_float() || value.is_bool();
  const bool is_number = is_real || value.kind() == ArgumentKind::kComplex;
  switch (base) {
    case SchemaTypeKind::kTensor:
      if (!is_number) return false;
      include("ATen/ScalarOps.h");
      out += "at::native::wrapped_scalar_tensor(";
      append_value(out, value);
      out += ')';
      return true;
    case SchemaTypeKind::kScalar:
      if (is_number) append_value(out, value);
      return is_number;
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
      if (is_real) append_double(out, number_of(value));
      return is_real;
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
      if (value.is_bool())
        out += value.as_bool() ? "1" : "0";
      else if (value.is_int())
        append_value(out, value);
      return value.is_bool() || value.is_int();
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
      if (value.is_bool()) append_value(out, value);
      return value.is_bool();
    case SchemaTypeKind::kString:
      if (value.is_string()) append_value(out, value);
      return value.is_string();
    default:
      return append_enumeration(out, base, value);
  }
}

void Emitter::append_constant(std::string& out, const Parameter& parameter,
                              const ops::SchemaConstant& constant, Style style) {
  if (constant.is_none()) {
    out += parameter.base == SchemaTypeKind::kTensor && !parameter.optional ? "at::Tensor()"
                                                                            : "std::nullopt";
    return;
  }
  const auto* list = std::get_if<ops::SchemaConstant::List>(&constant.value);
  if (parameter.list) {
    const size_t begin = out.size();
    append_list_head(out, parameter, style);
    const bool typed = out.size() != begin;
    out += '{';
    const size_t count =
        list ? list->size() : static_cast<size_t>(std::max(parameter.list_size, 1));
    Parameter item = parameter;
    item.list = item.optional = false;
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) out += ", ";
      append_constant(out, item, list ? (*list)[i] : constant, style);
    }
    out += '}';
    if (typed) out += ')';
    return;
  }
  if (const int64_t* number = std::get_if<int64_t>(&constant.value))
    return append_int_constant(out, parameter.base, *number);
  if (const double* number = std::get_if<double>(&constant.value))
    return append_double(out, *number);
  if (const bool* truth = std::get_if<bool>(&constant.value)) {
    out += *truth ? "true" : "false";
  } else if (const std::string* text = std::get_if<std::string>(&constant.value)) {
    append_string(out, *text);
  } else {
    fail(fmt::format("the default of \"{}\" cannot be expressed in C++", parameter.argument->name));
  }
}

/// Appends the type before braces if the braces alone could initialize a different type.
void Emitter::append_list_head(std::string& out, const Parameter& parameter, Style style) const {
  const bool is_struct = style == Style::kStruct;
  if (parameter.base == SchemaTypeKind::kTensor && parameter.optional_items) {
    out += "c10::List<std::optional<at::Tensor>>(";
    return;
  }
  if (!parameter.optional && (style != Style::kTyped || is_bool_kind(parameter.base))) return;
  if (is_int_kind(parameter.base)) {
    out += parameter.base == SchemaTypeKind::kSymInt && is_struct ? "c10::SymIntArrayRef("
                                                                  : "at::IntArrayRef(";
  } else if (is_float_kind(parameter.base)) {
    out += "at::ArrayRef<double>(";
  } else if (parameter.base == SchemaTypeKind::kScalar) {
    out += "at::ArrayRef<at::Scalar>(";
  } else if (is_bool_kind(parameter.base)) {
    out += "at::ArrayRef<bool>(";
  } else {
    out += "at::TensorList(";
  }
}

Form Emitter::append_argument(std::string& out, const Parameter& parameter, const Bound& bound,
                              const Node& node, Style style) {
  if (!bound.value && bound.num_variadic == 0) return append_default(out, parameter, style);
  if (parameter.list) {
    if (const std::optional<Form> form = append_whole_list(out, parameter, bound, style))
      return *form;
    return append_list(out, parameter, bound, node, style);
  }
  const ArgumentRef value = *bound.value;
  append_leaf(out, parameter, parameter.optional, value);
  if (value.is_none() && parameter.optional) return Form::kNullopt;
  if (parameter.base == SchemaTypeKind::kTensor) return Form::kTensor;
  if (value.is_string()) return Form::kString;
  return is_enumeration(parameter.base) ? Form::kTyped : Form::kNumber;
}

Form Emitter::append_default(std::string& out, const Parameter& parameter, Style style) {
  const ops::SchemaConstant& constant = *parameter.argument->default_value;
  append_constant(out, parameter, constant, style);
  if (constant.is_none())
    return parameter.base == SchemaTypeKind::kTensor && !parameter.optional ? Form::kTyped
                                                                            : Form::kNullopt;
  if (parameter.list)
    return style == Style::kTyped || parameter.optional ? Form::kTyped : Form::kEmptyBraces;
  if (std::holds_alternative<std::string>(constant.value)) return Form::kString;
  return is_enumeration(parameter.base) ? Form::kTyped : Form::kNumber;
}

/// Appends a list that is given as a single value: None, or a node that is a list. Returns
/// std::nullopt for other values.
std::optional<Form> Emitter::append_whole_list(std::string& out, const Parameter& parameter,
                                               const Bound& bound, Style style) {
  if (!bound.value) return std::nullopt;
  if (bound.value->is_none()) {
    if (!parameter.optional) fail(fmt::format("\"{}\" must not be None", parameter.argument->name));
    out += "std::nullopt";
    return Form::kNullopt;
  }
  const Node* source = bound.value->node();
  if (source == nullptr) return std::nullopt;
  const ValueKind kind = values_[*source].kind;
  if (kind == ValueKind::kTensors || kind == ValueKind::kInts) {
    const bool is_tensors = kind == ValueKind::kTensors;
    if (is_tensors != (parameter.base == SchemaTypeKind::kTensor) || parameter.optional_items) {
      fail(fmt::format("{} cannot be passed as \"{}\"", source->name(), parameter.argument->name));
      return Form::kTyped;
    }
    const bool convert = style == Style::kStruct && parameter.base == SchemaTypeKind::kSymInt;
    if (convert) out += "c10::fromIntArrayRefSlow(";
    append_name(out, *source);
    if (convert) out += ')';
    return Form::kTyped;
  }
  if (kind != ValueKind::kNone || !parameter.optional) return std::nullopt;
  out += "std::nullopt";
  return Form::kNullopt;
}

/// Appends `{a, b}`: the items of a list, positional arguments that form a list, or one repeated
/// number.
Form Emitter::append_list(std::string& out, const Parameter& parameter, const Bound& bound,
                          const Node& node, Style style) {
  Parameter item = parameter;
  item.list = false;
  const bool is_list = bound.value && (bound.value->is_list() || bound.value->is_tuple());
  const bool is_repeated = bound.value && !is_list;
  if (is_repeated && parameter.list_size < 1) {
    fail(fmt::format("\"{}\" must be a list", parameter.argument->name));
    return Form::kTyped;
  }
  const size_t count = bound.num_variadic > 0 ? bound.num_variadic
                       : is_repeated          ? static_cast<size_t>(parameter.list_size)
                                              : bound.value->size();
  const size_t begin = out.size();
  append_list_head(out, parameter, style);
  const bool typed = out.size() != begin;
  out += '{';
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    const ArgumentRef value = bound.num_variadic > 0 ? node.arg(bound.first + i)
                              : is_repeated          ? *bound.value
                                                     : (*bound.value)[i];
    append_leaf(out, item, parameter.optional_items, value);
  }
  out += '}';
  if (typed) out += ')';
  if (typed) return Form::kTyped;
  if (count == 0) return Form::kEmptyBraces;
  return parameter.base == SchemaTypeKind::kTensor ? Form::kTensors : Form::kNumbers;
}

/// Appends one TensorOptions for dtype, layout, device and pin_memory. Returns true if it sets any
/// of them.
bool Emitter::append_options(std::string& out, const Operator& op,
                             const std::vector<Bound>& bound) {
  const auto first = static_cast<size_t>(op.options_at);
  static constexpr std::array<std::string_view, 4> kSetters = {".dtype(", ".layout(", ".device(",
                                                               ".pinned_memory("};
  bool any = false;
  out += "at::TensorOptions()";
  for (size_t k = 0; k < 4; ++k) {
    const Bound& value = bound[first + k];
    const Parameter& parameter = op.parameters[first + k];
    // A default other than None, such as randint's dtype int64, must be written.
    const bool is_default = !value.value && !parameter.argument->default_value->is_none();
    if (!is_default && (!value.value || value.value->is_none())) continue;
    any = true;
    out += kSetters[k];
    if (is_default) {
      append_constant(out, parameter, *parameter.argument->default_value, Style::kBraces);
    } else {
      append_leaf(out, parameter, false, *value.value);
    }
    out += ')';
  }
  return any;
}

}  // namespace fx::cpp
