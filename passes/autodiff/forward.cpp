// Forward mode: from the inputs to the results, the tangent of each call from those of its operands.
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/autodiff_internal.h"

#include "fmt/format.h"

#include <functional>
#include <string>
#include <utility>

namespace fx {

class ForwardMode {
 public:
  explicit ForwardMode(const PreparedGraph& prepared)
      : prepared_(prepared),
        graph_(prepared.graph()),
        rules_(prepared.table()),
        rule_(graph_, prepared.style(),
              [this](const Node& node) { return tangents_[node] != nullptr; }),
        tangents_(graph_, nullptr),
        tangent_of_([this](const Node& node) { return tangents_[node]; }) {}

  absl::StatusOr<std::vector<Node*>> run(const std::vector<std::pair<Node*, Node*>>& seeds,
                                         const std::vector<Node*>& results) {
    Node* const end = prepared_.end();
    const InsertPointGuard guard = graph_.inserting_before(end);
    NewNodes made(graph_);
    Node* const last = end->prev();
    for (const auto& [input, tangent] : seeds) tangents_[*input] = tangent;
    for (Node* node = graph_.front(); node != nullptr; node = node->next()) {
      if (node->is_call() && prepared_.is_active(*node)) {
        differentiate(*node);
        made.come_from(*node);
      }
      if (node == last) break;
    }
    if (!errors_.empty())
      return absl::UnimplementedError("derivatives that are not known:" + errors_);
    std::vector<Node*> tangents;
    tangents.reserve(results.size());
    for (const Node* result : results)
      tangents.push_back(result != nullptr ? tangents_[*result] : nullptr);
    return tangents;
  }

 private:
  void differentiate(Node& call) {
    if (const auto item = getitem_of(call)) {
      const auto items = items_.find(item->first);
      if (items != items_.end() && item->second < items->second.size()) {
        tangents_[call] = items->second[item->second].node();
      } else if (Node* const source = tangents_[*item->first]) {
        tangents_[call] =
            rule_.emit("operator.getitem", {Proxy(*source, rule_), item->second}).node();
      }
      return;
    }
    const DerivativeRule* rule = rules_.find(call);
    rule_.start_forward(call, &tangent_of_);
    AnyArg tangent;
    if (has_tangent(*rule)) tangent = tangent_by(*rule);
    if (rule_.status().ok()) set_tangent(call, tangent.value());
    if (!rule_.status().ok()) {
      errors_ += fmt::format("\n  {} (%{}): {}", std::string(call.target()), call.name(),
                             std::string(rule_.status().message()));
    }
  }

  bool has_tangent(const DerivativeRule& rule) const {
    for (const ArgumentDerivative& argument : rule.arguments)
      for (const std::string_view name : argument_names(argument.arguments))
        if (rule_.wants(name)) return true;
    return false;
  }

  void set_tangent(Node& call, const Argument& tangent) {
    if (Node* const node = tangent.node()) {
      if (!call.type().is_tensor()) {
        tangents_[call] = node;  // a list, whose items are read by getitem
        return;
      }
      tangents_[call] = rule_.conform_tangent(Proxy(*node, rule_), Proxy(call, rule_)).node();
      return;
    }
    std::vector<Argument>& items = items_[&call];
    for (size_t i = 0; i < tangent.size(); ++i) items.push_back(tangent[i]);
  }

  AnyArg tangent_by(const DerivativeRule& rule) {
    switch (rule.forward) {
      case ForwardRule::kNone:
        return rule_.refuse("its rule has no forward mode");
      case ForwardRule::kElementwise:
        return by_gradients(rule);
      case ForwardRule::kLinear:
        return by_linearity(rule);
      case ForwardRule::kMultilinear:
        return by_product_rule(rule);
      case ForwardRule::kFunction:
        return rule.tangent(rule_);
    }
    return {};
  }

  /// The derivative of an element by an element: the gradient functions serve, on conjugates.
  AnyArg by_gradients(const DerivativeRule& rule) {
    Proxy sum;
    for (const ArgumentDerivative& argument : rule.arguments) {
      const Proxy tangent = rule_.tangent(argument.arguments);
      if (!tangent.defined()) continue;
      rule_.set_grads({rule_.conj(tangent)});
      const AnyArg term = argument.gradient(rule_);
      if (Node* const node = term.value().node())
        sum = rule_.sum_of({sum, rule_.conj(Proxy(*node, rule_))});
    }
    return sum.defined() ? AnyArg(sum) : AnyArg(Argument());
  }

  /// The tangent of an operand; zeros where it has none. Of a list, a list.
  AnyArg tangent_argument(std::string_view name) {
    const Argument value = rule_.argument(name);
    if (value.is_node()) {
      const bool is_tensor = value.as_node()->type().is_tensor();
      return is_tensor ? AnyArg(rule_.tangent_or_zeros(name)) : AnyArg(rule_.tangent(name));
    }
    std::vector<AnyArg> items;
    for (size_t i = 0; i < value.size(); ++i) {
      Node* const item = value[i].node();
      if (item == nullptr) {
        items.emplace_back(value[i]);
        continue;
      }
      Node* const tangent = tangents_[*item];
      items.emplace_back(tangent != nullptr ? Proxy(*tangent, rule_)
                                            : zeros_like(Proxy(*item, rule_)));
    }
    return value.is_none() ? AnyArg(Argument()) : AnyArg(items);
  }

  AnyArg by_linearity(const DerivativeRule& rule) {
    std::vector<std::pair<std::string_view, AnyArg>> replaced;
    for (const ArgumentDerivative& argument : rule.arguments)
      for (const std::string_view name : argument_names(argument.arguments))
        replaced.emplace_back(name, tangent_argument(name));
    return rule_.call_with(replaced);
  }

  AnyArg by_product_rule(const DerivativeRule& rule) {
    Proxy sum;
    for (const ArgumentDerivative& argument : rule.arguments) {
      for (const std::string_view name : argument_names(argument.arguments)) {
        if (!rule_.wants(name)) continue;
        sum = rule_.sum_of({sum, rule_.call_with({{name, tangent_argument(name)}})});
      }
    }
    return sum;
  }

  const PreparedGraph& prepared_;
  Graph& graph_;
  RuleLookup rules_;
  Derivative rule_;
  NodeMap<Node*> tangents_;
  absl::flat_hash_map<const Node*, std::vector<Argument>> items_;
  std::function<Node*(const Node&)> tangent_of_;
  std::string errors_;
};

absl::StatusOr<std::vector<Node*>> append_tangents(
    const PreparedGraph& prepared, const std::vector<std::pair<Node*, Node*>>& seeds,
    const std::vector<Node*>& results) {
  return ForwardMode(prepared).run(seeds, results);
}

}  // namespace fx
