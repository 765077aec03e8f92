// Checks whether calls may move to the position of the last one, for outline and outline_nested
// (subgraph.h).
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/partition/outline_internal.h"

#include "absl/container/flat_hash_set.h"
#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fx {
namespace {

using ops::Effect;
using ops::Effects;

/// True if `call` may write to memory of an operand or the result of `node`.
bool writes_memory_of(const Node& call, const Node& node, const MemoryAnalysis& memory) {
  if (!effects(call).has_any(Effect::kWritesArguments | Effect::kWritesState)) return false;
  const Node* before = call.prev();
  if (before == nullptr) return false;  // it has no operands
  const auto is_written = [&](const Node& value) {
    return memory.is_written_between(value, *before, *call.next());
  };
  bool writes = is_written(node);
  node.for_each_input([&](const Node* operand) { writes = writes || is_written(*operand); });
  return writes;
}

bool has_effects(const Node& call) { return !(effects(call) - Effect::kUninitialized).is_pure(); }

/// True if effects require that the two calls keep their order. False if neither has effects.
bool must_keep_order(const Node& a, const Node& b, const MemoryAnalysis& memory) {
  if (dtype_mode_change(a) != 0 || dtype_mode_change(b) != 0) return true;
  constexpr Effects kOfMemory = Effect::kWritesArguments | Effect::kUninitialized;
  const bool both = !(effects(a) - kOfMemory).is_pure() && !(effects(b) - kOfMemory).is_pure();
  return both || writes_memory_of(a, b, memory) || writes_memory_of(b, a, memory);
}

}  // namespace

absl::Status internal::check_order_of_part(const Graph& graph, absl::Span<Node* const> nodes,
                                           const Node& last) {
  const Node* first = *std::ranges::min_element(
      nodes, [](const Node* a, const Node* b) { return a->comes_before(*b); });
  bool is_pure = true;
  for (const Node* node = first; node != &last && is_pure; node = node->next())
    is_pure = !has_effects(*node);
  if (is_pure) return absl::OkStatus();
  const absl::flat_hash_set<const Node*> inside(nodes.begin(), nodes.end());
  const MemoryAnalysis memory(graph);
  std::vector<const Node*> moved, moved_with_effects;
  for (const Node* node = first; node != &last; node = node->next()) {
    if (!node->is_call()) continue;  // a get_attr reads no memory
    if (inside.contains(node)) {
      moved.push_back(node);
      if (has_effects(*node)) moved_with_effects.push_back(node);
      continue;
    }
    for (const Node* earlier : has_effects(*node) ? moved : moved_with_effects) {
      if (!must_keep_order(*earlier, *node, memory)) continue;
      return absl::FailedPreconditionError(fmt::format(
          "%{} cannot be moved to %{}, the last of the nodes, because it must come before %{}: one "
          "of the two writes to memory that the other uses, or both have effects. Run "
          "functionalize first, or use the partitions from propose_partitions",
          earlier->name(), last.name(), node->name()));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Node*>> internal::users_before(const Graph& graph,
                                                          absl::Span<Node* const> nodes,
                                                          Node& last) {
  const absl::flat_hash_set<const Node*> inside(nodes.begin(), nodes.end());
  Node* first = *std::ranges::min_element(
      nodes, [](const Node* a, const Node* b) { return a->comes_before(*b); });
  absl::flat_hash_set<const Node*> dependent = inside;
  std::vector<Node*> users;
  for (Node* node = first; node != &last; node = node->next()) {
    if (inside.contains(node)) continue;
    bool depends = false;
    node->for_each_input(
        [&](const Node* input) { depends = depends || dependent.contains(input); });
    if (!depends) continue;
    dependent.insert(node);
    users.push_back(node);
  }
  if (users.empty()) return users;
  // The node after `last` is the first that the users do not move past.
  const Node* end = last.next();
  if (end == nullptr) return absl::FailedPreconditionError("the graph must have an output");
  absl::Status status = check_order_of_part(graph, users, *end);
  if (!status.ok()) return status;
  return users;
}

}  // namespace fx
