// split_module: assigning calls to parts, and the order of the parts. The modules of the parts are
// made in split_module_parts.cpp.
#include "fx/passes/partition/split_module.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/order_edges.h"
#include "fx/passes/partition/module_splitter_internal.h"
#include "fx/passes/partition/outline_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace fx {
namespace internal {
namespace {

/// The kind of a call with effects.
Toggle toggle_of(const Node& call) {
  if (call.op() != Opcode::kCallFunction) return Toggle::kNone;
  const std::string_view target = call.function().name();
  if (target == "torch._C._set_grad_enabled") return Toggle::kGrad;
  if (target.ends_with("_enter_autocast")) return Toggle::kEnterAutocast;
  if (target.ends_with("_exit_autocast")) return Toggle::kExitAutocast;
  return Toggle::kNone;
}

}  // namespace

absl::Status ModuleSplitter::split(const PartitionOf& partition_of) {
  base_graph_ = std::make_unique<Graph>(graph_.context());
  base_.begin(*base_graph_);
  FX_RETURN_IF_ERROR(assign(partition_of));
  FX_ASSIGN_OR_RETURN(std::vector<uint32_t> order, sort_parts());
  spread_regions();
  if (options_.keep_original_order) std::iota(order.begin(), order.end(), 0);
  return make_base(order);
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

absl::StatusOr<bool> ModuleSplitter::put_into(Graph& graph, Module& root) {
  return internal::replace_by_parts(
      graph, root, std::move(base_graph_), modules_.size(),
      [this](size_t i) -> internal::NamedPart { return {modules_[i].first, modules_[i].second}; });
}

// ---- 1: assigning nodes to parts, and finding values that cross between parts

absl::Status ModuleSplitter::assign(const PartitionOf& partition_of) {
  internal::OrderOfEffects order;
  std::vector<std::pair<uint32_t, uint32_t>> ordered;  // parts: the later one first
  int64_t highest = INT64_MIN;
  const Node* falls = nullptr;
  Part* part = nullptr;
  for (Node& node : graph_.nodes()) {
    if (!node.is_call()) {
      FX_RETURN_IF_ERROR(note_other(node));
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
    if (!toggles) FX_RETURN_IF_ERROR(note_inputs(node, number));
    order.visit(node, call_effects, [&](const Node& earlier) {
      const uint32_t before = where_[earlier].part;
      if (before != number && !toggles && !is_toggle(earlier)) ordered.emplace_back(number, before);
    });
  }
  end_run(part);
  for (const auto& [later, earlier] : ordered) depend(later, earlier);
  return check_regions(falls);
}

absl::Status ModuleSplitter::check_regions(const Node* falls) const {
  if (!active_.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("the autocast that %{} starts has no end", active_[0]->enter->name()));
  }
  if (!regions_.empty() && falls != nullptr) {
    return absl::InvalidArgumentError(fmt::format(
        "%{} has a lower partition than a node before it; with autocast or set_grad_enabled in "
        "the graph they must not decrease",
        falls->name()));
  }
  return absl::OkStatus();
}

absl::Status ModuleSplitter::note_other(Node& node) {
  if (node.is_placeholder()) FX_RETURN_IF_ERROR(copy_placeholder(node));
  if (node.op() == Opcode::kGetAttr) {
    // A tensor is not a module: parameters, which are numerous, need no look-up.
    const Attribute* member =
        node.type().is_tensor() ? nullptr : root_.find_attribute(node.target());
    if (member != nullptr && member->module != nullptr) modules_read_.insert(&node);
    if (!options_.keep_original_order && !stays_inside(node)) attributes_.push_back(&node);
  }
  return node.is_output() ? note_inputs(node, kOutput) : absl::OkStatus();
}

absl::Status ModuleSplitter::note_inputs(const Node& node, uint32_t used) {
  const Node* late = nullptr;
  node.for_each_input([&, used](const Node* input) {
    if (!note_input(*input, used)) late = input;
  });
  return late == nullptr ? absl::OkStatus() : internal::not_sorted(node, *late);
}

absl::Span<const Node* const> ModuleSplitter::calls_of(const Part& part) {
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

Part& ModuleSplitter::part_called(int64_t id) {
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

absl::Status ModuleSplitter::note_regions(const Node& node, Toggle toggle, int64_t id) {
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
          fmt::format("%{} ends an autocast that has not been started", node.name()));
    }
    (*region)->ids.insert(id);
    (*region)->exit = &node;
    active_.erase(region);
  }
  if (grad_ != nullptr) grad_->ids.insert(id);
  for (Region* region : active_) region->ids.insert(id);
  return absl::OkStatus();
}

bool ModuleSplitter::is_toggle(const Node& node) const {
  return std::ranges::any_of(regions_, [&](const auto& region) {
    return region->enter == &node || region->exit == &node;
  });
}

void ModuleSplitter::depend(uint32_t from, uint32_t on) {
  if (from == on || from == kNone || on == kNone) return;
  Part& part = parts_[on];
  if (!part.dependents.empty() && part.dependents.back() == from) return;
  if (!part.is_dependent.insert(from).second) return;
  part.dependents.push_back(from);
  ++parts_[from].waits_for;
}

bool ModuleSplitter::note_crossing(const Node& input, Where& where, uint32_t used) {
  const bool is_new = where.reader == kNone;
  where.reader = used;
  if (used != kOutput) parts_[used].inputs.push_back(&input);
  if (where.part == kNone) return !input.is_call();
  if (is_new) parts_[where.part].outputs.push_back(&input);
  if (used != kOutput) depend(used, where.part);
  return true;
}

// ---- 2: ordering the parts

absl::StatusOr<std::vector<uint32_t>> ModuleSplitter::sort_parts() {
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
      fmt::format("partitions depend on each other in a cycle: {}", names));
}

// ---- 3: autocast and gradients

void ModuleSplitter::spread_regions() {
  for (const bool grads : {false, true}) {
    for (const auto& region : regions_) {
      if (region->is_grad != grads) continue;
      // The first partition has the call itself.
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
