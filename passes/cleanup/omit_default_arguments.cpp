#include "fx/passes/cleanup/omit_default_arguments.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/schema.h"
#include "fx/ir/support/status.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fx {
namespace {

bool is_default(const ops::SchemaArgument& argument, const Argument& value) {
  return argument.default_value && value == schema_default(argument);
}

bool omit(Node& node, absl::Status& status) {
  const ops::OpInfo* const op = node.function().op();
  if (!op || keeps_argument_positions(node)) return false;
  const auto& arguments = op->schema().arguments();
  size_t num_args = node.num_args();
  while (num_args > 0 && num_args <= arguments.size()) {
    if (!is_default(arguments[num_args - 1], node.arg(num_args - 1))) break;
    --num_args;
  }
  std::vector<Kwarg> kwargs;
  for (Kwarg& kwarg : node.kwargs()) {
    const bool omitted = std::ranges::any_of(arguments, [&](const ops::SchemaArgument& argument) {
      return argument.name == kwarg.key && is_default(argument, kwarg.value);
    });
    if (!omitted) kwargs.push_back(std::move(kwarg));
  }
  bool changed = false;
  if (num_args < node.num_args()) {
    std::vector<Argument> args = node.args();
    args.resize(num_args);
    status.Update(node.set_args(args));
    changed = true;
  }
  if (kwargs.size() < node.num_kwargs()) {
    status.Update(node.set_kwargs(kwargs));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> omit_default_arguments(Graph& graph) {
  bool changed = false;
  absl::Status status;
  for (Graph& g : all_graphs(graph)) {
    for (Node& node : g.nodes())
      if (node.op() == Opcode::kCallFunction) changed |= omit(node, status);
    FX_RETURN_IF_ERROR(status);
  }
  return changed;
}

}  // namespace fx
