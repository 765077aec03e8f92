// Determines the part of each node: see module_splitter_internal.h.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/passes/partition/module_splitter_internal.h"
#include "fx/passes/partition/outline_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <iterator>

namespace fx::internal {
namespace {

/// Returns the effect of a call on the state of autograd and autocast for the calls after it.
SplitToggle toggle_of(const Node& call) {
  if (call.op() != Opcode::kCallFunction) return SplitToggle::kNone;
  const std::string_view target = call.function().name();
  if (target == "torch._C._set_grad_enabled") return SplitToggle::kGrad;
  if (target.ends_with("_enter_autocast")) return SplitToggle::kEnterAutocast;
  if (target.ends_with("_exit_autocast")) return SplitToggle::kExitAutocast;
  return SplitToggle::kNone;
}

}  // namespace

inline absl::Status ModuleSplitter::note_inputs(const Node& node, uint32_t used) {
  const Node* late = nullptr;
  node.for_each_input([&, used](const Node* input) {
    if (!note_input(*input, used)) late = input;
  });
  return late == nullptr ? absl::OkStatus() : not_sorted(node, *late);
}

inline absl::Status ModuleSplitter::assign_call(Node& node, Part& part, OrderOfEffects& order) {
  const uint32_t number = part.number;
  where_[node].part = number;
  calls_.push_back(&node);
  if (node.op() == Opcode::kCallModule) part.calls_modules = true;
  if (part.id < highest_ && first_lower_ == nullptr) first_lower_ = &node;
  highest_ = std::max(highest_, part.id);
  bool toggles = false;
  const ops::Effects call_effects = effects(node);
  effects_ |= call_effects;
  const SplitToggle toggle = call_effects.is_movable() ? SplitToggle::kNone : toggle_of(node);
  if (toggle != SplitToggle::kNone || !regions_.empty()) {
    FX_RETURN_IF_ERROR(note_regions(node, toggle, part.id));
    toggles = is_toggle(node);
  }
  if (!toggles) FX_RETURN_IF_ERROR(note_inputs(node, number));
  order.visit(node, call_effects, [&](const Node& earlier) {
    const uint32_t before = where_[earlier].part;
    if (before != number && !toggles && !is_toggle(earlier)) ordered_.emplace_back(number, before);
  });
  return absl::OkStatus();
}

absl::Status ModuleSplitter::assign(const PartitionOf& partition_of) {
  OrderOfEffects order;
  Part* part = nullptr;
  for (Node& node : graph_.nodes()) {
    if (!node.is_call()) {
      FX_RETURN_IF_ERROR(assign_value(node));
      continue;
    }
    const int64_t id = partition_of(node);
    if (part == nullptr || part->id != id) {
      end_run(part);
      part = &part_with_id(id);
      part->runs.emplace_back(calls_.size(), 0);
    }
    FX_RETURN_IF_ERROR(assign_call(node, *part, order));
  }
  end_run(part);
  for (const auto& [later, earlier] : ordered_) depend(later, earlier);
  if (!active_.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "the autocast region that %{} enters must end in the graph", active_[0]->enter->name()));
  }
  if (!regions_.empty() && first_lower_ != nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("%{} has a smaller partition id than an earlier node; in a graph with autocast "
                    "or set_grad_enabled, partition ids must not decrease",
                    first_lower_->name()));
  }
  return absl::OkStatus();
}

absl::Status ModuleSplitter::assign_value(Node& node) {
  if (node.is_placeholder()) return copy_placeholder(node);
  if (node.is_output()) return note_inputs(node, kOutput);
  // A tensor is not a module. This avoids looking up parameters, of which there may be many.
  const Attribute* member = node.type().is_tensor() ? nullptr : root_.find_attribute(node.target());
  if (member != nullptr && member->module != nullptr) modules_read_.insert(&node);
  if (!options_.keep_original_order && !stays_inside(node)) attributes_.push_back(&node);
  return absl::OkStatus();
}

void ModuleSplitter::end_run(Part* part) const {
  if (part != nullptr) part->runs.back().second = static_cast<uint32_t>(calls_.size());
}

absl::Span<const Node* const> ModuleSplitter::calls_of(const Part& part) {
  const auto run = [this](const auto& range) {
    return absl::MakeConstSpan(calls_).subspan(range.first, range.second - range.first);
  };
  if (part.runs.size() == 1) return run(part.runs[0]);
  gathered_.clear();
  for (const auto& range : part.runs) {
    const auto calls = run(range);
    gathered_.insert(gathered_.end(), calls.begin(), calls.end());
  }
  return gathered_;
}

SplitPart& ModuleSplitter::part_with_id(int64_t id) {
  const auto number = static_cast<uint32_t>(parts_.size());
  const auto [found, is_new] = number_of_.emplace(id, number);
  if (!is_new) return parts_[found->second];
  const std::string& affix = options_.partition_affix;
  return parts_.emplace_back(Part{
      .id = id,
      .number = number,
      .module =
          affix.empty() ? fmt::format("submod_{}", id) : fmt::format("submod_{}_{}", affix, id),
  });
}

absl::Status ModuleSplitter::note_regions(const Node& node, SplitToggle toggle, int64_t id) {
  if (toggle == SplitToggle::kGrad || toggle == SplitToggle::kEnterAutocast) {
    const bool is_grad = toggle == SplitToggle::kGrad;
    regions_.push_back(std::make_unique<Region>(Region{.enter = &node, .is_grad = is_grad}));
    if (is_grad)
      grad_ = regions_.back().get();
    else
      active_.push_back(regions_.back().get());
  } else if (toggle == SplitToggle::kExitAutocast) {
    const Node* enter = node.num_args() == 1 ? node.arg(0).node() : nullptr;
    const auto region = std::ranges::find(active_, enter, &Region::enter);
    if (region == active_.end()) {
      return absl::InvalidArgumentError(
          fmt::format("%{} ends an autocast region that has not been entered", node.name()));
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
  const bool is_new = where.last_user == kNone;
  where.last_user = used;
  if (used != kOutput) parts_[used].inputs.push_back(&input);
  if (where.part == kNone) return !input.is_call();
  if (is_new) parts_[where.part].outputs.push_back(&input);
  if (used != kOutput) depend(used, where.part);
  return true;
}

absl::StatusOr<std::vector<uint32_t>> ModuleSplitter::sort_parts() {
  std::vector<uint32_t> order, ready;
  for (uint32_t i = 0; i < parts_.size(); ++i)
    if (parts_[i].waits_for == 0) ready.push_back(i);
  while (!ready.empty()) {  // from the last ready part, like torch.fx
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

void ModuleSplitter::repeat_regions() {
  for (const bool grads : {false, true}) {
    for (const auto& region : regions_) {
      if (region->is_grad != grads) continue;
      // The first partition contains the call itself.
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

}  // namespace fx::internal
