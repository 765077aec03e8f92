// Reads and writes graphs for commands: see document.h.
#include "fx/tools/driver/document.h"

#include "fx/importers/program_file.h"
#include "fx/interp/data_name.h"
#include "fx/ir/files/graph_module_file.h"
#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/tools/driver/extensions.h"
#include "fx/tools/driver/omissions.h"
#include "fx/tools/driver/write_program.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace fx {
namespace {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
using Aliases = std::vector<std::pair<std::string, std::string>>;

constexpr StateDictOptions kEverything = {.non_persistent_buffers = true, .constants = true};

bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

/// Returns the unique paths that nodes with this opcode refer to, in order.
std::vector<std::string> paths_of(const Graph& graph, Opcode op) {
  std::vector<std::string> paths;
  absl::flat_hash_set<std::string> seen;
  for (const Graph& each : all_graphs(graph)) {
    for (const Node* node : each.find_nodes(op)) {
      if (op == Opcode::kGetAttr && each.find_subgraph(node->target()) != nullptr) continue;
      std::string path(node->target());
      if (seen.insert(path).second) paths.push_back(std::move(path));
    }
  }
  return paths;
}

/// Returns the paths of the modules that have graphs.
std::vector<std::string> graph_modules(const Module& root) {
  std::vector<std::string> paths;
  for (const NamedModule& named : root.named_modules())
    if (!named.path.empty() && named.module->as_graph_module()) paths.push_back(named.path);
  return paths;
}

/// Returns true for a module without code: one that contains only members and submodules.
bool is_plain(const Module& module) {
  return module.class_name() == kPlainModuleClass && module.hyperparameters().empty();
}

/// Returns true if the module's graph can become a nested graph: it must not call modules, and all
/// attributes of the module must be modules whose graphs can become nested graphs.
bool can_nest(const GraphModule& module) {
  if (!module.graph().find_nodes(Opcode::kCallModule).empty()) return false;
  return std::ranges::all_of(module.attributes(), [](const auto& entry) {
    const Module* child = entry.value.module.get();
    return child != nullptr && child->as_graph_module() != nullptr &&
           can_nest(*child->as_graph_module());
  });
}

/// Converts modules that get_attr nodes of `graph` refer to, which are the bodies of control flow,
/// to nested graphs.
absl::Status nest_graphs(Graph& graph, const Module& root) {
  for (const std::string& path : paths_of(graph, Opcode::kGetAttr)) {
    const Module* module = root.find_module(path);
    const GraphModule* body = module == nullptr ? nullptr : module->as_graph_module();
    if (body == nullptr || !can_nest(*body)) continue;
    std::unique_ptr<Graph> copy = body->graph().clone();
    FX_RETURN_IF_ERROR(nest_graphs(*copy, *body));
    FX_RETURN_IF_ERROR(graph.add_subgraph(path, std::move(copy)).status());
  }
  return absl::OkStatus();
}

/// The parts of a module tree that a file with a single graph cannot contain.
struct OmittedParts {
  std::vector<std::string> called;   ///< modules that the graph refers to
  std::vector<std::string> values;   ///< members other than tensors that the graph refers to
  std::vector<std::string> modules;  ///< other modules
  std::vector<std::string> members;  ///< members that the graph does not refer to
};

/// Returns true if the module at the path, or a parent of it, is a nested graph of `graph`.
bool is_nested(const Graph& graph, std::string_view path) {
  for (size_t end = path.find('.'); true; end = path.find('.', end + 1)) {
    if (graph.find_subgraph(path.substr(0, end)) != nullptr) return true;
    if (end == std::string_view::npos) return false;
  }
}

OmittedParts omitted_parts(const Graph& graph, const Module& root) {
  OmittedParts omitted;
  absl::flat_hash_set<std::string> read;
  for (const std::string& path : paths_of(graph, Opcode::kCallModule))
    if (root.find_module(path) != nullptr) omitted.called.push_back(path);
  for (const std::string& path : paths_of(graph, Opcode::kGetAttr)) {
    const Attribute* member = root.find_attribute(path);
    if (member == nullptr) continue;
    read.insert(path);
    if (member->kind == AttributeKind::kModule) {
      omitted.called.push_back(path);
    } else if (!member->tensor.defined() && !member->value.is_none()) {
      omitted.values.push_back(path);
    }
  }
  for (const NamedModule& named : root.named_modules()) {
    if (!named.path.empty() && is_nested(graph, named.path)) continue;
    const std::string prefix = named.path.empty() ? "" : named.path + ".";
    const bool is_called = std::ranges::find(omitted.called, named.path) != omitted.called.end();
    if (!named.path.empty() && !is_plain(*named.module) && !is_called)
      omitted.modules.push_back(named.path);
    for (const auto& [name, member] : named.module->attributes()) {
      if (member.kind == AttributeKind::kModule || read.contains(prefix + name)) continue;
      omitted.members.push_back(prefix + name);
    }
  }
  return omitted;
}

/// Returns the tensors with data that get_attr nodes of the graph refer to.
NamedTensors tensors_read(const Graph& graph, const Module& root) {
  NamedTensors tensors;
  for (const std::string& path : paths_of(graph, Opcode::kGetAttr)) {
    const Attribute* member = root.find_attribute(path);
    if (member != nullptr && member->tensor.defined() && member->tensor.has_data())
      tensors.emplace_back(path, member->tensor);
  }
  return tensors;
}

/// Removes tensors with multiple names under all names except the first. Returns the other names,
/// each with the first name.
Aliases take_aliases(NamedTensors& tensors) {
  Aliases aliases;
  absl::flat_hash_map<const void*, std::string> first_names;
  std::erase_if(tensors, [&](const auto& entry) {
    const auto [it, is_new] = first_names.try_emplace(entry.second.identity(), entry.first);
    if (!is_new) aliases.emplace_back(entry.first, it->second);
    return !is_new;
  });
  return aliases;
}

/// Removes tensors that a data file cannot contain. Returns their names.
std::vector<std::string> take_unsupported(NamedTensors& tensors) {
  std::vector<std::string> names;
  std::erase_if(tensors, [&](const auto& entry) {
    if (is_safetensors_dtype(entry.second.dtype())) return false;
    names.push_back(entry.first);
    return true;
  });
  return names;
}

/// Returns a note about examples and shared memory that a file does not contain, or "".
std::string omitted_data(const std::string& path, const std::vector<std::string>& examples,
                         const NamedTensors& tensors) {
  std::vector<std::string> parts;
  if (!examples.empty()) parts.push_back(fmt::format("the examples {}", list_names(examples)));
  const std::vector<std::string> shared = names_of_shared(tensors);
  if (!shared.empty())
    parts.push_back(fmt::format("the shared memory of the tensors {}", list_names(shared)));
  return parts.empty() ? std::string()
                       : fmt::format("{} does not contain {}", path, fmt::join(parts, " and "));
}

/// Adds tensors to the data file of a graph. Replaces tensors with the same names.
absl::Status write_data(const std::string& path, NamedTensors tensors, Aliases aliases) {
  absl::flat_hash_set<std::string> names;
  for (auto& [name, tensor] : tensors) {
    FX_ASSIGN_OR_RETURN(tensor, tensor.contiguous());
    names.insert(name);
  }
  for (const auto& [name, first] : aliases) names.insert(name);
  if (std::filesystem::exists(path)) {
    FX_ASSIGN_OR_RETURN(const Safetensors old, read_safetensors(path));
    if (old.tensors.contains(kDocumentTensor)) {
      return absl::InvalidArgumentError(fmt::format(
          "{}: it contains a graph with its tensors, and would be overwritten by the data of the "
          "output; choose a different name for the output",
          path));
    }
    for (const auto& [name, tensor] : old.tensors)
      if (!names.contains(name)) tensors.emplace_back(name, tensor);
    for (const auto& [name, text] : old.metadata)
      if (!names.contains(name)) aliases.emplace_back(name, text);
  }
  return write_safetensors(path, tensors, aliases);
}

}  // namespace

absl::StatusOr<Document> Document::read(Context& context, const std::string& path) {
  FX_ASSIGN_OR_RETURN(GraphDocument document,
                      read_extended_document(context, path, {.check_weights = true}));
  return create(context, path, std::move(document));
}

absl::StatusOr<Document> Document::read_and_print_notes(Context& context, const std::string& path) {
  FX_ASSIGN_OR_RETURN(GraphDocument document,
                      fx::read_and_print_notes(context, path, /*check_weights=*/true));
  return create(context, path, std::move(document));
}

absl::StatusOr<Document> Document::create(Context& context, const std::string& path,
                                          GraphDocument document) {
  Document result;
  result.path_ = path;
  result.context_ = &context;
  result.document_ = std::move(document);
  if (!result.document_.module) result.default_root_ = std::make_unique<Module>();
  FX_RETURN_IF_ERROR(result.read_tensors());
  return result;
}

absl::Status Document::read_tensors() {
  if (path_.ends_with(".safetensors")) return absl::OkStatus();  // the file contains them
  FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> entries, root().state_dict(kEverything));
  // Only .json outputs contain inline tensors, namely the inline tensors of .json inputs. Other
  // tensors are written to the data file.
  const bool is_archive = path_ != "-" && is_program_file(path_);
  for (const NamedAttribute& entry : entries) {
    if (!entry.attribute->tensor.has_data()) continue;
    (is_archive ? separate_tensors_ : inline_tensors_).insert(entry.attribute->tensor.identity());
  }
  if (is_archive) return absl::OkStatus();
  const std::string data_file = data_path(path_);
  if (path_ == "-" || !std::filesystem::exists(data_file)) return absl::OkStatus();
  FX_ASSIGN_OR_RETURN(const Safetensors file, read_safetensors(data_file));
  if (document_.module)
    FX_RETURN_IF_ERROR(with_context(
        load_state(root(), file, {.strict = false, .restore_strides = true}), data_file));
  FX_RETURN_IF_ERROR(add_constants(file));
  FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> loaded, root().state_dict(kEverything));
  for (const NamedAttribute& entry : loaded) {
    const Tensor& tensor = entry.attribute->tensor;
    if (tensor.has_data() && !inline_tensors_.contains(tensor.identity()))
      separate_tensors_.insert(tensor.identity());
  }
  return absl::OkStatus();
}

/// Sets the tensors that get_attr nodes refer to and the root does not have.
absl::Status Document::add_constants(const Safetensors& file) {
  absl::flat_hash_map<const void*, Tensor> constants;  // by the identity of the tensor in the file
  for (const Graph& each : all_graphs(graph())) {
    for (const Node* node : each.find_nodes(Opcode::kGetAttr)) {
      const std::string path(node->target());
      const std::string* const first = file.metadata.find(path);
      const Tensor* const tensor = file.tensors.find(first != nullptr ? *first : path);
      if (tensor == nullptr || root().find_attribute(path) != nullptr) continue;
      const auto [it, is_new] = constants.try_emplace(tensor->identity(), *tensor);
      if (is_new) it->second = with_strides_of(node->type(), *tensor, {});
      FX_RETURN_IF_ERROR(root().assign(path, Attribute::constant(it->second)));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Document::write(const std::string& path,
                                            const WriteOptions& options) const {
  if (is_stdout(path) || is_device_file(path)) return write_text(path);
  if (path.ends_with(".safetensors") || path.ends_with(".json"))
    return write_with_modules(path, options);
  if (path.ends_with(".pt2")) {
    FX_ASSIGN_OR_RETURN(const Safetensors data, data_of_graph_file(path_));
    FX_RETURN_IF_ERROR(write_program(
        graph(), root(), path, {.data = &data, .has_member_kinds = document_.module != nullptr}));
    const std::string guards = omitted_guards(graph(), GuardSupport::kPt2);
    return guards.empty() ? guards : fmt::format("{} does not contain {}", path, guards);
  }
  return write_graph_alone(path, options);
}

absl::StatusOr<std::string> Document::write_text(const std::string& path) const {
  std::string text = print(graph());
  for (const std::string& module : graph_modules(root())) {
    const std::unique_ptr<Graph> copy =
        root().find_module(module)->as_graph_module()->graph().clone();
    set_graph_name(*copy, module);
    print(*copy, text);
  }
  FX_RETURN_IF_ERROR(write_file(path, text));
  std::vector<std::string> missing;  // tensors that are not in a file
  for (const auto& [name, tensor] : tensors_read(graph(), root())) {
    if (!inline_tensors_.contains(tensor.identity()) &&
        !separate_tensors_.contains(tensor.identity()))
      missing.push_back(name);
  }
  if (missing.empty() || path_.ends_with(".safetensors")) return std::string();
  return fmt::format(
      "the text does not contain the tensors {}; with -o FILE they are written next to it",
      list_names(missing));
}

absl::StatusOr<NamedTensors> Document::examples(const WriteOptions& options) const {
  NamedTensors found;
  if (!options.with_examples) return found;
  FX_ASSIGN_OR_RETURN(const Safetensors data, data_of_graph_file(path_));
  for (const auto& [name, tensor] : data.tensors) {
    const bool is_example = name.starts_with("in.") || name.starts_with("out.");
    if (is_example && root().find_attribute(name) == nullptr) found.emplace_back(name, tensor);
  }
  return found;
}

absl::StatusOr<std::string> Document::write_with_modules(const std::string& path,
                                                         const WriteOptions& options) const {
  FX_ASSIGN_OR_RETURN(NamedTensors example_tensors, examples(options));
  const bool with_tensors = path.ends_with(".safetensors");
  GraphDocument whole;
  const GraphModule* module = document_.module.get();
  if (module == nullptr && (with_tensors || !graph_modules(root()).empty())) {
    FX_ASSIGN_OR_RETURN(whole.module, GraphModule::create(root(), graph().clone()));
    module = whole.module.get();
  }
  NamedTensors tensors;
  Aliases aliases;
  if (module != nullptr) {
    FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> state, module->state_dict(kEverything));
    absl::flat_hash_map<const void*, std::string> first_names;
    for (const NamedAttribute& entry : state) {
      const Tensor& tensor = entry.attribute->tensor;
      if (!tensor.has_data() || inline_tensors_.contains(tensor.identity())) continue;
      const auto [it, is_new] = first_names.try_emplace(tensor.identity(), entry.path);
      if (is_new)
        tensors.emplace_back(entry.path, tensor);
      else
        aliases.emplace_back(entry.path, it->second);
    }
  } else {
    tensors = tensors_read(graph(), root());
    aliases = take_aliases(tensors);
  }
  if (with_tensors) {
    FX_RETURN_IF_ERROR(save_graph_module(*module, path));
    std::vector<std::string> names;
    for (const auto& [name, tensor] : example_tensors) names.push_back(name);
    return omitted_data(path, names, tensors);
  }
  std::string note = omitted_data(path, take_unsupported(example_tensors), tensors);
  std::ranges::move(example_tensors, std::back_inserter(tensors));
  // Write the data first, so that an error does not leave a graph without its tensors.
  if (!tensors.empty())
    FX_RETURN_IF_ERROR(write_data(data_path(path), std::move(tensors), std::move(aliases)));
  if (document_.module || module == nullptr)
    FX_RETURN_IF_ERROR(write_graph_document(document_, path));
  else
    FX_RETURN_IF_ERROR(write_graph_document(whole, path));
  return note;
}

absl::StatusOr<std::string> Document::write_graph_alone(const std::string& path,
                                                        const WriteOptions& options) const {
  FX_RETURN_IF_ERROR(check_graph_extension(path));
  std::unique_ptr<Graph> nested;
  if (document_.module && !graph_modules(root()).empty()) {
    nested = this->graph().clone();
    FX_RETURN_IF_ERROR(nest_graphs(*nested, root()));
  }
  const Graph& graph = nested ? *nested : document_.graph();
  OmittedParts omitted = omitted_parts(graph, root());
  if (!omitted.values.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: this format contains one graph and its tensors, but the graph uses {}, "
                    "which is not a tensor; use .json or .safetensors",
                    path, list_names(omitted.values)));
  }
  if (!omitted.called.empty() && !options.graph_only) {
    return absl::InvalidArgumentError(
        fmt::format("{}: this format contains one graph, and the modules that it calls would be "
                    "lost ({}); use .json or .safetensors, or --graph-only",
                    path, list_names(omitted.called)));
  }
  NamedTensors tensors = tensors_read(graph, root());
  Aliases aliases = take_aliases(tensors);
  FX_ASSIGN_OR_RETURN(NamedTensors example_tensors, examples(options));
  const std::vector<std::string> unsupported = take_unsupported(example_tensors);
  const std::vector<std::string> shared = names_of_shared(tensors);
  std::ranges::move(example_tensors, std::back_inserter(tensors));
  if (!tensors.empty()) {
    FX_RETURN_IF_ERROR(check_data_names(graph));
    FX_RETURN_IF_ERROR(write_data(data_path(path), std::move(tensors), std::move(aliases)));
  }
  FX_RETURN_IF_ERROR(write_graph_file(graph, path));
  std::vector<std::string> parts;
  std::vector<std::string> modules = std::move(omitted.called);
  modules.insert(modules.end(), omitted.modules.begin(), omitted.modules.end());
  if (!modules.empty()) parts.push_back(fmt::format("the modules {}", list_names(modules)));
  if (!omitted.members.empty())
    parts.push_back(
        fmt::format("the members {}, which the graph does not use", list_names(omitted.members)));
  if (!unsupported.empty())
    parts.push_back(fmt::format("the examples {}", list_names(unsupported)));
  if (!shared.empty())
    parts.push_back(fmt::format("the shared memory of the tensors {}", list_names(shared)));
  if (parts.empty()) return std::string();
  return fmt::format("{} does not contain {}", path, fmt::join(parts, " and "));
}

}  // namespace fx
