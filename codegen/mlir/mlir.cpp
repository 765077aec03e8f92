#include "fx/codegen/mlir/mlir.h"

#include "fx/codegen/mlir/writer_internal.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/module.h"
#include "fx/ir/symbolic/number_functions.h"
#include "fx/passes/aten/lower_to_aten.h"

#include <algorithm>

namespace fx {
namespace {

/// True for a call that must be lowered to become an operator: a call to a method, a layer, or a
/// Python function that is not a function on numbers.
bool needs_lowering(const Node& node) {
  if (node.op() == Opcode::kCallMethod || node.op() == Opcode::kCallModule) return true;
  if (node.op() != Opcode::kCallFunction) return false;
  const ops::OpInfo* op = node.function().op();
  if (op != nullptr && !op->is_function()) return false;
  if (node.target().starts_with("higher_order.")) return false;
  const bool is_item = node.target() == "operator.getitem";
  if (!is_item && find_number_function(node.target()) == nullptr) return true;
  // A function on numbers that is applied to a tensor is an operator.
  const Node* first = node.num_args() > 0 ? node.arg(0).node() : nullptr;
  bool is_on_tensor = first != nullptr && first->type().is_tensor();
  if (!is_item)
    node.for_each_input([&](const Node* input) { is_on_tensor |= input->type().is_tensor(); });
  return is_on_tensor;
}

}  // namespace

absl::StatusOr<MlirCode> mlir_code(const Graph& graph, const MlirOptions& options) {
  bool lower = false;
  for (const Graph& nested : all_graphs(graph))
    for (const Node& node : nested.nodes()) lower |= needs_lowering(node);
  if (!lower) return mlir::Writer(graph, options).write();
  const std::unique_ptr<Graph> copy = graph.clone();
  copy->set_owning_module(options.root ? options.root : graph.owning_module());
  for (Graph& nested : all_graphs(*copy)) {
    const absl::StatusOr<LowerToAtenReport> report = lower_to_aten(nested);
    if (!report.ok()) return report.status();
    for (const NotLowered& not_lowered : report->not_lowered)
      if (needs_lowering(*not_lowered.node))
        return node_error(*not_lowered.node, not_lowered.reason);
  }
  absl::StatusOr<MlirCode> code = mlir::Writer(*copy, options).write();
  if (!code.ok()) return code;
  for (MlirArgument& argument : code->arguments)
    argument.node = graph.find_node(argument.node->name());
  return code;
}

}  // namespace fx
