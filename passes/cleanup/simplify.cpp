// simplify: see simplify.h.
#include "fx/passes/cleanup/simplify.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/lazy_views.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/view_ops.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

enum class Rule : uint8_t {
  kNeutral,    ///< one operand is neutral (OpInfo::algebra): becomes the other operand
  kNeg,        ///< applied twice: becomes the operand
  kT,          ///< applied twice: becomes the operand
  kTranspose,  ///< applied twice to the same dimensions: becomes the operand
  kPermute,    ///< applied twice: becomes one permutation
  kView,       ///< of a view: becomes a view of its source; to the same type: the operand
  kReshape,    ///< like kView
  kSameType,   ///< to the same type: becomes the operand
  kCopy,       ///< like kSameType, but the result is new memory
};

/// Rules in addition to those that follow from the operator's row (Simplifier::rule_of).
constexpr std::pair<std::string_view, Rule> kRules[] = {
    {"aten.neg.default", Rule::kNeg},
    {"torch.neg", Rule::kNeg},
    {"operator.neg", Rule::kNeg},
    {"torch.t", Rule::kT},
    {"torch.transpose", Rule::kTranspose},
    {"torch.permute", Rule::kPermute},
    {"aten.view.default", Rule::kView},
    {"aten._unsafe_view.default", Rule::kView},
    {"aten.reshape.default", Rule::kReshape},
    {"torch.reshape", Rule::kReshape},
    {"aten.contiguous.default", Rule::kSameType},
    {"aten.to.dtype", Rule::kSameType},
    {"aten.to.device", Rule::kSameType},
    {"aten.to.dtype_layout", Rule::kSameType},
    {"aten._to_copy.default", Rule::kCopy},
    {"aten.clone.default", Rule::kCopy},
    {"torch.clone", Rule::kCopy},
    {"prims.convert_element_type.default", Rule::kCopy},
};

template <typename Value>  // Argument or ArgumentRef
std::optional<double> literal_number(const Value& value) {
  if (value.is_int()) return static_cast<double>(value.as_int());
  return value.is_float() ? std::optional(value.as_float()) : std::nullopt;
}

bool is_literal(const ArgumentRef& value, double expected) {
  const std::optional<double> number = literal_number(value);
  return number && *number == expected;
}

/// True if values of the type have zeros of both signs.
bool has_signed_zeros(Type type) {
  if (type.is_tensor()) return is_floating_point(type.dtype()) || is_complex(type.dtype());
  return type.kind() != TypeKind::kInt && type.kind() != TypeKind::kBool;
}

bool may_be_complex(Type type) {
  return type.is_tensor() ? is_complex(type.dtype())
                          : type.kind() != TypeKind::kInt && type.kind() != TypeKind::kBool &&
                                type.kind() != TypeKind::kFloat;
}

/// Returns the number that `add(x, y)` or `sub(x, y)` adds to x, as libtorch computes it:
/// `alpha * y` or `-alpha * y`. Nullopt if it is unknown. An integer has no negative zero.
std::optional<double> addend(const Node& node, double y, bool is_difference) {
  double alpha = 1;
  if (node.num_kwargs() > 0) {
    const std::optional<Argument> given = node.argument("alpha");
    if (node.num_kwargs() > 1 || !given) return std::nullopt;
    const std::optional<double> number = literal_number(*given);
    if (!number) return std::nullopt;
    alpha = *number;
    if (alpha == 0 && given->is_int() && is_difference) return 0.0 * y;
  }
  return (is_difference ? -alpha : alpha) * y;
}

class Simplifier {
 public:
  Simplifier(Graph& graph, const SimplifyOptions& options, const MemoryOptions& memory)
      : graph_(graph), options_(options), memory_(graph, memory) {
    for (const auto& [name, rule] : kRules) rules_.emplace(graph.context().function(name), rule);
  }

  absl::StatusOr<bool> run() {
    for (Node& node : graph_.nodes()) FX_RETURN_IF_ERROR(visit(node));
    merges_copies_ = true;
    for (Node* node : std::exchange(copies_, {}))
      if (!node->is_erased()) FX_RETURN_IF_ERROR(visit(*node));
    return changed_;
  }
  /// True if run() replaced a call after it had visited the users, which may now be redundant.
  bool is_incomplete() const { return is_incomplete_; }

 private:
  /// Applies the rule of a call as often as possible.
  absl::Status visit(Node& node) {
    const std::optional<Rule> rule = rule_of(&node);
    if (!rule || node.num_args() == 0) return absl::OkStatus();
    // After a merge, a view may have the type of its operand.
    for (bool again = true; again && !node.is_erased();) {
      FX_ASSIGN_OR_RETURN(again, apply(node, *rule));
      changed_ = changed_ || again;
    }
    return absl::OkStatus();
  }

  /// Applies one step; returns true if the graph changed.
  absl::StatusOr<bool> apply(Node& node, Rule rule) {
    Node* operand = node.arg(0).node();
    Node* value = equal_value(node, rule);
    const bool is_operand = returns_operand(node, rule);
    // Operators such as `view.dtype` accept a copy of a lazy view, but not the view.
    if (value != nullptr && node.has_uses() && known_equal(value->type(), node.type()) &&
        (is_operand ||
         !(has_unspecified_strides(node.type()) || may_be_lazy_view(*value, may_be_lazy_input))) &&
        memory_.may_replace(node, *value, is_operand)) {
      node.replace_all_uses_with(value);
      memory_.record_replacement(node, *value);
      is_incomplete_ = is_incomplete_ || merges_copies_;
      FX_RETURN_IF_ERROR(erase_dead(&node));
      return true;
    }
    FX_ASSIGN_OR_RETURN(const bool merged, merge(node, rule));
    if (merged) FX_RETURN_IF_ERROR(erase_dead(operand));
    return merged;
  }

  /// True if a call to which the rule applies returns its operand, or a view of it, if both have
  /// the same, fully known type.
  static bool returns_operand(const Node& node, Rule rule) {
    switch (rule) {
      case Rule::kT:
      case Rule::kTranspose:
      case Rule::kPermute:
      case Rule::kView:
      case Rule::kReshape:
        return true;
      case Rule::kSameType: {  // `to` with copy=True creates a tensor
        const std::optional<Argument> copy = node.argument("copy");
        return !copy || (copy->is_bool() && !copy->as_bool());
      }
      default:
        return false;
    }
  }

  std::optional<Rule> rule_of(const Node* node) {
    if (node == nullptr || node->op() != Opcode::kCallFunction) return std::nullopt;
    const auto [rule, is_new] = rules_.try_emplace(node->function());
    if (is_new && node->function().op() != nullptr) rule->second = rule_of(*node->function().op());
    return rule->second;
  }
  /// Returns the rule that follows from the operator's row.
  static std::optional<Rule> rule_of(const ops::OpInfo& op) {
    if (op.algebra().right_neutral) return Rule::kNeutral;
    switch (ops::view_kind(op)) {
      case ops::ViewKind::kTransposeMatrix:
        return Rule::kT;
      case ops::ViewKind::kTranspose:
        return Rule::kTranspose;
      case ops::ViewKind::kPermute:
        return Rule::kPermute;
      case ops::ViewKind::kReshape:
      case ops::ViewKind::kSqueezeDim:
      case ops::ViewKind::kExpand:
        return Rule::kSameType;
      default:
        return std::nullopt;
    }
  }

  /// Returns a value that equals the result of the call if their types are equal; null if
  /// there is none.
  Node* equal_value(const Node& node, Rule rule) {
    Node* x = node.arg(0).node();
    switch (rule) {
      case Rule::kNeutral:
        return other_than_neutral(node);
      case Rule::kNeg:
        // libtorch's kernel for complex numbers subtracts from 0, so -(-0.0) is 0.0.
        if (options_.signed_zeros && may_be_complex(node.type())) return nullptr;
        // A call may write to the inner result before the outer call.
        if (x != nullptr && memory_.is_written(*x)) return nullptr;
        [[fallthrough]];
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
  /// Returns the operand of a call whose other operand is neutral; null if neither is neutral.
  Node* other_than_neutral(const Node& node) const {
    if (node.num_args() != 2 || !effects(node).is_pure()) return nullptr;
    const ops::OpAlgebra& algebra = node.function().op()->algebra();
    // A complex product multiplies each part by 0, which is NaN if the part is infinite.
    if (algebra.right_neutral == 1 && may_be_complex(node.type())) return nullptr;
    // `rounding_mode` rounds x.
    if (node.num_kwargs() > 0 && algebra.right_neutral != 0) return nullptr;
    Node* x = node.arg(0).node();
    Node* y = node.arg(1).node();
    if (x != nullptr && is_literal(node.arg(1), *algebra.right_neutral))
      return algebra.right_neutral != 0 || adds_nothing(node, *literal_number(node.arg(1)))
                 ? x
                 : nullptr;
    if (y != nullptr && node.num_kwargs() == 0 && algebra.left_neutral &&
        is_literal(node.arg(0), *algebra.left_neutral))
      return algebra.left_neutral != 0 || adds_nothing(node, *literal_number(node.arg(0)))
                 ? y
                 : nullptr;
    return nullptr;
  }
  /// True if a sum or difference with a zero does not change any number that may be its other
  /// operand: -0.0 + 0.0 is 0.0. The zero that libtorch adds to a complex number has signs that
  /// depend on the operator.
  bool adds_nothing(const Node& node, double zero) const {
    const bool is_difference = !node.function().op()->algebra().left_neutral;
    const std::optional<double> added = addend(node, zero, is_difference);
    if (!added || *added != 0) return false;  // alpha may be infinite
    if (!options_.signed_zeros || !has_signed_zeros(node.type())) return true;
    return std::signbit(*added) && !may_be_complex(node.type());
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

  /// Replaces a view of a view with a view of the inner view's source.
  absl::StatusOr<bool> merge(Node& node, Rule rule) {
    Node* first = node.arg(0).node();
    if (rule_of(first) != rule || first->num_args() == 0) return false;
    Node* source = first->arg(0).node();
    if (source == nullptr || memory_.is_metadata_written(*source)) return false;
    if (rule == Rule::kPermute) {
      const auto inner = permutation(*first), outer = permutation(node);
      if (!inner || !outer || inner->size() != outer->size()) return false;
      std::vector<int64_t> order;
      for (const int64_t dim : *outer) order.push_back((*inner)[static_cast<size_t>(dim)]);
      FX_RETURN_IF_ERROR(node.set_args({source, Argument::ints(order)}));
      return true;
    }
    if (rule != Rule::kView && rule != Rule::kReshape) return false;
    // If a reshape may copy, the merged call may return the memory of the source instead of a copy.
    // A view is in the memory of the source before and after the merge.
    if (!memory_.must_share(node, *source)) {
      if (memory_.is_returned(node) || memory_.is_written(node) || memory_.is_written(*first) ||
          memory_.is_written(*source))
        return false;
      if (!merges_copies_) {
        copies_.push_back(&node);
        return false;
      }
    }
    // Whether a view is possible depends on the offsets of the elements in order, which a view does
    // not change. A -1 among the sizes keeps its value, because the number of elements is the same.
    FX_RETURN_IF_ERROR(node.update_arg(0, source));
    if (const absl::StatusOr<Type> type = infer_type(node);
        type.ok() && known_equal(*type, node.type())) {
      return true;
    }
    FX_RETURN_IF_ERROR(node.update_arg(0, first));
    return false;
  }

  /// Erases a call without users, and then operands that no longer have users.
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
  MemoryAnalysis memory_;
  // Reshapes of reshapes that may copy. They are merged after all other steps, because memory_ does
  // not describe the merged calls: they may share memory with their new operand.
  std::vector<Node*> copies_;
  bool merges_copies_ = false;
  bool changed_ = false;
  bool is_incomplete_ = false;
  absl::flat_hash_map<Target, std::optional<Rule>> rules_;
};

}  // namespace

absl::StatusOr<bool> simplify(Graph& graph, const SimplifyOptions& options) {
  bool changed = false;
  const std::vector<Graph*> graphs = inner_graphs_first(graph);
  // A nested graph depends only on whether the others distinguish aliases, which may change.
  for (bool again = true; again;) {
    const bool distinguishes =
        graph.is_nested() || (graphs.size() > 1 && distinguishes_aliases(graph));
    bool any = false;
    for (Graph* const g : graphs) {
      const MemoryOptions memory = {.changed_outside = distinguishes && g->is_nested()};
      for (bool is_incomplete = true; is_incomplete;) {
        Simplifier simplifier(*g, options, memory);
        FX_ASSIGN_OR_RETURN(const bool graph_changed, simplifier.run());
        any = any || graph_changed;
        is_incomplete = simplifier.is_incomplete();
      }
    }
    changed = changed || any;
    again = any && distinguishes && !graph.is_nested() && !distinguishes_aliases(graph);
  }
  return changed;
}

}  // namespace fx
