#include "fx/passes/partition/joint/joint_partition.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/flops.h"
#include "fx/passes/analysis/liveness.h"
#include "fx/passes/cleanup/eliminate_common_subexpressions.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/functionalize/functionalize.h"
#include "fx/passes/partition/joint/joint_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx {
namespace {

using internal::JointCut;
using internal::JointFacts;

absl::Status check_budget(const JointPartitionOptions& options) {
  if (!options.budget) return absl::OkStatus();
  if (options.method == JointMethod::kDefault) {
    return absl::InvalidArgumentError(
        "a budget requires the min-cut method; the default method saves all values");
  }
  const MemoryBudget& budget = *options.budget;
  if (!budget.fraction && !budget.bytes)
    return absl::InvalidArgumentError("a budget must specify a fraction or a number of bytes");
  if (!(budget.fraction.value_or(0) >= 0) || budget.bytes.value_or(0) < 0)
    return absl::InvalidArgumentError("a budget must not be negative");
  return absl::OkStatus();
}

absl::StatusOr<JointCut> choose_cut(const JointFacts& facts, const JointPartitionOptions& options,
                                    JointPartition& result) {
  JointCut by_default = internal::default_cut(facts);
  result.default_bytes = by_default.bytes;
  FX_ASSIGN_OR_RETURN(JointCut smallest, internal::smallest_cut(facts));
  result.min_saved_bytes = smallest.bytes;
  if (options.method == JointMethod::kDefault) return by_default;
  FX_ASSIGN_OR_RETURN(JointCut cheap, internal::cheap_cut(facts));
  if (!options.budget) return cheap;
  const MemoryBudget& budget = *options.budget;
  result.budget_bytes =
      budget.fraction
          ? static_cast<int64_t>(*budget.fraction * static_cast<double>(by_default.bytes))
          : *budget.bytes;
  return internal::cut_within(facts, *result.budget_bytes, std::move(cheap), std::move(smallest),
                              result.recompute_bound);
}

absl::StatusOr<JointPartCost> cost_of(const Graph& graph, const JointPartitionOptions& options,
                                      const SymBindings& bindings) {
  JointPartCost cost;
  cost.calls = graph.num_calls();
  for (const Node& node : graph.nodes()) {
    const absl::StatusOr<Dim> flops = count_flops(node, options.formulas);
    if (flops.ok()) cost.flops += eval_int(*flops, bindings).value_or(0);
  }
  FX_ASSIGN_OR_RETURN(const Liveness liveness, analyze_liveness(graph, bindings));
  for (const int64_t bytes : liveness.live_bytes)
    cost.peak_bytes = std::max(cost.peak_bytes, bytes);
  return cost;
}

}  // namespace

absl::StatusOr<JointPartition> partition_joint(const Graph& graph,
                                               const JointPartitionOptions& options) {
  FX_RETURN_IF_ERROR(check_budget(options));
  const std::unique_ptr<Graph> prepared = graph.clone();
  prepared->set_owning_module(graph.owning_module());
  FX_RETURN_IF_ERROR(functionalize(*prepared).status());
  FX_RETURN_IF_ERROR(eliminate_dead_code(*prepared).status());
  FX_RETURN_IF_ERROR(eliminate_common_subexpressions(*prepared).status());
  FX_ASSIGN_OR_RETURN(const JointFacts facts, JointFacts::make(*prepared, options));
  JointPartition result;
  FX_ASSIGN_OR_RETURN(const JointCut cut, choose_cut(facts, options, result));
  result.saved_bytes = cut.bytes;
  result.recompute_cost = static_cast<double>(cut.cost);
  result.assumed_sizes = facts.assumed_sizes;
  FX_RETURN_IF_ERROR(internal::build_parts(facts, cut, result));
  FX_ASSIGN_OR_RETURN(result.forward_cost, cost_of(*result.forward, options, facts.bindings));
  FX_ASSIGN_OR_RETURN(result.backward_cost, cost_of(*result.backward, options, facts.bindings));
  return result;
}

}  // namespace fx
