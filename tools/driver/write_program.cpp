#include "fx/tools/driver/write_program.h"

#include "fx/importers/program_file.h"
#include "fx/importers/pt2/pt2.h"
#include "fx/importers/pt2/write/write_pt2.h"
#include "fx/interp/data_name.h"
#include "fx/interp/graph_guards.h"
#include "fx/interp/shared_inputs.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

bool is_member(const Graph& graph, const Node& node) {
  if (node.op() == Opcode::kGetAttr) return graph.find_subgraph(node.target()) == nullptr;
  return !pt2_member_path(node).empty();
}

/// Returns true for an effect token, which the caller of a program does not pass.
bool is_token(const Node& node) {
  const std::optional<Argument> input = node.meta().get(meta::kInput);
  return input && input->find_text("kind") == "token";
}

/// Returns the tensor with a name in the data, or null if there is none. A data file contains a
/// tied tensor under one name; its metadata contains the other names.
const Tensor* data_at(const Safetensors& data, const std::string& name) {
  const Tensor* const found = data.tensors.find(name);
  const std::string* const first = found != nullptr ? nullptr : data.metadata.find(name);
  return first != nullptr ? data.tensors.find(*first) : found;
}

/// Returns the tensor of a node in the data, or null if there is none.
const Tensor* data_of(const Node& node, const Safetensors& data) {
  return data_at(data, node.is_placeholder() ? data_name(node) : std::string(node.target()));
}

/// Sets the tensors of members without data that are in the data. Tied tensors remain tied.
absl::Status load_members(Module& members, const Safetensors& data) {
  FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> all,
                      members.state_dict({.non_persistent_buffers = true, .constants = true}));
  Safetensors missing;
  for (const NamedAttribute& entry : all) {
    if (entry.attribute->tensor.has_data()) continue;
    if (const Tensor* const found = data_at(data, entry.path))
      missing.tensors.set(entry.path, *found);
  }
  return load_state(members, missing, {.strict = false, .restore_strides = true});
}

/// Sets the member that a node reads if its tensor is known.
absl::Status add_member(Module& members, const Node& node, const Module& root,
                        const WriteProgramOptions& options) {
  const std::string path = pt2_member_path(node);
  Attribute* const member = members.find_attribute(path);
  if (member != nullptr && member->tensor && member->tensor.has_data()) return absl::OkStatus();
  Tensor tensor = root.find_tensor(path);
  if (options.data != nullptr && !(tensor && tensor.has_data())) {
    const Tensor* const found = data_of(node, *options.data);
    if (found != nullptr) tensor = *found;
  }
  if (!tensor) return absl::OkStatus();
  if (member != nullptr) {
    member->tensor = std::move(tensor);
    return absl::OkStatus();
  }
  const bool requires_grad = node.type().is_tensor() && node.type().requires_grad();
  Attribute attribute = requires_grad ? Attribute::parameter(std::move(tensor))
                                      : Attribute::buffer(std::move(tensor));
  return with_context(members.assign(path, std::move(attribute)), path);
}

/// Returns the example inputs if the data contains a tensor for each tensor input, otherwise an
/// empty vector.
std::vector<Pt2SampleInput> sample_inputs(const Graph& graph, const Safetensors& data) {
  std::vector<Pt2SampleInput> samples;
  const SymBindings symbols =
      symbols_of_data(graph, [&](std::string_view name) { return data.tensors.find(name); });
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder() || is_member(graph, node) || is_token(node)) continue;
    Pt2SampleInput sample;  // write_pt2 sets the value of a constant input
    const TypeKind kind = node.type().kind();
    const bool is_number =
        kind == TypeKind::kInt || kind == TypeKind::kFloat || kind == TypeKind::kBool;
    if (kind == TypeKind::kUnknown) return {};
    const bool varies = is_number && !node.type().is_constant();
    if (node.type().is_tensor() || varies) {
      const Tensor* tensor = data_of(node, data);
      if (tensor == nullptr) tensor = data.tensors.find(fmt::format("in.{}", samples.size()));
      if (tensor == nullptr || (varies && tensor->num_elements() != 1)) return {};
      if (varies) {
        sample.value = tensor->element(0);
        if (kind == TypeKind::kInt && !sample.value.is_int()) return {};
      } else {
        sample.tensor = with_strides_of(node.type(), *tensor, symbols);
      }
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace

absl::Status write_program(const Graph& graph, const Module& root, const std::string& path,
                           const WriteProgramOptions& options) {
  std::unique_ptr<Module> members = std::make_unique<Module>();
  if (options.has_member_kinds) {
    FX_ASSIGN_OR_RETURN(members, root.clone(CopyMode::kShareTensors));
    if (options.data != nullptr) FX_RETURN_IF_ERROR(load_members(*members, *options.data));
  }
  for (const Node& node : graph.nodes())
    if (is_member(graph, node)) FX_RETURN_IF_ERROR(add_member(*members, node, root, options));
  Pt2WriteOptions write{.allow_missing_data = options.allow_missing_data};
  if (options.data != nullptr) write.sample_inputs = sample_inputs(graph, *options.data);
  return write_pt2(graph, *members, path, write);
}

Tensor with_strides_of(Type type, const Tensor& tensor, const SymBindings& symbols) {
  const absl::StatusOr<Placement> place = placement_of(type, symbols);
  if (!place.ok() || type.dtype() != tensor.dtype() || !tensor.has_data() ||
      tensor.sizes() != place->sizes)
    return tensor;
  if (tensor.strides() == place->strides && place->offset == 0) return tensor;
  absl::StatusOr<Tensor> copy = tensor.restrided(place->strides, place->offset);
  return copy.ok() ? *std::move(copy) : tensor;
}

absl::StatusOr<Safetensors> data_of_graph_file(const std::string& path) {
  if (path == "-") return Safetensors();
  if (is_program_file(path)) return read_tensor_file(path);
  const std::string data_file = data_path(path);
  if (!std::filesystem::exists(data_file)) return Safetensors();
  return read_safetensors(data_file);
}

std::string omitted_guards(const Graph& graph, GuardSupport support) {
  std::vector<std::string> texts;
  std::vector<std::string> conditions;  // of the metadata guards_code
  if (support == GuardSupport::kPt2)
    pt2_guards_code(graph, &texts);
  else
    pt2_guards(graph, &conditions);
  for (GraphGuard& guard : graph_guards(graph)) {
    const bool is_omitted = guard.kind == GraphGuard::kMemory ||
                            (guard.kind == GraphGuard::kSize && support != GuardSupport::kPt2) ||
                            (guard.kind == GraphGuard::kRange && support == GuardSupport::kNone);
    if (is_omitted) texts.push_back(std::move(guard.text));
  }
  texts.insert(texts.end(), conditions.begin(), conditions.end());
  return texts.empty() ? "" : fmt::format("the guards {}", fmt::join(texts, ", "));
}

}  // namespace fx
