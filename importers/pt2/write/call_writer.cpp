// Writes the calls in a graph: see graph_writer_internal.h.
#include "fx/importers/pt2/write/graph_writer_internal.h"
#include "fx/interp/graph_guards.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "absl/algorithm/container.h"
#include "fmt/format.h"

#include <iterator>
#include <optional>

namespace fx::pt2 {
namespace {

constexpr std::string_view kHigherOrderPrefix = "higher_order.";
constexpr int64_t kPositionalKind = 1, kKeywordKind = 2;

/// Python functions that PyTorch's verifier accepts in a program (torch/_export/verifier.py), in
/// addition to Python's operators on numbers.
constexpr std::string_view kPythonFunctions[] = {
    "math.ceil",
    "math.floor",
    "math.trunc",
    "torch._sym_sqrt",
    "torch.sym_float",
    "torch.sym_int",
    "torch.sym_ite",
    "torch.sym_max",
    "torch.sym_min",
    "torch.sym_not",
    "torch.sym_sqrt",
    "torch.sym_sum",
    "torch._C._set_grad_enabled",
    "torch.autograd.grad_mode.set_grad_enabled",
    "torch.amp.autocast_mode._enter_autocast",
    "torch.amp.autocast_mode._exit_autocast",
};
constexpr std::string_view kPythonPrefixes[] = {"torch._functorch.predispatch."};
/// Python's operators on numbers.
constexpr std::string_view kPythonOperators[] = {
    "abs", "add", "and_", "eq",   "floordiv", "ge",  "gt",  "le",     "lshift", "lt",      "mod",
    "mul", "ne",  "neg",  "not_", "or_",      "pos", "pow", "rshift", "sub",    "truediv",
};

bool is_operator(const ops::OpInfo* op) { return op != nullptr && !op->is_function(); }

bool is_number(Type type) {
  return type.kind() == TypeKind::kInt || type.kind() == TypeKind::kFloat ||
         type.kind() == TypeKind::kBool;
}

}  // namespace

absl::StatusOr<std::string> GraphWriter::file_target(const Node& node) const {
  constexpr std::string_view kOperatorPrefix = "operator.";
  const std::string_view name = node.target();
  if (node.op() == Opcode::kCallModule) {
    return absl::FailedPreconditionError(
        "calls to modules are not supported; inline the call (`fxcpp opt --passes inline_calls`, "
        "or lower_to_aten for "
        "layers)");
  }
  if (node.op() == Opcode::kCallMethod) {
    return absl::FailedPreconditionError(
        "calls to Python methods are not supported; lower the call to operators (`fxcpp opt "
        "--passes "
        "lower_to_aten`)");
  }
  if (name.starts_with(kHigherOrderPrefix) || is_operator(node.function().op()))
    return fmt::format("torch.ops.{}", name);
  if (absl::c_linear_search(kPythonFunctions, name) ||
      absl::c_any_of(kPythonPrefixes,
                     [name](std::string_view prefix) { return name.starts_with(prefix); }))
    return std::string(name);
  if (name.starts_with(kOperatorPrefix) && is_number(node.type()) &&
      absl::c_linear_search(kPythonOperators, name.substr(kOperatorPrefix.size())))
    return fmt::format("_{}", name);
  if (node.function().op() == nullptr && is_operator_overload(name)) {
    return absl::FailedPreconditionError(
        "the schema of the operator is unknown; register the operator with Context::add_operator, "
        "since a program contains the names of arguments");
  }
  return absl::FailedPreconditionError(
      "calls to Python functions are not supported; lower the call to operators (`fxcpp opt "
      "--passes "
      "lower_to_aten`)");
}

absl::Status GraphWriter::write_arguments(const Node& node) {
  JsonWriter& json = nodes_;
  const auto add = [&](std::string_view name, size_t number,
                       const ops::SchemaType* type) -> absl::Status {
    json.begin_object();
    json.key("name");
    json.text(name);
    json.key("arg");
    FX_RETURN_IF_ERROR(with_context(
        argument(json, Argument(argument_at(node, number)), type),
        name.empty() ? fmt::format("argument {}", number) : fmt::format("argument {}", name)));
    json.key("kind");
    json.integer(number < node.num_args() ? kPositionalKind : kKeywordKind);
    json.end_object();
    return absl::OkStatus();
  };
  const ops::OpInfo* const op = node.function().op();
  json.begin_list();
  if (is_operator(op)) {
    const CallArguments call = CallArguments::of(node);
    std::vector<BoundParameter> bound;
    const BindProblem problem = bind_arguments(op->schema(), call, CallStyle::kOperator, bound);
    if (!problem.ok()) return bind_error(node.target(), problem, op->schema(), call);
    for (size_t i = 0; i < bound.size(); ++i) {
      if (!bound[i].is_passed()) continue;
      const ops::SchemaArgument& parameter = op->schema().arguments()[i];
      FX_RETURN_IF_ERROR(add(parameter.name, bound[i].first, &parameter.type));
    }
  } else {
    const bool has_names = is_number(node.type()) && op != nullptr;
    for (size_t i = 0; i < node.num_args(); ++i) {
      const bool is_named = has_names && i < op->schema().arguments().size();
      FX_RETURN_IF_ERROR(
          add(is_named ? op->schema().arguments()[i].name : std::string_view(), i, nullptr));
    }
    for (size_t i = 0; i < node.num_kwargs(); ++i)
      FX_RETURN_IF_ERROR(add(node.kwarg_name(i).str(), node.num_args() + i, nullptr));
  }
  json.end_list();
  return absl::OkStatus();
}

/// Writes the elements of a call's result with the names of the getitem nodes.
absl::Status GraphWriter::write_elements(JsonWriter& json, const Node& node,
                                         const std::string& name, absl::Span<const Type> types) {
  const auto found = elements_.find(&node);
  std::vector<std::string> names;
  for (size_t i = 0; i < types.size(); ++i) {
    const Node* const element = found == elements_.end() ? nullptr : found->second[i];
    const std::string unnamed = fmt::format("{}_unused_{}", name, i);
    if (types[i].is_list()) {
      json.begin_union("as_tensors");
      json.begin_list();
      for (size_t k = 0; k < types[i].items().size(); ++k) {
        const auto inner = element == nullptr ? elements_.end() : elements_.find(element);
        const Node* const item = inner == elements_.end() ? nullptr : inner->second[k];
        const std::string item_name =
            item == nullptr ? unused_name(fmt::format("{}_{}", unnamed, k)) : names_.at(item);
        JsonWriter ignored;
        FX_RETURN_IF_ERROR(define(ignored, item_name, types[i].items()[k]));
        json.begin_union("name");
        json.text(item_name);
        json.end_object();
        if (element != nullptr) element_names_[element].push_back(item_name);
      }
      json.end_list();
      json.end_object();
      names.emplace_back();
      continue;
    }
    names.push_back(element != nullptr   ? names_.at(element)
                    : types[i].is_none() ? std::string()
                                         : unused_name(unnamed));
    FX_RETURN_IF_ERROR(define(json, names.back(), types[i]));
  }
  element_names_[&node] = std::move(names);
  return absl::OkStatus();
}

/// Returns the type of a node's result. If the captured program received a number from the node,
/// the type is that number.
Type GraphWriter::guarded_type(const Node& node) const {
  const std::optional<Argument> guard = node.meta().get(kGuard);
  TypeTable& types = graph_.context().types();
  if (guard && guard->is_int() && node.type().kind() == TypeKind::kInt)
    return types.integer(guard->as_int());
  if (guard && guard->is_bool() && node.type().kind() == TypeKind::kBool)
    return types.boolean(guard->as_bool());
  return node.type();
}

absl::StatusOr<Type> GraphWriter::write_results(const Node& node) {
  const std::string& name = names_.at(&node);
  const Type type = with_expression(guarded_type(node));
  const ops::OpInfo* const op = node.function().op();
  JsonWriter& json = nodes_;
  json.begin_list();
  if (is_operator(op) && op->schema().returns().empty()) {
    // nothing
  } else if (type.is_tuple() || (type.is_list() && !is_operator(op))) {
    FX_RETURN_IF_ERROR(write_elements(json, node, name, type.items()));
  } else if (type.is_list()) {
    JsonWriter elements;
    elements.begin_list();
    FX_RETURN_IF_ERROR(write_elements(elements, node, name, type.items()));
    json.begin_union("as_tensors");
    json.begin_list();
    for (const std::string& element : element_names_[&node]) {
      json.begin_union("name");
      json.text(element);
      json.end_object();
    }
    json.end_list();
    json.end_object();
  } else {
    FX_RETURN_IF_ERROR(define(json, name, type));
  }
  json.end_list();
  return type;
}

void GraphWriter::begin_call(std::string_view target) {
  nodes_.begin_object();
  nodes_.key("target");
  nodes_.text(target);
  nodes_.key("inputs");
  nodes_.begin_list();
}

void GraphWriter::end_call(std::string_view name) {
  for (const std::string_view key : {"metadata", "is_hop_single_tensor_return", "name"}) {
    nodes_.key(key);
    if (key == "metadata") {
      nodes_.begin_object();
      nodes_.end_object();
    } else if (key == "name") {
      nodes_.text(name);
    } else {
      nodes_.null();
    }
  }
  nodes_.end_object();
}

/// Writes a call that checks a number. A captured graph is valid only for the number that the
/// captured program received.
absl::Status GraphWriter::write_guard(const Node& node, Type type) {
  const std::optional<Argument> guard = node.meta().get(kGuard);
  if (!guard) return absl::OkStatus();
  const std::string& name = names_.at(&node);
  JsonWriter& json = nodes_;
  const auto operand = [&](std::string_view parameter, std::string_view kind,
                           std::string_view value, int64_t passed) {
    json.begin_object();
    json.key("name");
    json.text(parameter);
    json.key("arg");
    json.named(kind, "as_name", value);
    json.key("kind");
    json.integer(passed);
    json.end_object();
  };
  const auto no_results = [&json] {
    json.end_list();
    json.key("outputs");
    json.begin_list();
    json.end_list();
  };
  if (guard->is_int() && type.kind() == TypeKind::kInt) {
    begin_call("torch.ops.aten.sym_constrain_range.default");
    operand("size", "as_sym_int", name, kPositionalKind);
    for (const std::string_view bound : {"min", "max"}) {
      json.begin_object();
      json.key("name");
      json.text(bound);
      json.key("arg");
      json.union_of("as_int", guard->as_int());
      json.key("kind");
      json.integer(kKeywordKind);
      json.end_object();
    }
    no_results();
    end_call(unused_name(name + "_guard"));
    return absl::OkStatus();
  }
  if (!guard->is_bool() || type.kind() != TypeKind::kBool) {
    return absl::UnimplementedError(
        fmt::format("the graph is valid only if this value is {}, but a program can check only "
                    "integers and bools",
                    print(*guard)));
  }
  std::string checked = name;
  if (!guard->as_bool()) {
    checked = unused_name(name + "_not");
    begin_call("torch.sym_not");
    operand("", "as_sym_bool", name, kPositionalKind);
    json.end_list();
    json.key("outputs");
    json.begin_list();
    FX_RETURN_IF_ERROR(define(json, checked, graph_.context().types().boolean(true)));
    json.end_list();
    end_call(checked);
  }
  begin_call("torch.ops.aten._assert_scalar.default");
  operand("self", "as_sym_bool", checked, kPositionalKind);
  json.begin_object();
  json.key("name");
  json.text("assert_msg");
  json.key("arg");
  json.begin_union("as_string");
  json.text(fmt::format("the program is valid only if {} is {}", name,
                        guard->as_bool() ? "True" : "False"));
  json.end_object();
  json.key("kind");
  json.integer(kPositionalKind);
  json.end_object();
  no_results();
  end_call(unused_name(name + "_guard"));
  return absl::OkStatus();
}

absl::Status GraphWriter::write_call(const Node& node) {
  const auto is_element = [&] {
    if (node.target() != "operator.getitem" || node.num_args() == 0) return false;
    const Node* const call = node.arg(0).node();
    const auto found = call == nullptr ? elements_.end() : elements_.find(&resolved(*call));
    return found != elements_.end() && absl::c_linear_search(found->second, &resolved(node));
  };
  if (is_element()) return absl::OkStatus();
  FX_ASSIGN_OR_RETURN(const std::string target, file_target(node));
  JsonWriter& json = nodes_;
  json.begin_object();
  json.key("target");
  json.text(target);
  json.key("inputs");
  FX_RETURN_IF_ERROR(write_arguments(node));
  json.key("outputs");
  FX_ASSIGN_OR_RETURN(const Type type, write_results(node));
  json.key("metadata");
  FX_RETURN_IF_ERROR(session_.metadata.write(json, node));
  json.key("is_hop_single_tensor_return");
  if (node.target().starts_with(kHigherOrderPrefix)) {
    json.boolean(node.type().is_tensor());
  } else {
    json.null();
  }
  json.key("name");
  json.text(names_.at(&node));
  json.end_object();
  return write_guard(node, type);
}

}  // namespace fx::pt2
