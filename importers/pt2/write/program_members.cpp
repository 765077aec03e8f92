// Writes the tensors of a program: see program_writer_internal.h.
#include "fx/importers/pt2/write/program_writer_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <optional>
#include <utility>

namespace fx::pt2 {
namespace {

/// True if a call depends on the position of a tensor in its storage.
bool reads_positions(const Graph& graph) {
  for (const Graph& each : all_graphs(graph))
    for (const Node& node : each.nodes())
      if (node.target().starts_with("aten.as_strided") ||
          node.target().starts_with("aten.sym_storage_offset"))
        return true;
  return false;
}

/// Returns an error if the type of a tensor differs from its type in the graph.
absl::Status check_type(const Tensor& tensor, Type type) {
  if (!type.is_tensor() || !type.has_rank() || !tensor.has_shape()) return absl::OkStatus();
  bool is_equal =
      type.dtype() == tensor.dtype() && tensor.sizes().size() == static_cast<size_t>(type.rank());
  for (size_t i = 0; is_equal && i < tensor.sizes().size(); ++i) {
    const Dim& size = type.sizes()[i];
    is_equal = !size.is_int() || size.value() == tensor.sizes()[i];
  }
  if (is_equal) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("the type in the graph is {}, but the tensor in the data is {}", to_string(type),
                  tensor.str(/*max_elements=*/0)));
}

}  // namespace

absl::Status ProgramWriter::add_input_member(const PlannedInput& input) {
  const Attribute* const member = members_.find_attribute(input.path);
  if (member == nullptr || !member->tensor) {
    return absl::NotFoundError(fmt::format(
        "the tensor is missing; specify a file that contains \"{}\" (--data)", input.path));
  }
  FX_RETURN_IF_ERROR(check_type(member->tensor, input.node->type()));
  const bool is_parameter = input.role == InputRole::kParameter;
  const bool is_weight = is_parameter || (input.role == InputRole::kBuffer && input.is_persistent);
  const bool requires_grad =
      member->kind == AttributeKind::kParameter
          ? member->requires_grad
          : input.node->type().is_tensor() && input.node->type().requires_grad();
  (is_weight ? weights_ : constants_)
      .push_back({input.path, member->tensor, is_parameter, is_parameter && requires_grad});
  return absl::OkStatus();
}

/// Plans the members that are inputs, then all other members, since a state dict is complete and
/// contains all paths of tied tensors.
absl::Status ProgramWriter::plan_members() {
  absl::flat_hash_set<std::string> seen_paths;
  for (const PlannedInput& input : plan_.inputs) {
    if (input.role == InputRole::kUser || input.role == InputRole::kToken) continue;
    FX_RETURN_IF_ERROR(with_context(add_input_member(input), fmt::format("\"{}\"", input.path)));
    seen_paths.insert(input.path);
  }
  FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> state,
                      members_.state_dict({.non_persistent_buffers = true, .constants = true}));
  for (const NamedAttribute& entry : state) {
    const Attribute& member = *entry.attribute;
    if (!member.tensor || !seen_paths.insert(entry.path).second) continue;
    const bool is_parameter = member.kind == AttributeKind::kParameter;
    const bool is_weight =
        is_parameter || (member.kind == AttributeKind::kBuffer && member.persistent);
    (is_weight ? weights_ : constants_)
        .push_back({entry.path, member.tensor, is_parameter, is_parameter && member.requires_grad});
  }
  for (const auto* members : {&weights_, &constants_}) {
    for (const WrittenMember& member : *members) {
      if (member.tensor.has_data() || options_.allow_missing_data) continue;
      return absl::FailedPreconditionError(
          fmt::format("\"{}\" has no data, and PyTorch would load zeros; specify a file that "
                      "contains it (--data), or allow missing data (--without-data)",
                      member.path));
    }
  }
  if (reads_positions(graph_)) {
    weight_entries_.keep_storages();
    constant_entries_.keep_storages();
  }
  FX_ASSIGN_OR_RETURN(weights_config_, weight_entries_.plan(weights_, values_));
  FX_ASSIGN_OR_RETURN(constants_config_, constant_entries_.plan(constants_, values_));
  return absl::OkStatus();
}

}  // namespace fx::pt2
