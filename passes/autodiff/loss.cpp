// return_loss: see loss.h.
#include "fx/passes/autodiff/loss.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"
#include "fx/passes/decompose/decomposer.h"
#include "fx/passes/vmap/functional_aten.h"

#include "absl/strings/numbers.h"
#include "fmt/format.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The results of a graph, and their descriptions (metadata `outputs`).
struct GraphResults {
  std::vector<Node*> values;
  std::vector<Argument> descriptions;  // None if unknown
  std::vector<size_t> outputs;         // indices of the results that are not new values of inputs
};

absl::StatusOr<GraphResults> results_of(const Graph& graph) {
  const Node* const output = graph.output_node();
  if (output == nullptr || output->num_args() != 1)
    return absl::InvalidArgumentError("the graph must have an output");
  const std::optional<Argument> recorded = output->meta().get(meta::kOutputs);
  const Argument value(output->arg(0));
  const bool is_sequence = value.is_list() || value.is_tuple();
  GraphResults results;
  for (size_t i = 0; i < (is_sequence ? value.size() : 1); ++i) {
    const Argument item = is_sequence ? value[i] : value;
    results.values.push_back(item.node());
    results.descriptions.push_back(recorded && i < recorded->size() ? (*recorded)[i] : Argument());
    if (!results.descriptions[i].find_text("kind").ends_with("mutation"))
      results.outputs.push_back(i);
  }
  return results;
}

/// Adds the input `target`, after the other placeholders.
Node* add_target(Graph& graph, const TensorSpec& spec) {
  Node* last = nullptr;
  int64_t num_user_inputs = 0;
  for (Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    last = &node;
    const std::optional<Argument> input = node.meta().get(meta::kInput);
    if (!input || input->find_text("kind") == "user_input") ++num_user_inputs;
  }
  std::string name = "target";
  for (int i = 1; graph.find_node(name) != nullptr; ++i) name = fmt::format("target_{}", i);
  const InsertPointGuard guard = graph.inserting_after(last);
  Node* const target = graph.placeholder(name, {.type = graph.context().types().tensor(spec)});
  target->meta().set(meta::kInput,
                     Argument::dict({{Argument("kind"), Argument("user_input")},
                                     {Argument("index"), Argument(num_user_inputs)}}));
  return target;
}

/// Appends the loss of `result` and a new target.
absl::StatusOr<Node*> append_loss(Graph& graph, Node& result, bool is_cross_entropy) {
  const Type type = result.type();
  if (!type || !type.is_tensor() || !type.has_rank()) {
    return absl::FailedPreconditionError(fmt::format(
        "the result %{} must be a tensor of known rank (run propagate_types)", result.name()));
  }
  if (!is_floating_point(type.dtype()) || (is_cross_entropy && type.rank() == 0)) {
    return absl::InvalidArgumentError(fmt::format(
        "the first result must be a floating-point tensor{} to compare with a target, not {}",
        is_cross_entropy ? " with a class dimension" : "", to_string(type)));
  }
  DimVector sizes(type.sizes().begin(), type.sizes().end());
  if (is_cross_entropy) sizes.erase(sizes.begin() + (sizes.size() > 1 ? 1 : 0));
  Node* const target = add_target(graph, {.dtype = is_cross_entropy ? DType::kInt64 : type.dtype(),
                                          .sizes = sizes,
                                          .device = type.device()});
  const InsertPointGuard guard = graph.inserting_before(end_of_calls(graph));
  Decomposer tracer(graph);
  const Proxy x(result, tracer), y(*target, tracer);
  const Proxy loss = tracer.emit(
      is_cross_entropy ? "aten.cross_entropy_loss.default" : "aten.mse_loss.default", {x, y});
  FX_RETURN_IF_ERROR(tracer.status());
  return loss.node();
}

}  // namespace

absl::Status return_loss(Graph& graph, std::string_view loss) {
  FX_ASSIGN_OR_RETURN(const GraphResults results, results_of(graph));
  const size_t count = results.outputs.size();
  size_t number = 0;
  const bool is_function = loss == "cross_entropy" || loss == "mse";
  if (!is_function && (!absl::SimpleAtoi(std::string(loss), &number) || number >= count)) {
    return absl::InvalidArgumentError(
        fmt::format("loss {}: expected cross_entropy, mse, or the index of a result, less than {}",
                    loss, count));
  }
  if (count == 0 || results.values[results.outputs[number]] == nullptr)
    return absl::InvalidArgumentError("the result for the loss must be a value of the graph");
  Node* value = results.values[results.outputs[number]];
  if (is_function) {
    FX_ASSIGN_OR_RETURN(value, append_loss(graph, *value, loss == "cross_entropy"));
  }
  std::vector<Argument> values, descriptions;
  for (size_t i = 0; i < results.values.size(); ++i) {
    const bool is_chosen = i == results.outputs[0];
    if (!is_chosen && !results.descriptions[i].find_text("kind").ends_with("mutation")) continue;
    Node* const node = is_chosen ? value : results.values[i];
    values.push_back(node != nullptr ? Argument(node) : Argument());
    descriptions.push_back(is_chosen ? Argument::dict({{Argument("kind"), Argument("output")},
                                                       {Argument("index"), Argument(int64_t{0})}})
                                     : results.descriptions[i]);
  }
  graph.set_meta("calling_convention", Argument());  // inputs and results differ
  Node* const output = graph.output_node();
  output->meta().set(meta::kOutputs, Argument::list(descriptions));
  return output->set_args({Argument::list(values)});
}

}  // namespace fx
