#include "fx/interp/torch/input_checks.h"

#include "fx/ir/calls/call.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <algorithm>

namespace fx {
namespace {

bool writes_to_arguments(const Graph& graph) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), [](const Node& node) {
    return !node.is_placeholder() && !node.is_output() && node.op() != Opcode::kGetAttr &&
           effects(node).has(ops::Effect::kWritesArguments);
  });
}

/// The offset of a tensor in its storage, in bytes.
int64_t first_byte(const at::Tensor& tensor) {
  return tensor.storage_offset() * static_cast<int64_t>(tensor.itemsize());
}

}  // namespace

InputChecks::InputChecks(const Graph& graph) {
  const std::vector<SharedInputs> shared = shared_inputs(graph);
  if (shared.empty() || !writes_to_arguments(graph)) return;
  for (const SharedInputs& group : shared) {
    std::vector<Member>& members = groups_.emplace_back();
    for (size_t i = 0; i < group.nodes.size(); ++i) {
      const absl::StatusOr<Placement> place = placement_of(group.nodes[i]->type());
      members.push_back(
          {group.indices[i], group.nodes[i]->name(), place.ok() ? place->offset : int64_t{-1}});
    }
  }
}

absl::Status InputChecks::check(absl::Span<const c10::IValue> inputs) const {
  for (const std::vector<Member>& group : groups_) {
    const Member& first = group[0];
    if (first.index >= inputs.size() || !inputs[first.index].isTensor()) continue;
    const at::Tensor& base = inputs[first.index].toTensor();
    for (const Member& member : group) {
      if (member.index >= inputs.size() || !inputs[member.index].isTensor()) continue;
      const at::Tensor& tensor = inputs[member.index].toTensor();
      if (!base.has_storage() || !tensor.has_storage() ||
          !tensor.storage().is_alias_of(base.storage())) {
        return absl::InvalidArgumentError(fmt::format(
            "the inputs %{} and %{} share memory in the graph, which writes to memory, but the "
            "passed values do not share memory",
            first.name, member.name));
      }
      if (member.offset < 0 || first.offset < 0) continue;
      const int64_t wanted = member.offset * static_cast<int64_t>(tensor.itemsize()) -
                             first.offset * static_cast<int64_t>(base.itemsize());
      const int64_t found = first_byte(tensor) - first_byte(base);
      if (found != wanted) {
        return absl::InvalidArgumentError(
            fmt::format("the input %{} must begin {} bytes after %{} in their shared memory, but "
                        "the passed value begins {} bytes after it",
                        member.name, wanted, first.name, found));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace fx
