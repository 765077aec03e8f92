// Rewriter: how a rule written in C++ changes a graph.
//
//   rules.add("mul_one", {mul}, [](fx::Node& node, fx::Rewriter& rw) -> absl::StatusOr<bool> {
//     fx::Argument x;
//     if (!fx::m::match(node, fx::m::call(node.function(), fx::m::any(x), fx::m::constant(1))))
//       return false;
//     return rw.replace(node, x);
//   });
//
// New nodes stand in front of the rule's node and have its provenance, and whoever runs the rule
// knows where to look again.
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

  /// Begins at this node: new ones go in front of it.
  void start(Node& root);

  // New nodes, as those of Graph.
  Node* call_function(Target function, absl::Span<const Argument> args = {},
                      absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  Node* call_method(std::string_view method, absl::Span<const Argument> args,
                    absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  Node* call_module(std::string_view path, absl::Span<const Argument> args = {},
                    absl::Span<const Kwarg> kwargs = {}, NodeOptions options = {});
  Node* get_attr(std::string_view path, NodeOptions options = {});

  /// Lets `value` take over the node's readers, and its type where `value` has none; then erases
  /// the node, and what only it read, as far as that has no effects. Gives true, for `return
  /// rw.replace(...)`. InvalidArgument when `value` is the node or holds a node of another graph.
  absl::StatusOr<bool> replace(Node& node, const Argument& value);
  /// Erases a node without readers and, as above, what only it read. FailedPrecondition when it has
  /// readers.
  absl::Status erase(Node& node);
  /// Notes that the rule changed the node's arguments, target or type itself.
  void changed(Node& node) { touched_.push_back({&node, node.id()}); }

  /// A node, as long as it has this id.
  struct Touched {
    Node* node;
    uint32_t id;
    bool is_live() const { return !node->is_erased() && node->id() == id; }
  };
  /// What changed since start: new nodes, readers of what was replaced, and what lost readers.
  const std::vector<Touched>& touched() const { return touched_; }

 private:
  Node* made(Node* node);
  absl::Status erase_unread(std::vector<Touched> todo);

  Graph& graph_;
  Node* root_ = nullptr;
  std::vector<Touched> touched_;
};

}  // namespace fx
