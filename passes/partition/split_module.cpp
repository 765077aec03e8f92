// split_module: see split_module.h. Creates the modules, and the graph that calls them;
// module_splitter.cpp finds the parts.
#include "fx/passes/partition/split_module.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/passes/partition/module_splitter_internal.h"
#include "fx/passes/partition/outline_internal.h"
#include "fx/passes/partition/subgraph.h"

#include "absl/strings/str_replace.h"
#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace fx {
namespace internal {

absl::Status ModuleSplitter::split(const PartitionOf& partition_of) {
  base_graph_ = std::make_unique<Graph>(graph_.context());
  base_.begin(*base_graph_);
  FX_RETURN_IF_ERROR(assign(partition_of));
  storages_.set_has_writes(effects_.has(ops::Effect::kWritesArguments));
  storages_.read_changes();
  FX_ASSIGN_OR_RETURN(std::vector<uint32_t> order, sort_parts());
  repeat_regions();
  if (options_.keep_original_order) std::iota(order.begin(), order.end(), 0);
  FX_RETURN_IF_ERROR(make_base(order));
  // Guards of the entire graph may refer to sizes that only its parts contain.
  add_guards(*base_graph_, guards_of(graph_));
  copy_guards(graph_, *base_graph_);
  return absl::OkStatus();
}

absl::StatusOr<SplitModuleResult> ModuleSplitter::as_module() {
  SplitModuleResult result{.module = nullptr, .paths = std::move(paths_)};
  GraphModule::Attributes members;
  for (const Node& node : base_graph_->nodes()) {
    if (node.op() != Opcode::kGetAttr) continue;
    const Attribute* member = root_.find_attribute(node.target());
    if (member == nullptr && base_graph_->find_subgraph(node.target()) != nullptr) continue;
    if (member == nullptr) {
      return absl::NotFoundError(
          fmt::format("%{}: the module does not have a member \"{}\"", node.name(), node.target()));
    }
    members.emplace_back(node.target(), *member);
  }
  for (const auto& [name, module] : modules_) {
    members.emplace_back(name, Attribute::submodule(module));
    result.partitions.push_back(name);
  }
  FX_ASSIGN_OR_RETURN(result.module, GraphModule::create(members, std::move(base_graph_)));
  return result;
}

absl::StatusOr<bool> ModuleSplitter::put_into(Graph& graph, Module& root) {
  return replace_with_parts(
      graph, root, std::move(base_graph_), modules_.size(),
      [this](size_t i) -> NamedPart { return {modules_[i].first, modules_[i].second}; });
}

// ---- The modules

std::optional<uint32_t> ModuleSplitter::nested_number(const Node& node) const {
  if (node.op() != Opcode::kGetAttr) return std::nullopt;
  return subgraph_index(graph_, node.target());
}

bool ModuleSplitter::stays_inside(const Node& node) const {
  if (node.op() != Opcode::kGetAttr) return false;
  // modules_read_ is usually empty.
  return (!modules_read_.empty() && modules_read_.contains(&node)) || nested_number(node);
}

uint32_t ModuleSplitter::nested(Part& part, uint32_t number) {
  const auto [found, is_new] = part.nested.try_emplace(number, 0);
  if (!is_new) return found->second;
  // The paths in a nested graph are prefixed with its name.
  const std::string name(graph_.subgraph_name(number));
  const auto add_paths = [&](const Graph& graph, std::string_view prefix) {
    for (const Node& node : graph.nodes()) {
      if (node.op() != Opcode::kGetAttr && node.op() != Opcode::kCallModule) continue;
      const std::string path = fmt::format("{}.{}", prefix, node.target());
      if (root_.has_attribute(path)) part.paths.emplace(path, path);
    }
  };
  add_paths(graph_.subgraph(number), name);
  for (const NestedGraph& inner : nested_graph_paths(graph_.subgraph(number), kMaxModuleDepth))
    add_paths(*inner.graph, fmt::format("{}.{}", name, inner.path));
  const absl::StatusOr<uint32_t> added =
      part.graph->add_subgraph(name, graph_.subgraph(number).clone());
  FX_CHECK(added.ok(), "names of nested graphs must be unique");
  return found->second = *added;
}

void ModuleSplitter::make_inputs(Part& part) {
  std::vector<const Node*> modules;
  std::vector<const Node*>& inputs = part.inputs;
  size_t count = 0;
  if (!modules_read_.empty() || graph_.num_subgraphs() > 0) {
    absl::flat_hash_set<const Node*> seen;
    for (const Node* input : inputs) {
      if (!stays_inside(*input))
        inputs[count++] = input;
      else if (seen.insert(input).second)
        modules.push_back(input);
    }
    inputs.resize(count);
  }
  // Inserts placeholders before the calls that enter regions.
  const auto guard = part.graph->inserting_before(part.graph->front());
  if (options_.keep_original_input_name) {
    copies_.placeholders_like(inputs);
  } else {
    count = 0;
    for (const Node* input : inputs) {
      if (copies_.find(*input) != nullptr) continue;
      Node* placeholder =
          part.graph->placeholder(fmt::format("arg_{}", count), {.type = input->type()});
      placeholder->meta().copy_from(*input);
      copies_.set(*input, *placeholder);
      inputs[count++] = input;
    }
    inputs.resize(count);
  }
  for (const Node* input : modules) {
    const std::optional<uint32_t> number = nested_number(*input);
    const std::string target = number
                                   ? std::string(part.graph->subgraph_name(nested(part, *number)))
                                   : flatten(part, input->target());
    Node* copy = part.graph->get_attr(target, {.type = input->type()});
    copy->meta().copy_from(*input);
    copies_.set(*input, *copy);
  }
}

std::string ModuleSplitter::flatten(Part& part, std::string_view path) {
  std::string target(path);
  if (options_.flatten_paths) target = absl::StrReplaceAll(target, {{".", "_"}});
  part.paths.emplace(target, path);
  return target;
}

absl::StatusOr<Node*> ModuleSplitter::copy_call(Part& part, const Node& node) {
  const bool is_module = node.op() == Opcode::kCallModule;
  const auto plain_copy = [&] {
    return copies_.node_copy(node, {.keep_name = options_.keep_original_node_name});
  };
  if (graph_.num_subgraphs() == 0 && !is_module) return plain_copy();
  const std::string path = is_module ? flatten(part, node.target()) : std::string();
  if (graph_.num_subgraphs() == 0 && path == node.target()) return plain_copy();
  FX_RETURN_IF_ERROR(copies_.check_operands(node));
  const auto map = [&](const Argument& leaf) -> Argument {
    if (leaf.is_node()) return copies_.find(*leaf.as_node());
    if (leaf.kind() == ArgumentKind::kGraph) return Argument::graph(nested(part, leaf.as_graph()));
    return leaf;
  };
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  for (const Argument& arg : node.args()) args.push_back(map_leaves(arg, map));
  for (const Kwarg& kwarg : node.kwargs())
    kwargs.emplace_back(kwarg.symbol ? kwarg.symbol : graph_.context().symbol(kwarg.key),
                        map_leaves(kwarg.value, map));
  const std::string name = options_.keep_original_node_name ? node.name() : std::string();
  const NodeOptions how{.name = name, .type = node.type()};
  absl::StatusOr<Node*> copy =
      node.op() == Opcode::kCallFunction
          ? part.graph->create_node(node.op(), node.function(), args, kwargs, how)
          : part.graph->create_node(node.op(), is_module ? path : std::string(node.target()), args,
                                    kwargs, how);
  if (copy.ok()) (*copy)->meta().copy_from(node);
  return copy;
}

absl::Status ModuleSplitter::copy_calls(Part& part) {
  // Copies calls separately if their paths, or the indices of their nested graphs, differ in the
  // part.
  const bool renames = part.calls_modules && options_.flatten_paths;
  const absl::Span<const Node* const> calls = calls_of(part);
  if (graph_.num_subgraphs() == 0 && !renames) {
    for (size_t i = 0; part.calls_modules && i < calls.size(); ++i)
      if (calls[i]->op() == Opcode::kCallModule) flatten(part, calls[i]->target());
    return copies_.copy_nodes(calls, {.keep_name = options_.keep_original_node_name});
  }
  for (const Node* node : calls) {
    FX_ASSIGN_OR_RETURN(Node * copy, copy_call(part, *node));
    copies_.set(*node, *copy);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<GraphModule>> ModuleSplitter::make_module(Part& part) {
  part.graph = std::make_unique<Graph>(graph_.context());
  copies_.begin(*part.graph);
  for (const Node* enter : part.enters) {
    part.graph->set_insert_point_before(part.graph->front());
    FX_ASSIGN_OR_RETURN(Node * copy, copy_call(part, *enter));
    copies_.set(*enter, *copy);
  }
  make_inputs(part);
  part.graph->set_insert_point_after(nullptr);
  FX_RETURN_IF_ERROR(copy_calls(part));
  for (const Node* exit : part.exits) FX_RETURN_IF_ERROR(copy_call(part, *exit).status());
  std::vector<Argument> values;
  values.reserve(part.outputs.size());
  for (const Node* output : part.outputs) values.emplace_back(copies_.find(*output));
  part.graph->output(values.size() == 1 && !options_.return_tuple ? values[0]
                                                                  : Argument::tuple(values));
  copy_guards(graph_, *part.graph);
  storages_.mark(part.inputs, *part.graph,
                 [this](const Node& value) { return copies_.find(value); });
  for (const auto& [path, original] : part.paths)
    paths_.emplace(fmt::format("{}.{}", part.module, path), original);
  if (!options_.flatten_paths) return GraphModule::create(root_, std::move(part.graph));
  GraphModule::Attributes members;
  for (const auto& [path, original] : part.paths) {
    const Attribute* member = root_.find_attribute(original);
    if (member == nullptr)
      return absl::NotFoundError(fmt::format("the module does not have a member \"{}\"", original));
    members.emplace_back(path, *member);
  }
  std::ranges::sort(members, {}, &GraphModule::Attributes::value_type::first);
  return GraphModule::create(members, std::move(part.graph));
}

// ---- The graph that calls them

absl::Status ModuleSplitter::copy_placeholder(const Node& node) {
  FX_RETURN_IF_ERROR(copy_attributes());  // these come before the placeholder
  // Keeps the target, the name by which callers pass the input: `x`, `*args`, `**kwargs`.
  const std::string name(options_.keep_original_node_name ? node.name() : std::string());
  FX_ASSIGN_OR_RETURN(Node * copy,
                      base_graph_->create_node(Opcode::kPlaceholder, node.target(), node.args(), {},
                                               {.name = name, .type = node.type()}));
  copy->meta().copy_from(node);
  base_.set(node, *copy);
  return absl::OkStatus();
}

absl::Status ModuleSplitter::copy_attributes() {
  base_graph_->names().reserve(attributes_.size());
  return base_.copy_nodes(std::exchange(attributes_, {}), {.keep_name = false});
}

absl::StatusOr<Node*> ModuleSplitter::outer(const Node& value) {
  if (Node* copied = base_.find(value)) return copied;
  if (value.op() != Opcode::kGetAttr || stays_inside(value)) return nullptr;
  FX_ASSIGN_OR_RETURN(Node * copy, base_.node_copy(value, {.keep_name = false}));
  base_.set(value, *copy);
  return copy;
}

absl::Status ModuleSplitter::make_base(const std::vector<uint32_t>& order) {
  Context& context = graph_.context();
  FX_RETURN_IF_ERROR(copy_attributes());
  for (const uint32_t i : order) {
    Part& part = parts_[i];
    FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> module, make_module(part));
    std::vector<Argument> inputs;
    inputs.reserve(part.inputs.size());
    for (const Node* value : part.inputs) {
      FX_ASSIGN_OR_RETURN(Node * input, outer(*value));
      if (input != nullptr) inputs.emplace_back(input);
    }
    const std::vector<const Node*>& outputs = part.outputs;
    modules_.emplace_back(part.module, std::move(module));
    const bool tuple = outputs.size() != 1 || options_.return_tuple;
    std::vector<Type> types;
    types.reserve(outputs.size());
    for (const Node* output : outputs) types.push_back(storages_.type_of(*output));
    Node* call = base_graph_->call_module(
        part.module, inputs, {}, {.type = tuple ? tuple_type(context.types(), types) : types[0]});
    for (size_t k = 0; k < outputs.size(); ++k) {
      Node* value = !tuple ? call
                           : base_graph_->call_function(context.function("operator.getitem"),
                                                        {call, k}, {}, {.type = types[k]});
      base_.set(*outputs[k], *value);
    }
  }
  if (const Node* output = graph_.output_node()) {
    for (const Node* input : output->all_input_nodes()) {
      FX_ASSIGN_OR_RETURN(Node * copied, outer(*input));
      if (copied != nullptr || input->op() != Opcode::kGetAttr) continue;
      const Node* const inside[] = {input};  // a module or graph that is returned
      FX_RETURN_IF_ERROR(base_.copy_nodes(inside, {.keep_name = false}));
    }
    // Also copies the graphs that it returns, if there are any.
    return base_.node_copy(*output, {.keep_name = false}).status();
  }
  return absl::OkStatus();
}

}  // namespace internal

absl::StatusOr<SplitModuleResult> split_module(const Graph& graph, const Module& root,
                                               const PartitionOf& partition_of,
                                               const SplitModuleOptions& options) {
  internal::ModuleSplitter splitter(graph, root, options);
  FX_RETURN_IF_ERROR(splitter.split(partition_of));
  return splitter.as_module();
}

absl::StatusOr<bool> split_module_in_place(Graph& graph, Module& root,
                                           const PartitionOf& partition_of,
                                           const SplitModuleOptions& options) {
  internal::ModuleSplitter splitter(graph, root, options);
  FX_RETURN_IF_ERROR(splitter.split(partition_of));
  return splitter.put_into(graph, root);
}

}  // namespace fx
