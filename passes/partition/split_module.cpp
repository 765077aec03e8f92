// split_module: see split_module.h.
#include "fx/passes/partition/split_module.h"

#include "fx/ir/context.h"
#include "fx/ir/copy_table.h"
#include "fx/ir/node_map.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/passes/partition/order_edges_internal.h"
#include "fx/passes/partition/outline_internal.h"
#include "fx/passes/partition/subgraph.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_replace.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace fx {
namespace {

struct Part {
  int64_t id = 0;
  std::string module;  ///< submod_0
  std::vector<const Node*> nodes = {};
  std::vector<const Node*> outputs = {};             ///< read outside
  std::vector<const Node*> enters = {}, exits = {};  ///< of regions of other parts: repeated here
  std::vector<uint32_t> dependents = {};             ///< each once
  absl::flat_hash_set<uint32_t> is_dependent = {};
  size_t waits_for = 0;
  std::vector<const Node*> inputs = {};  ///< what it reads from outside; once it is made, each once
  // Once it is made:
  std::unique_ptr<Graph> graph = nullptr;
  absl::flat_hash_map<std::string, std::string> paths = {};  // flattened -> in the root
  absl::flat_hash_map<uint32_t, uint32_t> nested = {};       ///< graphs: number here -> in the part
};

enum class Toggle : uint8_t { kNone, kGrad, kEnterAutocast, kExitAutocast };

Toggle toggle_of(std::string_view target) {
  if (target.starts_with("aten.")) return Toggle::kNone;  // as most are
  if (target == "torch._C._set_grad_enabled") return Toggle::kGrad;
  if (target.ends_with("_enter_autocast")) return Toggle::kEnterAutocast;
  if (target.ends_with("_exit_autocast")) return Toggle::kExitAutocast;
  return Toggle::kNone;
}

/// What a call turns on or off for those behind it, and the partitions that it holds for.
struct Region {
  const Node* enter;
  const Node* exit = nullptr;  // of autocast
  bool is_grad = false;
  std::set<int64_t> ids = {};
};

class ModuleSplitter {
 public:
  ModuleSplitter(const Graph& graph, const Module& root, const SplitModuleOptions& options)
      : graph_(graph),
        root_(root),
        options_(options),
        part_of_(graph, kNone),
        is_module_(graph),
        is_output_(graph),
        copies_(graph),
        base_(graph) {}

  /// Makes the parts, and the graph that calls them.
  absl::Status split(const PartitionOf& partition_of) {
    FX_RETURN_IF_ERROR(assign(partition_of));
    FX_ASSIGN_OR_RETURN(std::vector<uint32_t> order, sort_parts());
    spread_regions();
    if (options_.keep_original_order) std::iota(order.begin(), order.end(), 0);
    return make_base(order);
  }

  /// The graph and its parts as a module of their own.
  absl::StatusOr<SplitModuleResult> as_module() {
    SplitModuleResult result{.module = nullptr, .paths = std::move(paths_)};
    GraphModule::Attributes members;
    for (const Node& node : base_graph_->nodes()) {
      if (node.op() != Opcode::kGetAttr) continue;
      const Attribute* member = root_.find_attribute(node.target());
      if (member == nullptr) {
        return absl::NotFoundError(
            fmt::format("%{}: the module has no member \"{}\"", node.name(), node.target()));
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
  /// The same in the place of the graph that was split.
  absl::StatusOr<bool> put_into(Graph& graph, Module& root) {
    return internal::replace_by_parts(graph, root, std::move(base_graph_), modules_);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  // ---- 1: which node goes where, and what crosses from one part to another
  absl::Status assign(const PartitionOf& partition_of) {
    absl::flat_hash_map<int64_t, uint32_t> number;
    internal::OrderOfEffects effects;
    std::vector<std::pair<uint32_t, uint32_t>> ordered;  // parts: the later one first
    std::vector<Region*> active;                         // autocast
    Region* grad = nullptr;
    int64_t highest = INT64_MIN;
    const Node* falls = nullptr;
    uint32_t last = 0;  // part
    for (Node& node : graph_.nodes()) {
      if (node.is_placeholder()) outer_.push_back(&node);
      if (node.op() == Opcode::kGetAttr) {
        // A tensor is no module: names of parameters, which are many, need no look-up.
        const Attribute* member =
            node.type().is_tensor() ? nullptr : root_.find_attribute(node.target());
        if (member != nullptr && member->module != nullptr) is_module_.insert(node);
        outer_.push_back(&node);
      }
      if (node.is_output()) FX_RETURN_IF_ERROR(record_inputs(node));
      if (!node.is_call()) continue;
      const int64_t id = partition_of(node);
      if (parts_.empty() || parts_[last].id != id)
        last = number.emplace(id, static_cast<uint32_t>(parts_.size())).first->second;
      if (last == parts_.size()) {
        Part& part = parts_.emplace_back();
        part.id = id;
        part.module = options_.partition_affix.empty()
                          ? fmt::format("submod_{}", id)
                          : fmt::format("submod_{}_{}", options_.partition_affix, id);
      }
      part_of_[node] = last;
      parts_[last].nodes.push_back(&node);
      if (id < highest && falls == nullptr) falls = &node;
      highest = std::max(highest, id);
      const Toggle toggle = toggle_of(node.target());
      if (toggle == Toggle::kGrad) {
        regions_.push_back(std::make_unique<Region>(Region{.enter = &node, .is_grad = true}));
        grad = regions_.back().get();
        grad->ids.insert(id);
      } else if (toggle == Toggle::kEnterAutocast) {
        regions_.push_back(std::make_unique<Region>(Region{.enter = &node}));
        regions_.back()->ids.insert(id);
        active.push_back(regions_.back().get());
      } else if (toggle == Toggle::kExitAutocast) {
        const Node* enter = node.num_args() == 1 ? node.arg(0).node() : nullptr;
        const auto region = std::ranges::find(active, enter, &Region::enter);
        if (region == active.end()) {
          return absl::InvalidArgumentError(
              fmt::format("%{} ends an autocast that nothing began", node.name()));
        }
        (*region)->ids.insert(id);
        (*region)->exit = &node;
        active.erase(region);
      }
      if (grad != nullptr) grad->ids.insert(id);
      for (Region* region : active) region->ids.insert(id);
      const bool toggles = is_toggle(node);
      if (!toggles) FX_RETURN_IF_ERROR(record_inputs(node));
      effects.visit(node, [&](const Node& earlier) {
        if (part_of_[earlier] != last && !toggles && !is_toggle(earlier))
          ordered.emplace_back(last, part_of_[earlier]);
      });
    }
    for (const auto& [later, earlier] : ordered) depend(later, earlier);
    if (!active.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("the autocast that %{} begins has no end", active[0]->enter->name()));
    }
    if (!regions_.empty() && falls != nullptr) {
      return absl::InvalidArgumentError(fmt::format(
          "%{} has a lower partition than a node before it; with autocast or set_grad_enabled in "
          "the graph they must not fall",
          falls->name()));
    }
    return absl::OkStatus();
  }
  bool is_toggle(const Node& node) const {
    return std::ranges::any_of(regions_, [&](const auto& region) {
      return region->enter == &node || region->exit == &node;
    });
  }

  void depend(uint32_t from, uint32_t on) {
    if (from == on || from == kNone || on == kNone) return;
    Part& part = parts_[on];
    if (!part.dependents.empty() && part.dependents.back() == from) return;
    if (!part.is_dependent.insert(from).second) return;
    part.dependents.push_back(from);
    ++parts_[from].waits_for;
  }
  absl::Status record_inputs(const Node& node) {
    const uint32_t used = part_of_[node];
    const Node* late = nullptr;
    node.for_each_input([&](Node* input) {
      const uint32_t defined = part_of_[*input];
      if (defined == used) return;
      if (used != kNone) parts_[used].inputs.push_back(input);
      if (defined == kNone) {
        if (input->is_call()) late = input;
        return;
      }
      if (is_output_.insert(*input)) parts_[defined].outputs.push_back(input);
      depend(used, defined);
    });
    if (late == nullptr) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("%{} reads %{}, which does not stand before it: sort the graph first "
                    "(topological_sort)",
                    node.name(), late->name()));
  }

  // ---- 2: in which order they run
  absl::StatusOr<std::vector<uint32_t>> sort_parts() {
    std::vector<uint32_t> order, ready;
    for (uint32_t i = 0; i < parts_.size(); ++i)
      if (parts_[i].waits_for == 0) ready.push_back(i);
    while (!ready.empty()) {  // the last first, as torch.fx does
      const uint32_t i = ready.back();
      ready.pop_back();
      order.push_back(i);
      for (const uint32_t j : parts_[i].dependents)
        if (--parts_[j].waits_for == 0) ready.push_back(j);
    }
    if (order.size() == parts_.size()) return order;
    std::string names;
    for (const Part& part : parts_)
      if (part.waits_for != 0) names += fmt::format("{}{}", names.empty() ? "" : ", ", part.id);
    return absl::InvalidArgumentError(
        fmt::format("partitions depend on each other in a circle: {}", names));
  }

  // ---- 3: autocast and gradients
  Part* part_with(int64_t id) {
    const auto found = std::ranges::find(parts_, id, &Part::id);
    return found == parts_.end() ? nullptr : &*found;
  }
  void spread_regions() {
    for (const bool grads : {false, true}) {
      for (const auto& region : regions_) {
        if (region->is_grad != grads) continue;
        // The first has the call itself.
        for (auto id = std::next(region->ids.begin()); id != region->ids.end(); ++id)
          part_with(*id)->enters.push_back(region->enter);
      }
    }
    for (auto region = regions_.rbegin(); region != regions_.rend(); ++region) {
      if ((*region)->is_grad) continue;
      for (auto id = (*region)->ids.begin(); id != std::prev((*region)->ids.end()); ++id)
        part_with(*id)->exits.push_back((*region)->exit);
    }
  }

  // ---- 4: the modules
  std::optional<uint32_t> nested_number(const Node& node) const {
    for (uint32_t i = 0; node.op() == Opcode::kGetAttr && i < graph_.num_subgraphs(); ++i)
      if (graph_.subgraph_name(i) == node.target()) return i;
    return std::nullopt;
  }
  /// A module or nested graph, which no call can be given: each part has it itself.
  bool stays_inside(const Node& node) const {
    if (node.op() != Opcode::kGetAttr) return false;
    return is_module_.contains(node) || nested_number(node);
  }
  /// The number in the part of a nested graph, which comes with what it refers to.
  uint32_t nested(Part& part, uint32_t number) {
    const auto [found, is_new] = part.nested.try_emplace(number, 0);
    if (!is_new) return found->second;
    // Paths in a nested graph are below its name.
    std::vector<std::pair<const Graph*, std::string>> todo = {
        {&graph_.subgraph(number), fmt::format("{}.", graph_.subgraph_name(number))}};
    while (!todo.empty()) {
      const auto [graph, prefix] = std::move(todo.back());
      todo.pop_back();
      for (size_t i = 0; i < graph->num_subgraphs(); ++i)
        todo.emplace_back(&graph->subgraph(i),
                          fmt::format("{}{}.", prefix, graph->subgraph_name(i)));
      for (const Node& node : graph->nodes()) {
        if (node.op() != Opcode::kGetAttr && node.op() != Opcode::kCallModule) continue;
        const std::string path = fmt::format("{}{}", prefix, node.target());
        if (root_.has_attribute(path)) part.paths.emplace(path, path);
      }
    }
    const absl::StatusOr<uint32_t> added =
        part.graph->add_subgraph(graph_.subgraph_name(number), graph_.subgraph(number).clone());
    FX_CHECK(added.ok(), "names of nested graphs are unique");
    return found->second = *added;
  }
  /// Placeholders for what its calls read of other parts and of the graph around them.
  void make_inputs(Part& part) {
    std::vector<const Node*> inputs, modules;
    absl::flat_hash_set<const Node*> seen;  // of modules
    size_t counter = 0;
    // Placeholders before the calls that enter regions.
    const auto guard = part.graph->inserting_before(part.graph->front());
    const auto add = [&](const Node& input) {
      if (stays_inside(input)) {
        if (seen.insert(&input).second) modules.push_back(&input);
        return;
      }
      if (options_.keep_original_input_name) {
        part.graph->placeholder_like(input, copies_);
      } else {
        Node* placeholder =
            part.graph->placeholder(fmt::format("arg_{}", counter++), {.type = input.type()});
        placeholder->meta().copy_from(input);
        copies_.set(input, *placeholder);
      }
      inputs.push_back(&input);
    };
    for (const Node* input : part.inputs)
      if (copies_.find(*input) == nullptr) add(*input);
    part.inputs = std::move(inputs);
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
  std::string flatten(Part& part, std::string_view path) {
    std::string target(path);
    if (options_.flatten_paths) target = absl::StrReplaceAll(target, {{".", "_"}});
    part.paths.emplace(target, path);
    return target;
  }
  /// Copies a call to the insert point of the part.
  absl::StatusOr<Node*> copy_call(Part& part, const Node& node) {
    const bool is_module = node.op() == Opcode::kCallModule;
    const auto plain_copy = [&] {
      return part.graph->node_copy(node, copies_, {.keep_name = options_.keep_original_node_name});
    };
    if (graph_.num_subgraphs() == 0 && !is_module) return plain_copy();
    const std::string path = is_module ? flatten(part, node.target()) : std::string();
    if (graph_.num_subgraphs() == 0 && path == node.target()) return plain_copy();
    FX_RETURN_IF_ERROR(copies_.check_operands(node));
    const auto map = [&](const Argument& leaf) -> Argument {
      if (leaf.is_node()) return copies_.find(*leaf.as_node());
      if (leaf.kind() == ArgumentKind::kGraph)
        return Argument::graph(nested(part, leaf.as_graph()));
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
            : part.graph->create_node(node.op(), is_module ? path : std::string(node.target()),
                                      args, kwargs, how);
    if (copy.ok()) (*copy)->meta().copy_from(node);
    return copy;
  }
  absl::StatusOr<std::unique_ptr<GraphModule>> make_module(Part& part) {
    part.graph = std::make_unique<Graph>(graph_.context());
    copies_.begin(*part.graph);
    for (const Node* enter : part.enters) {
      part.graph->set_insert_point_before(part.graph->front());
      FX_ASSIGN_OR_RETURN(Node * copy, copy_call(part, *enter));
      copies_.set(*enter, *copy);
    }
    make_inputs(part);
    part.graph->set_insert_point_after(nullptr);
    for (const Node* node : part.nodes) {
      FX_ASSIGN_OR_RETURN(Node * copy, copy_call(part, *node));
      copies_.set(*node, *copy);
    }
    for (const Node* exit : part.exits) FX_RETURN_IF_ERROR(copy_call(part, *exit).status());
    std::vector<Argument> values;
    values.reserve(part.outputs.size());
    for (const Node* output : part.outputs) values.emplace_back(copies_.find(*output));
    part.graph->output(values.size() == 1 && !options_.tuple_return ? values[0]
                                                                    : Argument::tuple(values));
    for (const auto& [path, original] : part.paths)
      paths_.emplace(fmt::format("{}.{}", part.module, path), original);
    if (!options_.flatten_paths) return GraphModule::create(root_, std::move(part.graph));
    GraphModule::Attributes members;
    for (const auto& [path, original] : part.paths) {
      const Attribute* member = root_.find_attribute(original);
      if (member == nullptr)
        return absl::NotFoundError(fmt::format("the module has no member \"{}\"", original));
      members.emplace_back(path, *member);
    }
    std::ranges::sort(members, {}, &GraphModule::Attributes::value_type::first);
    return GraphModule::create(members, std::move(part.graph));
  }

  // ---- 5: the graph that calls them
  absl::Status copy_outer(const Node& node) {
    if (base_.find(node) != nullptr) return absl::OkStatus();
    Node* copy = nullptr;
    if (node.is_placeholder()) {
      const std::string target(options_.keep_original_node_name ? node.name() : node.target());
      copy = node.num_args() > 0
                 ? base_graph_->placeholder(target, Argument(node.arg(0)), {.type = node.type()})
                 : base_graph_->placeholder(target, {.type = node.type()});
    } else if (node.op() == Opcode::kGetAttr) {
      if (stays_inside(node)) return absl::OkStatus();
      FX_ASSIGN_OR_RETURN(copy, base_graph_->node_copy(node, base_, {.keep_name = false}));
      base_.set(node, *copy);
      return absl::OkStatus();
    } else {
      return absl::OkStatus();
    }
    copy->meta().copy_from(node);
    base_.set(node, *copy);
    return absl::OkStatus();
  }
  absl::Status make_base(const std::vector<uint32_t>& order) {
    base_graph_ = std::make_unique<Graph>(graph_.context());
    base_.begin(*base_graph_);
    base_graph_->names().reserve(outer_.size());
    Context& context = graph_.context();
    for (const Node* node : outer_) {
      if (!options_.keep_original_order || node->is_placeholder())
        FX_RETURN_IF_ERROR(copy_outer(*node));
    }
    for (const uint32_t i : order) {
      Part& part = parts_[i];
      FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> module, make_module(part));
      std::vector<Argument> inputs;
      for (const Node* value : part.inputs) {
        FX_RETURN_IF_ERROR(copy_outer(*value));
        if (Node* input = base_.find(*value); input != nullptr) inputs.emplace_back(input);
      }
      const std::vector<const Node*>& outputs = part.outputs;
      modules_.emplace_back(part.module, std::move(module));
      const bool tuple = outputs.size() != 1 || options_.tuple_return;
      std::vector<Type> types;
      types.reserve(outputs.size());
      for (const Node* output : outputs) types.push_back(output->type());
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
      for (const Node* input : output->all_input_nodes()) FX_RETURN_IF_ERROR(copy_outer(*input));
      base_graph_->output(map_nodes(Argument(output->arg(0)), [&](Node* operand) -> Argument {
        return base_.find(*operand);
      }));
    }
    return absl::OkStatus();
  }

  const Graph& graph_;
  const Module& root_;
  const SplitModuleOptions& options_;
  NodeMap<uint32_t> part_of_;
  std::vector<const Node*> outer_;  // placeholders and get_attr nodes
  NodeSet is_module_;               // of get_attr nodes
  NodeSet is_output_;               // of its part
  CopyTable copies_;                // in the part that is being made
  CopyTable base_;                  // in the graph that calls the parts
  std::vector<Part> parts_;
  std::vector<std::unique_ptr<Region>> regions_;
  std::unique_ptr<Graph> base_graph_;
  std::vector<internal::NamedPart> modules_;
  absl::flat_hash_map<std::string, std::string> paths_;
};

}  // namespace

absl::StatusOr<SplitModuleResult> split_module(const Graph& graph, const Module& root,
                                               const PartitionOf& partition_of,
                                               const SplitModuleOptions& options) {
  ModuleSplitter splitter(graph, root, options);
  FX_RETURN_IF_ERROR(splitter.split(partition_of));
  return splitter.as_module();
}

absl::StatusOr<bool> split_module_in_place(Graph& graph, Module& root,
                                           const PartitionOf& partition_of,
                                           const SplitModuleOptions& options) {
  ModuleSplitter splitter(graph, root, options);
  FX_RETURN_IF_ERROR(splitter.split(partition_of));
  return splitter.put_into(graph, root);
}

}  // namespace fx
