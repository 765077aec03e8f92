#include "fx/tracer/shaped_tracer.h"

#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <algorithm>
#include <string>

namespace fx {
namespace {

RecordOptions with_aten(RecordOptions options) {
  options.targets = Targets::kAten;
  return options;
}

/// Returns the type of a member of the root, for its get_attr node.
Type attribute_type(Context& context, const Module& root, std::string_view path) {
  const Attribute* attribute = root.find_attribute(path);
  if (attribute == nullptr || !attribute->tensor.defined()) return Type();
  return attribute->tensor.type(context.types(), attribute->requires_grad);
}

/// Finds the reason for the missing type of `node`: a call without a type whose operands have
/// types.
const Node* first_untyped(const Node* node) {
  for (bool found = true; found;) {
    found = false;
    for (const Node* input : node->all_input_nodes()) {
      if (input->type()) continue;
      node = input;
      found = true;
      break;
    }
  }
  return node;
}

}  // namespace

ShapedTracer::ShapedTracer(Context& context, TypeSource types, RecordOptions options)
    : Tracer(context, with_aten(std::move(options))), types_(std::move(types)) {}

absl::StatusOr<Node*> ShapedTracer::create_node(const NodeRequest& request) {
  FX_ASSIGN_OR_RETURN(Node* const node, Tracer::create_node(request));
  if (node->op() == Opcode::kGetAttr) {
    node->set_type(attribute_type(context(), root(), request.target));
  } else if (node->op() == Opcode::kCallFunction) {
    absl::StatusOr<Type> type = types_(*node);
    if (type.ok()) {
      node->set_type(*type);
    } else if (!absl::IsNotFound(type.status())) {
      return type.status();
    }
  }
  return node;
}

absl::StatusOr<Type> ShapedTracer::constant_type(const Proxy& value, std::string_view what) const {
  const Type type = value.node()->type();
  if (type && type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kComplex &&
      type.is_constant()) {
    return type;
  }
  if (!type) {
    const Node* const source = first_untyped(value.node());
    return absl::FailedPreconditionError(
        fmt::format("the {} of %{} cannot be determined from types, since %{} ({}) has no type; "
                    "{}",
                    what, value.node()->name(), source->name(), source->target(),
                    source->is_placeholder() ? "set the type of the input (TraceInputs::types)"
                                             : "add a type function for the operator"));
  }
  return absl::FailedPreconditionError(
      fmt::format("the {} of %{} ({}) cannot be determined from types; give inputs "
                  "types with integer sizes, or use where, fx::cond or fx::while_loop",
                  what, value.node()->name(), to_string(type)));
}

absl::StatusOr<bool> ShapedTracer::to_bool(const Proxy& value) {
  FX_ASSIGN_OR_RETURN(const Type type, constant_type(value, "truth value"));
  requested_.push_back(value.node());
  switch (type.kind()) {
    case TypeKind::kBool:
      return type.bool_value();
    case TypeKind::kInt:
      return type.int_value() != 0;
    default:
      return type.float_value() != 0.0;
  }
}
absl::StatusOr<int64_t> ShapedTracer::to_int(const Proxy& value) {
  FX_ASSIGN_OR_RETURN(const Type type, constant_type(value, "integer value"));
  if (type.kind() != TypeKind::kInt && type.kind() != TypeKind::kBool) {
    return absl::FailedPreconditionError(
        fmt::format("%{} is a {}, not an integer", value.node()->name(), to_string(type)));
  }
  requested_.push_back(value.node());
  return type.kind() == TypeKind::kInt ? type.int_value() : int64_t{type.bool_value()};
}
absl::StatusOr<double> ShapedTracer::to_float(const Proxy& value) {
  FX_ASSIGN_OR_RETURN(const Type type, constant_type(value, "numeric value"));
  requested_.push_back(value.node());
  return type.kind() == TypeKind::kFloat ? type.float_value()
                                         : static_cast<double>(type.int_value());
}

absl::Status ShapedTracer::end_trace(Graph& graph) {
  // In reverse: later nodes may use earlier ones, including requested sizes and values computed
  // from them.
  std::vector<Node*> requested = std::move(requested_);
  requested_.clear();
  while (!requested.empty()) {
    Node* const node = requested.back();
    requested.pop_back();
    if (node->is_erased() || node->has_uses() || node->op() != Opcode::kCallFunction) continue;
    const std::vector<Node*> inputs = node->all_input_nodes();
    FX_RETURN_IF_ERROR(graph.erase_node(node));
    for (Node* input : inputs) {
      const TypeKind kind = input->type().kind();
      if (kind == TypeKind::kInt || kind == TypeKind::kFloat || kind == TypeKind::kBool)
        requested.push_back(input);
    }
  }
  return absl::OkStatus();
}

Type type_of(const Proxy& value) { return value.defined() ? value.node()->type() : Type(); }

}  // namespace fx
