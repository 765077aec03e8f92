// Definitions of the templates in interpreter.h.
#pragma once

#include "fx/interp/interpreter.h"
#include "fx/ir/graph/nested_graphs.h"

namespace fx {

template <class V>
const Plan& Interpreter<V>::plan_of(const Graph& graph) {
  // A running graph must not change, so its plan remains valid in nested runs.
  if (&graph == graph_) {
    if (!plan_ || (depth_ == 0 && plan_->version() != graph.version()))
      plan_ = std::make_unique<Plan>(graph);
    return *plan_;
  }
  std::unique_ptr<Plan>& plan = nested_plans_[&graph];
  if (!plan) plan = std::make_unique<Plan>(graph);
  return *plan;
}

template <class V>
std::vector<V> Interpreter<V>::in_order(std::vector<V> inputs,
                                        const std::vector<std::pair<std::string, V>>& named) const {
  size_t position = 0;
  for (const Node& node : graph_->nodes()) {
    if (!node.is_placeholder() || position++ < inputs.size()) continue;
    bool found = false;
    for (const auto& [name, value] : named) {
      if (found || node.target() != name) continue;
      inputs.push_back(value);
      found = true;
    }
    if (!found) break;
  }
  return inputs;
}

template <class V>
absl::Status Interpreter<V>::bind(Frame& frame, std::vector<V> inputs, RunOptions<V> options) {
  const Plan& plan = *frame.plan;
  if (inputs.size() > plan.num_inputs() && !plan.has_varargs()) {
    return absl::InvalidArgumentError("the graph has " + std::to_string(plan.num_inputs()) +
                                      " inputs, but received " + std::to_string(inputs.size()));
  }
  for (const auto& [name, value] : options.named) {
    size_t position = 0;
    bool found = false, twice = false;
    for (const Plan::Step& step : plan.steps()) {
      if (!step.node->is_placeholder()) continue;
      const InputPack pack = input_pack(*step.node);
      const bool is_own = pack == InputPack::kOne && step.node->target() == name;
      found = found || is_own || pack == InputPack::kNamed;
      twice = twice || (is_own && position < inputs.size());
      // Placeholders after `*args` are keyword-only.
      position = pack == InputPack::kPositional ? inputs.size() : position + 1;
    }
    if (!found)
      return absl::InvalidArgumentError("the graph does not have an input \"" + name + "\"");
    if (twice) {
      return absl::InvalidArgumentError("input \"" + name +
                                        "\" must not be passed both by position and by name");
    }
  }
  for (auto& [node, value] : options.env) {
    const uint32_t slot = &node->graph() == &plan.graph() ? plan.slot(*node) : Plan::kNoSlot;
    if (slot == Plan::kNoSlot)
      return absl::InvalidArgumentError(describe(*node) + " is not part of this run");
    frame.slots[slot] = std::move(value);
  }
  frame.inputs = std::move(inputs);
  frame.named = std::move(options.named);
  return absl::OkStatus();
}

template <class V>
absl::Status Interpreter<V>::step_in(Frame& frame) {
  if (frame.unused != Plan::kNoSlot) {
    frame.slots[frame.unused].reset();
    frame.unused = Plan::kNoSlot;
  }
  const Plan::Step& step = frame.plan->steps()[frame.at];
  if (frame.slots[frame.at]) {
    skip(frame, step);
  } else {
    frame.next_operand = step.first_operand;
    absl::StatusOr<V> value = run_node(*step.node);
    if (!value.ok()) {
      return node_error(NodeLabel::of(*step.node),
                        step.num_operands == 0         ? std::string()
                        : frame.call.node == step.node ? describe_failed_call(frame.call)
                                                       : describe_call(*step.node),
                        value.status());
    }
    frame.slots[frame.at] = *std::move(value);
    frame.call.args.clear();  // destroys values after their last use
    frame.call.kwargs.clear();
  }
  if (!step.is_used && garbage_collect_ && !step.node->is_output()) frame.unused = frame.at;
  ++frame.at;
  return absl::OkStatus();
}

/// Skips a node whose value is in RunOptions::env, and frees operands that are not used again.
template <class V>
void Interpreter<V>::skip(Frame& frame, const Plan::Step& step) {
  if (step.node->is_placeholder() && input_pack(*step.node) == InputPack::kOne &&
      frame.next_input < frame.inputs.size()) {
    ++frame.next_input;
  }
  if (!garbage_collect_) return;
  for (uint32_t i = 0; i < step.num_operands; ++i) {
    const Plan::Operand& operand = frame.plan->operand(step.first_operand + i);
    if (operand.last_use) frame.slots[operand.slot].reset();
  }
}

template <class V>
absl::StatusOr<V> Interpreter<V>::finish_frame(Frame& frame) {
  const auto steps = frame.plan->steps();
  while (frame.at < steps.size()) FX_RETURN_IF_ERROR(step_in(frame));
  if (steps.empty() || !steps.back().node->is_output())
    return absl::FailedPreconditionError("the graph must have an output");
  return *frame.slots[steps.size() - 1];
}

template <class V>
absl::StatusOr<V> Interpreter<V>::run_graph(const Graph& nested, const Module* nested_root,
                                            std::string_view path, std::vector<V> inputs,
                                            RunOptions<V> options) {
  if (depth_ == kMaxInterpreterDepth) {
    return absl::ResourceExhaustedError("graphs are nested more than " +
                                        std::to_string(kMaxInterpreterDepth) + " levels deep");
  }
  std::string where = frame_ ? frame_->path : std::string();
  if (!path.empty()) where.append(path).push_back('.');
  Frame* const outer = frame_;
  Frame frame(plan_of(nested), nested_root, std::move(where));
  FX_RETURN_IF_ERROR(bind(frame, std::move(inputs), std::move(options)));
  frame_ = &frame;
  ++depth_;
  absl::StatusOr<V> result = finish_frame(frame);
  --depth_;
  frame_ = outer;
  return result;
}

// ---------------------------------------------------------------- arguments

template <class V>
absl::Status Interpreter<V>::load(Call& call) {
  const Node& node = *call.node;
  for (size_t i = 0; i < node.num_args(); ++i) {
    FX_ASSIGN_OR_RETURN(V value, load(node.arg(i)));
    call.args.push_back(std::move(value));
  }
  for (size_t i = 0; i < node.num_kwargs(); ++i) {
    FX_ASSIGN_OR_RETURN(V value, load(node.kwarg_value(i)));
    call.kwargs.push_back({node.kwarg_name(i), std::move(value)});
  }
  return absl::OkStatus();
}

template <class V>
absl::StatusOr<V> Interpreter<V>::load(ArgumentRef argument) {
  if (const Node* node = argument.node())
    return read(frame_->plan->operand(frame_->next_operand++), *node);
  if (!contains_node(argument)) return constant(Argument(argument));
  std::vector<V> items;
  items.reserve(argument.size());
  for (size_t i = 0; i < argument.size(); ++i) {
    FX_ASSIGN_OR_RETURN(V item, load(argument[i]));
    items.push_back(std::move(item));
  }
  return aggregate(Argument(argument), std::move(items));
}

template <class V>
absl::StatusOr<V> Interpreter<V>::read(Plan::Operand operand, const Node& node) {
  std::optional<V>* const slot =
      operand.slot == Plan::kNoSlot ? nullptr : &frame_->slots[operand.slot];
  if (slot == nullptr || !*slot) {
    return absl::FailedPreconditionError("it uses " + node.name() +
                                         " before it is computed; `verify` reports all errors "
                                         "of this kind");
  }
  if (!operand.last_use || !garbage_collect_) return **slot;
  V value = *std::move(*slot);
  slot->reset();
  return value;
}

template <class V>
absl::StatusOr<V> Interpreter<V>::constant(const Argument& value) {
  if constexpr (std::is_constructible_v<V, const Argument&>) {
    return V(value);
  } else if constexpr (std::is_arithmetic_v<V>) {
    if (value.is_bool()) return static_cast<V>(value.as_bool());
    if (value.is_int()) return static_cast<V>(value.as_int());
    if (value.is_float()) return static_cast<V>(value.as_float());
  }
  return absl::UnimplementedError("this interpreter cannot represent a constant " +
                                  std::string(argument_kind_name(value.kind())) +
                                  "; override constant()");
}

template <class V>
// NOLINTNEXTLINE(performance-unnecessary-value-param)
absl::StatusOr<V> Interpreter<V>::aggregate(const Argument& shape, std::vector<V> items) {
  if constexpr (std::is_same_v<V, Argument>) {
    return shape.with_items(items);
  } else {
    return absl::UnimplementedError("this interpreter cannot represent a " +
                                    std::string(argument_kind_name(shape.kind())) +
                                    " of values; override aggregate()");
  }
}

// ---------------------------------------------------------------- inputs and members

template <class V>
bool Interpreter<V>::take_named(Frame& frame, std::string_view name, std::optional<V>& value) {
  for (auto entry = frame.named.begin(); entry != frame.named.end(); ++entry) {
    if (entry->first != name) continue;
    value = std::move(entry->second);
    frame.named.erase(entry);
    return true;
  }
  return false;
}

template <class V>
absl::StatusOr<V> Interpreter<V>::placeholder(Call& call) {
  Frame& frame = *frame_;
  const InputPack pack = input_pack(*call.node);
  if (pack == InputPack::kOne) {
    if (frame.next_input < frame.inputs.size()) return std::move(frame.inputs[frame.next_input++]);
    std::optional<V> named;
    if (take_named(frame, call.target, named)) return *std::move(named);
    if (call.node->num_args() != 0) return constant(Argument(call.node->arg(0)));
    return absl::InvalidArgumentError(
        "a value must be passed for this input; it has no default value");
  }
  std::vector<V> items;
  if (pack == InputPack::kPositional) {
    items.assign(std::make_move_iterator(frame.inputs.begin() +
                                         static_cast<std::ptrdiff_t>(frame.next_input)),
                 std::make_move_iterator(frame.inputs.end()));
    frame.next_input = frame.inputs.size();
    const std::vector<Argument> shape(items.size());
    return aggregate(Argument::tuple(shape), std::move(items));
  }
  // Values with the names of other placeholders remain in the list.
  std::vector<std::pair<Argument, Argument>> shape;
  std::vector<std::pair<std::string, V>> placeholder_values;
  for (auto& [name, value] : frame.named) {
    const auto is_own = [&](const Plan::Step& step) {
      return step.node->is_placeholder() && step.node->target() == name;
    };
    const auto steps = frame.plan->steps();
    if (std::any_of(steps.begin(), steps.end(), is_own)) {
      placeholder_values.emplace_back(std::move(name), std::move(value));
    } else {
      shape.emplace_back(Argument(name), Argument());
      items.push_back(std::move(value));
    }
  }
  frame.named = std::move(placeholder_values);
  return aggregate(Argument::dict(shape), std::move(items));
}

template <class V>
absl::StatusOr<const Attribute*> Interpreter<V>::fetch_attr(std::string_view path) const {
  const Module* module = root();
  const std::string text(path);
  if (module == nullptr) {
    return absl::NotFoundError("unknown path \"" + text + "\": the interpreter has no module");
  }
  if (const Attribute* found = module->find_attribute(path)) return found;
  // The message names the shortest prefix that does not exist.
  for (size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    if (module->find_attribute(path.substr(0, dot)) == nullptr) {
      return absl::NotFoundError("unknown path \"" + text + "\": the module has no \"" +
                                 std::string(path.substr(0, dot)) + "\"");
    }
  }
  return absl::NotFoundError("the module has no \"" + text + "\"");
}

template <class V>
absl::StatusOr<V> Interpreter<V>::get_attr(Call& call) {
  if (const auto index = subgraph_index(graph(), call.target))
    return constant(Argument::graph(*index));
  FX_ASSIGN_OR_RETURN(const Attribute* found, fetch_attr(call.target));
  return attribute(call.target, *found);
}

template <class V>
absl::StatusOr<V> Interpreter<V>::attribute(std::string_view path, const Attribute& attribute) {
  if (attribute.kind == AttributeKind::kConstant && !attribute.tensor.defined())
    return constant(attribute.value);
  return absl::UnimplementedError("this interpreter cannot represent the " +
                                  std::string(attribute_kind_name(attribute.kind)) + " \"" +
                                  std::string(path) + "\"; override attribute()");
}

template <class V>
absl::StatusOr<V> Interpreter<V>::call_module(Call& call) {
  FX_ASSIGN_OR_RETURN(const Attribute* found, fetch_attr(call.target));
  const Module* module = found->module.get();
  const GraphModule* nested = module ? module->as_graph_module() : nullptr;
  if (nested == nullptr) {
    return absl::UnimplementedError("this interpreter does not implement call_module for a " +
                                    (module ? module->class_name() : std::string("tensor")));
  }
  RunOptions<V> options;
  for (NamedValue<V>& entry : call.kwargs)
    options.named.emplace_back(std::string(entry.name.str()), std::move(entry.value));
  return run_graph(nested->graph(), nested, call.target, std::move(call.args), std::move(options));
}

}  // namespace fx
