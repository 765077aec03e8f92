// Checks that a part's random numbers are not used outside it: check_random_calls.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/partition/outline_internal.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace fx {

using ops::Effect;
using ops::Effects;

namespace {

/// The tensors that random calls of a part wrote to (`bernoulli_`, out=), in program order.
class RandomWrites {
 public:
  explicit RandomWrites(const Graph& graph) : graph_(graph) {}

  void add(const Node& call, absl::FunctionRef<bool(const Node&)> in_part) {
    if (!memory_)
      memory_.emplace(graph_, MemoryOptions{.distinct_inputs = true, .distinct_attributes = true});
    call.for_each_input([&](const Node* operand) {
      if (in_part(*operand) && memory_->is_written_between(*operand, *call.prev(), *call.next()))
        writes_.push_back({operand, &call});
    });
  }

  struct Write {
    const Node* tensor;
    const Node* call;
  };
  /// Returns the first write to memory that the value may share; null if there is none.
  const Write* to(const Node& value) const {
    const auto found = std::ranges::find_if(
        writes_, [&](const Write& write) { return memory_->may_share(value, *write.tensor); });
    return found == writes_.end() ? nullptr : &*found;
  }

 private:
  const Graph& graph_;
  std::optional<MemoryAnalysis> memory_;
  std::vector<Write> writes_;
};

}  // namespace

absl::Status internal::check_random_calls(const Graph& graph,
                                          absl::FunctionRef<bool(const Node&)> in_part,
                                          absl::FunctionRef<bool(const Node&)> is_output) {
  const auto used_outside = [](const Node& source, const Node& user, const Node& value) {
    return absl::FailedPreconditionError(fmt::format(
        "%{} draws random numbers, but %{}, outside the subgraph, uses %{}; make %{} an input or "
        "an output of the subgraph",
        source.name(), user.name(), value.name(), value.name()));
  };
  NodeMap<const Node*> random_source(graph, nullptr);
  RandomWrites writes(graph);
  for (const Node& node : graph.nodes()) {
    const bool is_inside = node.is_call() && in_part(node);
    const Node* source = nullptr;
    const Node* outside = nullptr;  // an operand with random numbers that is not an output
    node.for_each_input([&](const Node* input) {
      const auto* const write = writes.to(*input);
      if (write == nullptr) return;
      if (source == nullptr) source = write->call;
      if (outside == nullptr && !is_output(*input) && !is_output(*write->tensor)) outside = input;
    });
    if (!is_inside) {
      if (outside != nullptr) return used_outside(*source, node, *outside);
      continue;
    }
    const Effects what = effects(node);
    if (what.has(Effect::kRandom)) source = &node;
    node.for_each_input([&](const Node* input) {
      if (source == nullptr) source = random_source[*input];
    });
    random_source[node] = source;
    if (what.has(Effect::kRandom) && what.has(Effect::kWritesArguments)) writes.add(node, in_part);
    if (source == nullptr || is_output(node)) continue;
    for (const Use use : node.uses()) {
      if (!in_part(*use.user())) return used_outside(*source, *use.user(), node);
    }
  }
  return absl::OkStatus();
}

}  // namespace fx
