// The table of a partition.
#include "fx/ir/support/pluralize.h"
#include "fx/ir/types/type.h"
#include "fx/passes/partition/joint/joint_partition.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstdlib>

namespace fx {
namespace {

std::string joint_bytes(int64_t bytes) {
  constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, kUnits[unit]);
}

std::string notes_of(const SavedValue& saved) {
  std::string notes;
  const auto note = [&](bool applies, std::string_view text) {
    if (applies) notes += fmt::format("{}{}", notes.empty() ? "" : ", ", text);
  };
  note(saved.is_random, "random");
  note(saved.is_result, "a result");
  note(saved.is_copy, "a copy of the value before a write");
  note(saved.is_rewritten, "write its new value after the backward pass");
  return notes;
}

}  // namespace

std::string to_string(const JointPartition& partition) {
  std::string text;
  constexpr std::string_view kKinds[] = {"input", "computed", "number"};
  size_t name_width = 4, type_width = 4;
  for (const SavedValue& saved : partition.saved) {
    name_width = std::max(name_width, saved.name.size());
    type_width = std::max(type_width, to_string(saved.type).size());
  }
  type_width = std::min<size_t>(type_width, 40);
  text +=
      fmt::format("saved      {}, {} computed bytes\n", pluralize(partition.saved.size(), "value"),
                  joint_bytes(partition.saved_bytes));
  for (const SavedValue& saved : partition.saved) {
    std::string line = fmt::format(
        "  {:{}}  {:{}}  {:8}  {:>10}  {}", saved.name, name_width, to_string(saved.type),
        type_width, kKinds[static_cast<size_t>(saved.kind)],
        saved.kind == SavedKind::kComputed ? joint_bytes(saved.bytes) : "", notes_of(saved));
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
  }
  text += fmt::format("default    saves {}\nat least   {}\n", joint_bytes(partition.default_bytes),
                      joint_bytes(partition.min_saved_bytes));
  if (partition.budget_bytes) {
    const bool is_met = partition.saved_bytes <= *partition.budget_bytes;
    text += fmt::format("budget     {}, {}\n", joint_bytes(*partition.budget_bytes),
                        is_met ? "met" : "less than the minimum: saves the minimum");
    const double bound = std::max(partition.recompute_bound, 0.0);
    const double gap = partition.recompute_cost > 0
                           ? 100 * (partition.recompute_cost - bound) / partition.recompute_cost
                           : 0;
    text += fmt::format("repeated   cost {:.4g}, at least {:.4g} within the budget: gap {:.1f}%\n",
                        partition.recompute_cost, bound, std::max(gap, 0.0));
  }
  text += fmt::format("recomputed {}, {} FLOPs\n", pluralize(partition.recomputed.size(), "call"),
                      partition.recomputed_flops);
  for (const std::string& name : partition.recomputed) text += fmt::format("  {}\n", name);
  text += fmt::format("{:10} {:>10} {:>16} {:>12}\n", "", "calls", "FLOPs", "peak memory");
  const auto row = [&](std::string_view name, const JointPartCost& cost) {
    text += fmt::format("{:10} {:>10} {:>16} {:>12}\n", name, cost.calls, cost.flops,
                        joint_bytes(cost.peak_bytes));
  };
  row("forward", partition.forward_cost);
  row("backward", partition.backward_cost);
  for (const std::string& symbol : partition.assumed_sizes)
    text += fmt::format("{} has no value and counts as 4096 (--symbol {}=N)\n", symbol, symbol);
  return text;
}

}  // namespace fx
