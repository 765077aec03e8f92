// The interface through which rules written in C++ change a graph: see rewriter.h.
#include "fx/passes/rewrite/rewriter.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <utility>

namespace fx {

void Rewriter::start(Node& root) {
  root_ = &root;
  changed_nodes_.clear();
}

Node* Rewriter::record_new(Node* node) {
  if (root_ && !root_->meta().empty()) inherit_provenance(*node, *root_);
  changed(*node);
  return node;
}

namespace {

/// Returns the insert point for a new node: before the root, if there is one.
InsertPointGuard guard_of(Graph& graph, Node* root) {
  return root && !root->is_erased() ? graph.inserting_before(root) : graph.inserting_after(nullptr);
}

}  // namespace

Node* Rewriter::call_function(Target function, absl::Span<const Argument> args,
                              absl::Span<const Kwarg> kwargs, NodeOptions options) {
  const InsertPointGuard guard = guard_of(graph_, root_);
  return record_new(graph_.call_function(function, args, kwargs, options));
}

Node* Rewriter::call_method(std::string_view method, absl::Span<const Argument> args,
                            absl::Span<const Kwarg> kwargs, NodeOptions options) {
  const InsertPointGuard guard = guard_of(graph_, root_);
  return record_new(graph_.call_method(method, args, kwargs, options));
}

Node* Rewriter::call_module(std::string_view path, absl::Span<const Argument> args,
                            absl::Span<const Kwarg> kwargs, NodeOptions options) {
  const InsertPointGuard guard = guard_of(graph_, root_);
  return record_new(graph_.call_module(path, args, kwargs, options));
}

Node* Rewriter::get_attr(std::string_view path, NodeOptions options) {
  const InsertPointGuard guard = guard_of(graph_, root_);
  return record_new(graph_.get_attr(path, options));
}

absl::StatusOr<bool> Rewriter::replace(Node& node, const Argument& value) {
  if (value.node() == &node) {
    return absl::InvalidArgumentError(
        fmt::format("%{} cannot be replaced by itself; pass a different value", node.name()));
  }
  for (Node* user : node.users()) changed(*user);
  if (Node* const replacement_node = value.node()) {
    if (&replacement_node->graph() != &graph_ || replacement_node->is_erased()) {
      return absl::InvalidArgumentError(fmt::format(
          "%{} cannot be replaced by an erased node or a node of a different graph", node.name()));
    }
    if (!replacement_node->type() && node.type()) replacement_node->set_type(node.type());
    node.replace_all_uses_with(replacement_node);
    // If a new node uses it, it is not erased.
    if (node.has_uses()) return true;
  } else {
    FX_RETURN_IF_ERROR(node.replace_all_uses_with(value));
  }
  FX_RETURN_IF_ERROR(erase(node));
  return true;
}

absl::Status Rewriter::erase(Node& node) {
  std::vector<ChangedNode> inputs;
  for (Node* input : node.all_input_nodes()) inputs.push_back({input, input->id()});
  FX_RETURN_IF_ERROR(graph_.erase_node(&node));
  if (root_ == &node) root_ = nullptr;
  return erase_unused(std::move(inputs));
}

absl::Status Rewriter::erase_unused(std::vector<ChangedNode> worklist) {
  while (!worklist.empty()) {
    const ChangedNode next = worklist.back();
    worklist.pop_back();
    if (!next.is_live()) continue;
    if (next.node->has_uses() || is_impure(*next.node)) {
      changed_nodes_.push_back(next);
      continue;
    }
    for (Node* input : next.node->all_input_nodes()) worklist.push_back({input, input->id()});
    if (root_ == next.node) root_ = nullptr;
    FX_RETURN_IF_ERROR(graph_.erase_node(next.node));
  }
  return absl::OkStatus();
}

}  // namespace fx
