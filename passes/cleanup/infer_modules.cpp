#include "fx/passes/cleanup/infer_modules.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/analysis/module_tree.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace fx {
namespace {

/// The function that a call_function node calls; null for other nodes.
Target function_of(const Node& node) {
  return node.op() == Opcode::kCallFunction ? node.function() : Target();
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

/// True if the last name of `path` is a number: a child of a list of modules.
bool is_numbered(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('.') + 1);  // npos + 1 is 0
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Sets the module of a call, "" for the root, which is not stated. Returns true if it changed.
bool set_module(Node& node, std::string_view module) {
  if (node.meta().get(meta::kModule).value_or("") == module) return false;
  if (module.empty()) {
    node.meta().remove(meta::kModule);
  } else {
    node.meta().set(meta::kModule, module);
  }
  return true;
}

class Inference {
 public:
  explicit Inference(Graph& graph)
      : graph_(graph),
        forward_(graph.context().symbol("fw")),
        unsafe_view_(graph.context().function("aten._unsafe_view.default")),
        getitem_(graph.context().function("operator.getitem")),
        used_(graph),
        parameters_(graph),
        exact_(graph),
        tied_(graph) {}

  bool run();

 private:
  bool is_forward(const Node& node) const {
    const Argument* region = node.meta().find(meta::kRegion.name);
    return region == nullptr || region->as_string() == forward_.str();
  }
  bool is_forward_call(const Node& node) const {
    return !node.is_placeholder() && !node.is_output() && node.op() != Opcode::kGetAttr &&
           is_forward(node);
  }
  /// A call of the module whose parameters it uses.
  bool is_exact_call(const Node& node) const {
    return exact_.contains(node) && is_forward_call(node);
  }
  void find_attentions();
  std::string_view owner(std::string_view module) const;
  void note_module(std::string_view path);
  void find_exact();
  bool is_other_function(const Node& node, const Node& parameter);
  NodeMap<Symbol> modules_around_gaps();
  std::string infer(const Node& node, std::string_view around, std::string_view stated) const;
  Symbol symbol(std::string_view path) const { return graph_.context().symbol(path); }
  bool is_list(std::string_view module) const {
    const auto found = is_list_.find(symbol(module));
    return found != is_list_.end() && found->second;
  }
  bool set_backward();

  Graph& graph_;
  Symbol forward_;
  Target unsafe_view_;
  Target getitem_;
  NodeMap<Symbol> used_;  // the module of a parameter, or of the parameters that a call uses
  NodeSet parameters_;    // placeholders and get_attr nodes, and functions of these only
  NodeSet exact_;         // used_ is the module of the call
  /// Calls for which capture recorded the module of their parameter, since the program states none,
  /// but which use it for a different purpose than this module, after calls of other modules. Calls
  /// after the backward pass are not among these, since the optimizer uses all parameters.
  NodeSet tied_;
  absl::flat_hash_map<const Node*, Target> functions_;  // that use a parameter first
  absl::flat_hash_set<Symbol> modules_;                 // with parameters, and those around them
  absl::flat_hash_set<Symbol> attentions_;              // of libtorch
  absl::flat_hash_map<Symbol, bool> is_list_;           // of modules with children
  bool changed_ = false;
};

void Inference::note_module(std::string_view path) {
  for (; !path.empty() && modules_.insert(symbol(path)).second; path = parent_path(path)) {
    bool& is_list = is_list_.try_emplace(symbol(parent_path(path)), true).first->second;
    is_list = is_list && is_numbered(path);
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

/// True if the first call that uses `parameter` calls a function other than `node`'s. A module uses
/// its parameters for the same purpose in each call; another function is another module's, such as
/// the output layer that is tied to an embedding.
bool Inference::is_other_function(const Node& node, const Node& parameter) {
  const Target function = function_of(node);
  return functions_.try_emplace(&parameter, function).first->second != function;
}

/// A call that uses a parameter belongs to its module, unless the program states another one, or
/// the parameter is tied. A function of parameters only, such as their transpose, is a parameter.
void Inference::find_exact() {
  Symbol last;  // the module of the last exact call
  bool is_after_backward = false;
  for (Node& node : graph_.nodes()) {
    if (node.is_placeholder() || node.op() == Opcode::kGetAttr) {
      const std::string_view path = owner(module_path(node));
      if (path.empty()) continue;
      used_[node] = symbol(path);
      parameters_.insert(node);
      exact_.insert(node);
      note_module(path);
      continue;
    }
    if (!is_forward(node)) is_after_backward = true;
    if (!is_forward_call(node)) continue;
    Symbol module;
    bool only_parameters = true, is_exact = true;
    node.for_each_input([&](const Node* operand) {
      const Symbol of_operand = parameters_.contains(*operand) ? used_[*operand] : Symbol();
      if (!of_operand) {
        only_parameters = false;
        return;
      }
      if (!module) module = of_operand;
      if (of_operand != module || !exact_.contains(*operand) || is_other_function(node, *operand))
        is_exact = false;
    });
    if (!module) continue;
    used_[node] = module;
    if (only_parameters) parameters_.insert(node);
    const auto stated = node.meta().get(meta::kModule);
    if (is_exact &&
        (!stated || is_in_module(module.str(), *stated) || attentions_.contains(module))) {
      exact_.insert(node);
      last = module;
    } else if (stated && *stated == module.str() && module != last && !is_after_backward) {
      tied_.insert(node);
    }
  }
}

/// For each exact call, the innermost module that makes the calls between it and the exact call
/// before it: one that contains both, in one call of this module. A module is called again where
/// the parameter that its first call used first is used again.
NodeMap<Symbol> Inference::modules_around_gaps() {
  NodeMap<Symbol> around(graph_);
  absl::flat_hash_map<Symbol, const Node*> first_parameters;  // of modules
  std::string_view before;
  bool is_first_call = true;
  for (Node& node : graph_.nodes()) {
    if (!is_exact_call(node)) continue;
    const Node* parameter = nullptr;
    node.for_each_input([&](const Node* operand) {
      if (parameter == nullptr && parameters_.contains(*operand)) parameter = operand;
    });
    const std::string_view module = used_[node].str();
    std::string_view common = is_first_call ? "" : around_both(before, module);
    for (std::string_view outer = module; !outer.empty(); outer = parent_path(outer)) {
      const auto [first, is_new] = first_parameters.try_emplace(symbol(outer), parameter);
      if (!is_new && first->second == parameter && is_in_module(common, outer))
        common = parent_path(outer);
    }
    while (!common.empty() && is_list(common)) common = parent_path(common);
    around[node] = symbol(common);
    before = module;
    is_first_call = false;
  }
  return around;
}

/// The module of a call that is not exact, in a gap between calls that are. `stated` is the
/// module of the open scopes, "" if it is unknown.
std::string Inference::infer(const Node& node, std::string_view around,
                             std::string_view stated) const {
  if (node.is(unsafe_view_) || node.is(getitem_)) {
    // The last part of a matrix product; one of several results.
    const Node* call = node.arg(0).is_node() ? node.arg(0).as_node() : nullptr;
    if (call != nullptr && is_exact_call(*call) && is_in_module(used_[*call].str(), stated))
      return std::string(used_[*call].str());
  }
  return std::string(is_in_module(around, stated) ? around : stated);
}

/// A call of the backward pass belongs to the module of its forward call.
bool Inference::set_backward() {
  absl::flat_hash_map<int64_t, const Node*> by_sequence;
  bool changed = false;
  for (Node& node : graph_.nodes()) {
    const auto sequence = node.meta().get(meta::kSeq);
    if (!sequence) continue;
    if (is_forward(node)) {
      by_sequence.try_emplace(*sequence, &node);  // later calls have no autograd node
      continue;
    }
    const auto found = by_sequence.find(*sequence);
    if (found == by_sequence.end()) continue;
    const auto module = found->second->meta().get(meta::kModule);
    if ((module || tied_.contains(*found->second)) && set_module(node, module.value_or("")))
      changed = true;
  }
  return changed;
}

bool Inference::run() {
  find_attentions();
  find_exact();
  if (modules_.empty()) return false;
  const NodeMap<Symbol> around = modules_around_gaps();
  NodeMap<Symbol> gap(graph_);  // of each call: the module around the gap that it is in
  Symbol current;
  for (Node* node = graph_.back(); node != nullptr; node = node->prev()) {
    if (is_exact_call(*node)) current = around[*node];
    gap[*node] = current;
  }
  for (Node& node : graph_.nodes()) {
    if (!is_forward_call(node)) continue;
    const std::string recorded(node.meta().get(meta::kModule).value_or(""));
    std::string module;
    if (exact_.contains(node)) {
      module = used_[node].str();
    } else {
      const std::string_view around_gap = gap[node] ? gap[node].str() : std::string_view();
      module = infer(node, around_gap, tied_.contains(node) ? "" : recorded);
    }
    if (set_module(node, module)) changed_ = true;
  }
  return set_backward() || changed_;
}

}  // namespace

bool infer_modules(Graph& graph) { return Inference(graph).run(); }

}  // namespace fx
