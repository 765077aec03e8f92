#include "fx/importers/pt2/signature_internal.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <optional>
#include <utility>

namespace fx::pt2 {
namespace {

struct SignatureFields {
  enum { kInputs, kOutputs };
};
constexpr JsonField kSignatureFields[] = {{"input_specs"}, {"output_specs"}};

using Entry = std::vector<std::pair<Argument, Argument>>;

/// A kind of input or output spec: its key in the file, its name in the interchange JSON, and the
/// field that names the member.
struct SpecKind {
  std::string_view key, kind, target_field;
  InputRole role = InputRole::kUser;
};

constexpr SpecKind kInputKinds[] = {
    {"parameter", "parameter", "parameter_name", InputRole::kParameter},
    {"buffer", "buffer", "buffer_name", InputRole::kBuffer},
    {"tensor_constant", "constant_tensor", "tensor_constant_name", InputRole::kConstant},
    {"custom_obj", "custom_obj", "custom_obj_name", InputRole::kObject},
    {"user_input", "user_input", "", InputRole::kUser},
    {"constant_input", "user_input", "", InputRole::kUser},
    {"token", "token", "", InputRole::kToken},
};

constexpr SpecKind kOutputKinds[] = {
    {"user_output", "user_output", ""},
    {"loss_output", "loss_output", ""},
    {"buffer_mutation", "buffer_mutation", "buffer_name"},
    {"parameter_mutation", "parameter_mutation", "parameter_name"},
    {"user_input_mutation", "user_input_mutation", "user_input_name"},
    {"gradient_to_parameter", "gradient_to_parameter", "parameter_name"},
    {"gradient_to_user_input", "gradient_to_user_input", "user_input_name"},
    {"token", "token", ""},
};

template <size_t n>
absl::StatusOr<SpecKind> find_kind(const SpecKind (&kinds)[n], std::string_view key) {
  for (const SpecKind& kind : kinds)
    if (kind.key == key) return kind;
  return absl::InvalidArgumentError(fmt::format("the kind \"{}\" is unknown", key.substr(0, 200)));
}

absl::StatusOr<Json> required(JsonObject spec, std::string_view field) {
  Json value;
  if (spec.at_key(field).get(value) == simdjson::SUCCESS) return value;
  return absl::InvalidArgumentError(fmt::format("the field \"{}\" is missing", field));
}

absl::StatusOr<std::string_view> required_string(JsonObject spec, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const Json value, required(spec, field));
  return json_string(value, field);
}

/// Returns the constant in a union: {"as_int": 3}.
absl::StatusOr<Argument> literal(const JsonUnion& form) {
  if (form.kind == "as_none") return Argument::none();
  if (form.kind == "as_float") {
    FX_ASSIGN_OR_RETURN(const double value, json_float(form.value, form.kind));
    return Argument(value);
  }
  return plain_argument(form.value, form.kind);
}

/// Returns the name in an Argument or a record with a name, or nullopt for a constant.
absl::StatusOr<std::optional<std::string_view>> argument_name(const JsonUnion& form) {
  const bool is_symbol = form.kind.starts_with("as_sym_");
  if (!is_symbol && form.kind != "as_tensor" && form.kind != "as_custom_obj") return std::nullopt;
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(form.value, form.kind));
  Json name;
  if (object.at_key(is_symbol ? "as_name" : "name").get(name) != simdjson::SUCCESS) {
    if (is_symbol) return std::nullopt;
    return absl::InvalidArgumentError("the argument has no name");
  }
  FX_ASSIGN_OR_RETURN(const std::string_view text, json_string(name, "name"));
  return text;
}

/// Returns the name in `arg`, which is a record {"name"} in most specs, and an Argument in specs of
/// user inputs and outputs.
absl::StatusOr<std::optional<std::string_view>> spec_name(JsonObject spec, bool is_argument,
                                                          Entry& entry) {
  FX_ASSIGN_OR_RETURN(const Json arg, required(spec, "arg"));
  if (!is_argument) {
    FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(arg, "arg"));
    FX_ASSIGN_OR_RETURN(const std::string_view name, required_string(object, "name"));
    return name;
  }
  FX_ASSIGN_OR_RETURN(const JsonUnion form, json_union(arg, "arg"));
  FX_ASSIGN_OR_RETURN(const std::optional<std::string_view> name, argument_name(form));
  if (!name) {
    const bool is_symbol = form.kind.starts_with("as_sym_");
    absl::StatusOr<JsonUnion> inner = is_symbol ? json_union(form.value, form.kind) : form;
    if (!inner.ok()) return inner.status();
    FX_ASSIGN_OR_RETURN(Argument value, literal(*inner));
    entry.emplace_back("name", "");
    entry.emplace_back("value", std::move(value));
  }
  return name;
}

absl::StatusOr<SignatureInput> read_input_spec(Json json, size_t user_index) {
  FX_ASSIGN_OR_RETURN(const JsonUnion form, json_union(json, "input_specs"));
  FX_ASSIGN_OR_RETURN(const SpecKind kind, find_kind(kInputKinds, form.kind));
  FX_ASSIGN_OR_RETURN(const JsonObject spec, json_object(form.value, form.kind));
  SignatureInput input;
  input.role = kind.role;
  Entry entry = {{Argument("kind"), Argument(kind.kind)}};
  if (form.kind == "constant_input") {
    FX_ASSIGN_OR_RETURN(input.name, required_string(spec, "name"));
    FX_ASSIGN_OR_RETURN(const Json value, required(spec, "value"));
    FX_ASSIGN_OR_RETURN(const JsonUnion constant, json_union(value, "value"));
    FX_ASSIGN_OR_RETURN(Argument argument, literal(constant));
    input.is_literal = true;
    entry.emplace_back("value", std::move(argument));
  } else {
    Entry ignored;
    FX_ASSIGN_OR_RETURN(const std::optional<std::string_view> name,
                        spec_name(spec, form.kind == "user_input", ignored));
    if (!name) return absl::InvalidArgumentError("a user input must not be a constant");
    input.name = *name;
  }
  if (input.name.empty()) return absl::InvalidArgumentError("the input has no name");
  if (!kind.target_field.empty()) {
    FX_ASSIGN_OR_RETURN(input.target, required_string(spec, kind.target_field));
    if (input.target.empty()) return absl::InvalidArgumentError("the path of the member is empty");
    entry.emplace_back("target", Argument(input.target));
  }
  if (kind.role == InputRole::kBuffer) {
    FX_ASSIGN_OR_RETURN(const Json persistent, required(spec, "persistent"));
    FX_ASSIGN_OR_RETURN(input.is_persistent, json_bool(persistent, "persistent"));
    entry.emplace_back("persistent", Argument(input.is_persistent));
  }
  if (kind.role == InputRole::kUser)
    entry.emplace_back("index", Argument(static_cast<int64_t>(user_index)));
  input.entry = Argument::dict(entry);
  return input;
}

using InputsByName = absl::flat_hash_map<std::string_view, std::string_view>;

absl::StatusOr<SignatureOutput> read_output_spec(Json json, const InputsByName& by_target,
                                                 const InputsByName& by_name) {
  FX_ASSIGN_OR_RETURN(const JsonUnion form, json_union(json, "output_specs"));
  FX_ASSIGN_OR_RETURN(const SpecKind kind, find_kind(kOutputKinds, form.kind));
  FX_ASSIGN_OR_RETURN(const JsonObject spec, json_object(form.value, form.kind));
  SignatureOutput output;
  output.is_token = kind.kind == "token";
  Entry entry = {{Argument("kind"), Argument(kind.kind)}};
  FX_RETURN_IF_ERROR(spec_name(spec, form.kind == "user_output", entry).status());
  if (!kind.target_field.empty()) {
    FX_ASSIGN_OR_RETURN(const std::string_view target, required_string(spec, kind.target_field));
    entry.emplace_back("target", Argument(target));
    if (form.kind.ends_with("_mutation")) {
      const InputsByName& names = form.kind == "user_input_mutation" ? by_name : by_target;
      const auto it = names.find(target);
      if (it == names.end()) {
        return absl::InvalidArgumentError(
            fmt::format("it writes to \"{}\", which is not an input", target.substr(0, 200)));
      }
      output.written_input = it->second;
    }
  }
  output.entry = Argument::dict(entry);
  return output;
}

}  // namespace

absl::StatusOr<Signature> read_signature(Json json, Notes& notes) {
  FX_ASSIGN_OR_RETURN(const auto record,
                      JsonRecord<kSignatureFields>::read(json, "signature", notes));
  Signature signature;
  InputsByName by_target, by_name;
  FX_ASSIGN_OR_RETURN(const JsonList inputs,
                      json_list(record[SignatureFields::kInputs], "input_specs"));
  size_t user_index = 0;
  for (const Json spec : inputs) {
    absl::StatusOr<SignatureInput> input = read_input_spec(spec, user_index);
    if (!input.ok()) {
      return with_context(input.status(),
                          fmt::format("signature: input {}", signature.inputs.size()));
    }
    if (input->role == InputRole::kUser) ++user_index;
    if (!input->target.empty()) by_target.emplace(input->target, input->name);
    by_name.emplace(input->name, input->name);
    signature.inputs.push_back(*std::move(input));
  }
  FX_ASSIGN_OR_RETURN(const JsonList outputs,
                      json_list(record[SignatureFields::kOutputs], "output_specs"));
  for (const Json spec : outputs) {
    absl::StatusOr<SignatureOutput> output = read_output_spec(spec, by_target, by_name);
    if (!output.ok()) {
      return with_context(output.status(),
                          fmt::format("signature: output {}", signature.outputs.size()));
    }
    signature.outputs.push_back(*std::move(output));
  }
  return signature;
}

RootPlan Signature::plan(bool lifted) const {
  RootPlan plan;
  for (const SignatureInput& input : inputs) {
    const bool is_member = !lifted && is_lifted(input);
    plan.inputs.push_back({.name = input.name,
                           .is_literal = input.is_literal,
                           .attribute_path = is_member ? input.target : std::string_view()});
  }
  for (const SignatureOutput& output : outputs) {
    plan.outputs.push_back({.written_input = lifted ? std::string_view() : output.written_input,
                            .is_omitted = !lifted && output.is_token});
  }
  return plan;
}

std::vector<std::string_view> Signature::tokens() const {
  std::vector<std::string_view> names;
  for (const SignatureInput& input : inputs)
    if (input.role == InputRole::kToken) names.push_back(input.name);
  return names;
}

void Signature::annotate(Graph& graph, bool lifted) const {
  absl::flat_hash_map<std::string_view, const SignatureInput*> by_name;
  for (const SignatureInput& input : inputs) by_name.emplace(input.name, &input);
  for (Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    const auto it = by_name.find(node.name());
    if (it != by_name.end()) node.meta().set(meta::kInput, it->second->entry);
  }
  std::vector<Argument> returned;
  for (const SignatureOutput& output : outputs)
    if (lifted || (output.written_input.empty() && !output.is_token))
      returned.push_back(output.entry);
  if (Node* const output = graph.output_node())
    output->meta().set(meta::kOutputs, Argument::list(returned));
}

}  // namespace fx::pt2
