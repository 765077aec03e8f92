// Emits Python functions on numbers, items and attributes, and values without a schema.
#include "fx/codegen/cpp/emitter_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/symbolic/number_functions.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>

namespace fx::cpp {
namespace {

std::string replace_operands(std::string_view text, const std::vector<std::string>& operands) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') {
      out += operands[static_cast<size_t>(text[i + 1] - '0')];
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Returns the kind of a function's result, given the kind of its operands.
ValueKind result_kind(const NumberFunction& function, ValueKind operand_kind) {
  switch (function.result) {
    case NumberFunction::kFloat:
      return ValueKind::kFloat;
    case NumberFunction::kInt:
      return ValueKind::kInt;
    case NumberFunction::kBool:
      return ValueKind::kBool;
    default:
      return operand_kind;
  }
}

/// Returns the C++ operator for a function of two bools whose result is a bool; empty if it is none.
std::string_view logical_infix(std::string_view function) {
  if (function == "operator.and_" || function == "torch.sym_min") return " && ";
  if (function == "operator.or_" || function == "torch.sym_max") return " || ";
  return function == "operator.xor" ? " != " : "";
}

}  // namespace

Value Emitter::value_of(ArgumentRef value) {
  std::string ignored;
  return append_value(ignored, value);
}

Value Emitter::append_value(std::string& out, ArgumentRef value) {
  switch (value.kind()) {
    case ArgumentKind::kNode: {
      const Node& node = *value.as_node();
      const Value type = values_[node];
      if (type.kind == ValueKind::kNone) {
        out += "at::Tensor()";
      } else {
        append_name(out, node);
      }
      return type;
    }
    case ArgumentKind::kNone:
      out += "at::Tensor()";
      return {ValueKind::kNone};
    case ArgumentKind::kBool:
      out += value.as_bool() ? "true" : "false";
      return {ValueKind::kBool};
    case ArgumentKind::kInt:
      append_int(out, value.as_int());
      return {ValueKind::kInt};
    case ArgumentKind::kFloat:
      append_double(out, value.as_float());
      return {ValueKind::kFloat};
    case ArgumentKind::kComplex:
      append_complex(out, value.as_complex());
      return {ValueKind::kComplex};
    case ArgumentKind::kString:
      append_string(out, value.as_string());
      return {ValueKind::kString};
    case ArgumentKind::kDict:
    case ArgumentKind::kList:
    case ArgumentKind::kTuple:
    case ArgumentKind::kStruct: {
      std::vector<Value> items;
      out += '{';
      for (size_t i = 0; i < value.size(); ++i) {
        if (i > 0) out += ", ";
        items.push_back(append_value(out, value[i]));
        if (items.back().kind == ValueKind::kUnknown || items.back().kind == ValueKind::kGraph)
          return {};
      }
      out += '}';
      return shared_.types.aggregate(items);
    }
    default:
      fail(fmt::format("a {} cannot be expressed in C++ here", argument_kind_name(value.kind())));
      return {};
  }
}

/// Returns the text of a number as an operand; std::nullopt for other values. Sets `is_float` to
/// true for a float or a Scalar.
std::optional<std::string> Emitter::number_operand(ArgumentRef argument, bool& is_float) {
  if (is_aggregate(argument.kind()) || argument.is_none() || argument.is_string())
    return std::nullopt;
  if (argument.is_node()) {
    if (!is_number(values_[*argument.as_node()])) return std::nullopt;
  } else if (argument.kind() > ArgumentKind::kFloat) {
    return std::nullopt;
  }
  std::string text;
  const Value value = append_value(text, argument);
  if (value.kind == ValueKind::kScalar) text += ".toDouble()";
  is_float |= value.kind == ValueKind::kScalar || value.kind == ValueKind::kFloat;
  // A literal is an int, which may overflow and would be ambiguous next to an int64_t.
  if (value.kind == ValueKind::kInt && !argument.is_node())
    text = absl::StrCat("int64_t{", text, "}");
  return text.starts_with('-') ? absl::StrCat("(", text, ")") : text;
}

/// Emits the sum or the product of a list of numbers.
void Emitter::emit_number_reduction(const Node& node, bool is_product) {
  std::string text = is_product ? "int64_t{1}" : "int64_t{0}";
  bool is_float = false;
  const ArgumentRef items = node.arg(0);
  for (size_t i = 0; i < items.size(); ++i) {
    const std::optional<std::string> operand = number_operand(items[i], is_float);
    if (!operand) return fail("the items of a sum must be numbers");
    text = absl::StrCat(is_product ? "fxcpp::multiply(" : "fxcpp::add(", text, ", ", *operand, ")");
  }
  shared_.uses_numbers = true;
  include("cmath");
  include("compare");
  emit_statement(node, {is_float ? ValueKind::kFloat : ValueKind::kInt}, text);
}

bool Emitter::is_bool(ArgumentRef value) const {
  return value.is_bool() || (value.is_node() && values_[*value.as_node()].kind == ValueKind::kBool);
}

bool Emitter::emit_number_function(const Node& node, std::string_view name) {
  if (node.num_kwargs() != 0) return false;
  name = plain_number_function(name);
  const bool is_product = name == "math.prod";
  if ((is_product || name == "torch.sym_sum") && node.num_args() == 1 &&
      is_aggregate(node.arg(0).kind())) {
    emit_number_reduction(node, is_product);
    return true;
  }
  std::vector<std::string> operands;
  bool is_float = false, all_bools = true, any_bool = false, all_floats = true;
  for (size_t i = 0; i < node.num_args(); ++i) {
    bool is_float_operand = false;
    std::optional<std::string> operand = number_operand(node.arg(i), is_float_operand);
    if (!operand) return false;
    operands.push_back(*std::move(operand));
    is_float = is_float || is_float_operand;
    all_floats = all_floats && is_float_operand;
    all_bools = all_bools && is_bool(node.arg(i));
    any_bool = any_bool || is_bool(node.arg(i));
  }
  const ValueKind operand_kind = is_float ? ValueKind::kFloat : ValueKind::kInt;
  if (name == "torch.sym_ite" && operands.size() == 3) {
    const Value value = value_of(node.arg(1));
    if (value != value_of(node.arg(2))) {
      fail("both values of torch.sym_ite must have the same type");
      return true;
    }
    emit_statement(node, value, absl::StrCat(operands[0], " ? ", operands[1], " : ", operands[2]));
    return true;
  }
  const NumberFunction* function = find_number_function(name);
  const bool has_text = function != nullptr && !function->cpp.empty() &&
                        function->min_operands == operands.size() &&
                        function->max_operands == operands.size();
  if (!has_text) return false;
  shared_.uses_numbers = true;
  include("cmath");
  include("compare");
  if (const std::string_view logical = logical_infix(name); all_bools && !logical.empty()) {
    emit_statement(node, {ValueKind::kBool},
                   absl::StrCat(operands[0], std::string(logical), operands[1]));
    return true;
  }
  // torch.sym_max(True, 0) is True, not 1.
  if (any_bool && !is_float && name.starts_with("torch.sym_m")) {
    fail("the operands must both be bools, or neither");
    return true;
  }
  // An int is its own floor.
  if (!is_float && function->cpp.starts_with("fxcpp::to_int(")) {
    emit_statement(node, {ValueKind::kInt}, operands[0]);
    return true;
  }
  // C++ converts an int that it compares with a float to a double, which may change its value.
  if (function->result == NumberFunction::kBool && operands.size() == 2 && is_float &&
      !all_floats) {
    const std::string infix(function->cpp.substr(3, function->cpp.size() - 6));
    emit_statement(node, {ValueKind::kBool},
                   absl::StrCat("fxcpp::order(", operands[0], ", ", operands[1], ")", infix, "0"));
    return true;
  }
  if (name == "operator.pow" && !is_float && node.arg(1).is_int() && node.arg(1).as_int() < 0) {
    emit_statement(
        node, {ValueKind::kFloat},
        absl::StrCat("fxcpp::power(static_cast<double>(", operands[0], "), ", operands[1], ")"));
    return true;
  }
  std::string text = replace_operands(function->cpp, operands);
  // Python's functions of one float raise an error where std's return NaN or infinity.
  if (text.starts_with("std::")) text = absl::StrCat("fxcpp::real(", operands[0], ", ", text, ")");
  emit_statement(node, {result_kind(*function, operand_kind)}, text);
  return true;
}

/// Appends a tensor index for <ATen/TensorIndexing.h>. Returns false if it cannot be
/// expressed there.
bool Emitter::append_index(std::string& out, ArgumentRef index) {
  switch (index.kind()) {
    case ArgumentKind::kNone:
      out += "at::indexing::None";
      return true;
    case ArgumentKind::kEllipsis:
      out += "at::indexing::Ellipsis";
      return true;
    case ArgumentKind::kBool:
    case ArgumentKind::kInt:
      append_value(out, index);
      return true;
    case ArgumentKind::kNode: {
      const ValueKind kind = append_value(out, index).kind;
      return kind == ValueKind::kTensor || kind == ValueKind::kInt;
    }
    case ArgumentKind::kSlice:
      out += "at::indexing::Slice(";
      for (size_t i = 0; i < 3; ++i) {
        if (i > 0) out += ", ";
        if (index[i].is_none()) {
          out += "at::indexing::None";
        } else if (append_value(out, index[i]).kind != ValueKind::kInt) {
          return false;
        }
      }
      out += ')';
      return true;
    default:
      return false;
  }
}

/// Emits an item of a tuple, of a list of tensors or of a list of ints.
void Emitter::emit_list_item(const Node& node, const Node& whole, ArgumentRef key) {
  const Value value = values_[whole];
  if (!key.is_int()) return fail("the index of a list must be a constant integer");
  int64_t i = key.as_int();
  std::string name;
  append_name(name, whole);
  if (value.kind == ValueKind::kTuple) {
    const auto size = static_cast<int64_t>(value.items->size());
    if (i < 0) i += size;
    if (i < 0 || i >= size)
      return fail(fmt::format("the index {} is out of range for {}", key.as_int(),
                              pluralize(size, "item")));
    const auto position = static_cast<size_t>(i);
    return emit_statement(node, (*value.items)[position], item_of(value, name, position));
  }
  const std::string text = i < 0 ? absl::StrCat(name, ".at(", name, ".size() - ", -i, ")")
                                 : absl::StrCat(name, ".at(", i, ")");
  emit_statement(node, {value.kind == ValueKind::kTensors ? ValueKind::kTensor : ValueKind::kInt},
                 text);
}

bool Emitter::emit_getitem(const Node& node) {
  if (node.num_args() != 2 || node.num_kwargs() != 0 || !node.arg(0).is_node()) return false;
  const Node& whole = *node.arg(0).as_node();
  const ValueKind kind = values_[whole].kind;
  const ArgumentRef key = node.arg(1);
  if (kind == ValueKind::kTuple || kind == ValueKind::kTensors || kind == ValueKind::kInts) {
    emit_list_item(node, whole, key);
    return true;
  }
  if (kind != ValueKind::kTensor) return false;
  std::string text;
  if (key.is_int()) {
    include("ATen/ops/select.h");
    text += "at::select(";
    append_name(text, whole);
    text += ", 0, ";
    append_int(text, key.as_int());
    text += ')';
    emit_statement(node, {ValueKind::kTensor}, text);
    return true;
  }
  include("ATen/TensorIndexing.h");
  append_name(text, whole);
  text += ".index({";
  const bool is_tuple = key.is_tuple();  // a list is one index, a tensor
  for (size_t i = 0; i < (is_tuple ? key.size() : 1); ++i) {
    if (i > 0) text += ", ";
    if (!append_index(text, is_tuple ? key[i] : key)) {
      fail("this index cannot be expressed in C++");
      return true;
    }
  }
  text += "})";
  emit_statement(node, {ValueKind::kTensor}, text);
  return true;
}

bool Emitter::emit_getattr(const Node& node) {
  if (node.num_args() != 2 || !node.arg(0).is_node() || !node.arg(1).is_string()) return false;
  const Node& object = *node.arg(0).as_node();
  if (values_[object].kind != ValueKind::kTensor) return false;
  const std::string_view name = node.arg(1).as_string();
  std::string text;
  append_name(text, object);
  Value value{ValueKind::kTensor};
  if (name == "shape") {
    text += ".sizes().vec()";
    value = {ValueKind::kInts};
  } else if (name == "ndim") {
    text += ".dim()";
    value = {ValueKind::kInt};
  } else if (name == "dtype") {
    text += ".scalar_type()";
    value = {ValueKind::kDType};
  } else if (name == "device") {
    text += ".device()";
    value = {ValueKind::kDevice};
  } else if (name == "requires_grad") {
    text += ".requires_grad()";
    value = {ValueKind::kBool};
  } else if (name == "itemsize") {
    text = absl::StrCat("static_cast<int64_t>(", text, ".itemsize())");
    value = {ValueKind::kInt};
  } else if (name == "T") {
    text += ".t()";
  } else {
    fail(fmt::format("the attribute {} cannot be expressed in C++", std::string(name)));
    return true;
  }
  emit_statement(node, value, text);
  return true;
}

}  // namespace fx::cpp
