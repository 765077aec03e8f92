// `--input NAME=TYPE`: see input_type.h.
#include "fx/passes/shape/input_type.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/nearest.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

bool is_input(const Node& node) { return node.is_placeholder() || node.op() == Opcode::kGetAttr; }

absl::Status no_such_node(const Graph& graph, std::string_view name) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes())
    if (is_input(node)) names.push_back(node.name());
  const std::vector<std::string_view> known(names.begin(), names.end());
  return absl::NotFoundError(fmt::format("unknown node {}{}", name, did_you_mean(name, known)));
}

/// Parses NAME=TYPE and returns the node and the type.
absl::StatusOr<std::pair<Node*, Type>> read_input_type(Graph& graph, std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return absl::InvalidArgumentError("expected NAME=TYPE, as in x=f32[2, 3]");
  const std::string_view name = text.substr(0, equals);
  Node* const node = graph.find_node(name);
  if (node == nullptr) return no_such_node(graph, name);
  if (!is_input(*node)) return absl::InvalidArgumentError(fmt::format("{} must be an input", name));
  FX_ASSIGN_OR_RETURN(const Type type, graph.context().types().parse(text.substr(equals + 1)));
  const auto is_negative = [](const Dim& size) { return size.is_int() && size.value() < 0; };
  if (type.is_tensor() && std::ranges::any_of(type.sizes(), is_negative))
    return absl::InvalidArgumentError("sizes must be symbols or at least 0, as in f32[s0, 3]");
  return std::pair(node, type);
}

}  // namespace

absl::Status set_input_types(Graph& graph, absl::Span<const std::string> texts) {
  std::vector<std::pair<Node*, Type>> inputs;
  for (const std::string& text : texts) {
    const auto input = read_input_type(graph, text);
    if (!input.ok()) return with_context(input.status(), "--input " + text);
    if (std::ranges::find(inputs, input->first, &std::pair<Node*, Type>::first) != inputs.end()) {
      return absl::InvalidArgumentError(
          fmt::format("--input {}: the type of {} is already set; specify each input only once",
                      text, input->first->name()));
    }
    inputs.push_back(*input);
  }
  for (const auto& [node, type] : inputs) change_type(*node, type);
  return absl::OkStatus();
}

}  // namespace fx
