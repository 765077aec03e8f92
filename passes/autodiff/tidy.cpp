// tidy: see tidy_internal.h.
//
//   %ones = aten.ones_like.default(%y)
//   %a = aten.mul.Tensor(%ones, %cos)        ->  users of %a use %cos
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/tidy_internal.h"
#include "fx/passes/cleanup/eliminate_common_subexpressions.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/cleanup/simplify.h"

#include <algorithm>
#include <optional>

namespace fx {
namespace {

bool same_tensor_type(Type a, Type b) {
  if (!a.is_tensor() || !b.is_tensor() || a.dtype() != b.dtype()) return false;
  const auto same = [](const Dim& x, const Dim& y) { return x.canonical() == y.canonical(); };
  return std::equal(a.sizes().begin(), a.sizes().end(), b.sizes().begin(), b.sizes().end(), same) &&
         std::equal(a.strides().begin(), a.strides().end(), b.strides().begin(), b.strides().end(),
                    same);
}

/// If one operand of a call in the derivative contains only ones (mul) or zeros (add), returns the
/// other operand, which equals the result; otherwise returns null. Calls in the differentiated
/// graph are kept: -0.0 + 0.0 is 0.0, and their results are new memory.
Node* equal_operand(const Node& node) {
  if (node.meta().get(meta::kRegion) != "bw") return nullptr;
  const bool is_mul = node.target() == "aten.mul.Tensor";
  if ((!is_mul && node.target() != "aten.add.Tensor") || node.num_args() != 2 ||
      (!is_mul && node.num_kwargs() > 0))
    return nullptr;
  const std::string_view neutral = is_mul ? "aten.ones_like.default" : "aten.zeros_like.default";
  for (const size_t i : {size_t{0}, size_t{1}}) {
    const Node* const constant = node.arg(i).node();
    Node* const other = node.arg(1 - i).node();
    if (constant != nullptr && other != nullptr && constant->target() == neutral &&
        same_tensor_type(other->type(), node.type()))
      return other;
  }
  return nullptr;
}

}  // namespace

absl::Status tidy(Graph& graph, GradStyle style) {
  if (style == GradStyle::kReadable) {
    for (Node& node : graph.nodes()) {
      if (Node* const operand = equal_operand(node)) node.replace_all_uses_with(operand);
    }
    FX_RETURN_IF_ERROR(simplify(graph).status());
    FX_RETURN_IF_ERROR(eliminate_common_subexpressions(graph).status());
  }
  return eliminate_dead_code(graph).status();
}

}  // namespace fx
