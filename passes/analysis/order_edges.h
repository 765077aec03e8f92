// The order of calls with effects, as edges in addition to the edges from operands to users. An
// edge is a pair of nodes that must keep their order although neither uses the other.
#pragma once

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/graph.h"

#include <utility>
#include <vector>

namespace fx::internal {

/// Finds the edges while the caller visits the nodes in program order, in linear time. A call that
/// writes to memory, changes the dtypes of later calls (dtype_mode_change), or is unknown, keeps its
/// position relative to all other calls. Calls that draw
/// random numbers, access other state or check conditions keep their relative order. Only calls
/// have edges.
class OrderOfEffects {
 public:
  /// Calls `f` with each node that must come before this one, except nodes whose order follows
  /// from other edges.
  template <class F>
  void visit(Node& node, F&& f) {
    if (node.is_call()) visit(node, effects(node), f);
  }
  /// Like visit() above, for a call with the effects `what`.
  template <class F>
  void visit(Node& node, ops::Effects what, F&& f) {
    using ops::Effect;
    const bool is_barrier = what.has(Effect::kWritesArguments) ||
                            (what.has(Effect::kWritesState) && dtype_mode_change(node) != 0);
    if (is_barrier) {
      if (since_write_ == nullptr && last_write_ != nullptr) f(*last_write_);
      for (; since_write_ != nullptr && since_write_ != &node; since_write_ = since_write_->next())
        if (since_write_->is_call()) f(*since_write_);
      since_write_ = nullptr;
      last_write_ = last_ordered_ = &node;
      return;
    }
    if (last_write_ != nullptr) f(*last_write_);
    if (!what.is_movable()) {
      if (last_ordered_ != nullptr && last_ordered_ != last_write_) f(*last_ordered_);
      last_ordered_ = &node;
    }
    if (since_write_ == nullptr) since_write_ = &node;
  }

 private:
  Node* since_write_ = nullptr;  // the first call after last_write_
  Node* last_write_ = nullptr;
  Node* last_ordered_ = nullptr;  // the last call that is not movable
};

/// Returns all edges as pairs (earlier, later), sorted by the later node in program order.
std::vector<std::pair<Node*, Node*>> order_edges(const Graph& graph);

}  // namespace fx::internal
