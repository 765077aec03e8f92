#include "fx/passes/analysis/training_step.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/check.h"
#include "fx/passes/analysis/liveness.h"
#include "fx/passes/analysis/module_tree.h"

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// True if a result is the new value of a parameter, according to the metadata.
bool returns_parameters(const Graph& graph) {
  const Node* output = graph.output_node();
  const Argument* facts = output == nullptr ? nullptr : output->meta().find(meta::kOutputs.name);
  if (facts == nullptr || !facts->is_list()) return false;
  for (size_t i = 0; i < facts->size(); ++i) {
    const Argument* of = (*facts)[i].find("of");
    if (of == nullptr || (*facts)[i].find_text("kind") != "mutation") continue;
    if (of->find_text("kind") == "parameter") return true;
  }
  return false;
}

bool is_input_of_kind(const Node& node, std::string_view kind) {
  return node.is_placeholder() && input_fact(node, "kind") == kind;
}

class StepParts {
 public:
  explicit StepParts(const Graph& graph)
      : graph_(graph), parts_(graph, StepPart::kForward), is_used_(graph) {}

  NodeMap<StepPart> run() {
    bool has_state = returns_parameters(graph_);
    std::vector<const Node*> calls;  // forward calls after the first backward call
    bool after_backward = false;
    for (const Node& node : graph_.nodes()) {
      has_state = has_state || is_input_of_kind(node, "optimizer");
      if (is_backward(node)) {
        parts_[node] = StepPart::kBackward;
        after_backward = true;
      } else if (after_backward && node.is_call()) {
        calls.push_back(&node);
      }
    }
    if (!has_state) return std::move(parts_);
    for (const Node& node : graph_.nodes().reversed()) {
      if (parts_[node] == StepPart::kBackward || is_used_.contains(node))
        node.for_each_input([&](const Node* operand) { is_used_.insert(*operand); });
    }
    for (const Node* call : calls)
      if (!is_used_.contains(*call) && uses_gradient_or_state(*call))
        parts_[*call] = StepPart::kOptimizer;
    // Calls that only the optimizer uses, such as out-of-place weight decay.
    for (const Node* call : calls | std::views::reverse)
      if (!is_used_.contains(*call) && is_for_optimizer(*call))
        parts_[*call] = StepPart::kOptimizer;
    return std::move(parts_);
  }

 private:
  bool uses_gradient_or_state(const Node& call) const {
    bool found = false;
    bool has_parameter = false;
    call.for_each_input([&](const Node* operand) {
      found = found || parts_[*operand] != StepPart::kForward ||
              is_input_of_kind(*operand, "optimizer");
      has_parameter = has_parameter || is_input_of_kind(*operand, "parameter");
    });
    return found || (has_parameter && effects(call).has(ops::Effect::kWritesArguments));
  }
  bool is_for_optimizer(const Node& call) const {
    const std::vector<Node*> users = call.users();
    return !users.empty() && std::ranges::all_of(users, [&](const Node* user) {
      return parts_[*user] == StepPart::kOptimizer;
    });
  }

  const Graph& graph_;
  NodeMap<StepPart> parts_;
  NodeSet is_used_;  // by the backward pass, directly or indirectly
};

}  // namespace

std::string_view step_part_name(StepPart part) {
  switch (part) {
    case StepPart::kForward:
      return "forward";
    case StepPart::kBackward:
      return "backward";
    case StepPart::kOptimizer:
      return "optimizer";
  }
  FX_UNREACHABLE("step part");
}

NodeMap<StepPart> find_step_parts(const Graph& graph) { return StepParts(graph).run(); }

}  // namespace fx
