// Calls of operators: which C++ function, and the text of its arguments.
#include "fx/codegen/cpp/emitter_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/ir/calls/overload.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <optional>

namespace fx::cpp {

using ops::SchemaTypeKind;

namespace {

bool is_int_kind(SchemaTypeKind kind) {
  return kind == SchemaTypeKind::kInt || kind == SchemaTypeKind::kSymInt;
}
bool is_float_kind(SchemaTypeKind kind) {
  return kind == SchemaTypeKind::kFloat || kind == SchemaTypeKind::kSymFloat;
}
bool is_bool_kind(SchemaTypeKind kind) {
  return kind == SchemaTypeKind::kBool || kind == SchemaTypeKind::kSymBool;
}
/// A type of C++ that nothing else converts to.
bool is_enumeration(SchemaTypeKind kind) {
  return kind == SchemaTypeKind::kScalarType || kind == SchemaTypeKind::kLayout ||
         kind == SchemaTypeKind::kMemoryFormat || kind == SchemaTypeKind::kDevice;
}

/// A device, or the name of one.
std::optional<Device> device_of(ArgumentRef value) {
  if (value.kind() == ArgumentKind::kDevice) return value.as_device();
  return value.is_string() ? device_from_name(value.as_string()) : std::nullopt;
}
/// A tensor of one element that stands for a number, as Python lets it.
bool is_number_tensor(const Node& node) {
  return node.type().is_tensor() && node.type().rank() == 0;
}

}  // namespace

// ---------------------------------------------------------------- one value

void Emitter::append_node(std::string& out, const Parameter& parameter, bool optional,
                          const Node& node) {
  const Value value = values_[node];
  const SchemaTypeKind base = parameter.base;
  if (value.kind == ValueKind::kNone) {
    out += base == SchemaTypeKind::kTensor && !optional ? "at::Tensor()" : "std::nullopt";
    return;
  }
  const bool number = is_number(value);
  if (base == SchemaTypeKind::kTensor && number) {
    include("ATen/ScalarOps.h");
    out += "at::native::wrapped_scalar_tensor(";
    append_name(out, node);
    out += ')';
    return;
  }
  if (value.kind == ValueKind::kScalar && base != SchemaTypeKind::kScalar) {
    append_name(out, node);
    if (is_int_kind(base)) {
      out += ".toLong()";
    } else if (is_float_kind(base)) {
      out += ".toDouble()";
    } else if (is_bool_kind(base)) {
      out += ".toBool()";
    } else {
      fail(fmt::format("{} cannot be passed as \"{}\"", node.name(), parameter.argument->name));
    }
    return;
  }
  if (value.kind == ValueKind::kTensor && is_number_tensor(node) &&
      (base == SchemaTypeKind::kScalar || is_int_kind(base) || is_float_kind(base))) {
    include("ATen/ops/item.h");
    append_name(out, node);
    out += base == SchemaTypeKind::kScalar ? ".item()"
           : is_int_kind(base)             ? ".item().toLong()"
                                           : ".item().toDouble()";
    return;
  }
  const bool fits =
      (base == SchemaTypeKind::kTensor && value.kind == ValueKind::kTensor) ||
      (base == SchemaTypeKind::kScalar && number) ||
      (is_int_kind(base) && (value.kind == ValueKind::kInt || value.kind == ValueKind::kBool)) ||
      (is_float_kind(base) && (value.kind == ValueKind::kFloat || value.kind == ValueKind::kInt)) ||
      (is_bool_kind(base) && value.kind == ValueKind::kBool) ||
      (base == SchemaTypeKind::kString && value.kind == ValueKind::kString) ||
      (base == SchemaTypeKind::kScalarType && value.kind == ValueKind::kDType) ||
      (base == SchemaTypeKind::kDevice && value.kind == ValueKind::kDevice);
  if (!fits) {
    fail(fmt::format("{} cannot be passed as \"{}\"", node.name(), parameter.argument->name));
    return;
  }
  const bool convert = (is_float_kind(base) && value.kind == ValueKind::kInt) ||
                       (is_int_kind(base) && value.kind == ValueKind::kBool);
  if (convert) out += is_float_kind(base) ? "static_cast<double>(" : "static_cast<int64_t>(";
  append_name(out, node);
  if (convert) out += ')';
}

void Emitter::append_leaf(std::string& out, const Parameter& parameter, bool optional,
                          ArgumentRef value) {
  if (value.is_node()) return append_node(out, parameter, optional, *value.as_node());
  const SchemaTypeKind base = parameter.base;
  const ArgumentKind kind = value.kind();
  const bool real =
      kind == ArgumentKind::kInt || kind == ArgumentKind::kFloat || kind == ArgumentKind::kBool;
  if (kind == ArgumentKind::kNone) {
    if (optional) {
      out += "std::nullopt";
      return;
    }
    if (base == SchemaTypeKind::kTensor) {
      out += "at::Tensor()";
      return;
    }
  } else if (base == SchemaTypeKind::kTensor && (real || kind == ArgumentKind::kComplex)) {
    include("ATen/ScalarOps.h");
    out += "at::native::wrapped_scalar_tensor(";
    append_value(out, value);
    out += ')';
    return;
  } else if ((base == SchemaTypeKind::kScalar && (real || kind == ArgumentKind::kComplex)) ||
             (is_float_kind(base) && kind == ArgumentKind::kFloat) ||
             (is_int_kind(base) && kind == ArgumentKind::kInt) ||
             (is_bool_kind(base) && kind == ArgumentKind::kBool) ||
             (base == SchemaTypeKind::kString && kind == ArgumentKind::kString)) {
    if (base == SchemaTypeKind::kScalar && kind == ArgumentKind::kInt) {
      // A literal of type int64_t where int is too small: Scalar takes both.
      append_int(out, value.as_int());
      return;
    }
    append_value(out, value);
    return;
  } else if (is_float_kind(base) && kind == ArgumentKind::kInt) {
    append_double(out, static_cast<double>(value.as_int()));
    return;
  } else if (is_int_kind(base) && kind == ArgumentKind::kBool) {
    out += value.as_bool() ? "1" : "0";
    return;
  } else if (base == SchemaTypeKind::kScalarType && kind == ArgumentKind::kDType) {
    append_dtype(out, value.as_dtype());
    return;
  } else if (base == SchemaTypeKind::kLayout && kind == ArgumentKind::kLayout) {
    append_layout(out, value.as_layout());
    return;
  } else if (base == SchemaTypeKind::kMemoryFormat && kind == ArgumentKind::kMemoryFormat) {
    append_memory_format(out, value.as_memory_format());
    return;
  } else if (base == SchemaTypeKind::kDevice) {
    if (const std::optional<Device> device = device_of(value)) {
      append_device(out, *device);
      return;
    }
  }
  fail(fmt::format("a {} cannot be passed as \"{}\"", argument_kind_name(kind),
                   parameter.argument->name));
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
  if (const int64_t* number = std::get_if<int64_t>(&constant.value)) {
    switch (parameter.base) {
      case SchemaTypeKind::kScalarType:
        return append_dtype(out, static_cast<DType>(*number));
      case SchemaTypeKind::kLayout:
        return append_layout(out, static_cast<Layout>(*number));
      case SchemaTypeKind::kMemoryFormat:
        return append_memory_format(out, static_cast<MemoryFormat>(*number));
      case SchemaTypeKind::kFloat:
        return append_double(out, static_cast<double>(*number));
      default:
        return append_int(out, *number);
    }
  }
  if (const double* number = std::get_if<double>(&constant.value))
    return append_double(out, *number);
  if (const bool* truth = std::get_if<bool>(&constant.value)) {
    out += *truth ? "true" : "false";
  } else if (const std::string* text = std::get_if<std::string>(&constant.value)) {
    append_string(out, *text);
  } else {
    fail(fmt::format("the default of \"{}\" has no form in C++", parameter.argument->name));
  }
}

/// What stands in front of braces: nothing, or a type where the braces alone could mean another.
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
  const bool tensor = parameter.base == SchemaTypeKind::kTensor;
  if (!bound.value && bound.loose == 0) {
    const ops::SchemaConstant& constant = *parameter.argument->default_value;
    append_constant(out, parameter, constant, style);
    if (constant.is_none()) return tensor && !parameter.optional ? Form::kTyped : Form::kNullopt;
    if (parameter.list)
      return style == Style::kTyped || parameter.optional ? Form::kTyped : Form::kEmptyBraces;
    if (std::holds_alternative<std::string>(constant.value)) return Form::kString;
    return is_enumeration(parameter.base) ? Form::kTyped : Form::kNumber;
  }
  if (!parameter.list) {
    const ArgumentRef value = *bound.value;
    append_leaf(out, parameter, parameter.optional, value);
    if (value.is_none() && parameter.optional) return Form::kNullopt;
    if (tensor) return Form::kTensor;
    if (value.is_string()) return Form::kString;
    return is_enumeration(parameter.base) ? Form::kTyped : Form::kNumber;
  }
  if (bound.value) {
    if (bound.value->is_none()) {
      if (!parameter.optional)
        fail(fmt::format("\"{}\" is not optional", parameter.argument->name));
      out += "std::nullopt";
      return Form::kNullopt;
    }
    const Node* source = bound.value->node();
    const Value value = source ? values_[*source] : Value();
    if (value.kind == ValueKind::kTensors || value.kind == ValueKind::kInts) {
      if ((value.kind == ValueKind::kTensors) != tensor || parameter.optional_items) {
        fail(
            fmt::format("{} cannot be passed as \"{}\"", source->name(), parameter.argument->name));
        return Form::kTyped;
      }
      const bool convert = style == Style::kStruct && parameter.base == SchemaTypeKind::kSymInt;
      if (convert) out += "c10::fromIntArrayRefSlow(";
      append_name(out, *source);
      if (convert) out += ')';
      return Form::kTyped;
    }
    if (source && value.kind == ValueKind::kNone && parameter.optional) {
      out += "std::nullopt";
      return Form::kNullopt;
    }
  }
  Parameter item = parameter;
  item.list = false;
  const bool many = bound.value && (bound.value->is_list() || bound.value->is_tuple());
  size_t count = bound.loose > 0 ? bound.loose : many ? bound.value->size() : 0;
  const bool repeated = bound.value && !many;
  if (repeated) {
    if (parameter.list_size < 1) {
      fail(fmt::format("\"{}\" takes a list", parameter.argument->name));
      return Form::kTyped;
    }
    count = static_cast<size_t>(parameter.list_size);
  }
  const size_t begin = out.size();
  append_list_head(out, parameter, style);
  const bool typed = out.size() != begin;
  out += '{';
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    const ArgumentRef value = bound.loose > 0 ? node.arg(bound.first + i)
                              : repeated      ? *bound.value
                                              : (*bound.value)[i];
    append_leaf(out, item, parameter.optional_items, value);
  }
  out += '}';
  if (typed) out += ')';
  if (typed) return Form::kTyped;
  if (count == 0) return Form::kEmptyBraces;
  return tensor ? Form::kTensors : Form::kNumbers;
}

/// One TensorOptions for dtype, layout, device and pin_memory; false when all of them are None.
bool Emitter::append_options(std::string& out, const Operator& op,
                             const std::vector<Bound>& bound) {
  const auto at = static_cast<size_t>(op.options_at);
  static constexpr std::array<std::string_view, 4> kSetters = {".dtype(", ".layout(", ".device(",
                                                               ".pinned_memory("};
  bool any = false;
  out += "at::TensorOptions()";
  for (size_t k = 0; k < 4; ++k) {
    const Bound& value = bound[at + k];
    const Parameter& parameter = op.parameters[at + k];
    // The schema's default: randint gives int64 where nothing is said.
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

// ---------------------------------------------------------------- the call

/// A size, stride, offset or count of a tensor: methods that need no operator.
bool Emitter::append_size_call(std::string& out, const Operator& op,
                               const std::vector<Bound>& bound) {
  if (!bound[0].value || !bound[0].value->is_node() || bound.size() > 2) return false;
  append_leaf(out, op.parameters[0], false, *bound[0].value);
  absl::StrAppend(&out, ".", op.base.substr(op.base.starts_with("sym_") ? 4 : 0), "(");
  if (bound.size() == 2) {
    if (!bound[1].value) {
      out.clear();
      return false;
    }
    append_leaf(out, op.parameters[1], false, *bound[1].value);
  }
  out += ')';
  return status_.ok();
}

/// The arguments of a call by name, up to the last that is not what it is by default, and further
/// while that leaves open which overload is meant. False when it stays open.
bool Emitter::append_by_name(std::string& out, const Node& node, const Operator& op, bool is_method,
                             Style style) {
  out.clear();
  size_t last = op.parameters.size();
  for (; last > 0; --last) {
    const Bound& b = bound_[last - 1];
    const Parameter& parameter = op.parameters[last - 1];
    if (!parameter.argument->default_value || b.loose > 0) break;
    if (b.value && !is_default(parameter, *b.value)) break;
  }
  forms_.clear();
  size_t i = is_method ? 1 : 0;
  for (;; ++last) {
    for (; i < last; ++i) {
      if (!out.empty()) out += ", ";
      if (op.options_at >= 0 && i == static_cast<size_t>(op.options_at)) {
        append_options(out, op, bound_);
        forms_.push_back(Form::kOptions);
        i += 3;
        continue;
      }
      forms_.push_back(append_argument(out, op.parameters[i], bound_[i], node, style));
    }
    if (!status_.ok()) return false;
    if (Operators::is_certain(op, forms_, is_method)) return true;
    if (i >= op.parameters.size()) return false;
    last = i;
  }
}

bool Emitter::emit_operator(const Node& node, const Operator& op) {
  std::string text;
  Value value;
  if (!bind(node, op, 0) || !append_call(text, value, node, op)) return false;
  emit_statement(node, value, text);
  return true;
}

bool Emitter::bind(const Node& node, const Operator& op, size_t first) {
  CallArguments call = CallArguments::of(node);
  call.num_args -= std::min(first, call.num_args);
  std::vector<BoundParameter> bound;
  const BindProblem problem = bind_arguments(*op.schema, call, CallStyle::kOperator, bound);
  if (!problem.ok()) {
    fail(std::string(bind_error(op.info->name(), problem, *op.schema, call).message()));
    return false;
  }
  set_bound(node, bound, first);
  return true;
}

void Emitter::set_bound(const Node& node, absl::Span<const BoundParameter> bound, size_t first) {
  bound_.assign(bound.size(), Bound());
  for (size_t i = 0; i < bound.size(); ++i) {
    if (!bound[i].given()) continue;
    const auto number = static_cast<uint32_t>(bound[i].first + first);
    if (bound[i].is_loose) {
      bound_[i].loose = bound[i].count;
      bound_[i].first = number;
    } else {
      bound_[i].value = argument_at(node, number);
    }
  }
}

bool Emitter::append_call(std::string& text, Value& value, const Node& node, const Operator& op) {
  const std::vector<Bound>& bound = bound_;
  value = op.result;
  if (op.row == nullptr) return append_dispatched(text, value, node, op, bound);
  if (op.is_size && append_size_call(text, op, bound)) return true;
  const bool writes_result = !op.parameters.empty() &&
                             op.parameters.back().argument->is_out();  // arguments in another order
  bool by_name = false;
  if (op.row->forms != 0 && !writes_result) {
    const bool is_method = (op.row->forms & kAtFunction) == 0;
    std::string arguments;
    by_name = append_by_name(arguments, node, op, is_method, Style::kBraces) ||
              append_by_name(arguments, node, op, is_method, Style::kTyped);
    if (by_name && is_method) {
      append_leaf(text, op.parameters[0], false, *bound[0].value);
      absl::StrAppend(&text, ".", op.base, "(", arguments, ")");
    } else if (by_name) {
      include("ATen/ops/" + op.root + ".h");
      absl::StrAppend(&text, "at::", op.base, "(", arguments, ")");
    }
  }
  if (!by_name) {
    include("ATen/ops/" + op.root + "_ops.h");
    absl::StrAppend(&text, "at::_ops::", op.struct_name, "::call(");
    for (size_t i = 0; i < op.parameters.size(); ++i) {
      if (i > 0) text += ", ";
      append_argument(text, op.parameters[i], bound[i], node, Style::kStruct);
    }
    text += ')';
  }
  if (!status_.ok()) return false;
  if (op.schema->returns().size() == 1) {
    const ops::SchemaType& type = op.schema->returns()[0].type;
    if (type.is(SchemaTypeKind::kSymInt)) text += ".guard_int(__FILE__, __LINE__)";
    if (value.kind == ValueKind::kScalar && node.type()) {  // the type says which number it is
      const Value known = shared_.types.of_type(node.type());
      if (known.kind == ValueKind::kInt) text += ".toLong()";
      if (known.kind == ValueKind::kFloat) text += ".toDouble()";
      if (known.kind == ValueKind::kBool) text += ".toBool()";
      if (known.kind >= ValueKind::kInt && known.kind <= ValueKind::kBool) value = known;
    }
  }
  return true;
}

// ---------------------------------------------------------------- overloads, as Python chooses

PassedValue Emitter::passed(ArgumentRef value) const {
  if (value.is_list() || value.is_tuple()) {
    PassedValue list{PassedKind::kList};
    for (size_t i = 0; i < value.size(); ++i) list.items.push_back(passed(value[i]));
    return list;
  }
  const Node* node = value.node();
  if (node == nullptr) return passed_value(value);
  switch (values_[*node].kind) {
    case ValueKind::kNone:
      return {PassedKind::kNone};
    case ValueKind::kTensor:
      return {PassedKind::kTensor};
    case ValueKind::kInt:
      return {PassedKind::kInt};
    case ValueKind::kFloat:
      return {PassedKind::kFloat};
    case ValueKind::kBool:
      return {PassedKind::kBool};
    case ValueKind::kComplex:
      return {PassedKind::kComplex};
    case ValueKind::kScalar:
      return {PassedKind::kNumber};
    case ValueKind::kString:
      return {PassedKind::kString};
    case ValueKind::kTensors:
      return {PassedKind::kTensors};
    case ValueKind::kInts:
      return {PassedKind::kInts};
    case ValueKind::kDType:
      return {PassedKind::kDType};
    case ValueKind::kDevice:
      return {PassedKind::kDevice};
    case ValueKind::kUnknown:
    case ValueKind::kTuple:
    case ValueKind::kGraph:
      break;
  }
  return {PassedKind::kOther};
}

bool Emitter::emit_overloaded(const Node& node, std::string_view packet) {
  std::vector<const ops::OpInfo*> overloads;  // those that C++ has
  for (const ops::OpInfo& info : ops::find_overloads(packet)) {
    const Operator* op = shared_.operators.find(&info);
    if (op != nullptr && op->row != nullptr) overloads.push_back(&info);
  }
  CallArguments call = CallArguments::of(node);
  std::vector<PassedValue> values;
  for (size_t i = 0; i < call.num_args + call.keywords.size(); ++i)
    values.push_back(passed(argument_at(node, i)));
  call.values = values;
  const absl::StatusOr<Overload> chosen =
      choose_overload(packet, overloads, call, {.numbers_as_tensors = false});
  if (!chosen.ok()) {
    fail(fmt::format("{}: call an operator of ATen", std::string(chosen.status().message())));
    return false;
  }
  const Operator& op = *shared_.operators.find(chosen->op);
  set_bound(node, chosen->parameters, 0);
  std::string text;
  Value value;
  if (!append_call(text, value, node, op)) return false;
  emit_statement(node, value, text);
  return true;
}

// ---------------------------------------------------------------- through the dispatcher

void Emitter::append_ivalue(std::string& out, const Parameter& parameter, const Bound& bound,
                            const Node& node) {
  const bool none = bound.value ? bound.value->is_none()
                                : bound.loose == 0 && parameter.argument->default_value->is_none();
  if (none) {
    out += parameter.base == SchemaTypeKind::kTensor && !parameter.optional ? "at::Tensor()"
                                                                            : "c10::IValue()";
    return;
  }
  Parameter plain = parameter;
  plain.optional = false;  // braces without a type in front of them
  if (parameter.list) {
    plain.optional_items = false;
    const std::string_view type = parameter.base == SchemaTypeKind::kTensor ? "at::Tensor"
                                  : is_int_kind(parameter.base)             ? "int64_t"
                                  : is_float_kind(parameter.base)           ? "double"
                                                                            : "";
    if (type.empty() || parameter.optional_items)
      return fail(
          fmt::format("\"{}\" is of a type that has no form in C++", parameter.argument->name));
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

/// Operators of which libtorch has no C++ function: those of other libraries.
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
  const auto refuse = [&] {
    fail(fmt::format("what {} returns has no form in C++", op.info->name()));
    return false;
  };
  if (op.schema->returns().size() == 1) {
    switch (value.kind) {
      case ValueKind::kTensor:
        text += ".at(0).toTensor()";
        break;
      case ValueKind::kTensors:
        text += ".at(0).toTensorVector()";
        break;
      case ValueKind::kInt:
        text += ".at(0).toInt()";
        break;
      case ValueKind::kFloat:
        text += ".at(0).toDouble()";
        break;
      case ValueKind::kBool:
        text += ".at(0).toBool()";
        break;
      case ValueKind::kInts:
        text += ".at(0).toIntVector()";
        break;
      default:
        return refuse();
    }
  } else if (value.kind == ValueKind::kTuple) {
    value = shared_.types.aggregate(*value.items);
    if (value.kind != ValueKind::kTensors) return refuse();
    text = "fxcpp::tensors_of(" + text + ")";
  }
  return true;
}

}  // namespace fx::cpp
