#include "fx/passes/cleanup/infer_modules.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/analysis/module_tree.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The function that a call_function node calls; null for other nodes.
Target function_of(const Node& node) {
  return node.op() == Opcode::kCallFunction ? node.function() : Target();
}

/// True if `path` is `module` or below it.
bool is_within(std::string_view path, std::string_view module) {
  return module.empty() ||
         (path.starts_with(module) && (path.size() == module.size() || path[module.size()] == '.'));
}

/// The innermost module around both.
std::string_view around_both(std::string_view a, std::string_view b) {
  size_t length = 0;
  const size_t shorter = std::min(a.size(), b.size());
  for (size_t i = 0; i <= shorter; ++i) {
    const bool ends_a = i == a.size() || a[i] == '.', ends_b = i == b.size() || b[i] == '.';
    if (ends_a && ends_b) length = i;
    if (i == shorter || a[i] != b[i]) break;
  }
  return a.substr(0, length);
}

/// The child of `module` that contains `path`, which is below it.
std::string_view child_towards(std::string_view path, std::string_view module) {
  const size_t start = module.empty() ? 0 : module.size() + 1;
  return path.substr(0, std::min(path.find('.', start), path.size()));
}

/// The number of a child of a list of layers.
std::optional<int64_t> number_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('.') + 1);  // npos + 1 is 0
  int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (name.empty() || error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

class Inference {
 public:
  explicit Inference(Graph& graph)
      : graph_(graph),
        forward_(graph.context().symbol("fw")),
        unsafe_view_(graph.context().function("aten._unsafe_view.default")),
        exact_(graph) {}

  bool run();

 private:
  bool is_forward(const Node& node) const {
    const Argument* region = node.meta().find(meta::kRegion.name);
    return region == nullptr || region->as_string() == forward_.str();
  }
  void find_attentions();
  std::string_view owner(std::string_view module) const;
  void find_exact();
  void note_module(std::string_view path);
  std::string infer(const Node& node, std::string_view before, std::string_view after,
                    std::string_view stated);
  Symbol symbol(std::string_view path) const { return graph_.context().symbol(path); }
  bool is_list(std::string_view module) const {
    const auto found = is_list_.find(symbol(module));
    return found != is_list_.end() && found->second;
  }
  std::vector<std::string_view> lists_around(std::string_view path, std::string_view within) const;
  std::string between_layers(const Node& node, std::string_view before, std::string_view after,
                             std::string_view stated);
  bool set_backward();

  Graph& graph_;
  Symbol forward_;
  Target unsafe_view_;
  NodeMap<Symbol> exact_;                   // the module of the parameters that a forward call uses
  absl::flat_hash_set<Symbol> modules_;     // with parameters, and those around them
  absl::flat_hash_set<Symbol> attentions_;  // of libtorch
  absl::flat_hash_map<Symbol, bool> is_list_;  // of modules with children
  /// For a list of layers: functions that are layers without parameters, from gaps in its numbers.
  absl::flat_hash_map<Symbol, absl::flat_hash_set<Target>> layer_functions_;
  bool changed_ = false;
};

void Inference::note_module(std::string_view path) {
  for (; !path.empty() && modules_.insert(symbol(path)).second; path = parent_path(path)) {
    bool& is_list = is_list_.try_emplace(symbol(parent_path(path)), true).first->second;
    is_list = is_list && number_of(path).has_value();
  }
}

/// Finds libtorch's MultiheadAttention, by the names of its parameters.
void Inference::find_attentions() {
  for (const Node& node : graph_.nodes()) {
    const std::string_view path = node.is_placeholder()           ? input_fact(node, "target")
                                  : node.op() == Opcode::kGetAttr ? node.target()
                                                                  : std::string_view();
    if (path.ends_with(".in_proj_weight") || path.ends_with(".q_proj_weight"))
      attentions_.insert(symbol(parent_path(path)));
  }
}

/// The module that uses the parameters of `module`. An attention does not call its module
/// `out_proj`, but uses its parameters.
std::string_view Inference::owner(std::string_view module) const {
  const std::string_view outer = parent_path(module);
  return module.ends_with(".out_proj") && attentions_.contains(symbol(outer)) ? outer : module;
}

/// A call that uses a parameter belongs to its module, unless the program states another one: a
/// tied weight. A function of parameters only, such as their transpose, is a parameter.
void Inference::find_exact() {
  Context& context = graph_.context();
  NodeMap<Symbol> parameters(graph_);
  for (Node& node : graph_.nodes()) {
    if (node.is_placeholder() || node.op() == Opcode::kGetAttr) {
      const std::string_view path = owner(module_path(node));
      if (path.empty()) continue;
      parameters[node] = context.symbol(path);
      note_module(path);
      continue;
    }
    if (node.is_output() || !is_forward(node)) continue;
    Symbol module;
    bool only_parameters = true;
    node.for_each_input([&](const Node* operand) {
      const Symbol of_operand = parameters[*operand];
      if (!module) module = of_operand;
      if (!of_operand) only_parameters = false;
    });
    if (!module) continue;
    const auto stated = node.meta().get(meta::kModule);
    if (stated && !is_within(module.str(), *stated) && !attentions_.contains(module)) continue;
    exact_[node] = module;
    if (only_parameters) parameters[node] = module;
  }
}

/// The lists of layers within `within` that contain `path`, the innermost first.
std::vector<std::string_view> Inference::lists_around(std::string_view path,
                                                      std::string_view within) const {
  std::vector<std::string_view> lists;
  for (std::string_view module = parent_path(path); !module.empty() && is_within(module, within);
       module = parent_path(module)) {
    if (is_list(module)) lists.push_back(module);
  }
  return lists;
}

/// The layer without parameters that a call between `before` and `after` is; "" if it is none.
std::string Inference::between_layers(const Node& node, std::string_view before,
                                      std::string_view after, std::string_view stated) {
  const auto numbered = [](std::string_view list, int64_t number) {
    return fmt::format("{}.{}", list, number);
  };
  // After a layer of a list, before a later one.
  for (const std::string_view list : lists_around(before, stated)) {
    const std::string_view layer = child_towards(before, list);
    const std::string next = numbered(list, number_of(layer).value_or(0) + 1);
    if (modules_.contains(symbol(next))) break;
    const bool is_inside =
        !after.empty() && is_within(after, list) && child_towards(after, list) != layer;
    if (is_inside) layer_functions_[symbol(list)].insert(function_of(node));
    // After the last layer with parameters: a function that is a layer elsewhere in the list.
    const auto known = layer_functions_.find(symbol(list));
    if (is_inside || (layer == before && known != layer_functions_.end() &&
                      known->second.contains(function_of(node))))
      return next;
  }
  // Before the first layer with parameters.
  for (const std::string_view list : lists_around(after, stated)) {
    const int64_t number = number_of(child_towards(after, list)).value_or(0);
    if (number == 0 || is_within(before, list)) continue;
    const std::string previous = numbered(list, number - 1);
    if (!modules_.contains(symbol(previous))) return previous;
  }
  return "";
}

/// The module of a call between calls of the modules `before` and `after`; `stated` is the module
/// of the open scopes, "" if it is unknown.
std::string Inference::infer(const Node& node, std::string_view before, std::string_view after,
                             std::string_view stated) {
  if (!before.empty() && before == after && is_within(before, stated)) return std::string(before);
  if (node.is(unsafe_view_)) {
    // The last part of a matrix product.
    const Node* product = node.arg(0).is_node() ? node.arg(0).as_node() : nullptr;
    if (product != nullptr && exact_[*product] && is_within(exact_[*product].str(), stated))
      return std::string(exact_[*product].str());
  }
  if (const std::string layer = between_layers(node, before, after, stated); !layer.empty())
    return layer;
  std::string_view module = before.empty() || after.empty() ? "" : around_both(before, after);
  // A list of layers makes no calls: the call belongs to the layer before it.
  while (!module.empty() && module != before && is_list(module))
    module = child_towards(before, module);
  return std::string(is_within(module, stated) ? module : stated);
}

/// A call of the backward pass belongs to the module of its forward call.
bool Inference::set_backward() {
  absl::flat_hash_map<int64_t, Symbol> by_sequence;
  Context& context = graph_.context();
  bool changed = false;
  for (Node& node : graph_.nodes()) {
    const auto sequence = node.meta().get(meta::kSeq);
    if (!sequence) continue;
    const auto module = node.meta().get(meta::kModule);
    if (is_forward(node)) {
      if (module) by_sequence.try_emplace(*sequence, context.symbol(*module));
      continue;
    }
    const auto found = by_sequence.find(*sequence);
    if (found == by_sequence.end() || (module && *module == found->second.str())) continue;
    node.meta().set(meta::kModule, found->second.str());
    changed = true;
  }
  return changed;
}

bool Inference::run() {
  find_attentions();
  find_exact();
  if (modules_.empty()) return false;
  // For each call, the module of the next call that uses a parameter.
  NodeMap<Symbol> next(graph_);
  Symbol after;
  for (Node* node = graph_.back(); node != nullptr; node = node->prev()) {
    next[*node] = after;
    if (exact_[*node]) after = exact_[*node];
  }
  Symbol before;
  for (Node& node : graph_.nodes()) {
    if (node.is_placeholder() || node.is_output() || node.op() == Opcode::kGetAttr ||
        !is_forward(node))
      continue;
    const std::string stated(node.meta().get(meta::kModule).value_or(""));
    std::string module;
    if (exact_[node]) {
      before = exact_[node];
      module = before.str();
    } else {
      const auto text = [](Symbol symbol) { return symbol ? symbol.str() : std::string_view(); };
      module = infer(node, text(before), text(next[node]), stated);
    }
    if (module == stated) continue;
    node.meta().set(meta::kModule, module);
    changed_ = true;
  }
  return set_backward() || changed_;
}

}  // namespace

bool infer_modules(Graph& graph) { return Inference(graph).run(); }

}  // namespace fx
