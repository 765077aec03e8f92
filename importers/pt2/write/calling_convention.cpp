// Writes the calling convention of a program: see program_writer_internal.h.
#include "fx/importers/pt2/write/program_writer_internal.h"
#include "fx/importers/pt2/write/tree_spec_internal.h"
#include "fx/importers/pt2/write/write_pt2.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"

#include "absl/algorithm/container.h"

#include <optional>

namespace fx::pt2 {
namespace {

Argument value_at(const Argument& dict, std::string_view key) {
  const Argument* value = dict.find(key);
  return value != nullptr ? *value : Argument();
}

bool has_leaves(const Argument& spec, size_t count) {
  if (!spec.is_string()) return false;
  const absl::StatusOr<size_t> leaves = count_leaves(spec.as_string());
  return leaves.ok() && *leaves == count;
}

/// Returns true if the file contains every value that the signature of a module names.
bool names_values(const Argument& signature, const GraphWriter& graph) {
  if (!is_aggregate(signature.kind())) return true;
  for (size_t i = 0; i < signature.size(); ++i) {
    const bool is_name = signature.is_dict() && (signature.key(i) == Argument("name") ||
                                                 signature.key(i) == Argument("as_name"));
    if (is_name && signature[i].is_string() && !graph.has_value(signature[i].as_string()))
      return false;
    if (!names_values(signature[i], graph)) return false;
  }
  return true;
}

}  // namespace

Argument ProgramWriter::stored_entry(std::string_view key) const {
  return value_at(graph_.meta("pt2").value_or(Argument()), key);
}

/// Sets the calling convention. Uses the one in the metadata of the graph if it matches the inputs
/// and results; otherwise, each input and each result is passed separately.
absl::Status ProgramWriter::find_convention() {
  size_t num_inputs = 0;
  for (const PlannedInput& input : plan_.inputs) {
    if (input.role != InputRole::kUser) continue;
    ++num_inputs;
    argument_names_.emplace_back(input.node->target());
  }
  const std::optional<Argument> convention = graph_.meta("calling_convention");
  const Argument in_spec = value_at(convention.value_or(Argument()), "in_spec");
  const Argument out_spec = value_at(convention.value_or(Argument()), "out_spec");
  keeps_convention_ = has_leaves(in_spec, num_inputs);
  if (keeps_convention_) {
    in_spec_ = in_spec.as_string();
    argument_names_.clear();
    const Argument names = value_at(*convention, "orig_args");
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i].is_string()) argument_names_.emplace_back(names[i].as_string());
  } else {
    in_spec_ = positional_spec(num_inputs);
  }
  const Node& output = *graph_.output_node();
  if (has_leaves(out_spec, plan_.num_results)) {
    out_spec_ = out_spec.as_string();
  } else if (output.meta().has(meta::kOutputs)) {
    out_spec_ = tuple_or_value_spec(plan_.num_results);
  } else {
    out_spec_ = result_spec(Argument(output.arg(0)));
  }
  return absl::OkStatus();
}

absl::Status ProgramWriter::write_calls(JsonWriter& json, const GraphWriter& graph) const {
  const auto entry = [&json](std::string_view path) {
    json.begin_object();
    json.key("fqn");
    json.text(path);
    json.key("signature");
  };
  json.begin_list();
  entry("");
  json.begin_object();
  for (const std::string_view key : {"inputs", "outputs"}) {
    json.key(key);
    json.begin_list();
    json.end_list();
  }
  json.key("in_spec");
  json.text(in_spec_);
  json.key("out_spec");
  json.text(out_spec_);
  json.key("forward_arg_names");
  if (argument_names_.empty()) {
    json.null();
  } else {
    json.begin_list();
    for (const std::string& name : argument_names_) json.text(name);
    json.end_list();
  }
  json.end_object();
  json.end_object();
  const Argument other_calls = stored_entry("module_call_graph");
  if (other_calls.is_list()) {
    for (size_t i = 0; i < other_calls.size(); ++i) {
      const Argument path = value_at(other_calls[i], "fqn");
      if (!path.is_string())
        return absl::InvalidArgumentError("module_call_graph: the path is missing");
      const Argument signature = value_at(other_calls[i], "signature");
      entry(path.as_string());
      json.plain(names_values(signature, graph) ? signature : Argument());
      json.end_object();
    }
  } else {
    for (const NamedModule& module : members_.named_modules()) {
      if (module.path.empty()) continue;
      entry(module.path);
      json.null();
      json.end_object();
    }
  }
  json.end_list();
  return absl::OkStatus();
}

bool keeps_calling_convention(const Graph& graph) {
  size_t num_inputs = 0;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder() || !pt2_member_path(node).empty()) continue;
    const std::optional<Argument> input = node.meta().get(meta::kInput);
    if (!input || input->find_text("kind") != "token") ++num_inputs;
  }
  const std::optional<Argument> convention = graph.meta("calling_convention");
  return has_leaves(value_at(convention.value_or(Argument()), "in_spec"), num_inputs);
}

}  // namespace fx::pt2
