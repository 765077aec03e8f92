#include "fx/interp/data_name.h"

#include "fx/interp/size_checks.h"
#include "fx/ir/graph/meta.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <optional>
#include <vector>

namespace fx {
namespace {

/// Returns "prefix.index" with the entry "index" of `dict`, or the node's name if there is no such
/// entry.
std::string indexed_name(std::string_view prefix, const Argument& dict, const Node& node) {
  const Argument* index = dict.find("index");
  return index != nullptr && index->is_int() ? fmt::format("{}.{}", prefix, index->as_int())
                                             : node.name();
}

}  // namespace

std::string data_name(const Node& placeholder) {
  const Argument* input = placeholder.meta().find(meta::kInput.name);
  if (input == nullptr) return placeholder.name();
  const Argument* target = input->find("target");
  if (target != nullptr && target->is_string()) return std::string(target->as_string());
  const std::string_view kind = input->find_text("kind");
  if (kind == "user_input") return indexed_name("in", *input, placeholder);
  if (kind == "number") return indexed_name("number", *input, placeholder);
  if (kind == "tangent") {
    const Argument* of = input->find("of");
    return of != nullptr ? indexed_name("tangent", *of, placeholder) : placeholder.name();
  }
  return placeholder.name();
}

std::string data_path(const std::string& graph_path) {
  const size_t slash = graph_path.rfind('/');
  const size_t dot = graph_path.rfind('.');
  const bool has_extension =
      dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return graph_path.substr(0, has_extension ? dot : graph_path.size()) + ".safetensors";
}

SymBindings symbols_of_data(const Graph& graph,
                            absl::FunctionRef<const Tensor*(std::string_view name)> find) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes())
    if (node.is_placeholder()) names.push_back(data_name(node));
  using Quantity = SizeChecks::Quantity;
  return SizeChecks(graph).solve(
      [&](const SizeChecks::Location& location) -> std::optional<int64_t> {
        const Tensor* const tensor = location.path.empty() ? find(names[location.input]) : nullptr;
        if (tensor == nullptr) return std::nullopt;
        if (location.quantity == Quantity::kSize && location.dim < tensor->sizes().size())
          return tensor->sizes()[location.dim];
        if (location.quantity != Quantity::kNumber || tensor->num_elements() != 1 ||
            !tensor->has_host_data())
          return std::nullopt;
        const Argument number = tensor->element(0);
        return number.is_int() ? std::optional<int64_t>(number.as_int()) : std::nullopt;
      });
}

absl::Status check_data_names(const Graph& graph) {
  absl::flat_hash_set<std::string> inputs;
  for (const Node& node : graph.nodes())
    if (node.is_placeholder() && data_name(node) == node.name()) inputs.emplace(node.name());
  if (inputs.empty()) return absl::OkStatus();
  for (const Node& node : graph.nodes()) {
    if (node.op() != Opcode::kGetAttr || graph.find_subgraph(node.target())) continue;
    if (!inputs.contains(std::string(node.target()))) continue;
    return absl::InvalidArgumentError(
        fmt::format("the input {} and the tensor \"{}\" of {} have the same name in the data file; "
                    "rename the input",
                    node.target(), node.target(), node.name()));
  }
  return absl::OkStatus();
}

}  // namespace fx
