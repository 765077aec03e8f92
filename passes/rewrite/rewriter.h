// Rewriter: the interface through which a rule written in C++ changes a graph.
//
//   rules.add("mul_one", {mul}, [](fx::Node& node, fx::Rewriter& rw) -> absl::StatusOr<bool> {
//     fx::Argument x;
//     if (!fx::m::match(node, fx::m::call(node.function(), fx::m::any(x), fx::m::constant(1))))
//       return false;
//     return rw.replace(node, x);
//   });
//
// New nodes are inserted before the rule's node and have its provenance. The rewriter records the
// nodes that changed; rules are tried again at these nodes.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string_view>
#include <vector>

namespace fx {

class Rewriter {
 public:
  explicit Rewriter(Graph& graph) : graph_(graph) {}
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;

  Graph& graph() const { return graph_; }
  Context& context() const { return graph_.context(); }

  /// Starts a rewrite at this node: new nodes are inserted before it.
  void start(Node& root);

  // Create new nodes, like the functions of Graph.
  Node* call_function(Target function, absl::Span<const Argument> args = {},
                      absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  Node* call_method(std::string_view method, absl::Span<const Argument> args,
                    absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  Node* call_module(std::string_view path, absl::Span<const Argument> args = {},
                    absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  Node* get_attr(std::string_view path, NodeOptions options = {});

  /// Replaces the uses of the node with `value`, which receives the node's type if it has none.
  /// Then erases the node, and operands without other users and without effects. Returns true, for
  /// `return rw.replace(...)`. Returns InvalidArgument if `value` is the node or contains a node of
  /// a different graph.
  absl::StatusOr<bool> replace(Node& node, const Argument& value);
  /// Erases a node without users and, like replace(), operands without other users.
  /// Returns FailedPrecondition if the node has users.
  absl::Status erase(Node& node);
  /// Records that the rule changed the node's arguments, target or type.
  void changed(Node& node) { changed_nodes_.push_back({&node, node.id()}); }

  /// A node that is valid as long as it has this id.
  struct ChangedNode {
    Node* node;
    uint32_t id;
    bool is_live() const { return !node->is_erased() && node->id() == id; }
  };
  /// Returns the nodes that changed since start(): new nodes, users of replaced values, and values
  /// that lost users.
  const std::vector<ChangedNode>& changed_nodes() const { return changed_nodes_; }

 private:
  Node* record_new(Node* node);
  absl::Status erase_unused(std::vector<ChangedNode> worklist);

  Graph& graph_;
  Node* root_ = nullptr;
  std::vector<ChangedNode> changed_nodes_;
};

}  // namespace fx
