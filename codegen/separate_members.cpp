#include "fx/codegen/separate_members_internal.h"
#include "fx/interp/shared_attributes.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/module/graph_module.h"
#include "fx/passes/analysis/memory.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

constexpr size_t kMaxNesting = 1000;

/// A get_attr node of the graph, of a nested graph or of a module's graph.
struct MemberUse {
  const Node* node;
  std::string path;
};
using Groups = std::map<size_t, std::vector<MemberUse>>;  // by group of SharedAttributes

void add_uses(const Graph& graph, const std::string& prefix, const SharedAttributes& shared,
              Groups& groups) {
  for (const Node* node : graph.find_nodes(Opcode::kGetAttr)) {
    std::string path = prefix + std::string(node->target());
    const std::optional<size_t> group = shared.group_of(path);
    if (group && node->has_uses()) groups[*group].push_back({node, std::move(path)});
  }
}

}  // namespace

absl::Status check_separate_members(const Graph& graph, const Module* root) {
  const SharedAttributes shared(root);
  if (shared.empty()) return absl::OkStatus();
  Groups groups;
  add_uses(graph, "", shared, groups);
  for (const NestedGraph& nested : nested_graph_paths(graph, kMaxNesting))
    add_uses(*nested.graph, nested.path + ".", shared, groups);
  root->for_each_module([&](std::string_view path, Module& module) {
    const GraphModule* const inner = path.empty() ? nullptr : module.as_graph_module();
    if (inner != nullptr) add_uses(inner->graph(), std::string(path) + ".", shared, groups);
  });
  std::map<const Graph*, std::unique_ptr<MemoryAnalysis>> analyses;
  const auto is_written = [&](const MemberUse& use) {
    std::unique_ptr<MemoryAnalysis>& memory = analyses[&use.node->graph()];
    if (!memory)
      memory = std::make_unique<MemoryAnalysis>(
          use.node->graph(), MemoryOptions{.distinct_inputs = true, .distinct_attributes = true});
    return memory->is_written(*use.node);
  };
  for (const auto& [group, uses] : groups) {
    const Tensor first = root->find_tensor(uses[0].path);
    const auto other = std::ranges::find_if(
        uses, [&](const MemberUse& use) { return !root->find_tensor(use.path).is_same(first); });
    if (other == uses.end() || std::ranges::none_of(uses, is_written)) continue;
    return absl::FailedPreconditionError(fmt::format(
        "the attributes \"{}\" and \"{}\" share memory, to which the graph writes, but "
        "the emitted code would have separate tensors; run the pass functionalize first",
        uses[0].path, other->path));
  }
  return absl::OkStatus();
}

}  // namespace fx
