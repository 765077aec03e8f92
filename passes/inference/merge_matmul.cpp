// merge_matmul: see merge_matmul.h.
#include "fx/passes/inference/merge_matmul.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/analysis/storage_offsets.h"
#include "fx/passes/analysis/topological_sort.h"
#include "fx/passes/aten/type_by_lowering.h"

#include "absl/container/btree_map.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

namespace fx {
namespace {

class Merger {
 public:
  explicit Merger(Graph& graph)
      : graph_(graph),
        memory_(graph),
        retyped_(graph),
        mm_{graph.context().function("aten.mm.default"),
            graph.context().function("aten.matmul.default"),
            graph.context().function("torch.matmul")} {}

  absl::StatusOr<bool> run() {
    // The maximum number of products on a path to a node. Products at the same level do not depend
    // on each other, so merged products do not form a cycle.
    NodeMap<uint32_t> level(graph_, 0);
    // Products by level, right operand, dtype and kind of function, in program order.
    absl::btree_map<std::tuple<uint32_t, uint32_t, int, int>, std::vector<Node*>> groups;
    for (Node& node : graph_.nodes()) {
      if (node.is_call() && reads_storage_offset(node)) offset_reads_.push_back(&node);
      uint32_t node_level = 0;
      node.for_each_input([&](Node* input) { node_level = std::max(node_level, level[*input]); });
      if (is_product(node)) {
        const Type left = node.arg(0).node()->type();
        groups[{++node_level, node.arg(1).node()->id(), static_cast<int>(left.dtype()),
                static_cast<int>(node.function() == mm_[2])}]
            .push_back(&node);
      }
      level[node] = node_level;
    }
    bool changed = false;
    for (const auto& [key, group] : groups) {
      if (group.size() < 2) continue;
      FX_RETURN_IF_ERROR(merge(group));
      changed = true;
    }
    if (changed) {
      FX_RETURN_IF_ERROR(topological_sort(graph_));
      // A part of a product has an offset in its storage; views of the part receive new offsets.
      retype_users(graph_, retyped_, type_by_lowering);
    }
    return changed;
  }

 private:
  static bool is_matrix(const Node* node) {
    return node != nullptr && node->type().is_tensor() && node->type().has_rank() &&
           node->type().rank() == 2;
  }
  bool is_product(const Node& node) const {
    if (std::find(mm_.begin(), mm_.end(), node.function()) == mm_.end() ||
        node.op() != Opcode::kCallFunction || node.num_args() != 2 || node.num_kwargs() != 0) {
      return false;
    }
    const Node* left = node.arg(0).node();
    const Node* right = node.arg(1).node();
    return is_matrix(left) && is_matrix(right) && left->type().size(0).is_int() &&
           left->type().dtype() != DType::kUndefined &&
           left->type().dtype() == right->type().dtype() &&
           left->type().device() == right->type().device() && node.type().is_tensor();
  }

  absl::Status merge(const std::vector<Node*>& group) {
    Context& context = graph_.context();
    Node* const last = group.back();
    std::vector<Argument> left_operands, sizes;
    left_operands.reserve(group.size());
    sizes.reserve(group.size());
    for (Node* product : group) {
      left_operands.emplace_back(product->arg(0).node());
      sizes.emplace_back(product->arg(0).node()->type().size(0));
    }
    const bool is_torch = last->function() == mm_[2];
    const auto function = [&](const char* aten, const char* python) {
      return context.function(is_torch ? python : aten);
    };
    const InsertPointGuard guard = graph_.inserting_before(last);
    Node* const cat = graph_.call_function(function("aten.cat.default", "torch.cat"),
                                           {Argument::list(left_operands)});
    Node* const product = graph_.call_function(last->function(), {cat, last->arg(1).node()});
    Node* const split = graph_.call_function(
        function("aten.split_with_sizes.default", "torch.split"), {product, Argument::list(sizes)});
    for (Node* created : {cat, product, split}) {
      inherit_provenance(*created, *last);
      if (!is_torch) try_infer_type(*created);
    }
    for (size_t i = 0; i < group.size(); ++i) {
      Node* const part = graph_.call_function(context.function("operator.getitem"),
                                              {split, static_cast<int64_t>(i)});
      inherit_provenance(*part, *group[i]);
      try_infer_type(*part);
      // The part has the type of the product that it replaces, but at an unknown position.
      if (!part->type() && i == 0) part->set_type(group[i]->type());
      if (!part->type())
        part->set_type(without_strides_and_offset(context.types(), group[i]->type()));
      Node* result = part;
      if (memory_.is_returned(*group[i]) || is_offset_read(*group[i])) {
        // Results that were separate tensors must not become views of one tensor, and calls that
        // depend on the storage offset require the original offset.
        result = graph_.call_function(function("aten.clone.default", "torch.clone"), {part}, {},
                                      {.type = group[i]->type()});
        inherit_provenance(*result, *group[i]);
      }
      if (result->type() != group[i]->type()) retyped_.insert(*result);
      group[i]->replace_all_uses_with(result);
    }
    for (Node* old : group) FX_RETURN_IF_ERROR(graph_.erase_node(old));
    return absl::OkStatus();
  }

  bool is_offset_read(const Node& value) const {
    return std::ranges::any_of(offset_reads_, [&](const Node* call) {
      bool reads = false;
      call->for_each_input(
          [&](const Node* input) { reads = reads || memory_.may_share(*input, value); });
      return reads;
    });
  }

  Graph& graph_;
  MemoryAnalysis memory_;
  std::vector<const Node*> offset_reads_;
  NodeSet retyped_;  // values whose types differ from the types of the values that they replace
  std::array<Target, 3> mm_;
};

}  // namespace

absl::StatusOr<bool> merge_matmul(Graph& graph) {
  for (const Node& node : graph.nodes()) {
    if (!node.is_output() && !effects(node).is_movable()) return false;
  }
  return Merger(graph).run();
}

}  // namespace fx
