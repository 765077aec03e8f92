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

/// Returns the function that a call_function node calls; null for other nodes.
Target function_of(const Node& node) {
  return node.op() == Opcode::kCallFunction ? node.function() : Target();
}

/// Returns the innermost module that contains both modules.
std::string_view innermost_of_both(std::string_view a, std::string_view b) {
  size_t length = 0;
  const size_t shorter = std::min(a.size(), b.size());
  for (size_t i = 0; i <= shorter; ++i) {
    const bool ends_a = i == a.size() || a[i] == '.', ends_b = i == b.size() || b[i] == '.';
    if (ends_a && ends_b) length = i;
    if (i == shorter || a[i] != b[i]) break;
  }
  return a.substr(0, length);
}

/// True if the last component of `path` is a number: the module is a child of a list of modules.
bool is_numbered(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('.') + 1);  // npos + 1 is 0
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Sets the module of a call. Removes the metadata for "", the root. Returns true if it changed.
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
  /// True for a forward call whose module is that of the parameters that it uses.
  bool is_exact_call(const Node& node) const {
    return exact_.contains(node) && is_forward_call(node);
  }
  void find_attentions();
  std::string_view owner(std::string_view module) const;
  void note_module(std::string_view path);
  void find_exact();
  bool is_other_function(const Node& node, const Node& parameter);
  NodeMap<Symbol> modules_of_gaps();
  std::string infer(const Node& node, std::string_view enclosing, std::string_view stated) const;
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
  NodeSet parameters_;    // placeholders, get_attr nodes, and calls that use only these
  NodeSet exact_;         // used_ is the module of the call
  /// Calls for which capture recorded the module of their parameter, because no scope was active,
  /// but which use the parameter for a different purpose than this module, after calls of other
  /// modules. Excludes calls after the backward pass, because the optimizer uses all parameters.
  NodeSet tied_;
  absl::flat_hash_map<const Node*, Target> functions_;  // of the first user of each parameter
  absl::flat_hash_set<Symbol> modules_;                 // with parameters inside
  absl::flat_hash_set<Symbol> attentions_;              // libtorch's MultiheadAttention
  absl::flat_hash_map<Symbol, bool> is_list_;           // for modules with children
  bool changed_ = false;
};

void Inference::note_module(std::string_view path) {
  for (; !path.empty() && modules_.insert(symbol(path)).second; path = parent_path(path)) {
    bool& is_list = is_list_.try_emplace(symbol(parent_path(path)), true).first->second;
    is_list = is_list && is_numbered(path);
  }
}

/// Finds libtorch's MultiheadAttention modules by the names of their parameters.
void Inference::find_attentions() {
  for (const Node& node : graph_.nodes()) {
    const std::string_view path = node.is_placeholder()           ? input_fact(node, "target")
                                  : node.op() == Opcode::kGetAttr ? node.target()
                                                                  : std::string_view();
    if (path.ends_with(".in_proj_weight") || path.ends_with(".q_proj_weight"))
      attentions_.insert(symbol(parent_path(path)));
  }
}

/// Returns the module that uses the parameters of `module`. A MultiheadAttention does not call its
/// module `out_proj`, but uses its parameters.
std::string_view Inference::owner(std::string_view module) const {
  const std::string_view outer = parent_path(module);
  return module.ends_with(".out_proj") && attentions_.contains(symbol(outer)) ? outer : module;
}

/// True if the first call that uses `parameter` calls a different function than `node`. A module
/// uses its parameters for the same purpose in each call; a different function belongs to a
/// different module, such as an output layer that is tied to an embedding.
bool Inference::is_other_function(const Node& node, const Node& parameter) {
  const Target function = function_of(node);
  return functions_.try_emplace(&parameter, function).first->second != function;
}

/// Finds the calls that belong to the module of the parameters that they use: no scope specifies a
/// different module, and the parameter is not tied. A call whose operands are all parameters, such
/// as a transpose, counts as a parameter.
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

/// Returns, for each exact call, the innermost module to which the calls between the previous exact
/// call and this one belong: one call of this module contains both. The next call of a module
/// starts where the parameter that the module used first is used again.
NodeMap<Symbol> Inference::modules_of_gaps() {
  NodeMap<Symbol> enclosing(graph_);
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
    std::string_view common = is_first_call ? "" : innermost_of_both(before, module);
    for (std::string_view outer = module; !outer.empty(); outer = parent_path(outer)) {
      const auto [first, is_new] = first_parameters.try_emplace(symbol(outer), parameter);
      if (!is_new && first->second == parameter && is_in_module(common, outer))
        common = parent_path(outer);
    }
    while (!common.empty() && is_list(common)) common = parent_path(common);
    enclosing[node] = symbol(common);
    before = module;
    is_first_call = false;
  }
  return enclosing;
}

/// Returns the module of a call that is not exact, in a gap between exact calls. `stated` is the
/// module of the active scopes; "" if it is unknown.
std::string Inference::infer(const Node& node, std::string_view enclosing,
                             std::string_view stated) const {
  if (node.is(unsafe_view_) || node.is(getitem_)) {
    // The last call of a matrix product, or one of multiple results.
    const Node* call = node.arg(0).is_node() ? node.arg(0).as_node() : nullptr;
    if (call != nullptr && is_exact_call(*call) && is_in_module(used_[*call].str(), stated))
      return std::string(used_[*call].str());
  }
  return std::string(is_in_module(enclosing, stated) ? enclosing : stated);
}

/// Sets the modules of backward calls to those of their forward calls. Returns true if one changed.
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
  const NodeMap<Symbol> enclosing = modules_of_gaps();
  NodeMap<Symbol> gap(graph_);  // for each call, the module of the gap that contains it
  Symbol current;
  for (Node* node = graph_.back(); node != nullptr; node = node->prev()) {
    if (is_exact_call(*node)) current = enclosing[*node];
    gap[*node] = current;
  }
  for (Node& node : graph_.nodes()) {
    if (!is_forward_call(node)) continue;
    const std::string recorded(node.meta().get(meta::kModule).value_or(""));
    std::string module;
    if (exact_.contains(node)) {
      module = used_[node].str();
    } else {
      const std::string_view enclosing_gap = gap[node] ? gap[node].str() : std::string_view();
      module = infer(node, enclosing_gap, tied_.contains(node) ? "" : recorded);
    }
    if (set_module(node, module)) changed_ = true;
  }
  return set_backward() || changed_;
}

}  // namespace

bool infer_modules(Graph& graph) { return Inference(graph).run(); }

}  // namespace fx
