#include "fx/passes/analysis/selection.h"

#include "fx/passes/analysis/module_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// Returns the length of the common prefix.
size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// Returns, as text, up to five names that have the longest common prefix with `name`.
std::string similar_names(std::string_view name, std::vector<std::string> names) {
  std::ranges::stable_sort(names, std::ranges::greater(),
                           [&](const std::string& s) { return common_prefix(name, s); });
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(5, names.size()); ++i) {
    if (i > 0) text += ", ";
    text += names[i];
  }
  return text.empty() ? "none" : text;
}

absl::Status add_neighborhood(const Graph& graph, const Selection& selection, NodeSet& found) {
  Node* const start = graph.find_node(selection.around);
  if (!start) {
    std::vector<std::string> names;
    for (const Node& node : graph.nodes()) names.push_back(node.name());
    return absl::NotFoundError(fmt::format("unknown node {}; similar names are {}",
                                           selection.around,
                                           similar_names(selection.around, names)));
  }
  std::vector<Node*> ring = {start};
  found.insert(*start);
  for (int step = 0; step < selection.depth && !ring.empty(); ++step) {
    std::vector<Node*> next;
    const auto reach = [&](Node* node) {
      if (found.insert(*node)) next.push_back(node);
    };
    for (Node* node : ring) {
      if (node->is_output() && node != start) continue;
      node->for_each_input(reach);
      for (const Use& use : node->uses()) reach(use.user());
    }
    ring = std::move(next);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<SelectedNodes> select_nodes(const Graph& graph, const Selection& selection) {
  SelectedNodes selected(graph);
  NodeSet near(graph);
  if (!selection.around.empty()) {
    if (absl::Status status = add_neighborhood(graph, selection, near); !status.ok()) return status;
  }
  for (const Node& node : graph.nodes()) {
    if (!selection.around.empty() && !near.contains(node)) continue;
    if (!selection.module.empty() && !is_in_module(module_path(node), selection.module)) continue;
    selected.inside.insert(node);
    ++selected.size;
  }
  if (selected.size == 0 && !selection.module.empty()) {
    ModuleTree tree;
    for (const Node& node : graph.nodes()) tree.add(module_path(node));
    std::vector<std::string> paths;
    for (uint32_t i = 1; i < tree.size(); ++i) paths.push_back(tree.path(i));
    return absl::NotFoundError(fmt::format("unknown module {}; similar names are {}",
                                           selection.module,
                                           similar_names(selection.module, paths)));
  }
  if (selection.module.empty()) return selected;
  for (const Node& node : graph.nodes()) {
    bool touches = false;
    node.for_each_input([&](Node* operand) {
      if (selected.inside.contains(node) && !selected.inside.contains(*operand))
        selected.context.insert(*operand);
      touches |= selected.inside.contains(*operand);
    });
    if (touches && !selected.inside.contains(node) && !node.is_output())
      selected.context.insert(node);
  }
  return selected;
}

}  // namespace fx
