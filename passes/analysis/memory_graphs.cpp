// Calls to nested graphs and items of lists in MemoryAnalysis: see memory.h.
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/memory.h"

#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The memory that the results of a graph may share. For a call to nested graphs, the union over
/// the graphs that it may run.
struct NestedSharing {
  struct Result {
    bool outside = false;                        ///< external memory, such as an attribute
    absl::flat_hash_set<uint32_t> inputs = {};   ///< the memory of these inputs of the graphs
    absl::flat_hash_set<uint32_t> results = {};  ///< the memory of these earlier results
    void add(const Result& other) {
      outside |= other.outside;
      inputs.insert(other.inputs.begin(), other.inputs.end());
      results.insert(other.results.begin(), other.results.end());
    }
  };
  std::vector<Result> results = {};
  /// Inputs that share memory afterward: a graph may run `x.data = y`.
  std::vector<std::pair<uint32_t, uint32_t>> joined_inputs = {};
  size_t num_inputs = 0;
  bool is_unknown = false;  ///< a graph is not available, or a function in it may keep its operands

  void add(const NestedSharing& other, bool with_results) {
    if (with_results) {
      if (results.size() < other.results.size()) results.resize(other.results.size());
      for (size_t i = 0; i < other.results.size(); ++i) results[i].add(other.results[i]);
    }
    num_inputs = std::max(num_inputs, other.num_inputs);
    is_unknown |= other.is_unknown;
    joined_inputs.insert(joined_inputs.end(), other.joined_inputs.begin(),
                         other.joined_inputs.end());
  }
  /// Changes the sharing of the results of one step of a loop to that of the results of the loop,
  /// after any number of steps. The leading results of a step become the leading inputs of the next
  /// one. A loop without steps returns clones of its operands.
  void repeat(size_t num_carried) {
    num_carried = std::min(num_carried, results.size());
    for (uint32_t k = 0; k < num_carried; ++k)  // transitive closure, by Warshall's algorithm
      for (Result& result : results)
        if (&result != &results[k] && result.inputs.contains(k)) {
          result.outside |= results[k].outside;
          result.inputs.insert(results[k].inputs.begin(), results[k].inputs.end());
        }
    // Results that share memory may become inputs of a step that returns each as another result.
    std::vector<std::vector<uint32_t>> users(num_carried);  // the results that may be each input
    for (uint32_t i = 0; i < results.size(); ++i)
      for (const uint32_t k : results[i].inputs)
        if (k < num_carried) users[k].push_back(i);
    std::vector<std::pair<uint32_t, uint32_t>> joined;
    for (uint32_t k = 0; k < num_carried; ++k) {
      for (const uint32_t i : users[k]) joined.emplace_back(i, users[k][0]);
      for (const uint32_t earlier : results[k].results)
        if (earlier < num_carried && !users[k].empty() && !users[earlier].empty())
          joined.emplace_back(users[k][0], users[earlier][0]);
    }
    for (const auto& [first, second] : joined)
      if (first != second) results[std::max(first, second)].results.insert(std::min(first, second));
  }
  /// Returns the union over all results.
  Result all() const {
    Result all;
    for (const Result& each : results) all.add(each);
    all.results.clear();
    return all;
  }
};

/// Calls `f` with each node in an argument.
template <class F>
void for_each_value(ArgumentRef value, F&& f) {  // NOLINT(misc-no-recursion): lists nest
  if (const Node* const node = value.node()) return f(*node);
  if (!is_aggregate(value.kind())) return;
  for (size_t i = 0; i < value.size(); ++i) for_each_value(value[i], f);
}

NestedSharing sharing_of(const Graph& graph) {
  const MemoryAnalysis memory(graph, {.distinct_inputs = true});
  NestedSharing sharing;
  std::vector<std::vector<uint32_t>> inputs(memory.num_classes());  // the inputs in each class
  uint32_t next = 0;
  for (const Node& input : graph.nodes()) {
    if (!input.is_placeholder()) continue;
    sharing.is_unknown |= memory.may_be_external(input);
    memory.for_each_class(input, [&](uint32_t number) {
      if (!inputs[number].empty()) sharing.joined_inputs.emplace_back(inputs[number][0], next);
      inputs[number].push_back(next);
    });
    ++next;
  }
  sharing.num_inputs = next;
  const Node* const output = graph.output_node();
  if (output == nullptr || output->num_args() == 0) return sharing;
  const ArgumentRef list = output->arg(0);
  const bool is_list = list.is_list() || list.is_tuple();
  const size_t count = is_list ? list.size() : 1;
  sharing.results.resize(count);
  constexpr uint32_t kNoResult = UINT32_MAX;
  std::vector<uint32_t> first(memory.num_classes(), kNoResult);  // the first result in each class
  for (uint32_t i = 0; i < count; ++i) {
    NestedSharing::Result& result = sharing.results[i];
    for_each_value(is_list ? list[i] : list, [&](const Node& value) {
      result.outside |= memory.may_be_external(value);
      memory.for_each_class(value, [&](uint32_t number) {
        result.inputs.insert(inputs[number].begin(), inputs[number].end());
        if (first[number] == kNoResult) first[number] = i;
        if (first[number] != i) result.results.insert(first[number]);
      });
    });
  }
  return sharing;
}

/// The results of the graphs that a call runs, at any depth. Each graph is analyzed once.
using SharingOfGraphs = absl::flat_hash_map<const Graph*, NestedSharing>;

/// Returns the memory that the results of a call to nested graphs may share.
NestedSharing sharing_of_call(const Node& call) {
  // The analysis of a nested graph analyzes the graphs that it runs, so all calls use one cache.
  static thread_local SharingOfGraphs* cache = nullptr;
  SharingOfGraphs new_cache;
  const bool is_outermost = cache == nullptr;
  if (is_outermost) cache = &new_cache;
  const absl::Cleanup reset = [&] {
    if (is_outermost) cache = nullptr;
  };
  const absl::InlinedVector<const Graph*, 2> graphs =
      graphs_of_call(call, call.graph().owning_module());
  const absl::InlinedVector<const Graph*, 2> returning = result_graphs(call);
  NestedSharing sharing{.is_unknown = graphs.empty()};
  for (const Graph* graph : graphs) {
    sharing.is_unknown |= graph == nullptr;
    if (graph == nullptr) continue;
    if (!cache->contains(graph)) {
      NestedSharing of_graph = sharing_of(*graph);  // adds the graphs that it runs
      cache->emplace(graph, std::move(of_graph));
    }
    sharing.add(cache->at(graph), std::ranges::find(returning, graph) != returning.end());
  }
  // The results of a scan have one class, for which further steps change nothing.
  if (call.target() == "higher_order.while_loop")
    sharing.repeat(num_carried_values(call).value_or(sharing.results.size()));
  return sharing;
}

/// True if the call itself may change the sizes, strides or storage of a tensor. Appends the
/// graphs that it runs.
bool changes_itself(const Node& call, std::vector<const Graph*>& runs) {
  if (!call.is_call()) return false;
  const auto writes = [&] { return effects(call).has(ops::Effect::kWritesArguments); };
  const ops::OpInfo* const op = call.op() == Opcode::kCallModule ? nullptr : called_operator(call);
  if (op == nullptr) return writes();
  if (op->has(ops::OpTrait::kSubgraphs)) {
    const auto graphs = graphs_of_call(call, call.graph().owning_module());
    if (graphs.empty() || std::ranges::find(graphs, nullptr) != graphs.end()) return writes();
    runs.insert(runs.end(), graphs.begin(), graphs.end());
    return false;
  }
  // out= resizes a tensor that does not have the sizes of the result.
  return writes() && (op->has(ops::OpTrait::kWritesMetadata) ||
                      std::ranges::any_of(op->schema().arguments(), &ops::SchemaArgument::is_out));
}

/// True if a call in one of the graphs, or in a graph that they run, may change the sizes, strides
/// or storage of a tensor. Visits each graph once.
bool any_changes(std::vector<const Graph*>& todo) {
  absl::flat_hash_set<const Graph*> seen;
  while (!todo.empty()) {
    const Graph& graph = *todo.back();
    todo.pop_back();
    if (!seen.insert(&graph).second) continue;
    for (const Node& node : graph.nodes())
      if (changes_itself(node, todo)) return true;
  }
  return false;
}

}  // namespace

bool changes_metadata(const Node& call) {
  std::vector<const Graph*> todo;
  return changes_itself(call, todo) || any_changes(todo);
}

bool changes_metadata(const Graph& graph) {
  std::vector<const Graph*> todo = {&graph};
  return any_changes(todo);
}

bool distinguishes_aliases(const Graph& graph) {
  const auto writes_to_one_of_several = [](const Node& node) {
    if (!node.is_call() || !effects(node).has(ops::Effect::kWritesArguments)) return false;
    const Node* first = nullptr;
    bool several = false;
    node.for_each_input([&](const Node* input) {
      several = several || (first != nullptr && first != input);
      first = input;
    });
    return several;
  };
  for (const Graph& g : all_graphs(graph))
    for (const Node& node : g.nodes())
      if (writes_to_one_of_several(node)) return true;
  return changes_metadata(graph);
}

std::vector<std::vector<uint32_t>> inputs_of_results(const Graph& graph) {
  const NestedSharing sharing = sharing_of(graph);
  std::vector<std::vector<uint32_t>> inputs(sharing.results.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (sharing.is_unknown) {
      inputs[i].resize(sharing.num_inputs);
      std::iota(inputs[i].begin(), inputs[i].end(), 0);
    } else {
      inputs[i].assign(sharing.results[i].inputs.begin(), sharing.results[i].inputs.end());
      std::ranges::sort(inputs[i]);
    }
  }
  return inputs;
}

std::vector<bool> shared_results(const Graph& graph) {
  const NestedSharing sharing = sharing_of(graph);
  std::vector<bool> shared(sharing.results.size(), sharing.is_unknown);
  for (size_t i = 0; i < shared.size(); ++i) {
    const NestedSharing::Result& result = sharing.results[i];
    if (result.outside || !result.inputs.empty()) shared[i] = true;
    for (const uint32_t earlier : result.results) shared[i] = shared[earlier] = true;
  }
  return shared;
}

void MemoryAnalysis::visit_graph_call(const Node& node, ops::Effects what) {
  if (what == ops::Effects::all()) return visit_unknown(node, /*from_outside=*/true);
  const NestedSharing sharing = sharing_of_call(node);
  if (sharing.is_unknown) return visit_unknown(node, /*from_outside=*/true);
  const auto operands = operands_of_graphs(node);
  const bool is_known = operands && operands->size() == sharing.num_inputs;
  if (!is_known && !sharing.joined_inputs.empty()) join_operands(node);
  for (const auto& [first, second] : sharing.joined_inputs) {
    if (!is_known || (*operands)[first] == nullptr || (*operands)[second] == nullptr) continue;
    const Slots slots = slots_of(*(*operands)[first]);
    for (uint32_t i = 0; i < slots.count; ++i) join_all(slots.first + i, *(*operands)[second]);
  }
  const Slots slots = slots_of(node);
  const bool is_one_by_one = slots.count > 1 && slots.count == sharing.results.size();
  const NestedSharing::Result all = is_one_by_one ? NestedSharing::Result() : sharing.all();
  for (uint32_t i = 0; i < slots.count && slots.first != kNone; ++i) {
    const uint32_t slot = slots.first + i;
    const NestedSharing::Result& result = is_one_by_one ? sharing.results[i] : all;
    if (result.outside) facts_[find(slot)].outside = true;
    for (const uint32_t k : result.results) join(slot, slots.first + k);
    if (!result.inputs.empty() && !is_known) join_inputs(node, slot);
    for (const uint32_t k : result.inputs)
      if (is_known && (*operands)[k] != nullptr) join_all(slot, *(*operands)[k]);
  }
}

// ---------------------------------------------------------------- attributes

/// Returns the slot of the attributes that share memory with the one at `path`: `slot` if none was
/// visited.
uint32_t MemoryAnalysis::slot_of_attribute(std::string_view path, uint32_t slot) {
  if (!shared_attributes_) shared_attributes_.emplace(graph_.owning_module());
  const std::optional<size_t> group = shared_attributes_->group_of(path);
  const std::string first(group ? shared_attributes_->paths(*group)[0] : path);
  return attributes_.try_emplace(first, slot).first->second;
}

/// Adds the attributes to which a call that writes to state may write.
void MemoryAnalysis::note_attribute_writes(Write& write) {
  const Node& call = *write.call;
  if (call.op() != Opcode::kCallModule) {
    // A layer in a nested graph may write to any attribute.
    write.everything = called_operator(call)->has(ops::OpTrait::kSubgraphs);
    return;
  }
  for_each_written_member(call, [&](const std::string& path) {
    const auto slot = static_cast<uint32_t>(classes_.size());
    write.members.push_back(slot_of_attribute(path, slot));
    if (write.members.back() != slot) return;
    roots_.push_back(classes_.add());
    facts_.emplace_back();
  });
}

// ---------------------------------------------------------------- items of lists

/// Returns the slots of the items of a slice of a list whose items have separate slots; nullopt for
/// other nodes, and if the indices of the items are unknown.
std::optional<std::vector<uint32_t>> MemoryAnalysis::slots_of_slice(const Node& node,
                                                                    const ops::OpInfo* op) const {
  if (op == nullptr || !op->is_function() || op->name() != "operator.getitem" ||
      node.op() != Opcode::kCallFunction || node.num_args() != 2 ||
      node.arg(1).kind() != ArgumentKind::kSlice || node.arg(0).node() == nullptr)
    return std::nullopt;
  const Slots slots = slots_of(*node.arg(0).node());
  if (slots.count < 2 || slots.first == kNone) return std::nullopt;
  const auto indices = sliced_indices(Argument(node.arg(1)), slots.count);
  if (!indices) return std::nullopt;
  std::vector<uint32_t> items;
  for (const int64_t index : *indices) items.push_back(slots.first + static_cast<uint32_t>(index));
  return items;
}

void MemoryAnalysis::visit_getitem(const Node& node) {
  const uint32_t slot = slots_of(node).first;
  if (slot == kNone) return;
  const Node* source = node.num_args() == 2 ? node.arg(0).node() : nullptr;
  if (source == nullptr) return join_inputs(node, slot);
  const Slots slots = slots_of(*source);
  const std::optional<int64_t> index = constant_item(node);
  if (slots.count > 1 && index) {
    const int64_t item = *index < 0 ? *index + slots.count : *index;
    if (item < 0 || item >= slots.count) return;
    roots_[slot] = root_of(slots.first + static_cast<uint32_t>(item));
    return join(slot, slots.first + static_cast<uint32_t>(item));
  }
  // Items of a list of views share one storage. A list of separate tensors has one class, although
  // its items do not share memory.
  if (slots.count == 1 && roots_[slots.first] != slots.first && index &&
      !source->type().is_tensor())
    roots_[slot] = root_of(slots.first);
  if (const auto items = slots_of_slice(node, node.function().op())) {
    for (size_t i = 0; i < items->size(); ++i) {
      roots_[slot + i] = root_of((*items)[i]);
      join(slot + static_cast<uint32_t>(i), (*items)[i]);
    }
    return;
  }
  join_all(slot, *source);
}

}  // namespace fx
