#include "fx/interp/shared_inputs.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"
#include "fx/ir/symbolic/dim.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <optional>

namespace fx {
namespace {

/// True if the graph, or the graph of a module that it calls, may write to memory.
bool may_write(const Graph& graph, int depth = 0) {  // NOLINT(misc-no-recursion): kMaxDepth
  constexpr int kMaxDepth = 64;
  const Module* const root = graph.owning_module();
  for (const Node& node : graph.nodes()) {
    if (!node.is_call() || !effects(node).has(ops::Effect::kWritesArguments)) continue;
    const bool is_module = node.op() == Opcode::kCallModule && root != nullptr;
    const Module* const called = is_module ? root->find_module(node.target()) : nullptr;
    const GraphModule* const module = called != nullptr ? called->as_graph_module() : nullptr;
    if (module == nullptr || depth == kMaxDepth || may_write(module->graph(), depth + 1))
      return true;
  }
  return false;
}

/// Returns the number of bytes before the first element of a tensor of this type, in its storage.
std::optional<int64_t> first_byte(Type type) {
  const absl::StatusOr<Placement> place = placement_of(type);
  if (!place.ok() || type.dtype() == DType::kUndefined) return std::nullopt;
  return place->offset * dtype_item_size(type.dtype());
}

}  // namespace

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

std::vector<SharedPair> required_sharing(const Graph& graph) {
  std::vector<SharedPair> pairs;
  const std::vector<SharedInputs> groups = shared_inputs(graph);
  if (groups.empty() || !may_write(graph)) return pairs;
  for (const SharedInputs& group : groups) {
    const std::optional<int64_t> from = first_byte(group.nodes[0]->type());
    for (size_t i = 1; i < group.nodes.size(); ++i) {
      std::optional<int64_t> distance = first_byte(group.nodes[i]->type());
      if (distance) distance = from ? std::optional(*distance - *from) : std::nullopt;
      pairs.push_back({group.indices[0], group.indices[i], group.nodes[0]->name(),
                       group.nodes[i]->name(), distance});
    }
  }
  return pairs;
}

int64_t Placement::end() const {
  int64_t last = offset;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return offset;
    last += (sizes[i] - 1) * strides[i];
  }
  return last + 1;
}

absl::StatusOr<Placement> placement_of(Type type, const SymBindings& symbols) {
  Placement placement;
  bool is_known = type.is_tensor() && type.has_rank() && type.has_strides();
  const auto value_of = [&](const Dim& dim) {
    if (dim.is_int()) return dim.value();
    const absl::StatusOr<int64_t> value = eval_int(dim, symbols);
    is_known = is_known && value.ok();
    return value.value_or(0);
  };
  for (int i = 0; is_known && i < type.rank(); ++i) {
    placement.sizes.push_back(value_of(type.size(i)));
    placement.strides.push_back(value_of(type.stride(i)));
  }
  if (is_known) placement.offset = value_of(type.offset());
  if (is_known) return placement;
  return absl::FailedPreconditionError(
      fmt::format("the type {} does not determine the position of the tensor in its memory; "
                  "sizes, strides and offset must be numbers",
                  type ? to_string(type) : "(none)"));
}

}  // namespace fx
