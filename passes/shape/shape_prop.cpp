// Native shape propagation: see shape_prop.h.
#include "fx/passes/shape/shape_prop.h"

#include "fx/ir/context.h"
#include "fx/ir/node_error.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
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

std::string describe_failure(const Node& node, const std::string& reason) {
  return node_message(NodeLabel::of(node), describe_call(node), reason);
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

}  // namespace

/// One walk over a graph and its nested graphs.
class Propagation {
 public:
  Propagation(Context& context, ShapeEnv& env, const PropagateOptions& options)
      : env_(env), rules_(options.rules), shared_(options.cache), own_(context) {}

  void run(Graph& graph) {
    Context& context = graph.context();
    for (Node& node : graph.nodes()) {
      if (node.op() != Opcode::kCallFunction) continue;
      const ops::OpInfo* op = node.function().op();
      const BoundTypeRule* rule = op ? rule_of(*op, rules_) : nullptr;
      Type type;
      if (rule) {
        type = typed(context, *op, *rule, node);
      } else if (node.target().starts_with("higher_order.")) {
        type = higher_order(node);
      } else {
        missing(node);
      }
      ++(type ? report_.typed : report_.unknown);
      if (type != node.type())
        node.set_type(keep_requires_grad(context.types(), node.type(), type));
    }
    // Nested graphs that no operator above has typed keep the types of their inputs.
    for (size_t i = 0; i < graph.num_subgraphs() && depth_ < kMaxDepth; ++i) {
      if (!visited_.insert(&graph.subgraph(i)).second) continue;
      ++depth_;
      run(graph.subgraph(i));
      --depth_;
    }
  }

  ShapeReport take() {
    report_.guards = env_.guards();
    return std::move(report_);
  }

 private:
  Type typed(Context& context, const ops::OpInfo& op, const BoundTypeRule& rule, const Node& node) {
    const bool has_key = TypeCache::make_key(rule, node, key_);
    if (has_key) {
      if (shared_)
        if (const Type known = shared_->find(key_)) return known;
      if (const Type known = own_.find(key_)) return known;
    }
    TypeCall call(context, op, &env_);
    const Type type = TypeBinder::run(rule, call, node);
    if (call.failed()) fail(node, call.reason());
    // A recorder may have asked PyTorch's meta kernel; what follows was made from its answer.
    if (call.meta_result())
      return equal_types(node.type(), call.meta_result()) ? node.type() : type;
    if (type && has_key && !call.made_symbol_)
      (shared_ && !call.asked_env_ ? *shared_ : own_).insert(key_, type);
    return type;
  }

  // ---- Operators over nested graphs
  /// The nested graph that an argument names, or null.
  static Graph* graph_of(const Node& node, size_t i) {
    if (i >= node.num_args()) return nullptr;
    const ArgumentRef value = node.arg(i);
    if (value.kind() == ArgumentKind::kGraph) {
      const uint32_t number = value.as_graph();
      return number < node.graph().num_subgraphs() ? &node.graph().subgraph(number) : nullptr;
    }
    const Node* source = value.node();
    if (!source || source->op() != Opcode::kGetAttr) return nullptr;
    return node.graph().find_subgraph(source->target());
  }

  static void append_types(const Node& node, size_t i, std::vector<Type>& types) {
    if (i >= node.num_args()) return;
    const ArgumentRef list = node.arg(i);
    for (size_t k = 0; k < list.size(); ++k) types.push_back(TypeArgument(list[k]).type());
  }

  /// Types a nested graph for inputs of these types; what it returns, empty when it cannot be told.
  std::vector<Type> results_of(Graph* graph, absl::Span<const Type> inputs) {
    std::vector<Type> results;
    if (!graph || depth_ == kMaxDepth) return results;
    size_t next = 0;
    for (Node& node : graph->nodes()) {
      if (!node.is_placeholder()) continue;
      // A number among the operands has no type of its own; the recorded one stays.
      if (next < inputs.size() && inputs[next]) node.set_type(inputs[next]);
      ++next;
    }
    visited_.insert(graph);
    ++depth_;
    run(*graph);
    --depth_;
    const Node* output = graph->output_node();
    if (!output || output->num_args() != 1) return results;
    const TypeArgument value{output->arg(0)};
    for (size_t i = 0; i < value.size(); ++i) {
      results.push_back(value[i].is_none() ? graph->context().types().none() : value[i].type());
      if (!results.back()) return {};
    }
    if (!value.is_sequence() && value.type()) results.push_back(value.type());
    return results;
  }

  /// cond, while_loop, scan and with_effects.
  Type higher_order(Node& node) {
    TypeTable& types = node.context().types();
    const std::string_view name = node.target();
    std::vector<Type> inputs;
    if (name == "higher_order.cond") {
      append_types(node, 3, inputs);
      const std::vector<Type> yes = results_of(graph_of(node, 1), inputs);
      const std::vector<Type> no = results_of(graph_of(node, 2), inputs);
      bool equal = yes.size() == no.size();
      for (size_t i = 0; equal && i < yes.size(); ++i) equal = equal_types(yes[i], no[i]);
      if (!equal) fail(node, "the branches give different types");
      return equal && !yes.empty() ? types.tuple(yes) : Type();
    }
    if (name == "higher_order.while_loop") {
      append_types(node, 2, inputs);
      append_types(node, 3, inputs);
      results_of(graph_of(node, 0), inputs);
      const std::vector<Type> carried = results_of(graph_of(node, 1), inputs);
      return carried.empty() ? Type() : types.tuple(carried);
    }
    if (name == "higher_order.scan") {
      append_types(node, 1, inputs);
      const size_t num_carried = inputs.size();
      std::vector<Type> sequences;
      append_types(node, 2, sequences);
      for (const Type xs : sequences) {
        if (!xs.is_tensor() || xs.rank() == 0) return Type();
        TensorSpec step = xs.spec();
        step.sizes.remove_prefix(1);
        step.strides = StrideSpec(xs.strides().subspan(1));
        inputs.push_back(types.tensor(step));
      }
      append_types(node, 3, inputs);
      std::vector<Type> results = results_of(graph_of(node, 0), inputs);
      for (size_t i = num_carried; i < results.size(); ++i) {
        if (!results[i].is_tensor() || sequences.empty()) return Type();
        DimVector sizes(results[i].sizes().begin(), results[i].sizes().end());
        sizes.insert(sizes.begin(), sequences[0].sizes()[0]);
        results[i] = types.tensor(
            {.dtype = results[i].dtype(), .sizes = sizes, .device = results[i].device()});
      }
      return results.empty() ? Type() : types.tuple(results);
    }
    if (name == "higher_order.with_effects" && node.num_args() >= 2 &&
        node.arg(1).kind() == ArgumentKind::kFunction) {
      // (token, operator, arguments...): the token, then the results.
      std::vector<Argument> args = node.args();
      const auto inner = infer_call(node.context(), node.arg(1).as_function(),
                                    absl::MakeConstSpan(args).subspan(2), node.kwargs(),
                                    {.env = &env_, .rules = rules_});
      if (!inner.ok()) fail(node, std::string(inner.status().message()));
      if (!inner.ok() || !inner->type) return Type();
      std::vector<Type> results = {TypeArgument(node.arg(0)).type()};
      if (inner->type.is_tuple())
        results.insert(results.end(), inner->type.items().begin(), inner->type.items().end());
      else
        results.push_back(inner->type);
      return types.tuple(results);
    }
    missing(node);
    return Type();
  }

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
  TypeCache* shared_;
  TypeCache own_;  // of this env_
  TypeCache::Key key_;
  ShapeReport report_;
  absl::flat_hash_map<Symbol, size_t> missing_;
  static constexpr int kMaxDepth = 32;
  int depth_ = 0;
  absl::flat_hash_set<const Graph*> visited_;
};

ShapeReport propagate_types(Graph& graph, const PropagateOptions& options) {
  ShapeEnv own(graph.context());
  if (!options.env) own.set_ranges_of(graph);
  Propagation propagation(graph.context(), options.env ? *options.env : own, options);
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
