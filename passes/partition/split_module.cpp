// split_module: see split_module.h.
#include "fx/passes/partition/split_module.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/huge_pages.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/order_edges.h"
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
  uint32_t number = 0;
  std::string module;                                    ///< submod_0
  std::vector<std::pair<uint32_t, uint32_t>> runs = {};  ///< its calls: from and to, in calls_
  std::vector<const Node*> outputs = {};                 ///< read outside
  std::vector<const Node*> enters = {}, exits = {};  ///< of regions of other parts: repeated here
  std::vector<uint32_t> dependents = {};             ///< each once
  absl::flat_hash_set<uint32_t> is_dependent = {};
  size_t waits_for = 0;
  bool calls_modules = false;
  std::vector<const Node*> inputs = {};  ///< what it reads from outside; once it is made, each once
  // Once it is made:
  std::unique_ptr<Graph> graph = nullptr;
  absl::flat_hash_map<std::string, std::string> paths = {};  // flattened -> in the root
  absl::flat_hash_map<uint32_t, uint32_t> nested = {};       ///< graphs: number here -> in the part
};

enum class Toggle : uint8_t { kNone, kGrad, kEnterAutocast, kExitAutocast };

/// Of a call that has effects.
Toggle toggle_of(const Node& call) {
  if (call.op() != Opcode::kCallFunction) return Toggle::kNone;
  const std::string_view target = call.function().name();
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
      : graph_(graph), root_(root), options_(options), where_(graph), copies_(graph), base_(graph) {
    calls_.reserve(graph.num_calls());
  }

  /// Makes the parts, and the graph that calls them.
  absl::Status split(const PartitionOf& partition_of) {
    base_graph_ = std::make_unique<Graph>(graph_.context());
    base_.begin(*base_graph_);
    FX_RETURN_IF_ERROR(assign(partition_of));
    FX_ASSIGN_OR_RETURN(std::vector<uint32_t> order, sort_parts());
    spread_regions();
    if (options_.keep_original_order) std::iota(order.begin(), order.end(), 0);
    FX_RETURN_IF_ERROR(make_base(order));
    // The whole graph knows sizes that only its parts have.
    add_guards(*base_graph_, guards_of(graph_));
    copy_guards(graph_, *base_graph_);
    return absl::OkStatus();
  }

  /// The graph and its parts as a module of their own.
  absl::StatusOr<SplitModuleResult> as_module() {
    SplitModuleResult result{.module = nullptr, .paths = std::move(paths_)};
    GraphModule::Attributes members;
    for (const Node& node : base_graph_->nodes()) {
      if (node.op() != Opcode::kGetAttr) continue;
      const Attribute* member = root_.find_attribute(node.target());
      if (member == nullptr && base_graph_->find_subgraph(node.target()) != nullptr) continue;
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
    return internal::replace_by_parts(graph, root, std::move(base_graph_), modules_.size(),
                                      [this](size_t i) -> internal::NamedPart {
                                        return {modules_[i].first, modules_[i].second};
                                      });
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX, kOutput = kNone - 1;
  /// The part that a node is in, and the last part outside it, or the output, that reads it.
  struct Where {
    uint32_t part = kNone, reader = kNone;
  };

  // ---- 1: which node goes where, and what crosses from one part to another
  absl::Status assign(const PartitionOf& partition_of) {
    internal::OrderOfEffects order;
    std::vector<std::pair<uint32_t, uint32_t>> ordered;  // parts: the later one first
    int64_t highest = INT64_MIN;
    const Node* falls = nullptr;
    Part* part = nullptr;
    for (Node& node : graph_.nodes()) {
      if (!node.is_call()) {
        if (node.is_placeholder()) FX_RETURN_IF_ERROR(copy_placeholder(node));
        if (node.op() == Opcode::kGetAttr) {
          // A tensor is no module: names of parameters, which are many, need no look-up.
          const Attribute* member =
              node.type().is_tensor() ? nullptr : root_.find_attribute(node.target());
          if (member != nullptr && member->module != nullptr) modules_read_.insert(&node);
          if (!options_.keep_original_order && !stays_inside(node)) attributes_.push_back(&node);
        }
        const Node* late = nullptr;
        if (node.is_output())
          for (const Node* input : node.all_input_nodes())
            if (!note_input(*input, kOutput)) late = input;
        if (late != nullptr) return internal::not_sorted(node, *late);
        continue;
      }
      const int64_t id = partition_of(node);
      if (part == nullptr || part->id != id) {
        end_run(part);
        part = &part_called(id);
        part->runs.emplace_back(calls_.size(), 0);
      }
      const uint32_t number = part->number;
      where_[node].part = number;
      calls_.push_back(&node);
      if (node.op() == Opcode::kCallModule) part->calls_modules = true;
      if (id < highest && falls == nullptr) falls = &node;
      highest = std::max(highest, id);
      bool toggles = false;
      const ops::Effects call_effects = effects(node);
      const Toggle toggle = call_effects.is_movable() ? Toggle::kNone : toggle_of(node);
      if (toggle != Toggle::kNone || !regions_.empty()) {
        FX_RETURN_IF_ERROR(note_regions(node, toggle, id));
        toggles = is_toggle(node);
      }
      if (!toggles) {
        const Node* late = nullptr;
        node.for_each_input([&, number](const Node* input) {
          if (!note_input(*input, number)) late = input;
        });
        if (late != nullptr) return internal::not_sorted(node, *late);
      }
      order.visit(node, call_effects, [&](const Node& earlier) {
        const uint32_t before = where_[earlier].part;
        if (before != number && !toggles && !is_toggle(earlier))
          ordered.emplace_back(number, before);
      });
    }
    end_run(part);
    for (const auto& [later, earlier] : ordered) depend(later, earlier);
    if (!active_.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("the autocast that %{} begins has no end", active_[0]->enter->name()));
    }
    if (!regions_.empty() && falls != nullptr) {
      return absl::InvalidArgumentError(fmt::format(
          "%{} has a lower partition than a node before it; with autocast or set_grad_enabled in "
          "the graph they must not fall",
          falls->name()));
    }
    return absl::OkStatus();
  }
  void end_run(Part* part) const {
    if (part != nullptr) part->runs.back().second = static_cast<uint32_t>(calls_.size());
  }
  /// The calls of the part, in program order; valid until calls_of is called again.
  absl::Span<const Node* const> calls_of(const Part& part) {
    const auto run = [this](const auto& places) {
      return absl::MakeConstSpan(calls_).subspan(places.first, places.second - places.first);
    };
    if (part.runs.size() == 1) return run(part.runs[0]);
    gathered_.clear();
    for (const auto& places : part.runs) {
      const auto some = run(places);
      gathered_.insert(gathered_.end(), some.begin(), some.end());
    }
    return gathered_;
  }
  /// The part of this id, made when it is new; valid until the next one is made.
  Part& part_called(int64_t id) {
    const auto number = static_cast<uint32_t>(parts_.size());
    const auto [known, is_new] = number_of_.emplace(id, number);
    if (!is_new) return parts_[known->second];
    const std::string& affix = options_.partition_affix;
    return parts_.emplace_back(Part{
        .id = id,
        .number = number,
        .module =
            affix.empty() ? fmt::format("submod_{}", id) : fmt::format("submod_{}_{}", affix, id),
    });
  }
  /// Notes which regions the call begins, ends and is in.
  absl::Status note_regions(const Node& node, Toggle toggle, int64_t id) {
    if (toggle == Toggle::kGrad || toggle == Toggle::kEnterAutocast) {
      const bool is_grad = toggle == Toggle::kGrad;
      regions_.push_back(std::make_unique<Region>(Region{.enter = &node, .is_grad = is_grad}));
      if (is_grad)
        grad_ = regions_.back().get();
      else
        active_.push_back(regions_.back().get());
    } else if (toggle == Toggle::kExitAutocast) {
      const Node* enter = node.num_args() == 1 ? node.arg(0).node() : nullptr;
      const auto region = std::ranges::find(active_, enter, &Region::enter);
      if (region == active_.end()) {
        return absl::InvalidArgumentError(
            fmt::format("%{} ends an autocast that nothing began", node.name()));
      }
      (*region)->ids.insert(id);
      (*region)->exit = &node;
      active_.erase(region);
    }
    if (grad_ != nullptr) grad_->ids.insert(id);
    for (Region* region : active_) region->ids.insert(id);
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
  /// Notes that a node of part `used`, or the output, reads the input; false when that is a call
  /// that does not stand before it.
  bool note_input(const Node& input, uint32_t used) {
    Where& where = where_[input];
    return where.part == used || where.reader == used || note_crossing(input, where, used);
  }
  [[gnu::noinline]] bool note_crossing(const Node& input, Where& where, uint32_t used) {
    const bool is_new = where.reader == kNone;
    where.reader = used;
    if (used != kOutput) parts_[used].inputs.push_back(&input);
    if (where.part == kNone) return !input.is_call();
    if (is_new) parts_[where.part].outputs.push_back(&input);
    if (used != kOutput) depend(used, where.part);
    return true;
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
  void spread_regions() {
    for (const bool grads : {false, true}) {
      for (const auto& region : regions_) {
        if (region->is_grad != grads) continue;
        // The first has the call itself.
        for (auto id = std::next(region->ids.begin()); id != region->ids.end(); ++id)
          parts_[number_of_.at(*id)].enters.push_back(region->enter);
      }
    }
    for (auto region = regions_.rbegin(); region != regions_.rend(); ++region) {
      if ((*region)->is_grad) continue;
      for (auto id = (*region)->ids.begin(); id != std::prev((*region)->ids.end()); ++id)
        parts_[number_of_.at(*id)].exits.push_back((*region)->exit);
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
    // As a rule there are none.
    return (!modules_read_.empty() && modules_read_.contains(&node)) || nested_number(node);
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
    // Placeholders before the calls that enter regions.
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
      return copies_.node_copy(node, {.keep_name = options_.keep_original_node_name});
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
  /// Copies all its calls.
  absl::Status copy_calls(Part& part) {
    // Paths, and the numbers of nested graphs, that differ in the part are put in call by call.
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
    FX_RETURN_IF_ERROR(copy_calls(part));
    for (const Node* exit : part.exits) FX_RETURN_IF_ERROR(copy_call(part, *exit).status());
    std::vector<Argument> values;
    values.reserve(part.outputs.size());
    for (const Node* output : part.outputs) values.emplace_back(copies_.find(*output));
    part.graph->output(values.size() == 1 && !options_.tuple_return ? values[0]
                                                                    : Argument::tuple(values));
    copy_guards(graph_, *part.graph);
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
  absl::Status copy_placeholder(const Node& node) {
    FX_RETURN_IF_ERROR(copy_attributes());  // which stand before it
    // The target stays, by which callers pass the input: `x`, `*args`, `**kwargs`.
    const std::string name(options_.keep_original_node_name ? node.name() : std::string());
    FX_ASSIGN_OR_RETURN(
        Node * copy, base_graph_->create_node(Opcode::kPlaceholder, node.target(), node.args(), {},
                                              {.name = name, .type = node.type()}));
    copy->meta().copy_from(node);
    base_.set(node, *copy);
    return absl::OkStatus();
  }
  absl::Status copy_attributes() {
    base_graph_->names().reserve(attributes_.size());
    return base_.copy_nodes(std::exchange(attributes_, {}), {.keep_name = false});
  }
  /// What stands for a value around the parts; null for what stays inside.
  absl::StatusOr<Node*> outer(const Node& value) {
    if (Node* known = base_.find(value)) return known;
    if (value.op() != Opcode::kGetAttr || stays_inside(value)) return nullptr;
    FX_ASSIGN_OR_RETURN(Node * copy, base_.node_copy(value, {.keep_name = false}));
    base_.set(value, *copy);
    return copy;
  }
  absl::Status make_base(const std::vector<uint32_t>& order) {
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
      for (const Node* input : output->all_input_nodes()) {
        FX_ASSIGN_OR_RETURN(Node * known, outer(*input));
        if (known != nullptr || input->op() != Opcode::kGetAttr) continue;
        const Node* const inside[] = {input};  // a module or graph, which is returned too
        FX_RETURN_IF_ERROR(base_.copy_nodes(inside, {.keep_name = false}));
      }
      // With the graphs that it returns, if there are any.
      return base_.node_copy(*output, {.keep_name = false}).status();
    }
    return absl::OkStatus();
  }

  const Graph& graph_;
  const Module& root_;
  const SplitModuleOptions& options_;
  NodeMap<Where> where_;
  std::vector<const Node*, internal::HugePageAllocator<const Node*>> calls_;  // in program order
  std::vector<const Node*> gathered_;              // the calls of one part
  std::vector<const Node*> attributes_;            // get_attr nodes to copy around the parts
  absl::flat_hash_set<const Node*> modules_read_;  // by get_attr: these nodes
  CopyTable copies_;                               // in the part that is being made
  CopyTable base_;                                 // in the graph that calls the parts
  std::vector<Part> parts_;
  absl::flat_hash_map<int64_t, uint32_t> number_of_;  // of parts, by id
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<Region*> active_;  // of autocast, at the call that is looked at
  Region* grad_ = nullptr;       // the last one
  std::unique_ptr<Graph> base_graph_;
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> modules_;
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
