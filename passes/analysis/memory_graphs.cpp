// Calls of nested graphs in MemoryAnalysis: see memory.h.
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/graph.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/memory.h"

#include "absl/container/inlined_vector.h"

#include <cstdint>
#include <vector>

namespace fx {
namespace {

/// What the results of a call of nested graphs may share, over all graphs that it runs.
struct NestedSharing {
  bool operands = false;    ///< memory of an operand
  bool outside = false;     ///< memory from outside, such as an attribute
  bool is_unknown = false;  ///< a graph is not available, or a function in it may keep its operands
};

void add_sharing(const Graph& graph, NestedSharing& sharing) {
  const MemoryAnalysis memory(graph, {.distinct_inputs = true});
  std::vector<bool> is_operand(memory.num_classes());
  for (const Node& input : graph.nodes()) {
    if (!input.is_placeholder()) continue;
    sharing.is_unknown |= memory.may_be_external(input);
    memory.for_each_class(input, [&](uint32_t number) { is_operand[number] = true; });
  }
  const Node* output = graph.output_node();
  if (output == nullptr) return;
  output->for_each_input([&](const Node* result) {
    sharing.outside |= memory.may_be_external(*result);
    memory.for_each_class(*result,
                          [&](uint32_t number) { sharing.operands |= is_operand[number]; });
  });
}

NestedSharing sharing_of_nested(const Node& node) {
  const absl::InlinedVector<const Graph*, 2> graphs =
      graphs_of_call(node, node.graph().owning_module());
  NestedSharing sharing{.is_unknown = graphs.empty()};
  for (const Graph* graph : graphs) {
    sharing.is_unknown |= graph == nullptr;
    if (graph != nullptr) add_sharing(*graph, sharing);
  }
  return sharing;
}

}  // namespace

void MemoryAnalysis::visit_graph_call(const Node& node, Effects what) {
  if (what == Effects::all()) return visit_unknown(node, /*from_outside=*/true);
  const NestedSharing sharing = sharing_of_nested(node);
  if (sharing.is_unknown) return visit_unknown(node, /*from_outside=*/true);
  const Slots slots = slots_of(node);
  for (uint32_t i = 0; i < slots.count && slots.first != kNone; ++i) {
    if (sharing.outside) facts_[find(slots.first + i)].outside = true;
    if (sharing.operands) join_inputs(node, slots.first + i);
  }
}

}  // namespace fx
