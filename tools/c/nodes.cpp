// Implements the C interface to nodes: see fxcpp.h.
#include "tools/c/handles_internal.h"

#include "fmt/format.h"

namespace fx::c {
namespace {

/// Runs `body(data, node)` for a node.
template <class Body>
fxc_status with_node(fxc_node handle, Body body) {
  return run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(handle), Kind::kNode, "node"));
    FX_ASSIGN_OR_RETURN(Node* const node, access.node());
    return body(access.graph(), *node);
  });
}

/// Like with_node, for a `body` that stores to `result`. Fails if `result` is null.
template <class Result, class Body>
fxc_status read_node(fxc_node handle, Result* result, Body body) {
  return with_node(handle, [&](GraphData& data, Node& node) -> absl::Status {
    FX_RETURN_IF_ERROR(check_pointer(result, "the result"));
    return body(data, node);
  });
}

/// Runs `body(data, node)`, which changes the graph, for a node.
template <class Body>
fxc_status change_node(fxc_node handle, Body body) {
  return run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(handle), Kind::kNode, "node"));
    FX_RETURN_IF_ERROR(access.may_change());
    FX_ASSIGN_OR_RETURN(Node* const node, access.node());
    return body(access.graph(), *node);
  });
}

absl::Status no_index(const Node& node, std::string_view what, size_t count, size_t i) {
  return failure(FXC_OUT_OF_RANGE, fmt::format("node {} has {} {}; index {} is out of range",
                                               node.name(), count, what, i));
}

absl::Status return_value(GraphData& data, const Argument& argument, fxc_value* out) {
  FX_ASSIGN_OR_RETURN(ValueData value, value_of(data, argument));
  FX_ASSIGN_OR_RETURN(*out, add_value(*data.context, std::move(value)));
  return absl::OkStatus();
}

absl::Status return_name(std::string_view text, const char** out) {
  return_text(std::string(text), out);
  return absl::OkStatus();
}

/// Checks a string that must not be empty.
absl::Status check_key(const char* key, std::string_view what) {
  FX_RETURN_IF_ERROR(check_pointer(key, what));
  if (*key != '\0') return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("the {} is empty", what));
}

}  // namespace
}  // namespace fx::c

using fx::Argument;
using fx::Node;
using fx::c::Access;
using fx::c::GraphData;
using fx::c::Kind;
using fx::c::Token;

fxc_status fxc_node_graph(fxc_node node, fxc_graph* graph) {
  return fx::c::read_node(node, graph, [&](GraphData& data, Node&) {
    *graph = data.token.as<fxc_graph>();
    return absl::OkStatus();
  });
}

fxc_status fxc_node_opcode(fxc_node node, fxc_opcode* op) {
  return fx::c::read_node(node, op, [&](GraphData&, const Node& of) {
    *op = static_cast<fxc_opcode>(of.op());
    return absl::OkStatus();
  });
}

fxc_status fxc_node_name(fxc_node node, const char** name) {
  return fx::c::read_node(
      node, name, [&](GraphData&, const Node& of) { return fx::c::return_name(of.name(), name); });
}

fxc_status fxc_node_target(fxc_node node, const char** target) {
  return fx::c::read_node(node, target, [&](GraphData&, const Node& of) {
    return fx::c::return_name(of.target(), target);
  });
}

fxc_status fxc_node_type(fxc_node node, fxc_type* type) {
  return fx::c::read_node(node, type, [&](GraphData& data, const Node& of) {
    *type = fx::c::handle_of(*data.context, of.type());
    return absl::OkStatus();
  });
}

fxc_status fxc_node_next(fxc_node node, fxc_node* next) {
  return fx::c::read_node(node, next, [&](GraphData& data, const Node& of) -> absl::Status {
    FX_ASSIGN_OR_RETURN(*next, fx::c::handle_of(data, of.next()));
    return absl::OkStatus();
  });
}

fxc_status fxc_node_previous(fxc_node node, fxc_node* previous) {
  return fx::c::read_node(node, previous, [&](GraphData& data, const Node& of) -> absl::Status {
    FX_ASSIGN_OR_RETURN(*previous, fx::c::handle_of(data, of.prev()));
    return absl::OkStatus();
  });
}

fxc_status fxc_node_num_args(fxc_node node, size_t* count) {
  return fx::c::read_node(node, count, [&](GraphData&, const Node& of) {
    *count = of.num_args();
    return absl::OkStatus();
  });
}

fxc_status fxc_node_arg(fxc_node node, size_t index, fxc_value* value) {
  return fx::c::read_node(node, value, [&](GraphData& data, const Node& of) -> absl::Status {
    if (index >= of.num_args()) return fx::c::no_index(of, "arguments", of.num_args(), index);
    return fx::c::return_value(data, Argument(of.arg(index)), value);
  });
}

fxc_status fxc_node_num_keywords(fxc_node node, size_t* count) {
  return fx::c::read_node(node, count, [&](GraphData&, const Node& of) {
    *count = of.num_kwargs();
    return absl::OkStatus();
  });
}

fxc_status fxc_node_keyword(fxc_node node, size_t index, const char** name, fxc_value* value) {
  return fx::c::read_node(node, value, [&](GraphData& data, const Node& of) -> absl::Status {
    if (index >= of.num_kwargs())
      return fx::c::no_index(of, "keyword arguments", of.num_kwargs(), index);
    FX_RETURN_IF_ERROR(fx::c::return_value(data, Argument(of.kwarg_value(index)), value));
    return fx::c::return_name(of.kwarg_name(index).str(), name);
  });
}

fxc_status fxc_node_num_users(fxc_node node, size_t* count) {
  return fx::c::read_node(node, count, [&](GraphData&, const Node& of) {
    *count = of.num_users();
    return absl::OkStatus();
  });
}

fxc_status fxc_node_user(fxc_node node, size_t index, fxc_node* user) {
  return fx::c::read_node(node, user, [&](GraphData& data, const Node& of) -> absl::Status {
    const std::vector<Node*> users = of.users();
    if (index >= users.size()) return fx::c::no_index(of, "users", users.size(), index);
    FX_ASSIGN_OR_RETURN(*user, fx::c::handle_of(data, users[index]));
    return absl::OkStatus();
  });
}

fxc_status fxc_node_meta(fxc_node node, const char* key, fxc_value* value) {
  return fx::c::read_node(node, value, [&](GraphData& data, const Node& of) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_key(key, "key"));
    const Argument* const found = of.meta().find(std::string_view(key));
    if (found == nullptr) {
      return absl::NotFoundError(fmt::format("node {} has no metadata \"{}\"", of.name(), key));
    }
    return fx::c::return_value(data, *found, value);
  });
}

fxc_status fxc_graph_erase(fxc_node node) {
  return fx::c::change_node(node,
                            [](GraphData& data, Node& of) { return data.graph->erase_node(&of); });
}

fxc_status fxc_node_rename(fxc_node node, const char* candidate) {
  return fx::c::change_node(node, [&](GraphData&, Node& of) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_key(candidate, "name"));
    of.rename(candidate);
    return absl::OkStatus();
  });
}

fxc_status fxc_node_set_target(fxc_node node, const char* target) {
  return fx::c::change_node(node, [&](GraphData& data, Node& of) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_key(target, "target"));
    if (of.is_output())
      return absl::FailedPreconditionError("the target of an output cannot be changed");
    if (of.op() == fx::Opcode::kCallFunction)
      of.set_function(data.context->context.function(target));
    else
      of.set_target(target);
    return absl::OkStatus();
  });
}

fxc_status fxc_node_set_type(fxc_node node, fxc_type type) {
  return fx::c::change_node(node, [&](GraphData& data, Node& of) -> absl::Status {
    FX_ASSIGN_OR_RETURN(const fx::Type given, fx::c::type_of(*data.context, type));
    of.set_type(given);
    return absl::OkStatus();
  });
}

fxc_status fxc_node_set_arg(fxc_node node, size_t index, fxc_value value) {
  return fx::c::change_node(node, [&](GraphData& data, Node& of) -> absl::Status {
    if (index >= of.num_args()) return fx::c::no_index(of, "arguments", of.num_args(), index);
    FX_ASSIGN_OR_RETURN(const Argument given, fx::c::argument_of(*data.context, &data, value));
    return of.update_arg(index, given);
  });
}

fxc_status fxc_node_set_keyword(fxc_node node, const char* name, fxc_value value) {
  return fx::c::change_node(node, [&](GraphData& data, Node& of) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_key(name, "name"));
    if (!of.is_call()) return absl::FailedPreconditionError("only calls have keyword arguments");
    FX_ASSIGN_OR_RETURN(const Argument given, fx::c::argument_of(*data.context, &data, value));
    return of.update_kwarg(name, given);
  });
}

fxc_status fxc_node_set_meta(fxc_node node, const char* key, fxc_value value) {
  return fx::c::change_node(node, [&](GraphData& data, Node& of) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_key(key, "key"));
    FX_ASSIGN_OR_RETURN(Argument given, fx::c::argument_of(*data.context, nullptr, value));
    of.meta().set(std::string_view(key), std::move(given));
    return absl::OkStatus();
  });
}

fxc_status fxc_node_replace_uses(fxc_node node, fxc_value value) {
  return fx::c::change_node(node, [&](GraphData& data, Node& of) -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Argument given, fx::c::argument_of(*data.context, &data, value));
    if (given.is_node()) {
      of.replace_all_uses_with(given.node());
      return absl::OkStatus();
    }
    return of.replace_all_uses_with(given);
  });
}

fxc_status fxc_node_move_before(fxc_node node, fxc_node anchor) {
  return fx::c::change_node(node, [&](GraphData& data, Node& of) -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access anchor_access,
                        Access::enter(Token::of(anchor), Kind::kNode, "anchor"));
    FX_ASSIGN_OR_RETURN(Node* const before, anchor_access.node());
    if (&before->graph() != data.graph)
      return fx::c::failure(FXC_WRONG_CONTEXT, "the anchor belongs to a different graph");
    return of.move_before(*before);
  });
}
