// Reverse mode: applies the rule of each call once, from the results to the inputs. The gradients
// of a value are added in the order of its users, from last to first, as in libtorch's engine.
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/autodiff_internal.h"

#include "fmt/format.h"

#include <string>
#include <utility>

namespace fx {

class ReverseMode {
 public:
  explicit ReverseMode(const ReverseCalls& calls)
      : calls_(calls),
        graph_(calls.graph),
        rules_(calls.table),
        rule_(graph_, calls.style, calls.is_active),
        sums_(graph_, nullptr) {}

  absl::StatusOr<std::vector<Node*>> run(const std::vector<std::pair<Node*, Node*>>& seeds,
                                         const std::vector<Node*>& values) {
    NewNodes new_nodes(graph_);
    Node* const last = graph_.insert_point()->prev();
    for (const auto& [result, gradient] : seeds) accumulate(*result, gradient);
    for (Node* node = last; node != nullptr && node != calls_.first;) {
      Node* const previous = node->prev();
      if (node->is_call() && calls_.is_active(*node)) {
        differentiate(*node);
        new_nodes.record_source(*node);
      }
      node = previous;
    }
    if (!errors_.empty())
      return absl::UnimplementedError("operators without a derivative:" + errors_);
    std::vector<Node*> gradients;
    gradients.reserve(values.size());
    for (const Node* value : values) gradients.push_back(sums_[*value]);
    return gradients;
  }

 private:
  void differentiate(Node& call) {
    if (const auto item = selected_item(call)) {
      if (Node* const gradient = sums_[call]) accumulate_item(*item->first, item->second, gradient);
      return;
    }
    std::vector<Proxy> grads;
    bool has_any = false;
    for (Node* const gradient : gradients_of(call)) {
      grads.push_back(gradient != nullptr ? Proxy(*gradient, rule_) : Proxy());
      has_any |= gradient != nullptr;
    }
    if (!has_any) return;
    if (has_derivative_graphs(call)) return differentiate_graphs(call);
    const DerivativeRule* rule = rules_.find(call);
    rule_.start_reverse(call, std::move(grads));
    for (const ArgumentDerivative& argument : rule->arguments) apply(call, argument);
    if (!rule_.status().ok()) {
      errors_ += fmt::format("\n  {} (%{}): {}", std::string(call.target()), call.name(),
                             std::string(rule_.status().message()));
    }
  }

  void differentiate_graphs(Node& call) {
    const auto derivatives = append_nested_gradients(
        call, gradients_of(call), {graph_, calls_.table, calls_.style, calls_.is_active});
    if (!derivatives.ok()) {
      errors_ += fmt::format("\n  {} (%{}): {}", std::string(call.target()), call.name(),
                             std::string(derivatives.status().message()));
      return;
    }
    for (const auto& [operand, gradient] : *derivatives) accumulate(*operand, gradient);
  }

  std::vector<Node*> gradients_of(const Node& call) {
    const auto items = items_.find(&call);
    if (items != items_.end()) return items->second;
    return {sums_[call]};
  }

  void apply(const Node& call, const ArgumentDerivative& argument) {
    const std::vector<std::string_view> names = argument_names(argument.arguments);
    bool is_needed = false;
    for (const std::string_view name : names) is_needed |= rule_.needs_grad(name);
    if (!is_needed || !rule_.status().ok()) return;
    const AnyArg gradient = argument.gradient(rule_);
    if (!rule_.status().ok()) return;
    if (names.size() == 1)
      return add(call.argument(names[0]).value_or(Argument()), gradient.value());
    for (size_t i = 0; i < names.size() && i < gradient.value().size(); ++i)
      add(call.argument(names[i]).value_or(Argument()), gradient.value()[i]);
  }

  /// Adds a gradient to the gradient of an operand, or of each item of a list.
  void add(const Argument& operand, const Argument& gradient) {
    if (Node* const node = operand.node()) {
      if (!calls_.is_active(*node)) return;
      if (Node* const value = gradient.node()) return accumulate(*node, value);
      for (size_t i = 0; i < gradient.size(); ++i)
        if (Node* const item = gradient[i].node()) accumulate_item(*node, i, item);
      return;
    }
    for (size_t i = 0; i < operand.size() && i < gradient.size(); ++i)
      if (operand[i].is_node()) add(operand[i], gradient[i]);
  }

  void accumulate(const Node& operand, Node* gradient) {
    if (!operand.type().is_tensor()) return;
    Node& value = const_cast<Node&>(operand);  // NOLINT: in the graph that this changes
    add_to(sums_[operand], rule_.conform(Proxy(*gradient, rule_), Proxy(value, rule_)));
  }

  void accumulate_item(const Node& source, size_t i, Node* gradient) {
    std::vector<Node*>& items = items_[&source];
    items.resize(source.type().items().size());
    if (i < items.size()) add_to(items[i], Proxy(*gradient, rule_));
  }

  void add_to(Node*& sum, const Proxy& gradient) {
    if (!rule_.status().ok() || !gradient.defined()) return;
    sum = sum == nullptr ? gradient.node() : (Proxy(*sum, rule_) + gradient).node();
  }

  const ReverseCalls& calls_;
  Graph& graph_;
  RuleLookup rules_;
  Derivative rule_;
  NodeMap<Node*> sums_;
  absl::flat_hash_map<const Node*, std::vector<Node*>> items_;
  std::string errors_;
};

absl::StatusOr<std::vector<Node*>> reverse_through(
    const ReverseCalls& calls, const std::vector<std::pair<Node*, Node*>>& seeds,
    const std::vector<Node*>& values) {
  return ReverseMode(calls).run(seeds, values);
}

absl::StatusOr<std::vector<Node*>> append_gradients(
    const PreparedGraph& prepared, const std::vector<std::pair<Node*, Node*>>& seeds) {
  const InsertPointGuard guard = prepared.graph().inserting_before(prepared.end());
  const ReverseCalls calls{
      .graph = prepared.graph(),
      .table = prepared.table(),
      .style = prepared.style(),
      .is_active = [&prepared](const Node& node) { return prepared.is_active(node); }};
  return reverse_through(calls, seeds, prepared.inputs());
}

}  // namespace fx
