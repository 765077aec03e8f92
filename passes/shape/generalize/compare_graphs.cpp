// Compares the graph of an additional run with the graph of the first run, node by node.
#include "fx/interp/graph_guards.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/support/pluralize.h"
#include "fx/passes/shape/generalize/generalize_sizes.h"
#include "fx/passes/shape/generalize/generalizer_internal.h"

#include "absl/status/status.h"
#include "fmt/format.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// The nodes of the first graph, by the ids of their counterparts.
using Counterparts = std::vector<Node*>;

/// Returns the error for nodes with different operators. Names the loop if one of the graphs has
/// more iterations of a loop.
absl::Status different_call(const Node& node, const Node& other, const SymBindings& sizes,
                            const SymBindings& other_sizes) {
  const std::optional<SizeLoop> loop = loop_at(node, other);
  if (!loop)
    return different_structure(node, fmt::format("is {}", describe(other)), sizes, other_sizes);
  const std::string_view module = loop->first->meta().get(meta::kModule).value_or("");
  const std::string calls =
      loop->length == 1 ? fmt::format("is {}", describe(*loop->first))
                        : fmt::format("has {}, from {} to {}", pluralize(loop->length, "call"),
                                      describe(*loop->first), describe(*loop->last));
  return absl::InvalidArgumentError(fmt::format(
      "the structure of the program depends on a size: a loop{} has {} iterations with {}, and {} "
      "with {}; an iteration {}; call operators on whole tensors instead, or specify the size as a "
      "number and capture a graph for each number",
      module.empty() ? "" : fmt::format(" in module {}", module), loop->iterations,
      sizes_text(sizes), loop->other_iterations, sizes_text(other_sizes), calls));
}

absl::Status check_same_call(const Node& node, const Node& other, const SymBindings& sizes,
                             const SymBindings& other_sizes) {
  if (node.op() != other.op() || node.target_symbol() != other.target_symbol())
    return different_call(node, other, sizes, other_sizes);
  if (node.num_args() != other.num_args() || node.num_kwargs() != other.num_kwargs())
    return different_structure(node, "has different arguments", sizes, other_sizes);
  const Type a = node.type(), b = other.type();
  if (a.kind() == b.kind() && a.items().size() == b.items().size()) return absl::OkStatus();
  return different_structure(
      node, fmt::format("has the type {}, but {}", to_string(a), to_string(b)), sizes, other_sizes);
}

/// True if the arguments are equal after nodes of the additional graph are replaced with their
/// counterparts.
bool same(  // NOLINT(misc-no-recursion): as arguments nest
    const ArgumentRef& a, const ArgumentRef& b, const Counterparts& first) {
  if (a.kind() != b.kind()) return false;
  if (a.is_node()) return first[b.node()->id()] == a.node();
  if (!a.is_list() && !a.is_tuple()) return Argument(a) == Argument(b);
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i], first)) return false;
  return true;
}

void compare_arguments(const Node& node, const Node& other, size_t index, const Counterparts& first,
                       RecordedRun& run) {
  for (size_t i = 0; i < node.num_args() + node.num_kwargs(); ++i) {
    const ArgumentRef b = argument_at(other, i);
    if (same(argument_at(node, i), b, first)) continue;
    // A node without a counterpart is used before its definition. It stays, and fails later.
    Argument value = map_nodes(Argument(b), [&](Node* operand) {
      Node* const counterpart = first[operand->id()];
      return Argument(counterpart == nullptr ? operand : counterpart);
    });
    run.differences.push_back({index, i, std::move(value)});
  }
}

}  // namespace

absl::Status different_structure(const Node& node, std::string_view what, const SymBindings& sizes,
                                 const SymBindings& other_sizes) {
  const std::string_view module = node.meta().get(meta::kModule).value_or("");
  return absl::InvalidArgumentError(fmt::format(
      "the structure of the program depends on a size: {}{} of the run with {} {} with {}; if a "
      "loop or a branch of the program depends on the size, specify the size as a number",
      describe(node), module.empty() ? "" : fmt::format(" of module {}", module), sizes_text(sizes),
      what, sizes_text(other_sizes)));
}

RecordedRun compare_graphs(const Graph& first, const Graph& other, const SymBindings& sizes,
                           const SymBindings& other_sizes) {
  RecordedRun run;
  Counterparts counterparts(other.id_bound());
  const Symbol guard_key = first.context().symbol(kGuard.name);
  const Node* next = other.front();
  for (Node& node : first.nodes()) {
    const size_t index = run.types.size();
    // Numbers that differ between steps are inputs only of the first graph.
    if (is_number_input(&node) && !is_number_input(next)) {
      run.types.emplace_back();
      continue;
    }
    run.problem = next == nullptr
                      ? different_structure(node, "has no counterpart", sizes, other_sizes)
                      : check_same_call(node, *next, sizes, other_sizes);
    if (!run.problem.ok()) return run;
    counterparts[next->id()] = &node;
    run.types.push_back(next->type());
    compare_arguments(node, *next, index, counterparts, run);
    if (const Argument* guard = node.meta().find(guard_key)) {
      const Argument* other_guard = next->meta().find(guard_key);
      if (other_guard == nullptr || !(*other_guard == *guard)) run.changed_guards.push_back(index);
    }
    next = next->next();
  }
  return run;
}

}  // namespace fx
