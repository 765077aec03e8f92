#include "fx/importers/pt2/write/program_writer_internal.h"
#include "fx/importers/pt2/write/sample_inputs_writer_internal.h"
#include "fx/interp/input_constants.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fx::pt2 {
namespace {

// The versions that torch 2.13 writes.
constexpr int64_t kWrittenMajor = 8, kWrittenMinor = 20;
constexpr int64_t kAtenOpset = 10;
constexpr std::string_view kWrittenTorch = "2.13.0";

/// Returns the field of an output spec that names the member, or an empty string if there is none.
std::string_view output_target_field(std::string_view kind) {
  if (kind == "buffer_mutation") return "buffer_name";
  if (kind == "parameter_mutation" || kind == "gradient_to_parameter") return "parameter_name";
  if (kind == "user_input_mutation" || kind == "gradient_to_user_input") return "user_input_name";
  return {};
}

}  // namespace

absl::Status ProgramWriter::write_input_spec(JsonWriter& json, GraphWriter& graph,
                                             const PlannedInput& input) {
  const std::string_view name = graph.name(*input.node);
  const auto constant = constant_of(input.node->type());
  const auto begin = [&](std::string_view kind) {
    json.begin_union(kind);
    json.begin_object();
  };
  const auto member = [&](std::string_view kind, std::string_view field) {
    begin(kind);
    json.key("arg");
    json.begin_union("name");
    json.text(name);
    json.end_object();
    json.key(field);
    json.text(input.path);
  };
  switch (input.role) {
    case InputRole::kParameter:
      member("parameter", "parameter_name");
      break;
    case InputRole::kBuffer:
      member("buffer", "buffer_name");
      json.key("persistent");
      json.boolean(input.is_persistent);
      break;
    case InputRole::kConstant:
      member("tensor_constant", "tensor_constant_name");
      break;
    case InputRole::kToken:
      begin("token");
      json.key("arg");
      json.begin_union("name");
      json.text(name);
      json.end_object();
      break;
    default:
      if (constant) {
        begin("constant_input");
        json.key("name");
        json.text(name);
        json.key("value");
        FX_RETURN_IF_ERROR(graph.argument(json, *constant, nullptr));
      } else {
        begin("user_input");
        json.key("arg");
        FX_RETURN_IF_ERROR(graph.argument(json, Argument(const_cast<Node*>(input.node)), nullptr));
      }
      break;
  }
  json.end_object();
  json.end_object();
  return absl::OkStatus();
}

absl::Status ProgramWriter::write_output_spec(JsonWriter& json, GraphWriter& graph,
                                              const PlannedOutput& output) {
  json.begin_union(output.kind);
  json.begin_object();
  json.key("arg");
  if (output.kind == "user_output") {
    FX_RETURN_IF_ERROR(graph.argument(json, output.value, nullptr));
  } else {
    if (!output.value.is_node() || !output.value.node()->type().is_tensor()) {
      return absl::UnimplementedError(
          fmt::format("a result of kind {} must be a tensor", output.kind));
    }
    json.begin_union("name");
    json.text(graph.value_name(*output.value.node()));
    json.end_object();
  }
  const std::string_view field = output_target_field(output.kind);
  if (!field.empty()) {
    json.key(field);
    json.text(output.user_input == nullptr ? std::string_view(output.target)
                                           : graph.name(*output.user_input));
  }
  json.end_object();
  json.end_object();
  return absl::OkStatus();
}

absl::Status ProgramWriter::write_signature(JsonWriter& json, GraphWriter& graph) {
  json.begin_object();
  json.key("input_specs");
  json.begin_list();
  for (const PlannedInput& input : plan_.inputs) {
    FX_RETURN_IF_ERROR(
        with_context(write_input_spec(json, graph, input), describe_node(*input.node)));
  }
  json.end_list();
  json.key("output_specs");
  json.begin_list();
  for (const PlannedOutput& output : plan_.outputs)
    FX_RETURN_IF_ERROR(with_context(write_output_spec(json, graph, output), "output"));
  json.end_list();
  json.end_object();
  return absl::OkStatus();
}

absl::StatusOr<std::string> ProgramWriter::model() {
  MetadataWriter metadata(members_);
  WriteSession session{values_, metadata};
  GraphWriter graph(session, graph_, &plan_, 0);
  FX_ASSIGN_OR_RETURN(const std::string record, graph.write());
  JsonWriter json;
  // Omit parts that an imported program did not have.
  const bool is_imported = graph_.meta("pt2").has_value();
  const auto keep = [&](std::string_view key) {
    const Argument value = stored_entry(key);
    if (value.is_none() && is_imported) return;
    json.key(key);
    if (!value.is_none()) return json.plain(value);
    json.begin_object();
    json.end_object();
  };
  json.begin_object();
  json.key("graph_module");
  json.begin_object();
  json.key("graph");
  json.raw(record);
  json.key("signature");
  FX_RETURN_IF_ERROR(write_signature(json, graph));
  json.key("module_call_graph");
  FX_RETURN_IF_ERROR(write_calls(json, graph));
  keep("metadata");
  keep("treespec_namedtuple_fields");
  json.end_object();
  json.key("opset_version");
  const Argument opsets = stored_entry("opset_version");
  if (opsets.is_none()) {
    json.union_of("aten", kAtenOpset);
  } else {
    json.plain(opsets);
  }
  json.key("range_constraints");
  FX_RETURN_IF_ERROR(values_.ranges(json));
  json.key("schema_version");
  const Argument version = stored_entry("schema_version");
  if (version.is_none()) {
    json.begin_object();
    json.key("major");
    json.integer(kWrittenMajor);
    json.key("minor");
    json.integer(kWrittenMinor);
    json.end_object();
  } else {
    json.plain(version);
  }
  json.key("verifiers");
  const Argument verifiers = stored_entry("verifiers");
  const bool is_training = verifiers == Argument::list({Argument("TRAINING")});
  if (verifiers.is_list() && (plan_.is_functional || is_training) && plan_.omitted.empty()) {
    json.plain(verifiers);
  } else {
    json.begin_list();
    json.text(plan_.is_functional ? "ATEN" : "TRAINING");
    json.end_list();
  }
  const std::optional<Argument> torch = graph_.meta("torch");
  const bool has_torch = torch && torch->is_string();
  if (has_torch || !is_imported) {
    json.key("torch_version");
    json.text(has_torch ? torch->as_string() : kWrittenTorch);
  }
  const std::vector<std::string> guards = pt2_guards_code(graph_);
  const bool has_field = keeps_convention_ && graph_.meta("guards_code").has_value();
  if (has_field || !guards.empty()) {
    json.key("guards_code");
    json.begin_list();
    for (const std::string& guard : guards) json.text(guard);
    json.end_list();
  }
  json.end_object();
  FX_RETURN_IF_ERROR(json.status());
  return json.take();
}

absl::Status ProgramWriter::prepare() {
  FX_ASSIGN_OR_RETURN(plan_, plan_program(graph_, members_));
  FX_RETURN_IF_ERROR(find_convention());
  FX_ASSIGN_OR_RETURN(model_, model());
  FX_RETURN_IF_ERROR(plan_members());
  return with_context(write_samples(), "example inputs");
}

absl::Status ProgramWriter::write_samples() {
  std::vector<Pt2SampleInput> leaves = options_.sample_inputs;
  const auto is_of_user = [](const PlannedInput& input) { return input.role == InputRole::kUser; };
  if (leaves.empty() && std::ranges::any_of(plan_.inputs, is_of_user)) return absl::OkStatus();
  size_t next = 0;
  for (const PlannedInput& input : plan_.inputs) {
    if (!is_of_user(input)) continue;
    if (next == leaves.size()) break;
    if (const std::optional<Argument> constant = constant_of(input.node->type()))
      leaves[next] = {.tensor = {}, .value = *constant};
    ++next;
  }
  absl::StatusOr<std::string> archive = sample_inputs_archive(in_spec_, leaves);
  // Example inputs are optional.
  if (absl::IsUnimplemented(archive.status())) return absl::OkStatus();
  FX_RETURN_IF_ERROR(archive);
  sample_inputs_ = *std::move(archive);
  return absl::OkStatus();
}

void ProgramWriter::write(ZipWriter& zip, std::string_view root) const {
  const auto add = [&](std::string_view entry, std::string_view bytes) {
    zip.add(fmt::format("{}/{}", root, entry), bytes);
  };
  const std::string& model = options_.model;
  const std::string weights = fmt::format("{}/data/weights/", root);
  const std::string constants = fmt::format("{}/data/constants/", root);
  weight_entries_.write(zip, weights);
  zip.add(fmt::format("{}{}_weights_config.json", weights, model), weights_config_);
  constant_entries_.write(zip, constants);
  zip.add(fmt::format("{}{}_constants_config.json", constants, model), constants_config_);
  add(fmt::format("models/{}.json", model), model_);
  add(fmt::format("data/sample_inputs/{}.pt", model), sample_inputs_);
  add("archive_format", "pt2");
  add("archive_version", "0");
  add(".data/version", "6\n");
  add("byteorder", "little");
}

}  // namespace fx::pt2
