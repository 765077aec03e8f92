// vjp, grad, joint, jvp: see autodiff.h. Adds the inputs and results of the nodes that reverse.cpp
// and forward.cpp append.
#include "fx/passes/autodiff/autodiff.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/autodiff_internal.h"
#include "fx/passes/autodiff/tidy_internal.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <utility>

namespace fx {
namespace {

using Seeds = std::vector<std::pair<Node*, Node*>>;

/// Adds a placeholder for the tangent of each value, after the existing placeholders. The names are
/// `tangents_1`, ..., skipping the names of existing inputs.
Seeds add_tangents(Graph& graph, const std::vector<Node*>& values) {
  Node* after = nullptr;
  absl::flat_hash_set<std::string> taken;
  for (Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    after = &node;
    taken.emplace(node.target());
  }
  Seeds seeds;
  size_t number = 0;
  for (Node* value : values) {
    std::string name;
    do name = fmt::format("tangents_{}", ++number);
    while (taken.contains(name));
    const InsertPointGuard guard = graph.inserting_after(after);
    after = graph.placeholder(name, {.type = gradient_type(*value)});
    seeds.emplace_back(value, after);
  }
  return seeds;
}

Argument node_or_none(Node* node) { return node != nullptr ? Argument(node) : Argument(); }

std::vector<Argument> nodes_or_none(const std::vector<Node*>& nodes) {
  std::vector<Argument> values;
  values.reserve(nodes.size());
  for (Node* node : nodes) values.push_back(node_or_none(node));
  return values;
}

/// Changes the result of the graph to (results, (values...)).
absl::Status return_with(Graph& graph, const std::vector<Node*>& values) {
  Node* const output = graph.output_node();
  output->meta().remove(meta::kOutputs);
  const Argument results(output->arg(0));
  return output->set_args({Argument::tuple({results, Argument::tuple(nodes_or_none(values))})});
}

Argument text_dict(std::initializer_list<std::pair<std::string_view, Argument>> entries) {
  std::vector<std::pair<Argument, Argument>> items;
  for (const auto& [key, value] : entries) items.emplace_back(Argument(key), value);
  return Argument::dict(items);
}

// ---------------------------------------------------------------- the joint graph

/// Names the inputs primals_1, ... and records the kind of each.
std::vector<Node*> name_primals(Graph& graph) {
  std::vector<Node*> primals;
  for (Node& node : graph.nodes())
    if (node.is_placeholder()) primals.push_back(&node);
  for (size_t i = 0; i < primals.size(); ++i) {
    Node& primal = *primals[i];
    if (!primal.meta().has(meta::kInput)) {
      primal.meta().set(meta::kInput, text_dict({{"kind", Argument("user_input")},
                                                 {"index", Argument(static_cast<int64_t>(i))}}));
    }
    const std::string name = fmt::format("primals_{}", i + 1);
    if (primal.target() == name) continue;
    primal.set_target(name);
    primal.rename(name);
  }
  return primals;
}

absl::Status return_jointly(const PreparedGraph& prepared, const std::vector<Node*>& primals,
                            const std::vector<Node*>& gradients) {
  Graph& graph = prepared.graph();
  Node* const output = graph.output_node();
  std::vector<Argument> descriptions, values;
  const std::optional<Argument> recorded = output->meta().get(meta::kOutputs);
  map_leaves(Argument(output->arg(0)), [&](const Argument& leaf) {
    const size_t i = values.size();
    values.push_back(leaf);
    descriptions.push_back(recorded && i < recorded->size()
                               ? (*recorded)[i]
                               : text_dict({{"kind", Argument("output")},
                                            {"index", Argument(static_cast<int64_t>(i))}}));
    return leaf;
  });
  NodeMap<Node*> gradient_of(graph, nullptr);
  for (size_t i = 0; i < gradients.size(); ++i) gradient_of[*prepared.inputs()[i]] = gradients[i];
  for (const Node* primal : primals) {
    Node* const gradient = gradient_of[*primal];
    values.push_back(node_or_none(gradient));
    descriptions.push_back(text_dict({{"kind", Argument(gradient != nullptr ? "gradient" : "none")},
                                      {"of", *primal->meta().get(meta::kInput)}}));
  }
  output->meta().set(meta::kOutputs, Argument::list(descriptions));
  return output->set_args({Argument::list(values)});
}

void annotate_tangents(const PreparedGraph& prepared, const Seeds& seeds) {
  // A result that is returned twice has two tangents. The seeds are in the order of the results.
  const std::vector<Node*> results = prepared.results();
  size_t i = 0;
  for (const auto& [result, tangent] : seeds) {
    while (results.at(i) != result) ++i;
    const auto index = static_cast<int64_t>(i++);
    tangent->meta().set(
        meta::kInput,
        text_dict({{"kind", Argument("tangent")},
                   {"of", text_dict({{"kind", Argument("output")}, {"index", Argument(index)}})}}));
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> vjp(const Graph& graph, const GradOptions& options) {
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared, PreparedGraph::make(graph, options));
  const Seeds seeds = add_tangents(prepared.graph(), prepared.active_results());
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> gradients, append_gradients(prepared, seeds));
  FX_RETURN_IF_ERROR(return_with(prepared.graph(), gradients));
  FX_RETURN_IF_ERROR(tidy(prepared.graph(), options.style));
  return prepared.take();
}

absl::StatusOr<std::unique_ptr<Graph>> grad(const Graph& graph, const GradOptions& options) {
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared, PreparedGraph::make(graph, options));
  const std::vector<Node*> results = prepared.results();
  const Type type = results.size() == 1 && results[0] != nullptr ? results[0]->type() : Type();
  const bool has_one_element =
      type.is_tensor() &&
      std::ranges::all_of(type.sizes(), [](const Dim& size) { return size == Dim(1); });
  if (!has_one_element || is_complex(type.dtype())) {
    return absl::InvalidArgumentError(fmt::format(
        "grad requires one real result with one element, but the graph returns {}: select a node "
        "with the option `of`, or use vjp",
        results.size() == 1 ? to_string(type) : fmt::format("{} values", results.size())));
  }
  Node* one = nullptr;
  {
    const InsertPointGuard guard = prepared.graph().inserting_before(prepared.end());
    Decomposer tracer(prepared.graph());
    one = tracer.emit("aten.ones_like.default", {Proxy(*results[0], tracer)}).node();
    FX_RETURN_IF_ERROR(tracer.status());
    one->meta().set(meta::kRegion, "bw");
  }
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> gradients,
                      append_gradients(prepared, {{results[0], one}}));
  Node* const output = prepared.graph().output_node();
  output->meta().remove(meta::kOutputs);
  FX_RETURN_IF_ERROR(output->set_args({Argument::tuple(nodes_or_none(gradients))}));
  FX_RETURN_IF_ERROR(tidy(prepared.graph(), options.style));
  return prepared.take();
}

absl::StatusOr<std::unique_ptr<Graph>> joint(const Graph& graph, const GradOptions& options) {
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared, PreparedGraph::make(graph, options));
  Graph& joint_graph = prepared.graph();
  for (Node& node : joint_graph.nodes())
    if (node.is_call()) node.meta().set(meta::kRegion, "fw");
  const std::vector<Node*> primals = name_primals(joint_graph);
  const Seeds seeds = add_tangents(joint_graph, prepared.active_results());
  annotate_tangents(prepared, seeds);
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> gradients, append_gradients(prepared, seeds));
  FX_RETURN_IF_ERROR(return_jointly(prepared, primals, gradients));
  FX_RETURN_IF_ERROR(tidy(joint_graph, options.style));
  return prepared.take();
}

absl::StatusOr<std::unique_ptr<Graph>> jvp(const Graph& graph, const GradOptions& options) {
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared, PreparedGraph::make(graph, options));
  const Seeds seeds = add_tangents(prepared.graph(), prepared.inputs());
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> tangents,
                      append_tangents(prepared, seeds, prepared.results()));
  FX_RETURN_IF_ERROR(return_with(prepared.graph(), tangents));
  FX_RETURN_IF_ERROR(tidy(prepared.graph(), options.style));
  return prepared.take();
}

}  // namespace fx
