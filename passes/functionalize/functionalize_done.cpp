// Recognizes graphs that need no change because all their writes are copies at the end.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/effects.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/functionalize/functionalize_internal.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace fx::functional {
namespace {

/// True if the call copies a value to an input or attribute, and its result has no users.
bool is_copy_back(const Node& node, Target copy) {
  if (!node.is(copy) || node.has_uses() || node.num_args() < 2) return false;
  const Node* to = node.arg(0).node();
  return to != nullptr && (to->is_placeholder() || to->op() == Opcode::kGetAttr) &&
         node.arg(1).is_node();
}

/// Returns whether a call copies a value back; nullopt if any other call writes to arguments or
/// state.
std::optional<bool> has_copies_back(const Graph& graph, Target copy) {
  bool found = false;
  for (const Node& node : graph.nodes()) {
    if (!effects(node).has_any(ops::Effect::kWritesArguments | ops::Effect::kWritesState)) continue;
    if (!is_copy_back(node, copy)) return std::nullopt;
    found = true;
  }
  return found;
}

}  // namespace

bool only_copies_back(const Graph& graph) {
  const Target copy = graph.context().function("aten.copy_.default");
  const std::optional<bool> found = has_copies_back(graph, copy);
  if (!found) return false;
  if (!*found) return true;
  const MemoryAnalysis memory(graph, {.distinct_inputs = true, .distinct_attributes = true});
  std::vector<bool> is_given(memory.num_classes());  // by class: memory of an input or attribute
  std::vector<bool> is_written(memory.num_classes());
  const auto any_class = [&](const Node& value, const std::vector<bool>& classes) {
    bool any = false;
    memory.for_each_class(value, [&](uint32_t number) { any = any || classes[number]; });
    return any;
  };
  for (const Node& node : graph.nodes()) {
    if (node.is_call() || node.is_output()) continue;
    memory.for_each_class(node, [&](uint32_t number) { is_given[number] = true; });
  }
  for (const Node& node : graph.nodes()) {
    if (is_copy_back(node, copy)) {
      const Node& value = *node.arg(1).node();
      if (any_class(value, is_given) || memory.may_be_external(value)) return false;
      memory.for_each_class(*node.arg(0).node(),
                            [&](uint32_t number) { is_written[number] = true; });
      continue;
    }
    bool reads_written = false;
    node.for_each_input(
        [&](const Node* input) { reads_written = reads_written || any_class(*input, is_written); });
    if (reads_written) return false;
  }
  return true;
}

}  // namespace fx::functional
