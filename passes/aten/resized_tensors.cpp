// Tensors whose sizes or strides calls change: see resized_tensors_internal.h.
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/ops/op_info.h"
#include "fx/passes/aten/resized_tensors_internal.h"

namespace fx::aten {

bool ResizedTensors::replace_uses_after(Node& call) {
  const ops::OpInfo* op = call.op() == Opcode::kCallFunction ? call.function().op() : nullptr;
  if (op == nullptr || op->written_arguments().size() != 1 || op->output_aliases().empty() ||
      op->output_aliases()[0].kind != ops::AliasKind::kSame)
    return false;
  const auto written = passed_argument(call, *op, op->written_arguments()[0]);
  Node* const tensor = written ? written->node() : nullptr;
  if (tensor == nullptr) return false;
  const auto [entry, is_new] = objects_.try_emplace(tensor, names_.size());
  const size_t object = entry->second;  // emplace() may move the entry
  if (is_new) names_.push_back({tensor});
  auto& names = names_[object];
  bool changed = false;
  if (op->has(ops::OpTrait::kWritesMetadata)) {
    for (Node* name : names) {
      for (Node* user : name->users()) {
        if (!call.comes_before(*user)) continue;
        changed = true;
        user->replace_input_with(name, &call);
      }
    }
  }
  names.push_back(&call);
  objects_.emplace(&call, object);
  return changed;
}

}  // namespace fx::aten
