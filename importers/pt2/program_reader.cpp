// Reads programs: see program_reader_internal.h.
#include "fx/importers/pt2/graph/effect_tokens_internal.h"
#include "fx/importers/pt2/graph/graph_reader_internal.h"
#include "fx/importers/pt2/program_reader_internal.h"
#include "fx/importers/pt2/sample_inputs_internal.h"
#include "fx/importers/pt2/signature_internal.h"
#include "fx/importers/pt2/weights_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx::pt2 {
namespace {

struct ProgramFields {
  enum { kModule, kOpsets, kRanges, kSchema, kVerifiers, kTorch, kGuards };
};
constexpr JsonField kProgramFields[] = {
    {"graph_module"},     {"opset_version"},        {"range_constraints"}, {"schema_version"},
    {"verifiers", false}, {"torch_version", false}, {"guards_code", false}};

struct ModuleFields {
  enum { kGraph, kSignature, kCalls, kMetadata, kTreeSpecFields };
};
constexpr JsonField kModuleFields[] = {{"graph"},
                                       {"signature"},
                                       {"module_call_graph"},
                                       {"metadata", false},
                                       {"treespec_namedtuple_fields", false}};

struct SchemaFields {
  enum { kMajor, kMinor };
};
constexpr JsonField kSchemaFields[] = {{"major"}, {"minor"}};
constexpr int64_t kSchemaMajor = 8, kSchemaMinor = 20;

struct RangeFields {
  enum { kMin, kMax };
};
constexpr JsonField kRangeFields[] = {{"min_val", false}, {"max_val", false}};

struct CallFields {
  enum { kPath, kSignature };
};
constexpr JsonField kCallFields[] = {{"fqn"}, {"signature", false}};

struct ConventionFields {
  enum { kInputs, kOutputs, kInSpec, kOutSpec, kArgNames };
};
constexpr JsonField kConventionFields[] = {
    {"inputs"}, {"outputs"}, {"in_spec"}, {"out_spec"}, {"forward_arg_names", false}};

using Entries = std::vector<std::pair<Argument, Argument>>;

class ProgramReader {
 public:
  ProgramReader(Context& context, const Pt2Archive& archive, const Pt2ReadOptions& options)
      : archive_(archive), options_(options), notes_(options.notes), values_(context, notes_) {}

  absl::StatusOr<Pt2Program> read(const std::string& model);

 private:
  absl::Status read_graph(Json program, Graph& graph);
  absl::Status check_schema(Json version);
  absl::Status read_document_meta(const JsonRecord<kProgramFields>& program,
                                  const JsonRecord<kModuleFields>& module, Graph& graph);
  absl::StatusOr<Argument> symbols(Json ranges);
  absl::Status read_calls(Json calls, Graph& graph, Entries& unchanged_entries);
  absl::StatusOr<NamedMembers> read_members(const std::string& model);
  absl::Status adopt_constants(NamedMembers constants, NamedMembers& members);
  absl::Status check_members(const NamedMembers& members) const;
  absl::StatusOr<std::vector<Pt2SampleInput>> sample_inputs(const std::string& model,
                                                            const Graph& graph);
  absl::StatusOr<Json> document(std::string_view entry);

  const Pt2Archive& archive_;
  const Pt2ReadOptions& options_;
  Notes notes_;
  ValueReader values_;
  Signature signature_;
  std::vector<std::unique_ptr<JsonDocument>>
      documents_;  // own the strings that the reader refers to
};

/// Returns a bound of a range in a document. A missing bound is None.
absl::StatusOr<Argument> bound(const JsonRecord<kRangeFields>& range, size_t field) {
  if (!range.has(field)) return Argument::none();
  FX_ASSIGN_OR_RETURN(const int64_t value, json_int(range[field], "range_constraints"));
  return Argument(value);
}

absl::StatusOr<Json> ProgramReader::document(std::string_view entry) {
  FX_ASSIGN_OR_RETURN(std::unique_ptr<JsonDocument> document, archive_.json(entry));
  documents_.push_back(std::move(document));
  return documents_.back()->root();
}

absl::Status ProgramReader::check_schema(Json version) {
  FX_ASSIGN_OR_RETURN(const auto record,
                      JsonRecord<kSchemaFields>::read(version, "schema_version", notes_));
  FX_ASSIGN_OR_RETURN(const int64_t major, json_int(record[SchemaFields::kMajor], "major"));
  FX_ASSIGN_OR_RETURN(const int64_t minor, json_int(record[SchemaFields::kMinor], "minor"));
  if (major != kSchemaMajor && !(major == 0 && minor == 0)) {
    return absl::InvalidArgumentError(fmt::format(
        "schema_version: {}.{} is not supported; version {}.x is", major, minor, kSchemaMajor));
  }
  if (minor > kSchemaMinor) {
    notes_.add(fmt::format("schema_version: {}.{} is newer than {}.{}", major, minor, kSchemaMajor,
                           kSchemaMinor));
  }
  return absl::OkStatus();
}

absl::StatusOr<Argument> ProgramReader::symbols(Json ranges) {
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(ranges, "range_constraints"));
  Entries symbols;
  absl::flat_hash_set<std::string_view> seen;
  for (const auto [symbol, range] : object) {
    if (!seen.insert(symbol).second) {
      return absl::InvalidArgumentError(
          fmt::format("range_constraints: duplicate symbol {}", symbol.substr(0, 200)));
    }
    FX_ASSIGN_OR_RETURN(const auto record,
                        JsonRecord<kRangeFields>::read(range, "range_constraints", notes_));
    FX_ASSIGN_OR_RETURN(Argument min, bound(record, RangeFields::kMin));
    FX_ASSIGN_OR_RETURN(Argument max, bound(record, RangeFields::kMax));
    Entries entry = {{Argument("min"), std::move(min)}, {Argument("max"), std::move(max)}};
    const auto hint = values_.hints().find(values_.context().symbol(symbol));
    if (hint != values_.hints().end()) entry.emplace_back("hint", Argument(hint->second));
    symbols.emplace_back(Argument(symbol), Argument::dict(entry));
  }
  return Argument::dict(symbols);
}

/// Reads the calling convention of the program from the first entry. Keeps the other entries
/// unchanged.
absl::Status ProgramReader::read_calls(Json json, Graph& graph, Entries& unchanged_entries) {
  FX_ASSIGN_OR_RETURN(const JsonList calls, json_list(json, "module_call_graph"));
  std::vector<Argument> other_calls;
  bool is_first = true;
  for (const Json call : calls) {
    if (!is_first) {
      FX_ASSIGN_OR_RETURN(Argument other, plain_argument(call, "module_call_graph"));
      other_calls.push_back(std::move(other));
      continue;
    }
    is_first = false;
    FX_ASSIGN_OR_RETURN(const auto record,
                        JsonRecord<kCallFields>::read(call, "ModuleCallEntry", notes_));
    FX_ASSIGN_OR_RETURN(const std::string_view path, json_string(record[CallFields::kPath], "fqn"));
    if (!path.empty() || !record.has(CallFields::kSignature)) {
      return absl::InvalidArgumentError(
          "the first entry of module_call_graph must be the signature of the program");
    }
    FX_ASSIGN_OR_RETURN(const auto convention,
                        JsonRecord<kConventionFields>::read(record[CallFields::kSignature],
                                                            "ModuleCallSignature", notes_));
    Argument names = Argument::list({});
    if (convention.has(ConventionFields::kArgNames)) {
      FX_ASSIGN_OR_RETURN(
          names, plain_argument(convention[ConventionFields::kArgNames], "forward_arg_names"));
    }
    FX_ASSIGN_OR_RETURN(const std::string_view in_spec,
                        json_string(convention[ConventionFields::kInSpec], "in_spec"));
    FX_ASSIGN_OR_RETURN(const std::string_view out_spec,
                        json_string(convention[ConventionFields::kOutSpec], "out_spec"));
    graph.set_meta("calling_convention",
                   Argument::dict({{{Argument("orig_args"), std::move(names)},
                                    {Argument("in_spec"), Argument(in_spec)},
                                    {Argument("out_spec"), Argument(out_spec)}}}));
  }
  if (is_first) return absl::InvalidArgumentError("module_call_graph is empty");
  unchanged_entries.emplace_back("module_call_graph", Argument::list(other_calls));
  return absl::OkStatus();
}

absl::Status ProgramReader::read_document_meta(const JsonRecord<kProgramFields>& program,
                                               const JsonRecord<kModuleFields>& module,
                                               Graph& graph) {
  using P = ProgramFields;
  using M = ModuleFields;
  graph.set_meta("kind", Argument("export"));
  if (program.has(P::kTorch)) {
    FX_ASSIGN_OR_RETURN(const std::string_view torch,
                        json_string(program[P::kTorch], "torch_version"));
    graph.set_meta("torch", Argument(torch));
  }
  FX_ASSIGN_OR_RETURN(Argument ranges, symbols(program[P::kRanges]));
  graph.set_meta("symbols", std::move(ranges));
  Entries unchanged_entries;
  const auto keep = [&](Json value, std::string_view key) -> absl::Status {
    FX_ASSIGN_OR_RETURN(Argument argument, plain_argument(value, key));
    unchanged_entries.emplace_back(key, std::move(argument));
    return absl::OkStatus();
  };
  if (program.has(P::kGuards)) {
    FX_ASSIGN_OR_RETURN(Argument guards, plain_argument(program[P::kGuards], "guards_code"));
    graph.set_meta("guards_code", std::move(guards));
  }
  FX_RETURN_IF_ERROR(read_calls(module[M::kCalls], graph, unchanged_entries));
  std::vector<std::string> unread;
  add_guards(graph, pt2_guards(graph, &unread));  // reads the calling convention
  for (const std::string& guard : unread)
    notes_.add(fmt::format("a run does not check the guard {}", guard));
  FX_RETURN_IF_ERROR(keep(program[P::kSchema], "schema_version"));
  FX_RETURN_IF_ERROR(keep(program[P::kOpsets], "opset_version"));
  if (program.has(P::kVerifiers)) FX_RETURN_IF_ERROR(keep(program[P::kVerifiers], "verifiers"));
  if (module.has(M::kMetadata)) FX_RETURN_IF_ERROR(keep(module[M::kMetadata], "metadata"));
  if (module.has(M::kTreeSpecFields))
    FX_RETURN_IF_ERROR(keep(module[M::kTreeSpecFields], "treespec_namedtuple_fields"));
  graph.set_meta("pt2", Argument::dict(unchanged_entries));
  return absl::OkStatus();
}

absl::Status ProgramReader::read_graph(Json json, Graph& graph) {
  FX_ASSIGN_OR_RETURN(const auto program,
                      JsonRecord<kProgramFields>::read(json, "ExportedProgram", notes_));
  FX_RETURN_IF_ERROR(check_schema(program[ProgramFields::kSchema]));
  FX_ASSIGN_OR_RETURN(
      const auto module,
      JsonRecord<kModuleFields>::read(program[ProgramFields::kModule], "GraphModule", notes_));
  FX_ASSIGN_OR_RETURN(signature_, read_signature(module[ModuleFields::kSignature], notes_));
  MetadataReader metadata(notes_);
  GraphSession session{values_, metadata};
  const RootPlan plan = signature_.plan(options_.lifted);
  FX_RETURN_IF_ERROR(GraphReader(session, graph, 0).read(module[ModuleFields::kGraph], &plan));
  if (const std::vector<std::string_view> tokens = signature_.tokens();
      !tokens.empty() && !options_.lifted)
    FX_RETURN_IF_ERROR(remove_effect_tokens(graph, tokens));
  signature_.annotate(graph, options_.lifted);
  return read_document_meta(program, module, graph);
}

absl::StatusOr<NamedMembers> ProgramReader::read_members(const std::string& model) {
  const Checksum checksum = options_.check_weights ? Checksum::kVerify : Checksum::kIgnore;
  WeightReader reader(archive_.zip(), values_, checksum);
  const auto read = [&](std::string_view folder,
                        std::string_view suffix) -> absl::StatusOr<NamedMembers> {
    const std::string entry = fmt::format("{}{}{}", folder, model, suffix);
    FX_ASSIGN_OR_RETURN(const Json config, document(entry));
    absl::StatusOr<NamedMembers> members = reader.read(config, archive_.name(folder));
    if (!members.ok()) return with_context(members.status(), describe_entry(archive_.name(entry)));
    return members;
  };
  FX_ASSIGN_OR_RETURN(NamedMembers members, read("data/weights/", "_weights_config.json"));
  FX_ASSIGN_OR_RETURN(NamedMembers constants, read("data/constants/", "_constants_config.json"));
  FX_RETURN_IF_ERROR(adopt_constants(std::move(constants), members));
  FX_RETURN_IF_ERROR(check_members(members));
  return members;
}

/// Moves constants to the members. Constants that the signature lists as buffers become
/// non-persistent buffers.
absl::Status ProgramReader::adopt_constants(NamedMembers constants, NamedMembers& members) {
  absl::flat_hash_set<std::string_view> buffers;
  for (const SignatureInput& input : signature_.inputs)
    if (input.role == InputRole::kBuffer) buffers.insert(input.target);
  for (auto& [path, member] : constants) {
    if (member.tensor) {
      member = buffers.contains(path) ? Attribute::buffer(member.tensor, /*persistent=*/false)
                                      : Attribute::constant(member.tensor);
    }
    members.emplace_back(std::move(path), std::move(member));
  }
  return absl::OkStatus();
}

/// Checks that the paths of members are unique, and that the signature names only members.
absl::Status ProgramReader::check_members(const NamedMembers& members) const {
  absl::flat_hash_set<std::string_view> paths;
  for (const auto& [path, member] : members) {
    if (!paths.insert(path).second)
      return absl::InvalidArgumentError(
          fmt::format("\"{}\" is both a weight and a constant", path));
  }
  for (const SignatureInput& input : signature_.inputs) {
    if (!Signature::is_lifted(input) || paths.contains(input.target)) continue;
    return absl::InvalidArgumentError(fmt::format(
        "the signature names \"{}\", which is neither a weight nor a constant", input.target));
  }
  return absl::OkStatus();
}

/// Returns true if an example is a valid value for an input of this type.
bool fits(const Pt2SampleInput& sample, Type type) {
  if (!type.is_tensor()) return !sample.tensor.defined();
  return sample.tensor.defined() && sample.tensor.dtype() == type.dtype() &&
         sample.tensor.sizes().size() == static_cast<size_t>(type.rank());
}

absl::StatusOr<std::vector<Pt2SampleInput>> ProgramReader::sample_inputs(const std::string& model,
                                                                         const Graph& graph) {
  std::vector<Pt2SampleInput> none;
  const std::string name = archive_.name(fmt::format("data/sample_inputs/{}.pt", model));
  const ZipEntry* const entry = archive_.zip().find(name);
  if (entry == nullptr || entry->size == 0) return none;
  absl::flat_hash_set<std::string_view> user_inputs;
  for (const SignatureInput& input : signature_.inputs)
    if (input.role == InputRole::kUser) user_inputs.insert(input.name);
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> bytes, archive_.zip().read(*entry));
  absl::StatusOr<std::vector<Pt2SampleInput>> samples =
      read_sample_inputs(std::move(bytes), user_inputs.size());
  if (samples.ok()) {
    size_t next = 0;
    bool fit = true;
    for (const Node& node : graph.nodes())
      if (node.is_placeholder() && user_inputs.contains(node.name()))
        fit = fit && fits((*samples)[next++], node.type());
    if (fit) return samples;
    samples = absl::UnimplementedError("they do not match the types of the inputs");
  }
  if (!absl::IsUnimplemented(samples.status()))
    return with_context(samples.status(), describe_entry(name));
  notes_.add(fmt::format("{}: ignored the example inputs: {}", describe_entry(name),
                         std::string(samples.status().message())));
  return none;
}

absl::StatusOr<Pt2Program> ProgramReader::read(const std::string& model) {
  const std::string entry = fmt::format("models/{}.json", model);
  FX_ASSIGN_OR_RETURN(const Json json, document(entry));
  auto graph = std::make_unique<Graph>(values_.context());
  FX_RETURN_IF_ERROR(with_context(read_graph(json, *graph), describe_entry(archive_.name(entry))));
  FX_ASSIGN_OR_RETURN(const NamedMembers members, read_members(model));
  GraphModule::Attributes attributes(members.begin(), members.end());
  Pt2Program program;
  FX_ASSIGN_OR_RETURN(program.sample_inputs, sample_inputs(model, *graph));
  FX_ASSIGN_OR_RETURN(program.module, GraphModule::create(attributes, std::move(graph)));
  // Add members that the graph does not use: other paths of tied tensors and, in the lifted form,
  // all members.
  for (const auto& [path, member] : members)
    if (program.module->find_attribute(path) == nullptr)
      FX_RETURN_IF_ERROR(program.module->assign(path, member));
  return program;
}

}  // namespace

absl::StatusOr<Pt2Program> read_program(Context& context, const Pt2Archive& archive,
                                        const std::string& model, const Pt2ReadOptions& options) {
  return ProgramReader(context, archive, options).read(model);
}

}  // namespace fx::pt2
