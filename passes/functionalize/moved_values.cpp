// See moved_values_internal.h.
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/passes/functionalize/functionalize_internal.h"
#include "fx/passes/functionalize/moved_values_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include <cstddef>

namespace fx::functional {

Type type_of_call(Node& call, Type recorded) {
  const absl::StatusOr<Type> inferred = infer_type(call);
  const Type type = inferred.ok() ? *inferred : Type();
  if (!type.is_tensor() || !recorded.is_tensor() || !recorded.requires_grad()) return type;
  TensorSpec spec = type.spec();
  spec.requires_grad = true;
  return call.context().types().tensor(spec);
}

void retype_elsewhere(Node& call) {
  const Type recorded = call.type();
  const Type type = type_of_call(call, recorded);
  change_type(call, is_complete(type) ? type : without_place(call.context().types(), recorded));
}

MovedValues::MovedValues(Graph& graph) : before_(graph), moved_(graph) {
  for (const Node& node : graph.nodes()) before_[node] = node.type();
}

void MovedValues::note(Node& node) {
  retype_elsewhere(node);
  if (!node.type()) moved_.insert(node);
}

void MovedValues::note_written(const Node& node) {
  if (!node.type()) moved_.insert(node);
}

bool MovedValues::reads_moved(const Node& node, absl::Span<Node* const> inputs) const {
  size_t next = 0;
  bool moved = false;
  node.for_each_input([&](const Node* input) {
    const Node* const old = next < inputs.size() ? inputs[next] : nullptr;
    ++next;
    moved = moved || old == nullptr || moved_.contains(*input) || input->type() != before_[*old] ||
            (input != old && !input->type());
  });
  return moved || next != inputs.size();
}

void MovedValues::note_visited(Node& node, absl::Span<Node* const> inputs) {
  const Type recorded = node.type();
  bool is_changed = recorded != before_[node];
  if (!is_changed && reads_moved(node, inputs)) {
    const bool is_function = node.op() == Opcode::kCallFunction;
    if (is_function && !nested_graphs(node).empty())
      return;  // NestedTypes updates it and its users
    if (recorded && is_function) retype_elsewhere(node);
    if (recorded && !is_function)
      change_type(node, without_place(node.context().types(), recorded));
    is_changed = !recorded || node.type() != recorded;
  }
  if (is_changed) moved_.insert(node);
}

}  // namespace fx::functional
