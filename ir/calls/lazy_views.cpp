// Lazy views: see lazy_views.h.
#include "fx/ir/calls/lazy_views.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/registry.h"
#include "fx/ir/ops/view_ops.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/type.h"

#include "absl/container/inlined_vector.h"

#include <algorithm>

namespace fx {
namespace {

using Sources = absl::InlinedVector<const Node*, 8>;

/// True if the result of the operator may be a lazy view of new memory, or of an operand that is a
/// plain tensor.
bool may_create_lazy_view(const Node& node, const ops::OpInfo& op) {
  if (op.name() == "operator.getitem") return false;  // an item, or a plain view, of its operand
  if (op.aliases_unknown()) return true;
  const bool is_fresh = op.returns_new_memory();
  if (op.is_function()) return !is_fresh;
  switch (ops::view_kind(op)) {
    case ops::ViewKind::kNegative:
      return true;
    case ops::ViewKind::kConj:
    case ops::ViewKind::kAdjoint:
      return !is_known_real(node.type());
    default:
      // Some composite operators, such as svd, return a conjugated view.
      return is_fresh && op.has(ops::OpTrait::kComposite) && !is_known_real(node.type());
  }
}

/// Appends the operands whose memory the result may share.
void append_sources(const Node& node, const ops::OpInfo& op, Sources& sources) {
  const auto add = [&](const Node* value) { sources.push_back(value); };
  if (op.has(ops::OpTrait::kMayAlias)) return node.for_each_input(add);
  if (op.name() == "operator.getitem") {
    if (node.num_args() > 0 && node.arg(0).is_node()) add(node.arg(0).as_node());
    return;
  }
  for_each_aliased_input(node, op, add);
}

/// Appends the results of the graphs that a call runs. Returns false if one of them is not nested
/// in the graph of the call.
bool append_results(const Node& call, Sources& sources) {
  const absl::InlinedVector<Graph*, 2> nested = nested_graphs(call);
  for (const Graph* const graph : graphs_of_call(call, call.graph().owning_module())) {
    if (graph == nullptr || std::ranges::find(nested, graph) == nested.end()) return false;
    const Node* const output = graph->output_node();
    if (output != nullptr)
      output->for_each_input([&](const Node* result) { sources.push_back(result); });
  }
  return true;
}

}  // namespace

bool is_known_real(Type type) {  // NOLINT(misc-no-recursion): types nest
  if (type.is_tensor()) return type.dtype() != DType::kUndefined && !is_complex(type.dtype());
  return (type.is_tuple() || type.is_list()) && std::ranges::all_of(type.items(), is_known_real);
}

bool may_be_lazy_input(const Node& input) {
  return input.graph().is_nested() || !is_known_real(input.type());
}

bool may_copy_lazy_view_differently(Type source, Type target) {
  const bool is_known = source.is_tensor() && target.is_tensor() &&
                        source.dtype() != DType::kUndefined && target.dtype() != DType::kUndefined;
  return !is_known || source.dtype() != target.dtype();
}

bool may_be_lazy_view(const Node& value, absl::FunctionRef<bool(const Node&)> is_lazy_input) {
  constexpr int kMaxVisits = 64;
  Sources todo = {&value};
  for (int visits = 0; !todo.empty(); ++visits) {
    if (visits == kMaxVisits) return true;
    const Node& node = *todo.back();
    todo.pop_back();
    if (node.op() == Opcode::kGetAttr) continue;
    if (node.is_placeholder()) {
      if (is_lazy_input(node)) return true;
      continue;
    }
    const ops::OpInfo* const op = node.op() == Opcode::kCallMethod
                                      ? node.context().ops().find_method(node.target())
                                      : node.function().op();
    if (op == nullptr) return true;
    if (op->has(ops::OpTrait::kSubgraphs)) {
      if (!append_results(node, todo)) return true;
      continue;
    }
    if (may_create_lazy_view(node, *op)) return true;
    append_sources(node, *op, todo);
  }
  return false;
}

}  // namespace fx
