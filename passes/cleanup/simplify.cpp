// simplify: see simplify.h.
#include "fx/passes/cleanup/simplify.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

enum class Rule : uint8_t {
  kNeutral,    ///< of a neutral element and another operand (OpInfo::algebra): the other one
  kNeg,        ///< twice: nothing
  kT,          ///< twice: nothing
  kTranspose,  ///< twice over the same dimensions: nothing
  kPermute,    ///< two make one
  kView,       ///< of a view: of what that views; to the same type: nothing
  kReshape,    ///< the same
  kSameType,   ///< to the same type: nothing
  kCopy,       ///< the same, but the result is memory of its own
};

constexpr std::pair<std::string_view, Rule> kRules[] = {
    {"aten.neg.default", Rule::kNeg},
    {"torch.neg", Rule::kNeg},
    {"operator.neg", Rule::kNeg},
    {"aten.t.default", Rule::kT},
    {"torch.t", Rule::kT},
    {"aten.transpose.int", Rule::kTranspose},
    {"torch.transpose", Rule::kTranspose},
    {"aten.permute.default", Rule::kPermute},
    {"torch.permute", Rule::kPermute},
    {"aten.view.default", Rule::kView},
    {"aten._unsafe_view.default", Rule::kView},
    {"aten.reshape.default", Rule::kReshape},
    {"torch.reshape", Rule::kReshape},
    {"aten.expand.default", Rule::kSameType},
    {"aten.contiguous.default", Rule::kSameType},
    {"aten.flatten.using_ints", Rule::kSameType},
    {"aten.squeeze.default", Rule::kSameType},
    {"aten.squeeze.dim", Rule::kSameType},
    {"aten.squeeze.dims", Rule::kSameType},
    {"aten.to.dtype", Rule::kSameType},
    {"aten.to.device", Rule::kSameType},
    {"aten.to.dtype_layout", Rule::kSameType},
    {"aten._to_copy.default", Rule::kCopy},
    {"aten.clone.default", Rule::kCopy},
    {"torch.clone", Rule::kCopy},
    {"prims.convert_element_type.default", Rule::kCopy},
};

bool is_literal(const ArgumentRef& value, double wanted) {
  return (value.is_int() && static_cast<double>(value.as_int()) == wanted) ||
         (value.is_float() && value.as_float() == wanted);
}

class Simplifier {
 public:
  Simplifier(Graph& graph, const SimplifyOptions& options) : graph_(graph), options_(options) {
    for (const auto& [name, rule] : kRules) rules_.emplace(graph.context().function(name), rule);
  }

  absl::StatusOr<bool> run() {
    bool changed = false;
    for (Node& node : graph_.nodes()) {
      const std::optional<Rule> rule = rule_of(&node);
      if (!rule || node.num_args() == 0) continue;
      // A view that has been merged may be none any more.
      for (bool again = true; again;) {
        FX_ASSIGN_OR_RETURN(again, apply(node, *rule));
        changed = changed || again;
        again = again && !node.is_erased();
      }
    }
    return changed;
  }

 private:
  /// One step; whether there was any.
  absl::StatusOr<bool> apply(Node& node, Rule rule) {
    Node* operand = node.arg(0).node();
    Node* value = stands_for(node, rule);
    if (value != nullptr && node.has_uses() && may_stand_for(*value, node, rule)) {
      node.replace_all_uses_with(value);
      FX_RETURN_IF_ERROR(erase_dead(&node));
      return true;
    }
    FX_ASSIGN_OR_RETURN(const bool merged, merge(node, rule));
    if (merged) FX_RETURN_IF_ERROR(erase_dead(operand));
    return merged;
  }

  std::optional<Rule> rule_of(const Node* node) {
    if (node == nullptr || node->op() != Opcode::kCallFunction) return std::nullopt;
    const auto [rule, is_new] = rules_.try_emplace(node->function());
    if (is_new && has_neutral(node->function())) rule->second = Rule::kNeutral;
    return rule->second;
  }
  static bool has_neutral(Target function) {
    const ops::OpInfo* op = function.op();
    return op != nullptr && op->algebra().right_neutral.has_value();
  }

  /// The operand that the call returns unchanged; null when there is none.
  Node* stands_for(const Node& node, Rule rule) {
    Node* x = node.arg(0).node();
    switch (rule) {
      case Rule::kNeutral:
        return other_than_neutral(node);
      case Rule::kNeg:
      case Rule::kT:
        return rule_of(x) == rule && x->num_args() == 1 && node.num_args() == 1 ? x->arg(0).node()
                                                                                : nullptr;
      case Rule::kTranspose:
        return rule_of(x) == rule && same_dims(node, *x) ? x->arg(0).node() : nullptr;
      case Rule::kPermute:
        return is_identity(node) ? x : nullptr;
      case Rule::kView:
      case Rule::kReshape:
      case Rule::kSameType:
      case Rule::kCopy:
        return x;
    }
    return nullptr;
  }
  /// The operand of a call whose other operand is neutral; null when neither is.
  Node* other_than_neutral(const Node& node) const {
    if (node.num_args() != 2 || !effects(node).is_pure()) return nullptr;
    const ops::OpAlgebra& algebra = node.function().op()->algebra();
    const bool is_float = !node.type().is_tensor() || is_floating_point(node.type().dtype()) ||
                          is_complex(node.type().dtype());
    if (algebra.changes_zero && options_.signed_zeros && is_float) return nullptr;
    Node* x = node.arg(0).node();
    Node* y = node.arg(1).node();
    // `alpha` multiplies the second operand, which may be 0 but not x; `rounding_mode` rounds x.
    const bool plain = node.num_kwargs() == 0 || algebra.right_neutral == 0;
    if (x != nullptr && plain && is_literal(node.arg(1), *algebra.right_neutral)) return x;
    if (y != nullptr && node.num_kwargs() == 0 && algebra.left_neutral &&
        is_literal(node.arg(0), *algebra.left_neutral))
      return y;
    return nullptr;
  }
  static int64_t wrapped(const ArgumentRef& dim, const Node& node) {
    const int64_t value = dim.as_int();
    return value < 0 && node.type().is_tensor() && node.type().has_rank()
               ? value + node.type().rank()
               : value;
  }
  static bool same_dims(const Node& a, const Node& b) {
    for (const Node* node : {&a, &b}) {
      if (node->num_args() != 3 || !node->arg(1).is_int() || !node->arg(2).is_int()) return false;
    }
    const auto [a1, a2] = std::minmax({wrapped(a.arg(1), a), wrapped(a.arg(2), a)});
    const auto [b1, b2] = std::minmax({wrapped(b.arg(1), b), wrapped(b.arg(2), b)});
    return a1 == b1 && a2 == b2;
  }
  static std::optional<std::vector<int64_t>> permutation(const Node& node) {
    if (node.num_args() != 2) return std::nullopt;
    const ArgumentRef dims = node.arg(1);
    std::vector<int64_t> order;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (!dims[i].is_int()) return std::nullopt;
      int64_t dim = dims[i].as_int();
      if (dim < 0) dim += static_cast<int64_t>(dims.size());
      if (dim < 0 || dim >= static_cast<int64_t>(dims.size())) return std::nullopt;
      order.push_back(dim);
    }
    return order;
  }
  static bool is_identity(const Node& node) {
    const auto order = permutation(node);
    if (!order) return false;
    for (size_t i = 0; i < order->size(); ++i)
      if ((*order)[i] != static_cast<int64_t>(i)) return false;
    return true;
  }

  Type without_grad(Type type) const {
    if (!type.is_tensor() || !type.requires_grad()) return type;
    TensorSpec spec = type.spec();
    spec.requires_grad = false;
    return graph_.context().types().tensor(spec);
  }
  /// Same sizes, strides, dtype and device.
  bool may_stand_for(const Node& value, const Node& node, Rule rule) const {
    if (!node.type() || without_grad(value.type()) != without_grad(node.type())) return false;
    const bool outside = value.is_placeholder() || value.op() == Opcode::kGetAttr;
    const bool shares_memory = rule == Rule::kT || rule == Rule::kTranspose ||
                               rule == Rule::kPermute || rule == Rule::kView ||
                               rule == Rule::kReshape || rule == Rule::kSameType;
    return shares_memory || !is_returned(node) || (!outside && !is_returned(value));
  }

  /// Lets a view of a view read what that views.
  absl::StatusOr<bool> merge(Node& node, Rule rule) {
    Node* first = node.arg(0).node();
    if (rule_of(first) != rule || first->num_args() == 0) return false;
    Node* source = first->arg(0).node();
    if (source == nullptr || !node.type()) return false;
    if (rule == Rule::kPermute) {
      const auto inner = permutation(*first), outer = permutation(node);
      if (!inner || !outer || inner->size() != outer->size()) return false;
      std::vector<int64_t> order;
      for (const int64_t dim : *outer) order.push_back((*inner)[static_cast<size_t>(dim)]);
      FX_RETURN_IF_ERROR(node.set_args({source, Argument::ints(order)}));
      return true;
    }
    if (rule != Rule::kView && rule != Rule::kReshape) return false;
    // Whether a view is possible depends on where the elements lie in order, which a view leaves.
    // With -1 among the sizes both have the same meaning, since there are as many elements.
    FX_RETURN_IF_ERROR(node.update_arg(0, source));
    const absl::StatusOr<Type> type = infer_type(node);
    if (type.ok() && *type && without_grad(*type) == without_grad(node.type())) return true;
    FX_RETURN_IF_ERROR(node.update_arg(0, first));
    return false;
  }

  /// Erases a call that nobody reads any more, and what only it read.
  absl::Status erase_dead(Node* node) {
    while (node != nullptr && !node->is_erased() && !node->has_uses() &&
           rule_of(node).has_value()) {
      Node* operand = node->num_args() > 0 ? node->arg(0).node() : nullptr;
      FX_RETURN_IF_ERROR(graph_.erase_node(node));
      node = operand;
    }
    return absl::OkStatus();
  }

  Graph& graph_;
  const SimplifyOptions& options_;
  absl::flat_hash_map<Target, std::optional<Rule>> rules_;
};

}  // namespace

absl::StatusOr<bool> simplify(Graph& graph, const SimplifyOptions& options) {
  bool changed = false;
  std::vector<Graph*> todo = {&graph};
  while (!todo.empty()) {
    Graph& g = *todo.back();
    todo.pop_back();
    for (size_t i = 0; i < g.num_subgraphs(); ++i) todo.push_back(&g.subgraph(i));
    if (writes_to_arguments(g)) continue;
    FX_ASSIGN_OR_RETURN(const bool some, Simplifier(g, options).run());
    changed = changed || some;
  }
  return changed;
}

}  // namespace fx
