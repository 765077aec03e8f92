// Native shape propagation: see shape_prop.h.
#include "fx/passes/shape/shape_prop.h"

#include "fx/ir/context.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

namespace fx {
namespace {

const BoundTypeRule* rule_of(const ops::OpInfo& op, const TypeRules* rules) {
  return rules ? rules->find(op) : find_type_rule(op);
}

absl::Status no_rule(std::string_view op) {
  return absl::NotFoundError(fmt::format(
      "{} has no type function; TypeRules::add (fx/passes/shape/type_rules.h) gives it one", op));
}

/// `add_3 = aten.add.Tensor(f32[2, 3], f32[4]): sizes 3 and 4 ... do not broadcast`
std::string describe_failure(const Node& node, const std::string& reason) {
  std::string text = fmt::format("{} = {}(", node.name(), node.target());
  bool first = true;
  node.for_each_input([&](Node* input) {
    if (!first) text += ", ";
    first = false;
    text += fmt::format("{}: {}", input->name(), to_string(input->type()));
  });
  text += fmt::format("): {}", reason);
  if (auto trace = node.meta().get(meta::kStackTrace)) text += fmt::format("\n{}", *trace);
  return text;
}

}  // namespace

absl::StatusOr<InferredCall> infer_call(const Node& node, const InferOptions& options) {
  const ops::OpInfo* op = node.function().op();
  const BoundTypeRule* rule = op ? rule_of(*op, options.rules) : nullptr;
  if (!rule) return no_rule(node.target());
  TypeCall call(node.context(), *op, options.env);
  const Type type = TypeBinder::run(*rule, call, node);
  if (call.failed()) return absl::InvalidArgumentError(describe_failure(node, call.reason()));
  return InferredCall{type, {call.aliases().begin(), call.aliases().end()}};
}

absl::StatusOr<Type> infer_type(const Node& node, const InferOptions& options) {
  const ops::OpInfo* op = node.function().op();
  const BoundTypeRule* rule = op ? rule_of(*op, options.rules) : nullptr;
  if (!rule) return no_rule(node.target());
  TypeCall call(node.context(), *op, options.env);
  const Type type = TypeBinder::run(*rule, call, node);
  if (call.failed()) return absl::InvalidArgumentError(describe_failure(node, call.reason()));
  return type;
}

absl::StatusOr<InferredCall> infer_call(Context& context, Target function,
                                        absl::Span<const Argument> args,
                                        absl::Span<const Kwarg> kwargs,
                                        const InferOptions& options) {
  const ops::OpInfo* op = function.op();
  const BoundTypeRule* rule = op ? rule_of(*op, options.rules) : nullptr;
  if (!rule) return no_rule(function.name());
  TypeCall call(context, *op, options.env);
  const Type type = TypeBinder::run(*rule, call, args, kwargs);
  if (call.failed())
    return absl::InvalidArgumentError(fmt::format("{}: {}", function.name(), call.reason()));
  return InferredCall{type, {call.aliases().begin(), call.aliases().end()}};
}

// ---------------------------------------------------------------- a graph

namespace {

/// `inferred` with the requires_grad of what was recorded, when that is all the difference.
Type keep_requires_grad(TypeTable& types, Type recorded, Type inferred) {
  if (recorded == inferred || !recorded.is_tensor() || !inferred.is_tensor() ||
      recorded.requires_grad() == inferred.requires_grad())
    return inferred;
  TensorSpec spec = inferred.spec();
  spec.requires_grad = recorded.requires_grad();
  return types.tensor(spec) == recorded ? recorded : inferred;
}

class Propagation {
 public:
  Propagation(ShapeEnv& env, const TypeRules* rules) : env_(env), rules_(rules) {}

  void run(Graph& graph) {
    Context& context = graph.context();
    for (Node& node : graph.nodes()) {
      if (node.op() != Opcode::kCallFunction) continue;
      const ops::OpInfo* op = node.function().op();
      const BoundTypeRule* rule = op ? rule_of(*op, rules_) : nullptr;
      Type type;
      if (rule) {
        TypeCall call(context, *op, &env_);
        type = TypeBinder::run(*rule, call, node);
        if (call.failed()) fail(node, call.reason());
      } else {
        missing(node);
      }
      ++(type ? report_.typed : report_.unknown);
      if (type != node.type())
        node.set_type(keep_requires_grad(context.types(), node.type(), type));
    }
  }

  ShapeReport take() {
    report_.guards = env_.guards();
    return std::move(report_);
  }

 private:
  void fail(const Node& node, const std::string& reason) {
    report_.findings.push_back({.kind = ShapeFinding::Kind::kInvalidCall,
                                .op = std::string(node.target()),
                                .nodes = {&node},
                                .message = describe_failure(node, reason)});
  }

  void missing(const Node& node) {
    const auto [it, is_new] = missing_.try_emplace(node.target_symbol(), report_.findings.size());
    if (is_new) {
      report_.findings.push_back({.kind = ShapeFinding::Kind::kNoTypeFunction,
                                  .op = std::string(node.target()),
                                  .nodes = {},
                                  .message = std::string(no_rule(node.target()).message())});
    }
    report_.findings[it->second].nodes.push_back(&node);
  }

  ShapeEnv& env_;
  const TypeRules* rules_;
  ShapeReport report_;
  absl::flat_hash_map<Symbol, size_t> missing_;
};

}  // namespace

ShapeReport propagate_types(Graph& graph, const PropagateOptions& options) {
  ShapeEnv own(graph.context());
  if (!options.env) own.set_ranges_of(graph);
  Propagation propagation(options.env ? *options.env : own, options.rules);
  propagation.run(graph);
  return propagation.take();
}

std::string ShapeReport::str() const {
  std::string text;
  for (const ShapeFinding& finding : findings) {
    text += finding.message;
    if (finding.kind == ShapeFinding::Kind::kNoTypeFunction)
      text += fmt::format(" ({} calls, first {})", finding.nodes.size(), finding.nodes[0]->name());
    text += '\n';
  }
  return text;
}

}  // namespace fx
