// Forward mode: computes the tangent of each call from those of its operands, in program order.
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/autodiff_internal.h"

#include "fmt/format.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

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
    NewNodes new_nodes(graph_);
    Node* const last = end->prev();
    for (const auto& [input, tangent] : seeds) tangents_[*input] = tangent;
    for (Node* node = graph_.front(); node != nullptr; node = node->next()) {
      if (node->is_call() && prepared_.is_active(*node)) {
        differentiate(*node);
        new_nodes.record_source(*node);
      }
      if (node == last) break;
    }
    if (!errors_.empty())
      return absl::UnimplementedError("operators without a derivative:" + errors_);
    std::vector<Node*> tangents;
    tangents.reserve(results.size());
    for (const Node* result : results)
      tangents.push_back(result != nullptr ? tangents_[*result] : nullptr);
    return tangents;
  }

 private:
  void differentiate(Node& call) {
    if (const auto item = selected_item(call)) {
      const auto items = items_.find(item->first);
      if (items != items_.end() && item->second < items->second.size()) {
        tangents_[call] = items->second[item->second].node();
      } else if (Node* const source = tangents_[*item->first]) {
        tangents_[call] =
            rule_.emit("operator.getitem", {Proxy(*source, rule_), item->second}).node();
      }
      return;
    }
    if (has_derivative_graphs(call)) return differentiate_graphs(call);
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

  void differentiate_graphs(const Node& call) {
    const auto derivatives = append_nested_tangents(
        call, tangent_of_, {graph_, prepared_.table(), prepared_.style(), [this](const Node& node) {
                              return tangents_[node] != nullptr;
                            }});
    if (!derivatives.ok()) {
      errors_ += fmt::format("\n  {} (%{}): {}", std::string(call.target()), call.name(),
                             std::string(derivatives.status().message()));
      return;
    }
    for (Node* const tangent : *derivatives)
      items_[&call].push_back(tangent != nullptr ? Argument(tangent) : Argument());
  }

  bool has_tangent(const DerivativeRule& rule) const {
    for (const ArgumentDerivative& argument : rule.arguments)
      for (const std::string_view name : argument_names(argument.arguments))
        if (rule_.needs_grad(name)) return true;
    return false;
  }

  void set_tangent(Node& call, const Argument& tangent) {
    if (Node* const node = tangent.node()) {
      if (!call.type().is_tensor()) {
        tangents_[call] = node;  // a list; getitem nodes select its items
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
      case ForwardRule::kTransposed:
        return by_transposition(rule);
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

  /// Handles elementwise operators: applies the gradient functions to conjugates.
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

  /// Returns the tangent of an operand, or zeros if it has none. For a list, returns a list.
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
        if (!rule_.needs_grad(name)) continue;
        sum = rule_.sum_of({sum, rule_.call_with({{name, tangent_argument(name)}})});
      }
    }
    return sum;
  }

  /// The gradients of the operands are a linear function of the gradients of the results; its
  /// transpose maps tangents of the operands to tangents of the results. Records the function for
  /// zero gradients, and differentiates it with respect to them.
  AnyArg by_transposition(const DerivativeRule& rule) {
    const Node& call = rule_.call();
    const Node* const first = graph_.insert_point()->prev();
    const bool is_tensor = call.type().is_tensor();
    const size_t num_results = is_tensor ? 1 : call.type().items().size();
    std::vector<Proxy> units(num_results);
    NodeMap<uint8_t> active(graph_, 0);
    for (size_t i = 0; i < num_results; ++i) {
      const Type type = is_tensor ? call.type() : call.type().items()[i];
      if (!type.is_tensor() || !is_differentiable(type)) continue;
      if (!is_tensor && !is_used(call, i)) continue;
      units[i] = zeros_like(rule_.value(i));
      if (units[i].defined()) active[*units[i].node()] = 1;
    }
    rule_.set_grads(units);
    std::vector<std::pair<Node*, Node*>> seeds;
    for (const ArgumentDerivative& argument : rule.arguments) add_seeds(argument, seeds);
    if (!rule_.status().ok()) return {};
    for (const Node* node = first->next(); node != graph_.insert_point(); node = node->next()) {
      const std::string why = mark(*node, active);
      if (!why.empty()) return rule_.reject(why);
    }
    std::erase_if(seeds, [&](const auto& seed) { return active[*seed.first] == 0; });
    std::vector<Node*> values;
    for (const Proxy& unit : units)
      if (unit.defined()) values.push_back(unit.node());
    const ReverseCalls calls{
        .graph = graph_,
        .table = prepared_.table(),
        .style = prepared_.style(),
        .first = first,
        .is_active = [&active](const Node& node) { return active[node] != 0; }};
    const absl::StatusOr<std::vector<Node*>> derivatives = reverse_through(calls, seeds, values);
    if (!derivatives.ok()) return rule_.reject(std::string(derivatives.status().message()));
    std::vector<Argument> tangents(num_results);
    size_t next = 0;
    for (size_t i = 0; i < num_results; ++i) {
      if (!units[i].defined()) continue;
      if (Node* const tangent = (*derivatives)[next++]) tangents[i] = Argument(tangent);
    }
    if (!is_tensor) return AnyArg(Operand(Argument::tuple(tangents), &rule_));
    return AnyArg(Operand(tangents[0], &rule_));
  }

  /// True if result `i` of the call has users.
  static bool is_used(const Node& call, size_t i) {
    for (const Use use : call.uses()) {
      const auto item = selected_item(*use.user());
      if (!item || item->second == i) return true;
    }
    return false;
  }

  /// Adds the gradients that a gradient function returns, each with the tangent of its operand.
  void add_seeds(const ArgumentDerivative& argument, std::vector<std::pair<Node*, Node*>>& seeds) {
    const std::vector<std::string_view> names = argument_names(argument.arguments);
    bool is_needed = false;
    for (const std::string_view name : names) is_needed |= rule_.needs_grad(name);
    if (!is_needed || !rule_.status().ok()) return;
    const Argument gradient(argument.gradient(rule_).value());
    const auto add = [&](const Argument& operand, const Argument& value) {
      Node* const tangent = operand.is_node() ? tangents_[*operand.as_node()] : nullptr;
      if (tangent == nullptr || !value.is_node()) return;
      const Proxy seed =
          rule_.conform(Proxy(*value.as_node(), rule_), Proxy(*operand.as_node(), rule_));
      if (seed.defined()) seeds.emplace_back(seed.node(), tangent);
    };
    for (size_t i = 0; i < names.size(); ++i) {
      const Argument operand = rule_.argument(names[i]);
      if (names.size() > 1 && i >= gradient.size()) break;
      const Argument value = names.size() == 1 ? gradient : Argument(gradient[i]);
      add(operand, value);
      for (size_t k = 0; k < operand.size() && k < value.size(); ++k) add(operand[k], value[k]);
    }
  }

  /// Marks a call that depends on active values. Returns why it cannot be differentiated; empty if
  /// it can be.
  std::string mark(const Node& call, NodeMap<uint8_t>& active) {
    if (!call.is_call() || active[call] != 0 || !is_differentiable(call.type())) return {};
    if (const auto item = selected_item(call)) {
      active[call] =
          is_constant_result(*item->first, item->second) ? uint8_t{0} : active[*item->first];
      return {};
    }
    bool depends = false;
    call.for_each_input([&](const Node* operand) { depends |= active[*operand] != 0; });
    if (!depends) return {};
    const DerivativeRule* const rule = rules_.find(call);
    if (rule == nullptr) {
      return fmt::format(
          "its rule has no forward mode, and {}, which it calls, has no derivative rule",
          std::string(call.target()));
    }
    active[call] = differentiates(*rule, call, active) ? 1 : 0;
    return {};
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
