#include "fx/interp/plan.h"

#include <string_view>

namespace fx {

Plan::Plan(const Graph& graph) : graph_(&graph), version_(graph.version()), slots_(graph, kNoSlot) {
  steps_.reserve(graph.size());
  size_t num_operands = 0;
  for (Node& node : graph.nodes()) {
    slots_[node] = static_cast<uint32_t>(steps_.size());
    steps_.push_back({&node, 0, 0, false});
    node.for_each_input([&](Node*) { ++num_operands; });
    if (node.is_output()) break;
    if (!node.is_placeholder()) continue;
    const InputPack pack = input_pack(node);
    num_inputs_ += pack == InputPack::kOne && !has_varargs_ ? 1 : 0;
    has_varargs_ = has_varargs_ || pack == InputPack::kPositional;
  }
  operands_.reserve(num_operands);  // LastUses points into them
  LastUses last_uses(steps_.size());
  for (Step& step : steps_) {
    step.first_operand = static_cast<uint32_t>(operands_.size());
    step.node->for_each_input([&](Node* operand) {
      operands_.push_back({slots_[*operand], false});
      if (operands_.back().slot != kNoSlot)
        last_uses.read(operands_.back().slot, operands_.back().last_use);
    });
    step.num_operands = static_cast<uint32_t>(operands_.size()) - step.first_operand;
  }
  for (uint32_t slot = 0; slot < steps_.size(); ++slot)
    steps_[slot].is_used = last_uses.is_used(slot);
}

InputPack input_pack(const Node& placeholder) {
  const std::string_view target = placeholder.target();
  if (target.starts_with("**")) return InputPack::kNamed;
  return target.starts_with('*') ? InputPack::kPositional : InputPack::kOne;
}

bool contains_node(ArgumentRef argument) {
  if (argument.is_node()) return true;
  for (size_t i = 0; i < argument.size(); ++i)
    if (contains_node(argument[i])) return true;
  return false;
}

}  // namespace fx
