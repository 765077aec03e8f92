// Moves the backward pass of each kept call into a nested graph (CaptureOptions::keep_backward).
//
//   %t = aten.t(%w)                            %linear = aten.linear(%x, %w, %b)
//   %linear = aten.linear(%x, %w, %b)          ...
//   ...                                  --->  %linear_backward = higher_order.invoke_subgraph(
//   %t_1 = aten.t(%t)                              @linear_backward, "linear_backward", %w, %g, %x)
//   %mm = aten.mm(%g, %t_1)                    %getitem = operator.getitem(%linear_backward, 0)
//   ...
//
// Parts of the kept call that only its backward pass uses, such as %t, are also moved. The recorder
// has marked the calls with kKeptCall, because the autograd nodes that the parts created are known
// only during the recording.
#include "fx/importers/torch/capture/keep_internal.h"
#include "fx/interp/graph_guards.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/check.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/partition/subgraph.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// A kept call with the calls that its backward pass consists of, in program order.
struct KeptBackward {
  Node* call = nullptr;
  std::vector<Node*> parts;  // of the call, in the forward pass
  std::vector<Node*> calls;  // in the backward pass
  bool has_hooks = false;    // hooks may have made some of the calls
};

/// Reads and removes the marks. There is one entry for each run of the engine that differentiates a
/// kept call.
std::vector<KeptBackward> take_marked_calls(Graph& graph) {
  absl::flat_hash_map<int64_t, KeptBackward> forward;
  std::map<std::pair<int64_t, int64_t>, std::vector<Node*>> backward;  // by call and run
  for (Node& node : graph.nodes()) {
    const std::optional<int64_t> number = node.meta().get(kKeptCall);
    const std::optional<int64_t> run = node.meta().get(kEngineRun);
    node.meta().remove(kKeptCall);
    node.meta().remove(kEngineRun);
    if (!number) continue;
    if (run) {
      backward[{*number, *run}].push_back(&node);
      continue;
    }
    KeptBackward& kept = forward[*number];
    if (kept.call != nullptr) kept.parts.push_back(kept.call);
    kept.call = &node;  // it comes after its parts
  }
  std::vector<KeptBackward> all;
  for (auto& [number_and_run, calls] : backward) {
    const KeptBackward& kept = forward[number_and_run.first];
    if (kept.call == nullptr) continue;
    all.push_back(kept);
    all.back().has_hooks = number_and_run.second == -1;
    all.back().calls = std::move(calls);
  }
  return all;
}

/// Returns true if the call adds a gradient that the same autograd node has computed to one that
/// comes from elsewhere: autograd sums the gradients of a value that multiple calls use. `inside`
/// contains the calls of the backward pass.
bool sums_gradients(const Node& node, const absl::flat_hash_set<const Node*>& inside) {
  if (node.op() != Opcode::kCallFunction) return false;
  if (node.target() != "aten.add.Tensor" && node.target() != "aten.add_.Tensor") return false;
  const Node *a = node.arg(0).node(), *b = node.arg(1).node();
  if (a == nullptr || b == nullptr || inside.contains(a) == inside.contains(b)) return false;
  const Node& own = inside.contains(a) ? *a : *b;
  return own.meta().get(meta::kSeq) == node.meta().get(meta::kSeq);
}

void remove_sums(std::vector<Node*>& calls) {
  absl::flat_hash_set<const Node*> inside(calls.begin(), calls.end());
  std::erase_if(calls, [&](const Node* node) {
    return sums_gradients(*node, inside) &&
           inside.erase(node) > 0;  // the next sum may use this one
  });
}

/// Returns true if the part may run later, immediately before `position`.
bool can_move(const Node& part, const Node& position, const MemoryAnalysis& memory) {
  if (!(effects(part) - ops::Effect::kUninitialized).is_pure() || part.meta().has(kGuard))
    return false;
  const bool is_view = MemoryAnalysis::allocates_nothing(part);  // it reads no elements
  bool has_changed = false;
  part.for_each_input([&](const Node* operand) {
    has_changed = has_changed || memory.is_metadata_written(*operand) ||
                  (!is_view && memory.is_written_between(*operand, part, position));
  });
  return !has_changed;
}

/// Moves the parts that only the backward pass uses to its start, and adds them to its calls.
void move_parts(KeptBackward& kept, const MemoryAnalysis& memory) {
  absl::flat_hash_set<const Node*> inside(kept.calls.begin(), kept.calls.end());
  Node* const first = kept.calls.front();
  std::vector<Node*> moved;  // in reverse order
  for (Node* part : std::views::reverse(kept.parts)) {
    const bool is_inside = std::ranges::all_of(
        part->uses(), [&](const Use use) { return inside.contains(use.user()); });
    if (!is_inside || !can_move(*part, *first, memory)) continue;
    inside.insert(part);
    moved.push_back(part);
  }
  for (Node* part : std::views::reverse(moved)) FX_CHECK_OK(part->move_before(*first));
  kept.calls.insert(kept.calls.begin(), moved.rbegin(), moved.rend());
}

/// Returns the number of calls, without those that select an item of a result.
size_t count_operators(const std::vector<Node*>& calls, Target getitem) {
  return static_cast<size_t>(
      std::ranges::count_if(calls, [&](const Node* node) { return !node->is(getitem); }));
}

/// Returns "linear_backward" for a call to aten.linear.default.
std::string name_of_backward(const Node& call) {
  std::string_view name = call.target();
  name = name.substr(0, name.rfind('.'));
  return fmt::format("{}_backward", name.substr(name.rfind('.') + 1));
}

class Outliner {
 public:
  explicit Outliner(CapturedGraph& captured)
      : captured_(captured),
        graph_(*captured.graph),
        getitem_(graph_.context().function("operator.getitem")) {}

  void outline(const KeptBackward& kept);

 private:
  std::string unused_name(std::string base);
  void note_decomposed(const Node& call, std::string_view reason);

  CapturedGraph& captured_;
  Graph& graph_;
  Target getitem_;
  absl::flat_hash_map<std::string, size_t> num_names_;
};

/// Returns the name, with a number appended if a nested graph already has this name. Takes constant
/// time for each nested graph that this object has named.
std::string Outliner::unused_name(std::string base) {
  size_t& count = num_names_[base];
  std::string name = count == 0 ? base : fmt::format("{}_{}", base, count);
  while (graph_.find_subgraph(name) != nullptr) name = fmt::format("{}_{}", base, ++count);
  ++count;
  return name;
}

void Outliner::note_decomposed(const Node& call, std::string_view reason) {
  for (DecomposedOperator& entry : captured_.decomposed) {
    if (!entry.backward_only || entry.name != call.target() || entry.reason != reason) continue;
    ++entry.count;
    return;
  }
  captured_.decomposed.push_back({.name = std::string(call.target()),
                                  .reason = std::string(reason),
                                  .count = 1,
                                  .backward_only = true});
}

void Outliner::outline(const KeptBackward& kept) {
  if (count_operators(kept.calls, getitem_) < 2) return;
  if (kept.has_hooks) {
    note_decomposed(*kept.call, "it runs hooks of the program");
    return;
  }
  if (std::ranges::any_of(kept.calls, [](const Node* node) { return node->meta().has(kGuard); })) {
    note_decomposed(*kept.call, "the program depends on a number that one of them returned");
    return;
  }
  const absl::StatusOr<Node*> call = outline_nested(
      graph_, kept.calls, unused_name(name_of_backward(*kept.call)), {.move_users = true});
  if (!call.ok()) {
    note_decomposed(*kept.call, std::string(call.status().message()));
    return;
  }
  NodeMeta meta = (*call)->meta();
  meta.set(meta::kRegion, "bw");
  if (const auto seq = kept.call->meta().get(meta::kSeq)) meta.set(meta::kSeq, *seq);
  if (const auto module = kept.call->meta().get(meta::kModule)) meta.set(meta::kModule, *module);
}

}  // namespace

absl::Status check_keep_backward(absl::Span<const std::string> keep, bool keep_backward) {
  if (!keep_backward || !keep.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "keep_backward requires keep, the operators whose backward pass must be one call");
}

void keep_backward_calls(CapturedGraph& captured) {
  std::vector<KeptBackward> all = take_marked_calls(*captured.graph);
  if (all.empty()) return;
  for (KeptBackward& kept : all) remove_sums(kept.calls);
  std::erase_if(all, [](const KeptBackward& kept) { return kept.calls.empty(); });
  // Inputs that share memory are recorded in the graph.
  const MemoryAnalysis memory(*captured.graph, {.distinct_inputs = true});
  for (KeptBackward& kept : all)
    if (!kept.has_hooks) move_parts(kept, memory);
  Outliner outliner(captured);
  for (const KeptBackward& kept : all) outliner.outline(kept);
}

}  // namespace fx
