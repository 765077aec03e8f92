// Recognizes graphs that need no change: all their writes are copies at the end.
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/passes/analysis/disjoint_sets.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/functionalize/functionalize_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fx::functional {
namespace {

/// True if the result of the call may share memory with this operand, not only with another.
bool may_share_memory_of(const Node& operand, const Node& node) {
  if (MemoryAnalysis::returns_only_new_memory(node)) return false;
  const ops::OpInfo* op = node.op() == Opcode::kCallFunction ? node.function().op() : nullptr;
  if (op != nullptr && op->has(ops::OpTrait::kSubgraphs)) return may_share_results_of(node);
  if (op == nullptr || op->output_aliases().empty() || op->aliases_unknown() ||
      op->has(ops::OpTrait::kMayAlias))
    return true;
  if (!op->is_view()) {  // the types determine whether `reshape` copies
    const absl::StatusOr<InferredCall> call = infer_call(node);
    if (call.ok() && call->type && call->aliases.empty()) return false;
  }
  return std::ranges::any_of(op->output_aliases(), [&](const ops::OutputAlias& alias) {
    const std::optional<ArgumentRef> given = given_argument(node, *op, alias.argument);
    if (!given) return false;
    // A list of tensors counts as one value.
    return given->is_node() ? given->as_node() == &operand : Argument(*given).holds_node();
  });
}

}  // namespace

bool only_copies_back(const Graph& graph) {
  const Target copy = graph.context().function("aten.copy_.default");
  // Inputs and attributes have numbers from 1. `memory` is an input whose memory a node may share,
  // or 0. If a node may share the memory of several inputs, these are in one class.
  NodeMap<uint32_t> memory(graph, 0);
  fx::internal::DisjointSets classes;
  classes.add();
  std::vector<bool> is_written = {false};                      // by class
  absl::flat_hash_map<std::string_view, uint32_t> attributes;  // by path
  for (const Node& node : graph.nodes()) {
    if (node.is_placeholder() || node.op() == Opcode::kGetAttr) {
      const auto next = static_cast<uint32_t>(is_written.size());
      memory[node] =
          node.is_placeholder() ? next : attributes.try_emplace(node.target(), next).first->second;
      if (memory[node] == next) {
        is_written.push_back(false);
        classes.add();
      }
      continue;
    }
    if (node.is(copy) && !node.has_uses() && node.num_args() >= 2 && node.arg(0).is_node() &&
        node.arg(1).is_node()) {
      const Node& to = *node.arg(0).node();
      const bool is_outside = to.is_placeholder() || to.op() == Opcode::kGetAttr;
      if (!is_outside || memory[*node.arg(1).node()] != 0) return false;
      is_written[classes.find(memory[to])] = true;
      continue;
    }
    uint32_t read = 0;
    bool reads_written = false;
    node.for_each_input([&](const Node* input) {
      if (memory[*input] == 0) return;
      const uint32_t from = classes.find(memory[*input]);
      reads_written = reads_written || is_written[from];
      if (!may_share_memory_of(*input, node)) return;
      if (read == 0) read = from;
      const bool any_is_written = is_written[read] || is_written[from];
      read = classes.join(read, from);
      is_written[read] = any_is_written;
    });
    if (reads_written) return false;
    if (node.is_output()) continue;
    if (effects(node).has_any(ops::Effect::kWritesArguments | ops::Effect::kWritesState))
      return false;
    memory[node] = read;
  }
  return true;
}

}  // namespace fx::functional
