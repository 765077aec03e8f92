#include "fx/interp/shared_inputs.h"

#include "fx/ir/graph/meta.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <optional>

namespace fx {

std::vector<SharedInputs> shared_inputs(const Graph& graph) {
  std::vector<SharedInputs> groups;
  absl::flat_hash_map<int64_t, size_t> group_of;
  size_t index = 0;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    const size_t i = index++;
    const std::optional<int64_t> number = node.meta().get(meta::kSharedMemory);
    if (!number) continue;
    const auto [it, is_new] = group_of.try_emplace(*number, groups.size());
    if (is_new) groups.emplace_back();
    groups[it->second].nodes.push_back(&node);
    groups[it->second].indices.push_back(i);
  }
  std::erase_if(groups, [](const SharedInputs& group) { return group.nodes.size() < 2; });
  return groups;
}

int64_t Placement::end() const {
  int64_t last = offset;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return offset;
    last += (sizes[i] - 1) * strides[i];
  }
  return last + 1;
}

absl::StatusOr<Placement> placement_of(Type type) {
  Placement placement;
  const auto is_known = [&] {
    if (!type.is_tensor() || !type.has_rank() || !type.has_strides() || !type.offset().is_int())
      return false;
    for (int i = 0; i < type.rank(); ++i)
      if (!type.size(i).is_int() || !type.stride(i).is_int()) return false;
    return true;
  };
  if (!is_known()) {
    return absl::FailedPreconditionError(
        fmt::format("the type {} does not determine the position of the tensor in its memory; "
                    "sizes, strides and offset must be numbers",
                    type ? to_string(type) : "(none)"));
  }
  for (int i = 0; i < type.rank(); ++i) {
    placement.sizes.push_back(type.size(i).value());
    placement.strides.push_back(type.stride(i).value());
  }
  placement.offset = type.offset().value();
  return placement;
}

}  // namespace fx
