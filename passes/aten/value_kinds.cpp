// Kinds of values: see value_kinds_internal.h.
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/packets.h"
#include "fx/ir/ops/registry.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/symbolic/number_functions.h"
#include "fx/passes/aten/value_kinds_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace fx::aten {
namespace {

using ops::SchemaTypeKind;

template <size_t n>
bool is_one_of(const std::string_view (&names)[n], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

/// Attributes that only tensors have.
constexpr std::string_view kTensorAttributes[] = {
    "shape", "ndim", "dtype", "device",   "layout",       "T", "mT", "H",
    "mH",    "data", "grad",  "itemsize", "requires_grad"};
/// Python's operators that return an integer for integers, in their plain forms.
constexpr std::string_view kArithmetic[] = {"add", "sub",    "mul",    "floordiv", "mod",
                                            "neg", "pos",    "abs",    "and_",     "or_",
                                            "xor", "invert", "lshift", "rshift"};
constexpr std::string_view kComparisons[] = {"eq", "ne", "lt", "le", "gt", "ge", "not_", "is_"};

/// True if the parameters that `is_parameter` accepts are tensors in every overload of the packet
/// that has one.
template <class F>
bool needs_tensor(const Context& context, std::string_view packet, F&& is_parameter) {
  bool any = false;
  for (const ops::OpInfo* op : context.ops().overloads(packet)) {
    const auto arguments = op->schema().arguments();
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!is_parameter(i, arguments[i])) continue;
      if (arguments[i].type.without_optional().kind() != SchemaTypeKind::kTensor) return false;
      any = true;
    }
  }
  return any;
}

std::string_view operator_name(const Node& node) {
  const std::string_view name = node.function().name();
  return name.starts_with("operator.") ? name.substr(9) : std::string_view();
}

/// The same for a call whose operands may be numbers: "add" for operator.iadd.
std::string_view plain_operator_name(const Node& node) {
  const std::string_view name = operator_name(node);
  return name.empty() ? name : plain_number_function(node.function().name()).substr(9);
}

template <class Value>
bool is_constant_number(const Value& value) {
  return value.is_int() || value.is_float() || value.is_bool() ||
         value.kind() == ArgumentKind::kComplex;
}

ValueKind kind_of_type(Type type) {
  if (type.is_tensor()) return ValueKind::kTensor;
  if (type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kComplex) return ValueKind::kNumber;
  return ValueKind::kOther;
}

/// Returns the kind of a result with a type in a schema. Sets `number` to its type if it is a
/// number.
ValueKind kind_of_result(TypeTable& types, const ops::SchemaType& declared, Type& number) {
  const ops::SchemaType& type = declared.without_optional();
  const auto kind_of_leaf = [&](SchemaTypeKind kind) {
    switch (kind) {
      case SchemaTypeKind::kTensor:
        return ValueKind::kTensor;
      case SchemaTypeKind::kInt:
      case SchemaTypeKind::kSymInt:
        number = types.integer();
        return ValueKind::kNumber;
      case SchemaTypeKind::kFloat:
      case SchemaTypeKind::kSymFloat:
        number = types.floating();
        return ValueKind::kNumber;
      case SchemaTypeKind::kBool:
      case SchemaTypeKind::kSymBool:
        number = types.boolean();
        return ValueKind::kNumber;
      case SchemaTypeKind::kScalar:
        return ValueKind::kNumber;
      default:
        return ValueKind::kUnknown;
    }
  };
  if (!type.is_list()) return kind_of_leaf(type.kind());
  const ValueKind item = kind_of_leaf(type.element().kind());
  number = Type();
  return item == ValueKind::kNumber ? ValueKind::kNumbers : ValueKind::kOther;
}

ValueKind kind_by_schema(TypeTable& types, const ops::OpInfo& op, Type& number) {
  const auto returns = op.schema().returns();
  if (returns.size() != 1) return ValueKind::kOther;
  return kind_of_result(types, returns[0].type, number);
}

ValueKind kind_of_method_call(const Node& node, Type& number) {
  TypeTable& types = node.context().types();
  if (node.target() == "size" || node.target() == "stride") {
    const bool is_one = node.num_args() + node.num_kwargs() > 1;
    if (is_one) number = types.integer();
    return is_one ? ValueKind::kNumber : ValueKind::kNumbers;
  }
  if (node.target() == "dim" || node.target() == "ndimension") {
    number = types.integer();
    return ValueKind::kNumber;
  }
  const ops::OpInfo* op = node.context().ops().find_method(node.target());
  return op ? kind_by_schema(types, *op, number) : ValueKind::kUnknown;
}

}  // namespace

void ValueKinds::mark(ArgumentRef value) {
  if (const Node* node = value.node(); node && !node->type()) used_as_tensor_[*node] = 1;
}

void ValueKinds::mark_all(const Node& call) {
  for (size_t i = 0; i < call.num_args(); ++i) mark(call.arg(i));
}

void ValueKinds::mark_tensors(const Node& call, std::string_view packet) {
  for (size_t i = 0; i < call.num_args(); ++i) {
    const auto is_parameter = [&](size_t index, const ops::SchemaArgument& parameter) {
      return index == i && !parameter.kwarg_only;
    };
    if (call.arg(i).is_node() && needs_tensor(call.context(), packet, is_parameter))
      mark(call.arg(i));
  }
  for (size_t i = 0; i < call.num_kwargs(); ++i) {
    const auto is_parameter = [&](size_t, const ops::SchemaArgument& parameter) {
      return names_parameter(call.kwarg_name(i).str(), parameter.name);
    };
    if (call.kwarg_value(i).is_node() && needs_tensor(call.context(), packet, is_parameter))
      mark(call.kwarg_value(i));
  }
}

void ValueKinds::mark_operands(const Node& call) {
  const std::string_view name = call.function().name();
  const ops::OpInfo* op = call.function().op();
  const std::string_view python = operator_name(call);
  if (name == "builtins.getattr") {
    if (call.num_args() > 1 && call.arg(1).is_string() &&
        is_one_of(kTensorAttributes, call.arg(1).as_string()))
      mark(call.arg(0));
  } else if (python == "matmul") {
    mark_all(call);
  } else if (!python.empty()) {
    // If a tensor is computed from one value and constants, the value is a tensor.
    size_t num_nodes = 0;
    for (size_t i = 0; i < call.num_args(); ++i)
      num_nodes += is_constant_number(call.arg(i)) ? 0 : 1;
    if (used_as_tensor_[call] != 0 && num_nodes == 1 && python != "getitem") mark_all(call);
  } else if (op != nullptr && !op->is_function()) {
    mark_tensors(call, op->packet());
  } else if (const std::string packet = ops::packet_of_function(name); !packet.empty()) {
    mark_tensors(call, packet);
  } else if (name.starts_with("torch.nn.functional.") && call.num_args() > 0) {
    mark(call.arg(0));
  }
}

bool may_be_tensor(const Argument& value) {
  const Node* node = value.node();
  return node != nullptr && (!node->type() || node->type().is_tensor());
}

bool is_number(const Argument& value) {
  const Node* node = value.node();
  return node == nullptr ? is_constant_number(value)
                         : kind_of_type(node->type()) == ValueKind::kNumber;
}

ValueKinds::ValueKinds(const Graph& graph) : used_as_tensor_(graph), kinds_(graph) {
  for (const Node& node : graph.nodes().reversed()) {
    bool has_untyped = false;
    node.for_each_input([&](const Node* input) { has_untyped = has_untyped || !input->type(); });
    if (!has_untyped || node.num_args() + node.num_kwargs() == 0) continue;
    if (node.op() == Opcode::kCallFunction) {
      mark_operands(node);
      continue;
    }
    if (node.num_args() == 0) continue;
    if (node.op() == Opcode::kCallModule) {
      mark(node.arg(0));
    } else if (node.op() == Opcode::kCallMethod) {
      if (const ops::OpInfo* op = graph.context().ops().find_method(node.target())) {
        mark(node.arg(0));
        mark_tensors(node, op->packet());
      }
    }
  }
}

ValueKind ValueKinds::of(const Argument& value) const {
  if (is_constant_number(value)) return ValueKind::kNumber;
  const Node* node = value.node();
  if (node == nullptr) return ValueKind::kOther;
  if (node->type()) return kind_of_type(node->type());
  if (used_as_tensor_[*node] != 0) return ValueKind::kTensor;
  return kinds_[*node];
}

bool ValueKinds::is_integer(const Argument& value) const {
  const Node* node = value.node();
  if (node == nullptr) return value.is_int();
  return node->type() ? node->type().kind() == TypeKind::kInt : of(value) == ValueKind::kNumber;
}

absl::Status ValueKinds::check_index(const Argument& index) const {
  const size_t count = index.is_tuple() ? index.size() : 1;
  for (size_t i = 0; i < count; ++i) {
    const Argument item = index.is_tuple() ? index[i] : index;
    if (of(item) == ValueKind::kUnknown) return unknown_kind(item);
  }
  return absl::OkStatus();
}

absl::Status unknown_kind(const Argument& value) {
  return absl::UnimplementedError(
      fmt::format("%{} may be a tensor or a number: its type is unknown", value.node()->name()));
}

bool ValueKinds::note(Node& node) {
  if (node.type()) return false;
  Type number;
  kinds_[node] = kind_of_call(node, number);
  if (kinds_[node] != ValueKind::kNumber || !number) return false;
  node.set_type(number);
  return true;
}

ValueKind ValueKinds::kind_of_call(const Node& node, Type& number) const {
  TypeTable& types = node.context().types();
  switch (node.op()) {
    case Opcode::kGetAttr:
    case Opcode::kCallModule:
      return ValueKind::kTensor;
    case Opcode::kCallMethod:
      return kind_of_method_call(node, number);
    case Opcode::kCallFunction:
      break;
    default:
      return ValueKind::kUnknown;
  }
  const std::string_view name = node.function().name();
  if (!operator_name(node).empty()) return kind_of_operator(node, number);
  if (name == "builtins.len" || name == "builtins.int") {
    number = types.integer();
    return ValueKind::kNumber;
  }
  if (name == "builtins.float" || name == "builtins.bool") {
    number = name == "builtins.bool" ? types.boolean() : types.floating();
    return ValueKind::kNumber;
  }
  if (name.starts_with("math.")) return ValueKind::kNumber;
  if (name == "builtins.getattr" && node.num_args() == 2 && node.arg(1).is_string()) {
    const std::string_view attribute = node.arg(1).as_string();
    if (attribute == "shape") return ValueKind::kNumbers;
    if (attribute == "ndim" || attribute == "itemsize" || attribute == "nbytes") {
      number = types.integer();
      return ValueKind::kNumber;
    }
    return ValueKind::kUnknown;
  }
  const ops::OpInfo* op = node.function().op();
  if (op != nullptr && !op->is_function()) return kind_by_schema(types, *op, number);
  if (const std::string packet = ops::packet_of_function(name); packet.starts_with("aten.")) {
    const auto overloads = node.context().ops().overloads(packet);
    if (!overloads.empty()) return kind_by_schema(types, *overloads[0], number);
  }
  return ValueKind::kUnknown;
}

/// Returns the kind of a Python operator's result: a tensor if an operand is a tensor, a number if
/// all operands are numbers.
ValueKind ValueKinds::kind_of_operator(const Node& node, Type& number) const {
  TypeTable& types = node.context().types();
  const std::string_view name = plain_operator_name(node);
  bool has_unknown = false, has_tensor = false, has_float = false, has_numbers = false;
  bool has_other = false, all_bools = true, all_known = true;
  for (size_t i = 0; i < node.num_args(); ++i) {
    const ArgumentRef arg = node.arg(i);
    const ValueKind kind = of(Argument(arg));
    has_tensor = has_tensor || kind == ValueKind::kTensor;
    has_unknown = has_unknown || kind == ValueKind::kUnknown;
    has_numbers = has_numbers || kind == ValueKind::kNumbers;
    has_other = has_other || kind == ValueKind::kOther;
    const Type type = arg.is_node() ? arg.as_node()->type() : Type();
    has_float = has_float || arg.is_float() || (type && type.kind() == TypeKind::kFloat);
    all_bools = all_bools && (arg.is_bool() || (type && type.kind() == TypeKind::kBool));
    // item() of an untyped tensor may be a number of any type, and the type of a complex number is
    // not computed.
    all_known = all_known && arg.kind() != ArgumentKind::kComplex &&
                (!arg.is_node() || (type && type.kind() != TypeKind::kComplex));
  }
  if (name == "getitem" && node.num_args() == 2) {
    switch (of(Argument(node.arg(0)))) {
      case ValueKind::kTensor:
        return ValueKind::kTensor;
      case ValueKind::kNumbers:
        if (node.arg(1).kind() == ArgumentKind::kSlice) return ValueKind::kNumbers;
        number = types.integer();
        return ValueKind::kNumber;
      default:
        return ValueKind::kUnknown;
    }
  }
  if (has_tensor) return ValueKind::kTensor;
  if (has_numbers) return ValueKind::kNumbers;
  if (has_unknown) return ValueKind::kUnknown;
  if (is_one_of(kComparisons, name)) {
    number = types.boolean();
  } else if (has_other) {  // [x] * 2 is a list, "a" + "b" a string
    return ValueKind::kOther;
  } else if (!all_known) {
    return ValueKind::kNumber;
  } else if (name == "truediv") {
    number = types.floating();
  } else if (is_one_of(kArithmetic, name)) {
    const bool is_logical = name == "and_" || name == "or_" || name == "xor";
    number = has_float                 ? types.floating()
             : is_logical && all_bools ? types.boolean()
                                       : types.integer();
  }
  return ValueKind::kNumber;
}

}  // namespace fx::aten
