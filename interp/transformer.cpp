#include "fx/interp/transformer.h"

#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/provenance.h"

#include <utility>

namespace fx {
namespace {

/// Compares the arguments that determine the type of a new node with the arguments of its source.
class SameArguments {
 public:
  /// `sources[id]` is the source node of which the new node `id` is a copy, or null.
  explicit SameArguments(const std::vector<const Node*>& sources) : sources_(sources) {}

  bool all_same = true;    ///< constants are equal and operands have the same types
  bool all_copies = true;  ///< and each operand is a copy of the source's operand

  void compare(const Node& from, const Node& to) {
    if (from.num_args() != to.num_args() || from.num_kwargs() != to.num_kwargs()) return differ();
    for (size_t i = 0; i < from.num_args(); ++i) compare(from.arg(i), to.arg(i));
    for (size_t i = 0; i < from.num_kwargs(); ++i) {
      if (from.kwarg_name(i) != to.kwarg_name(i)) return differ();
      compare(from.kwarg_value(i), to.kwarg_value(i));
    }
  }

 private:
  void differ() { all_same = all_copies = false; }

  void compare(ArgumentRef from, ArgumentRef to) {
    if (from.is_node() && to.is_node()) {
      const Node& old_node = *from.node();
      const Node& new_node = *to.node();
      if (new_node.id() < sources_.size() && sources_[new_node.id()] == &old_node) return;
      all_copies = false;
      if (!old_node.type() || old_node.type() != new_node.type()) all_same = false;
      return;
    }
    if (from.kind() != to.kind() || from.size() != to.size()) return differ();
    if (!is_aggregate(from.kind())) {
      if (!(from == Argument(to))) differ();
      return;
    }
    if (from.kind() == ArgumentKind::kStruct && from.type_name() != to.type_name()) return differ();
    for (size_t i = 0; i < from.size(); ++i) {
      if (from.is_dict() && !(from.key(i) == Argument(to.key(i)))) return differ();
      compare(from[i], to[i]);
    }
  }

  const std::vector<const Node*>& sources_;
};

}  // namespace

/// Records the nodes that are created in the new graph, except those of emit().
class Transformer::Created final : public GraphObserver {
 public:
  explicit Created(Graph& graph) : graph_(graph) { graph_.add_observer(this); }
  ~Created() override { graph_.remove_observer(this); }
  Created(const Created&) = delete;
  Created& operator=(const Created&) = delete;

  void node_created(Node& node) override {
    if (!emitting) nodes.push_back(&node);
  }
  void node_erased(Node& node) override { std::erase(nodes, &node); }

  std::vector<Node*> nodes;
  bool emitting = false;

 private:
  Graph& graph_;
};

Transformer::Transformer(const Graph& graph, TransformOptions options)
    : Interpreter(graph), options_(options) {}

Transformer::Transformer(const GraphModule& module, TransformOptions options)
    : Interpreter(module), module_(&module), options_(options) {}

Transformer::~Transformer() = default;

absl::StatusOr<std::unique_ptr<Graph>> Transformer::transform() {
  const Graph& source = graph();
  new_graph_ = std::make_unique<Graph>(source.context());
  for (size_t i = 0; i < source.num_subgraphs(); ++i)
    FX_RETURN_IF_ERROR(
        new_graph_->add_subgraph(source.subgraph_name(i), source.subgraph(i).clone()));
  for (const auto& [key, value] : source.meta()) new_graph_->set_meta(key.str(), value);
  if (source.output_node() == nullptr)
    return absl::InvalidArgumentError("the graph must have an output");
  created_ = std::make_unique<Created>(*new_graph_);
  sources_.clear();
  absl::Status status = run({}).status();
  created_.reset();
  FX_RETURN_IF_ERROR(status);
  return std::move(new_graph_);
}

absl::StatusOr<std::unique_ptr<GraphModule>> Transformer::transform_module() {
  if (module_ == nullptr)
    return absl::FailedPreconditionError("the Transformer must be created from a GraphModule");
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> changed, transform());
  FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> result,
                      GraphModule::create(*module_, std::move(changed), module_->class_name()));
  return result;
}

absl::StatusOr<Argument> Transformer::run_node(Node& node) {
  std::vector<Node*>& created = created_->nodes;
  const size_t first = created.size();
  absl::StatusOr<Argument> value = Interpreter::run_node(node);
  if (created.size() == first) return value;
  ProvenanceScope scope(*new_graph_, options_.pass_name);
  const SourceGuard source = scope.making_from(node);
  for (size_t i = first; i < created.size(); ++i)
    if (!created[i]->meta().has(meta::kFromNode))
      scope.node_created(*created[i]);  // the node is not a copy
  created.resize(first);
  return value;
}

absl::StatusOr<Argument> Transformer::emit(Call& call) {
  const Node& from = *call.node;
  NodeOptions options;
  std::string name;
  if (options_.keep_names) {
    if (new_graph_->names().contains(from.name_parts()))
      options.name = name = from.name();
    else
      options.exact_name = from.name_parts();
  }
  std::vector<Kwarg> kwargs;
  kwargs.reserve(call.kwargs.size());
  for (NamedValue<Argument>& entry : call.kwargs)
    kwargs.emplace_back(entry.name, std::move(entry.value));
  const bool is_path = from.op() == Opcode::kGetAttr || from.op() == Opcode::kCallModule;
  const std::string target = is_path ? path_of(call.target) : std::string(call.target);
  created_->emitting = true;
  absl::StatusOr<Node*> copy =
      from.op() == Opcode::kCallFunction
          ? new_graph_->create_node(from.op(), call.function, call.args, kwargs, options)
          : new_graph_->create_node(from.op(), target, call.args, kwargs, options);
  created_->emitting = false;
  FX_RETURN_IF_ERROR(copy);
  (*copy)->meta().copy_from(from);
  const bool same_target = from.op() == Opcode::kCallFunction ? call.function == from.function()
                                                              : call.target == from.target();
  if (same_target) {
    SameArguments arguments(sources_);
    arguments.compare(from, **copy);
    if (arguments.all_same) (*copy)->set_type(from.type());
    if (arguments.all_copies) {
      sources_.resize((*copy)->id() + 1);
      sources_.back() = &from;
    }
  }
  return Argument(*copy);
}

absl::StatusOr<Argument> Transformer::placeholder(Call& call) {
  if (depth() != 0) return Interpreter::placeholder(call);
  if (call.node->num_args() != 0) call.args.emplace_back(call.node->arg(0));
  return emit(call);
}

absl::StatusOr<Argument> Transformer::get_attr(Call& call) { return emit(call); }
absl::StatusOr<Argument> Transformer::call_function(Call& call) { return emit(call); }
absl::StatusOr<Argument> Transformer::call_method(Call& call) { return emit(call); }
absl::StatusOr<Argument> Transformer::call_module(Call& call) { return emit(call); }

absl::StatusOr<Argument> Transformer::output(Call& call) {
  FX_ASSIGN_OR_RETURN(Argument result, Interpreter::output(call));
  if (depth() != 0) return result;
  call.args.assign(1, result);
  FX_RETURN_IF_ERROR(emit(call));
  return result;
}

absl::StatusOr<Argument> Transformer::inline_module(Call& call) {
  FX_ASSIGN_OR_RETURN(const Attribute* found, fetch_attr(call.target));
  const Module* module = found->module.get();
  const GraphModule* nested = module ? module->as_graph_module() : nullptr;
  if (nested == nullptr) return emit(call);
  if (nested->graph().num_subgraphs() != 0) {
    return absl::UnimplementedError("module \"" + std::string(call.target) +
                                    "\" has nested graphs and cannot be inlined");
  }
  return Interpreter::call_module(call);
}

// ---------------------------------------------------------------- decompose

namespace {

class Decomposer final : public Transformer {
 public:
  Decomposer(const Graph& graph, const DecompositionRules& rules, TransformOptions options)
      : Transformer(graph, options), rules_(rules) {}

  absl::StatusOr<Argument> call_function(Call& call) override {
    const auto rule = rules_.find(call.function);
    if (rule == rules_.end()) return Transformer::call_function(call);
    return rule->second(new_graph(), call);
  }

 private:
  const DecompositionRules& rules_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> decompose(const Graph& graph,
                                                 const DecompositionRules& rules,
                                                 TransformOptions options) {
  return Decomposer(graph, rules, options).transform();
}

}  // namespace fx
