// The order of effects, as edges beside those of operands: which node must stay before which though
// it does not read it.
#pragma once

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/graph.h"

#include <utility>
#include <vector>

namespace fx::internal {

/// Finds them in a walk over the nodes in program order, in time linear in them. A call that writes
/// to memory, or is unknown, stays behind everything before it and ahead of everything after it;
/// calls that draw random numbers, touch other state or check stay in order among themselves.
/// Placeholders and get_attr are free; an output is no part.
class OrderOfEffects {
 public:
  /// Calls `f` with each node that this one must stay behind, but for what follows from others.
  template <class F>
  void visit(Node& node, F&& f) {
    if (node.is_call()) visit(node, effects(node), f);
  }
  /// The same of a call whose effects are known.
  template <class F>
  void visit(Node& node, ops::Effects what, F&& f) {
    using ops::Effect;
    if (what.has(Effect::kWritesArguments)) {
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
  Node* since_write_ = nullptr;  // the first call behind the last one that writes
  Node* last_write_ = nullptr;
  Node* last_ordered_ = nullptr;  // with an effect of any kind
};

/// All of them, as pairs (earlier, later), by the later one in program order.
std::vector<std::pair<Node*, Node*>> order_edges(const Graph& graph);

}  // namespace fx::internal
