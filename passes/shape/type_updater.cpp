// TypeUpdater: see type_updater.h.
#include "fx/passes/shape/type_updater.h"

#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/ops/op_info.h"
#include "fx/passes/shape/changed_types.h"
#include "fx/passes/shape/propagation_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx {

TypeUpdater::TypeUpdater(Graph& graph, const PropagateOptions& options)
    : graph_(graph),
      own_env_(graph.context()),
      propagation_(std::make_unique<Propagation>(graph.context(),
                                                 options.env ? *options.env : own_env_, options)),
      marked_(graph) {
  if (!options.env) own_env_.set_ranges_of(graph);
  const void* last = nullptr;
  for (const Node& node : graph.nodes()) {
    const Target function = node.function();
    if (needs_walk_ || (function && function.data() == last)) continue;
    const bool has_graphs =
        function.op() != nullptr && function.op()->has(ops::OpTrait::kSubgraphs);
    last = has_graphs ? nullptr : function.data();
    needs_walk_ = may_change_operands(node) || dtype_mode_change(node) != 0;
  }
  graph_.add_observer(this);
}

TypeUpdater::~TypeUpdater() { graph_.remove_observer(this); }

void TypeUpdater::node_created(Node& node) {
  needs_walk_ = needs_walk_ || may_change_operands(node) || dtype_mode_change(node) != 0;
  mark(node);
}

void TypeUpdater::node_erased(Node& node) {
  marked_.erase(node);
  propagation_->remove_caller(node);
}

void TypeUpdater::mark(Node& node) {
  if (!propagation_->types(node)) return;
  propagation_->add_caller(node);
  if (marked_.insert(node)) nodes_.push_back(&node);
}

void TypeUpdater::mark_untyped(Node& value) {
  propagation_->note_lost(value);
  mark_users(value, nodes_);
}

absl::Status TypeUpdater::set_input_type(Node& input, Type type) {
  if (!input.is_placeholder() && input.op() != Opcode::kGetAttr) {
    return absl::InvalidArgumentError(
        fmt::format("the type of {}, a {}, is inferred from its operands; set the type of a "
                    "placeholder or get_attr",
                    input.name(), opcode_name(input.op())));
  }
  if (input.type() == type) return absl::OkStatus();
  change_type(input, type);
  mark_users(input, nodes_);
  return absl::OkStatus();
}

void TypeUpdater::use_replaced(Node& /*old_value*/, Node& /*new_value*/, Node& user) { mark(user); }

void TypeUpdater::mark_users(const Node& node, std::vector<Node*>& nodes) {
  for (const Use use : node.uses()) {
    Node* const user = use.user();
    if (propagation_->types(*user) && marked_.insert(*user)) nodes.push_back(user);
  }
}

/// Types the entire graph, because the type of a value depends on earlier writes to it.
ShapeReport TypeUpdater::walk() {
  for (Node& node : graph_.nodes()) marked_.erase(node);
  propagation_->run(graph_);
  return propagation_->take();
}

ShapeReport TypeUpdater::update() {
  // A heap with the earliest node first: a call is typed after all calls that come before it.
  const auto later = [](const Node* a, const Node* b) { return b->comes_before(*a); };
  waiting_.clear();
  for (Node* node : nodes_) {
    // A new node may have the address of an erased one; in that case the new node was marked.
    if (node->is_erased() || !marked_.contains(*node)) continue;
    waiting_.push_back(node);
  }
  nodes_.clear();
  if (waiting_.empty()) return propagation_->take();
  if (needs_walk_ || propagation_->needs_run()) return walk();
  std::sort(waiting_.begin(), waiting_.end(), later);
  waiting_.erase(std::unique(waiting_.begin(), waiting_.end()), waiting_.end());
  std::reverse(waiting_.begin(), waiting_.end());  // a sorted array is a heap
  while (!waiting_.empty()) {
    std::pop_heap(waiting_.begin(), waiting_.end(), later);
    Node* const node = waiting_.back();
    waiting_.pop_back();
    marked_.erase(*node);
    const bool has_changed = propagation_->step(*node);
    if (propagation_->needs_run()) return walk();
    if (!has_changed) continue;
    users_.clear();
    mark_users(*node, users_);
    for (Node* user : users_) {
      waiting_.push_back(user);
      std::push_heap(waiting_.begin(), waiting_.end(), later);
    }
  }
  return propagation_->take();
}

}  // namespace fx
