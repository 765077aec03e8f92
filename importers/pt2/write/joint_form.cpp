#include "fx/importers/pt2/write/joint_form_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"

#include "absl/algorithm/container.h"

#include <optional>
#include <utility>
#include <vector>

namespace fx::pt2 {
namespace {

/// Returns the only tangent, or null if there are none or more than one.
Node* only_tangent(Graph& graph) {
  Node* tangent = nullptr;
  for (Node& node : graph.nodes()) {
    const Argument* input = node.meta().find(meta::kInput.name);
    if (!node.is_placeholder() || !input || input->find_text("kind") != "tangent") continue;
    if (tangent != nullptr) return nullptr;
    tangent = &node;
  }
  return tangent;
}

/// Returns the index of the only result of the program among the values that the graph returns, or
/// nullopt if there are none or more than one.
std::optional<size_t> only_result(const Argument& descriptions) {
  std::optional<size_t> index;
  for (size_t i = 0; i < descriptions.size(); ++i) {
    if (descriptions[i].find_text("kind") != "output") continue;
    if (index) return std::nullopt;
    index = i;
  }
  return index;
}

bool has_one_element(Type type) {
  return type.is_tensor() && type.has_rank() &&
         absl::c_all_of(type.sizes(), [](const Dim& size) { return size == Dim(1); });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> with_loss(const Graph& graph) {
  std::unique_ptr<Graph> graph_copy = graph.clone();
  Node* const tangent = only_tangent(*graph_copy);
  Node* const output = graph_copy->output_node();
  if (tangent == nullptr || output == nullptr) return nullptr;
  std::optional<Argument> descriptions = output->meta().get(meta::kOutputs);
  const Argument results(output->arg(0));
  const std::optional<size_t> index = descriptions ? only_result(*descriptions) : std::nullopt;
  if (!index || results.size() != descriptions->size() || !results[*index].is_node())
    return nullptr;
  Node* const loss = results[*index].node();
  if (!has_one_element(loss->type())) return nullptr;
  const InsertPointGuard guard = loss->is_placeholder() ? graph_copy->inserting_after(tangent)
                                                        : graph_copy->inserting_after(loss);
  FX_ASSIGN_OR_RETURN(Node* const one, graph_copy->create_node(
                                           Opcode::kCallFunction,
                                           graph_copy->context().function("aten.ones_like.default"),
                                           {Argument(loss)}));
  one->set_type(tangent->type());
  one->meta().set(meta::kRegion, "bw");
  tangent->replace_all_uses_with(one);
  FX_RETURN_IF_ERROR(graph_copy->erase_node(tangent));
  std::vector<Argument> entries;
  entries.reserve(descriptions->size());
  for (size_t i = 0; i < descriptions->size(); ++i) entries.push_back((*descriptions)[i]);
  entries[*index] = Argument::dict({{{Argument("kind"), Argument("loss_output")}}});
  output->meta().set(meta::kOutputs, Argument::list(entries));
  return graph_copy;
}

}  // namespace fx::pt2
