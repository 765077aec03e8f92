// reduce_to: see subgraph.h.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/partition/outline_internal.h"
#include "fx/passes/partition/subgraph.h"
#include "fx/passes/partition/value_storages_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fx {
namespace {

bool is_external(const Node& node) {
  return node.is_placeholder() || node.op() == Opcode::kGetAttr;
}

/// The steps of reduce_to.
class Reduction {
 public:
  explicit Reduction(Graph& graph) : graph_(graph), marks_(graph) {}

  absl::Status start(absl::Span<Node* const> inputs, absl::Span<Node* const> outputs) {
    for (const Node* input : inputs) set(*input, kCut);
    for (Node* output : outputs) {
      if (has(*output, kCut)) {
        return absl::InvalidArgumentError(fmt::format(
            "%{} must not be both an input and an output of the subgraph", output->name()));
      }
      set(*output, kNeeded);
    }
    return absl::OkStatus();
  }

  /// Finds the nodes that the outputs need, back to the inputs, in one backward pass. Revisits
  /// operands that come after their users. Fails if a removed call may write to values that
  /// are kept.
  absl::Status find_needed() {
    const Node* writer = nullptr;   // the earliest removed writer visited so far, in program order
    const Node* missing = nullptr;  // the first removed writer after a node that is kept
    // The values that removed calls may write to, each with the call.
    absl::flat_hash_map<const Node*, const Node*> written;
    for (Node& node : graph_.nodes().reversed()) {
      set(node, kPassed);
      if (node.is_output()) continue;
      const auto writes = written.find(&node);
      if (writes != written.end() && has(node, kNeeded) && is_external(node))
        missing = writes->second;
      if (is_inside(node)) {
        if (!is_external(node)) missing = writer;
        mark_inputs_needed(node);
        continue;
      }
      if (!has(node, kNeeded)) removed_.push_back(&node);
      if (is_external(node)) continue;
      const Node* writer_of_value =
          writes != written.end() && !MemoryAnalysis::returns_only_new_memory(node) ? writes->second
                                                                                    : nullptr;
      if (effects(node).has(ops::Effect::kWritesArguments)) writer_of_value = writer = &node;
      if (writer_of_value != nullptr)
        node.for_each_input([&](const Node* input) { written[input] = writer_of_value; });
    }
    if (missing == nullptr) missing = writer_through_shared_inputs(written);
    if (missing == nullptr) return absl::OkStatus();
    return absl::FailedPreconditionError(fmt::format(
        "%{} may write to tensors of the subgraph but is not part of it; functionalize the graph "
        "first",
        missing->name()));
  }

  bool is_inside(const Node& node) const { return has(node, kNeeded) && !has(node, kCut); }

  /// Makes the inputs the first placeholders, in order.
  absl::Status make_placeholders(absl::Span<Node* const> inputs) {
    Node* previous = nullptr;
    for (Node* input : inputs) {
      const bool is_placed =
          previous == nullptr ? input == graph_.front() : input->prev() == previous;
      changed_ = changed_ || !is_placed || !input->is_placeholder();
      if (!input->is_placeholder()) {
        const std::string name = input->name();
        FX_RETURN_IF_ERROR(input->set_args({}));
        FX_RETURN_IF_ERROR(input->set_kwargs({}));
        input->set_op_and_target(Opcode::kPlaceholder, name);
      }
      set(*input, kNeeded);
      FX_RETURN_IF_ERROR(previous == nullptr ? input->move_before(*graph_.front())
                                             : input->move_after(*previous));
      previous = input;
    }
    return absl::OkStatus();
  }

  absl::Status erase_unneeded() {
    for (Node* node : removed_) {
      if (has(*node, kNeeded)) continue;
      FX_RETURN_IF_ERROR(graph_.erase_node(node));
      changed_ = true;
    }
    return absl::OkStatus();
  }
  /// True if these steps changed the graph.
  bool changed() const { return changed_; }

 private:
  enum : char { kNeeded = 1, kCut = 2, kPassed = 4 };
  bool has(const Node& node, char mark) const { return (marks_[node] & mark) != 0; }
  void set(const Node& node, char mark) { marks_[node] = static_cast<char>(marks_[node] | mark); }

  /// Returns a call in `written` that writes to an input that shares its memory with an input of
  /// the subgraph (meta::kSharedMemory); null if there is none.
  const Node* writer_through_shared_inputs(
      const absl::flat_hash_map<const Node*, const Node*>& written) const {
    absl::flat_hash_map<int64_t, const Node*> writers;  // keyed by shared-memory number
    for (const Node& node : graph_.nodes()) {
      const auto found = node.is_placeholder() ? written.find(&node) : written.end();
      if (found == written.end()) continue;
      if (const std::optional<int64_t> number = node.meta().get(meta::kSharedMemory))
        writers.emplace(*number, found->second);
    }
    if (writers.empty()) return nullptr;
    for (const Node& node : graph_.nodes()) {
      if (!node.is_placeholder() || !has(node, kNeeded)) continue;
      const std::optional<int64_t> number = node.meta().get(meta::kSharedMemory);
      if (!number) continue;
      if (const auto found = writers.find(*number); found != writers.end()) return found->second;
    }
    return nullptr;
  }

  void mark_inputs_needed(const Node& node) {
    visit(node);
    while (!worklist_.empty()) {
      const Node* late = worklist_.back();
      worklist_.pop_back();
      visit(*late);
    }
  }
  void visit(const Node& node) {
    node.for_each_input([&](Node* input) {
      if (has(*input, kNeeded)) return;
      set(*input, kNeeded);
      if (has(*input, kPassed) && !has(*input, kCut)) worklist_.push_back(input);
    });
  }

  Graph& graph_;
  NodeMap<char> marks_;
  std::vector<Node*> worklist_, removed_;
  bool changed_ = false;
};

/// Returns the numbers of the memory that inputs share with others.
std::vector<std::optional<int64_t>> shared_numbers(absl::Span<Node* const> inputs) {
  std::vector<std::optional<int64_t>> numbers;
  numbers.reserve(inputs.size());
  for (const Node* input : inputs) numbers.push_back(input->meta().get(meta::kSharedMemory));
  return numbers;
}

}  // namespace

absl::StatusOr<bool> reduce_to(Graph& graph, absl::Span<Node* const> inputs,
                               absl::Span<Node* const> outputs) {
  if (outputs.empty()) return absl::InvalidArgumentError("the list of outputs must not be empty");
  Reduction reduction(graph);
  FX_RETURN_IF_ERROR(reduction.start(inputs, outputs));
  FX_RETURN_IF_ERROR(reduction.find_needed());
  const absl::flat_hash_set<const Node*> returned(outputs.begin(), outputs.end());
  const auto in_part = [&](const Node& node) { return reduction.is_inside(node); };
  FX_RETURN_IF_ERROR(internal::check_dtype_modes(graph, in_part));
  FX_RETURN_IF_ERROR(internal::check_random_calls(
      graph, in_part, [&](const Node& node) { return returned.contains(&node); }));
  const std::vector<Argument> results(outputs.begin(), outputs.end());
  const Argument result = results.size() == 1 ? results[0] : Argument::list(results);
  bool changed = true;
  if (Node* output = graph.output_node()) {
    changed = output->num_args() != 1 || !(output->arg(0) == result);
    if (changed) FX_RETURN_IF_ERROR(output->update_arg(0, result));
  } else {
    graph.set_insert_point_after(nullptr);
    graph.output(result);
  }
  internal::ValueStorages storages(graph);
  storages.read();
  const std::vector<std::optional<int64_t>> numbers = shared_numbers(inputs);
  FX_RETURN_IF_ERROR(reduction.make_placeholders(inputs));
  FX_RETURN_IF_ERROR(reduction.erase_unneeded());
  absl::flat_hash_map<const Node*, Node*> placeholders;
  for (Node* input : inputs) placeholders.emplace(input, input);
  storages.mark(inputs, graph, [&](const Node& value) { return placeholders.at(&value); });
  return changed || reduction.changed() || shared_numbers(inputs) != numbers;
}

absl::StatusOr<bool> reduce_to(Graph& graph, const std::function<bool(const Node&)>& only) {
  NodeSet selected(graph), used(graph);
  for (const Node& node : graph.nodes()) {
    if (!node.is_call() || !only(node)) continue;
    selected.insert(node);
    node.for_each_input([&](const Node* input) { used.insert(*input); });
  }
  std::vector<Node*> inputs, outputs;
  for (Node& node : graph.nodes()) {
    if (!selected.contains(node)) {
      if (used.contains(node) && node.op() != Opcode::kGetAttr) inputs.push_back(&node);
      continue;
    }
    const auto is_outside = [&](const Node* user) { return !selected.contains(*user); };
    if (std::ranges::any_of(node.users(), is_outside)) outputs.push_back(&node);
  }
  if (outputs.empty())
    return absl::InvalidArgumentError("no value of the selected calls is used outside of them");
  return reduce_to(graph, inputs, outputs);
}

}  // namespace fx
