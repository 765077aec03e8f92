// Calls of nested graphs in MemoryAnalysis: see memory.h.
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/graph.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/memory.h"

#include "absl/container/inlined_vector.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// What the results of a call of nested graphs may share, over all graphs that it runs.
struct NestedSharing {
  std::vector<bool> inputs;  ///< for each input of the graphs: its memory
  bool outside = false;      ///< memory from outside, such as an attribute
  bool is_unknown = false;  ///< a graph is not available, or a function in it may keep its operands
};

void add_sharing(const Graph& graph, NestedSharing& sharing) {
  const MemoryAnalysis memory(graph, {.distinct_inputs = true});
  std::vector<bool> is_returned(memory.num_classes());
  if (const Node* const output = graph.output_node()) {
    output->for_each_input([&](const Node* result) {
      sharing.outside |= memory.may_be_external(*result);
      memory.for_each_class(*result, [&](uint32_t number) { is_returned[number] = true; });
    });
  }
  size_t next = 0;
  for (const Node& input : graph.nodes()) {
    if (!input.is_placeholder()) continue;
    sharing.is_unknown |= memory.may_be_external(input);
    if (sharing.inputs.size() <= next) sharing.inputs.resize(next + 1);
    memory.for_each_class(input, [&](uint32_t number) {
      if (is_returned[number]) sharing.inputs[next] = true;
    });
    ++next;
  }
}

NestedSharing sharing_of_nested(const Node& node) {
  const absl::InlinedVector<const Graph*, 2> graphs =
      graphs_of_call(node, node.graph().owning_module());
  NestedSharing sharing{.inputs = {}, .is_unknown = graphs.empty()};
  for (const Graph* graph : graphs) {
    sharing.is_unknown |= graph == nullptr;
    if (graph != nullptr) add_sharing(*graph, sharing);
  }
  return sharing;
}

/// The positional arguments of an operator whose items are the inputs of its graphs, in order.
struct OperandLists {
  std::string_view op;
  std::array<size_t, 3> arguments;  ///< 0: none
};
constexpr OperandLists kOperandLists[] = {
    {"higher_order.cond", {3, 0, 0}},
    {"higher_order.while_loop", {2, 3, 0}},
    {"higher_order.scan", {1, 2, 3}},
    {"higher_order.map_impl", {1, 2, 0}},
};

/// Returns the operands in the order of the graphs' inputs, null for numbers; nullopt if unknown.
std::optional<std::vector<const Node*>> operands_of_graphs(const Node& call) {
  if (call.num_kwargs() > 0) return std::nullopt;
  std::vector<const Node*> operands;
  const auto add = [&](ArgumentRef value) {
    operands.push_back(value.node());
    return !is_aggregate(value.kind());  // lists of values are not supported
  };
  const auto* const row = std::ranges::find(kOperandLists, call.target(), &OperandLists::op);
  if (row != std::end(kOperandLists)) {
    for (const size_t i : row->arguments) {
      if (i == 0 || i >= call.num_args()) continue;
      const ArgumentRef list = call.arg(i);
      if (!list.is_list() && !list.is_tuple()) return std::nullopt;
      for (size_t k = 0; k < list.size(); ++k)
        if (!add(list[k])) return std::nullopt;
    }
    return operands;
  }
  const auto found = graph_call(call);
  if (!found.ok() || !*found) return std::nullopt;
  for (size_t i = (*found)->first_operand; i < call.num_args(); ++i)
    if (!add(call.arg(i))) return std::nullopt;
  return operands;
}

}  // namespace

void MemoryAnalysis::visit_graph_call(const Node& node, ops::Effects what) {
  if (what == ops::Effects::all()) return visit_unknown(node, /*from_outside=*/true);
  const NestedSharing sharing = sharing_of_nested(node);
  if (sharing.is_unknown) return visit_unknown(node, /*from_outside=*/true);
  const bool shares_any = std::ranges::find(sharing.inputs, true) != sharing.inputs.end();
  const auto operands = operands_of_graphs(node);
  const bool is_known = operands && operands->size() == sharing.inputs.size();
  const Slots slots = slots_of(node);
  for (uint32_t i = 0; i < slots.count && slots.first != kNone; ++i) {
    const uint32_t slot = slots.first + i;
    if (sharing.outside) facts_[find(slot)].outside = true;
    if (shares_any && !is_known) join_inputs(node, slot);
    for (size_t k = 0; is_known && k < operands->size(); ++k)
      if (sharing.inputs[k] && (*operands)[k] != nullptr) join_all(slot, *(*operands)[k]);
  }
}

}  // namespace fx
