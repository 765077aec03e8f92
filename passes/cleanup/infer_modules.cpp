#include "fx/passes/cleanup/infer_modules.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/analysis/module_tree.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
        tied_(graph),
        first_users_(graph, nullptr) {}

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
  bool is_attention(Symbol module);
  std::string_view owner(std::string_view module);
  void note_module(Symbol module);
  void find_exact();
  bool is_other_function(const Node& node, const Node& parameter);
  std::vector<Symbol> modules_of_gaps();
  Symbol infer(const Node& node, Symbol enclosing, std::string_view stated) const;
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
  NodeMap<const Node*> first_users_;                       // of parameters
  absl::flat_hash_set<Symbol> modules_;                    // with parameters inside
  std::optional<absl::flat_hash_set<Symbol>> attentions_;  // set by is_attention()
  absl::flat_hash_map<Symbol, bool> is_list_;              // for modules with children
  std::vector<const Node*> exact_calls_;                   // the calls in exact_, in program order
  bool has_backward_ = false;  // whether there are calls that are not forward
  bool changed_ = false;
};

void Inference::note_module(Symbol module) {
  while (!module.str().empty() && modules_.insert(module).second) {
    const Symbol parent = symbol(parent_path(module.str()));
    bool& is_list = is_list_.try_emplace(parent, true).first->second;
    is_list = is_list && is_numbered(module.str());
    module = parent;
  }
}

/// True for libtorch's MultiheadAttention modules, which the names of their parameters identify. The
/// first call finds all of them.
bool Inference::is_attention(Symbol module) {
  if (!attentions_) {
    attentions_.emplace();
    for (const Node& node : graph_.nodes()) {
      const std::string_view path = node.is_placeholder()           ? input_fact(node, "target")
                                    : node.op() == Opcode::kGetAttr ? node.target()
                                                                    : std::string_view();
      if (path.ends_with(".in_proj_weight") || path.ends_with(".q_proj_weight"))
        attentions_->insert(symbol(parent_path(path)));
    }
  }
  return attentions_->contains(module);
}

/// Returns the module that uses the parameters of `module`. A MultiheadAttention does not call its
/// module `out_proj`, but uses its parameters.
std::string_view Inference::owner(std::string_view module) {
  const std::string_view outer = parent_path(module);
  return module.ends_with(".out_proj") && is_attention(symbol(outer)) ? outer : module;
}

/// True if the first call that uses `parameter` calls a different function than `node`. A module
/// uses its parameters for the same purpose in each call; a different function belongs to a
/// different module, such as an output layer that is tied to an embedding.
bool Inference::is_other_function(const Node& node, const Node& parameter) {
  const Node*& first = first_users_[parameter];
  if (first == nullptr) first = &node;
  return function_of(*first) != function_of(node);
}

/// Finds the calls that belong to the module of the parameters that they use: no scope specifies a
/// different module, and the parameter is not tied. A call whose operands are all parameters, such
/// as a transpose, counts as a parameter.
void Inference::find_exact() {
  Symbol last;           // the module of the last exact call
  Symbol owner_of_last;  // the module of the last parameter: most modules have several
  for (Node& node : graph_.nodes()) {
    if (node.is_placeholder() || node.op() == Opcode::kGetAttr) {
      const std::string_view path = owner(module_path(node));
      if (path.empty()) continue;
      if (!owner_of_last || owner_of_last.str() != path) owner_of_last = symbol(path);
      used_[node] = owner_of_last;
      parameters_.insert(node);
      exact_.insert(node);
      note_module(used_[node]);
      continue;
    }
    if (!is_forward(node)) has_backward_ = true;
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
    if (is_exact && (!stated || is_in_module(module.str(), *stated) || is_attention(module))) {
      exact_.insert(node);
      exact_calls_.push_back(&node);
      last = module;
    } else if (stated && *stated == module.str() && module != last && !has_backward_) {
      tied_.insert(node);
    }
  }
}

/// Returns, for each exact call, the innermost module to which the calls between the previous exact
/// call and this one belong: one call of this module contains both. The next call of a module
/// starts where the parameter that the module used first is used again.
std::vector<Symbol> Inference::modules_of_gaps() {
  std::vector<Symbol> enclosing;
  enclosing.reserve(exact_calls_.size());
  absl::flat_hash_map<Symbol, const Node*> first_parameters;  // of modules
  std::string_view before;
  bool is_first_call = true;
  for (const Node* node : exact_calls_) {
    const Node* parameter = nullptr;
    node->for_each_input([&](const Node* operand) {
      if (parameter == nullptr && parameters_.contains(*operand)) parameter = operand;
    });
    const std::string_view module = used_[*node].str();
    std::string_view common = is_first_call ? "" : innermost_of_both(before, module);
    for (Symbol outer = used_[*node]; !outer.str().empty();
         outer = symbol(parent_path(outer.str()))) {
      const auto [first, is_new] = first_parameters.try_emplace(outer, parameter);
      if (!is_new && first->second == parameter && is_in_module(common, outer.str()))
        common = parent_path(outer.str());
    }
    while (!common.empty() && is_list(common)) common = parent_path(common);
    enclosing.push_back(symbol(common));
    before = module;
    is_first_call = false;
  }
  return enclosing;
}

/// Returns the module of a call that is not exact, in a gap between exact calls; null if it is
/// `stated`, the module of the active scopes, which is "" if it is unknown.
Symbol Inference::infer(const Node& node, Symbol enclosing, std::string_view stated) const {
  if (node.is(unsafe_view_) || node.is(getitem_)) {
    // The last call of a matrix product, or one of multiple results.
    const Node* call = node.arg(0).is_node() ? node.arg(0).as_node() : nullptr;
    if (call != nullptr && is_exact_call(*call) && is_in_module(used_[*call].str(), stated))
      return used_[*call];
  }
  return enclosing && is_in_module(enclosing.str(), stated) ? enclosing : Symbol();
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
  find_exact();
  if (modules_.empty()) return false;
  const std::vector<Symbol> gaps = modules_of_gaps();
  size_t next = 0;  // the gap that contains the node ends with this exact call
  for (Node& node : graph_.nodes()) {
    if (!is_forward_call(node)) continue;
    const std::string_view recorded = node.meta().get(meta::kModule).value_or("");
    const std::string_view stated = tied_.contains(node) ? "" : recorded;
    const Symbol gap = next < gaps.size() ? gaps[next] : Symbol();
    const bool is_exact = exact_.contains(node);
    if (is_exact) ++next;
    const Symbol found = is_exact ? used_[node] : infer(node, gap, stated);
    const std::string_view module = found ? found.str() : stated;
    if (module == recorded) continue;
    changed_ = true;
    if (module.empty()) {
      node.meta().remove(meta::kModule);
    } else {
      node.meta().set(meta::kModule.name, found ? Argument(found) : Argument(module));
    }
  }
  return (has_backward_ && set_backward()) || changed_;
}

}  // namespace

bool infer_modules(Graph& graph) { return Inference(graph).run(); }

}  // namespace fx
