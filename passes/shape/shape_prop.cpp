// Native shape propagation: see shape_prop.h.
#include "fx/passes/shape/shape_prop.h"

#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/lazy_views.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/module.h"
#include "fx/ir/ops/unknown_operator.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/propagation_internal.h"

#include "fmt/format.h"

#include <optional>
#include <string>
#include <string_view>

namespace fx {

absl::Status Propagation::no_rule(std::string_view op) {
  if (const std::string unknown = ops::unknown_operator(op); !unknown.empty())
    return absl::NotFoundError(unknown);
  return absl::NotFoundError(fmt::format(
      "{} has no type function; add one with TypeRules::add (fx/passes/shape/type_rules.h)", op));
}

Type Propagation::run(const BoundTypeRule& rule, TypeCall& call, const Node& node) {
  const TypeCall::CallSite call_site{&node, nullptr};
  if (!rule.function) call.call_site_ = &call_site;
  LazyOperands lazy{.is_lazy_input = may_be_lazy_input};
  const Type type = TypeBinder::run(rule, call, node, lazy);
  call.call_site_ = nullptr;
  return type;
}

std::string Propagation::describe_failure(const Node& node, const std::string& reason) {
  return node_message(NodeLabel::of(node), describe_call(node), reason);
}

namespace {

/// Types a call. Without an environment, the first run determines whether the result depends on
/// symbols. If so, a second run uses the ranges and guards of `graph`, and a result that needs
/// additional assumptions or a new symbol is unknown.
template <class Bind, class Describe>
absl::StatusOr<InferredCall> infer_bound(Context& context, const ops::OpInfo& op, ShapeEnv* env,
                                         const Graph* graph, Bind bind, Describe describe) {
  std::optional<ShapeEnv> graph_env;
  std::optional<TypeCall> call;
  call.emplace(context, op, env);
  Type type = bind(*call);
  if (env == nullptr && TypeBinder::used_env(*call)) {
    graph_env.emplace(context);
    if (graph != nullptr) graph_env->set_ranges_of(*graph);
    call.emplace(context, op, &*graph_env);
    type = bind(*call);
  }
  const bool is_unknown = graph_env && graph_env->has_assumed();
  if (call->failed() && !is_unknown) return absl::InvalidArgumentError(describe(call->reason()));
  const auto aliases = call->aliases().first(is_unknown ? 0 : call->aliases().size());
  return InferredCall{
      is_unknown ? Type() : type, {aliases.begin(), aliases.end()}, call->may_alias()};
}

}  // namespace

absl::StatusOr<InferredCall> infer_call(const Node& node, const InferOptions& options) {
  const ops::OpInfo* op = node.function().op();
  const TypeRules* rules = Propagation::rules_for(node.context(), options.rules);
  const BoundTypeRule* rule = op ? Propagation::rule_of(*op, rules) : nullptr;
  if (!rule) return Propagation::no_rule(node.target());
  absl::StatusOr<InferredCall> inferred = infer_bound(
      node.context(), *op, options.env, &node.graph(),
      [&](TypeCall& call) { return Propagation::run(*rule, call, node); },
      [&](const std::string& reason) { return Propagation::describe_failure(node, reason); });
  if (!is_in_dtype_mode(node)) return inferred;
  if (!inferred.ok()) inferred.emplace();  // the mode may convert its operands
  inferred->type = Type();
  return inferred;
}

absl::Status check_call(const Node& node, const InferOptions& options) {
  const ops::OpInfo* op = node.function().op();
  const TypeRules* rules = Propagation::rules_for(node.context(), options.rules);
  const BoundTypeRule* rule = op ? Propagation::rule_of(*op, rules) : nullptr;
  if (!rule || is_in_dtype_mode(node)) return absl::OkStatus();
  const auto inferred = infer_bound(
      node.context(), *op, options.env, &node.graph(),
      [&](TypeCall& call) { return Propagation::run(*rule, call, node); },
      [](const std::string& reason) { return reason; });
  return absl::IsInvalidArgument(inferred.status()) ? inferred.status() : absl::OkStatus();
}

absl::StatusOr<Type> infer_type(const Node& node, const InferOptions& options) {
  FX_ASSIGN_OR_RETURN(const InferredCall inferred, infer_call(node, options));
  return inferred.type;
}

Type recorded_type(const Node& node) {
  const Argument* const recorded = node.meta().find("tensor_meta");
  if (recorded == nullptr) return Type();
  if (recorded->kind() == ArgumentKind::kType) return recorded->as_type();
  const std::optional<Argument> type = struct_field(*recorded, kTensorClass, "type");
  return type && type->kind() == ArgumentKind::kType ? type->as_type() : Type();
}

bool set_inferred_type(Node& node, const InferOptions& options) {
  if (node.type()) return false;
  if (node.op() == Opcode::kGetAttr) {
    const Module* root = node.graph().owning_module();
    const Attribute* attribute = root ? root->find_attribute(node.target()) : nullptr;
    if (attribute == nullptr || !attribute->tensor.defined()) return false;
    node.set_type(attribute->tensor.type(node.context().types(), attribute->requires_grad));
    return true;
  }
  if (node.op() != Opcode::kCallFunction) return false;
  const absl::StatusOr<Type> inferred = infer_type(node, options);
  if (!inferred.ok() || !*inferred) return false;
  node.set_type(*inferred);
  return true;
}

absl::StatusOr<InferredCall> infer_call(Context& context, Target function,
                                        absl::Span<const Argument> args,
                                        absl::Span<const Kwarg> kwargs,
                                        const InferOptions& options) {
  const ops::OpInfo* op = function.op();
  const TypeRules* rules = Propagation::rules_for(context, options.rules);
  const BoundTypeRule* rule = op ? Propagation::rule_of(*op, rules) : nullptr;
  if (!rule) return Propagation::no_rule(function.name());
  return infer_bound(
      context, *op, options.env, /*graph=*/nullptr,
      [&](TypeCall& call) { return TypeBinder::run(*rule, call, args, kwargs); },
      [&](const std::string& reason) { return fmt::format("{}: {}", function.name(), reason); });
}

ShapeReport propagate_types(Graph& graph, const PropagateOptions& options) {
  ShapeEnv graph_env(graph.context());
  if (!options.env) graph_env.set_ranges_of(graph);
  Propagation propagation(graph.context(), options.env ? *options.env : graph_env, options);
  propagation.set_plain_inputs();
  for (const Node* const value : options.changed_values) propagation.note_lost(*value);
  propagation.run(graph);
  ShapeReport report = propagation.take();
  add_guards(graph, report.guards);
  if (!options.env) report.guards = guards_of(graph);
  return report;
}

namespace {

/// Formats a finding like the verifier: the location, the problem, and a hint on a separate line.
std::string finding_text(const ShapeFinding& finding) {
  std::string_view message = finding.message;
  if (finding.kind == ShapeFinding::Kind::kInvalidCall) {  // "node add (aten.add.Tensor): ..."
    constexpr std::string_view kNode = "node ";
    if (message.starts_with(kNode)) message.remove_prefix(kNode.size());
    return fmt::format("error at %{}\n", message);
  }
  std::string text = fmt::format("error at %{}: ", finding.nodes[0]->name());
  const size_t hint = message.find("; ");
  text += message.substr(0, hint);
  if (finding.nodes.size() > 1) text += fmt::format(" ({} calls)", finding.nodes.size());
  text += "\n  hint: ";
  text += hint == std::string_view::npos
              ? "fix the name, or use a different namespace for custom operators"
              : message.substr(hint + 2);
  return text + "\n";
}

}  // namespace

std::string ShapeReport::str() const {
  std::string text;
  for (const ShapeFinding& finding : findings) text += finding_text(finding);
  return text;
}

}  // namespace fx
