// Reads the members of an interchange JSON document other than its graph: docs/json.md, "The
// document".
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/json/json_reader_internal.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::json {

absl::Status Reader::check_document() {
  if (!root_.is_object())
    return root_.error(
        fmt::format("the document must be an object, not {}", kind_name(root_.kind())));
  Value format = root_.find("format");
  if (!format || !root_.find("graph")) {
    return root_.error(
        "this is not an interchange document: it must have the keys \"format\" and "
        "\"graph\" (docs/json.md)");
  }
  if (!format.is_int() || format.as_int() < 1 || format.as_int() > 2)
    return format.error("unknown format; formats 1 and 2 are supported");
  format_ = static_cast<int>(format.as_int());
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Graph>> Reader::read_document() {
  FX_RETURN_IF_ERROR(check_document());
  auto graph = std::make_unique<Graph>(context_);
  FX_RETURN_IF_ERROR(read_root_graph(*graph));
  if (Value modules = root_.find("modules"))
    FX_RETURN_IF_ERROR(adopt_module_graphs(modules, *graph, "", 0));
  return graph;
}

absl::Status Reader::read_root_graph(Graph& graph) {
  FX_RETURN_IF_ERROR(read_document_meta(graph));
  // This must precede the first call: the spelling of a function is set when it is first used.
  if (Value functions = root_.find("functions"))
    FX_RETURN_IF_ERROR(read_functions(functions, graph));
  FX_RETURN_IF_ERROR(read_graph(root_.find("graph"), graph, 1));
  if (Value inputs = root_.find("inputs")) FX_RETURN_IF_ERROR(read_inputs(inputs, graph));
  if (Value outputs = root_.find("outputs")) FX_RETURN_IF_ERROR(read_outputs(outputs, graph));
  return absl::OkStatus();
}

absl::Status Reader::read_document_meta(Graph& graph) {
  if (format_ == 1) graph.set_meta("format", 1);
  for (auto [key, value] : root_.members()) {
    if (is_document_key(key)) continue;
    FX_ASSIGN_OR_RETURN(Argument argument, read_plain(value));
    graph.set_meta(key, std::move(argument));
  }
  return absl::OkStatus();
}

absl::Status Reader::read_inputs(Value inputs, Graph& graph) {
  if (!inputs.is_array()) return inputs.error("expected a list");
  if (inputs.size() == 0) graph.set_meta("inputs", Argument::list({}));
  std::vector<Node*> placeholders;
  for (Node& node : graph.nodes())
    if (node.is_placeholder()) placeholders.push_back(&node);
  if (inputs.size() != placeholders.size()) {
    return inputs.error(
        fmt::format("the number of inputs, {}, differs from the number of placeholders, {}",
                    inputs.size(), placeholders.size()));
  }
  std::vector<Argument> entries;
  bool all_bare = true;
  for (Value value : inputs.items()) {
    if (!value.is_object()) return value.error("expected an object");
    const Node& node = *placeholders[entries.size()];
    if (Value name = value.find("name");
        name && !(name.is_string() && name.as_string() == node.name()))
      return name.error(fmt::format("the name must be that of placeholder {}", node.name()));
    FX_ASSIGN_OR_RETURN(Argument entry, read_plain(value));
    entries.push_back(without_name(entry));
    all_bare = all_bare && entries.back().size() == 0;
  }
  // Empty entries are dropped, unless all entries are empty.
  for (size_t i = 0; i < entries.size(); ++i)
    if (all_bare || entries[i].size() > 0) placeholders[i]->meta().set(meta::kInput, entries[i]);
  return absl::OkStatus();
}

absl::Status Reader::read_outputs(Value outputs, Graph& graph) {
  if (!outputs.is_array()) return outputs.error("expected a list");
  Node* output = graph.output_node();
  if (!output)
    return outputs.error("outputs are listed, but the graph does not have an output node");
  std::vector<Argument> entries;
  for (Value value : outputs.items()) {
    if (!value.is_object()) return value.error("expected an object");
    FX_ASSIGN_OR_RETURN(Argument entry, read_plain(value));
    const std::optional<Argument> name = entry_name(entry);
    const bool follows = name && name_follows(*name, returned_node(*output, entries.size()));
    entries.push_back(follows ? without_name(entry) : entry);
  }
  output->meta().set(meta::kOutputs, Argument::list(entries));
  return absl::OkStatus();
}

absl::Status Reader::read_functions(Value functions, Graph& graph) {
  if (!functions.is_object()) return functions.error("expected an object");
  std::vector<std::pair<Argument, Argument>> kept;
  for (auto [name, row] : functions.members()) {
    if (!row.is_object()) return row.error("expected an object");
    if (name.empty()) return row.error("a function name must not be empty");
    FunctionSpelling spelling;
    bool keep = false;
    for (auto [key, value] : row.members()) {
      if (key == "unresolved") {
        keep = true;  // used only by Python
        continue;
      }
      FX_ASSIGN_OR_RETURN(std::string_view text, read_string(value, "a string"));
      if (key == "name") {
        spelling.base_name = text;
      } else if (key == "listing") {
        spelling.listing = text;
      } else if (key == "repr") {
        spelling.repr = text;
      } else if (key == "inner") {
        spelling.inner = text;
      } else {
        return value.error(fmt::format("unknown key \"{}\" in a function", key));
      }
    }
    // The Context may already have the function, with a different spelling.
    const TargetData& data = *context_.function(name, spelling).data();
    keep = keep || data.listing.str() != spelling.listing || data.repr.str() != spelling.repr ||
           data.inner.str() != spelling.inner ||
           (spelling.base_name.empty() ? data.has_own_base_name
                                       : data.base_name.str() != spelling.base_name);
    if (!keep) continue;
    FX_ASSIGN_OR_RETURN(Argument content, read_plain(row));
    kept.emplace_back(Argument(name), std::move(content));
  }
  if (!kept.empty()) graph.set_meta("functions", Argument::dict(kept));
  return absl::OkStatus();
}

absl::Status Reader::adopt_module_graphs(Value modules, Graph& graph, const std::string& prefix,
                                         int depth) {
  if (!modules.is_array()) return modules.error("expected a list of modules");
  if (module_graphs_.empty()) {
    for (Value module : modules.items()) {
      Value path = module.find("path"), nested = module.find("graph");
      if (path && path.is_string() && nested) module_graphs_.emplace(path.as_string(), nested);
    }
  }
  for (const Node& node : graph.nodes()) {
    if (node.op() != Opcode::kGetAttr) continue;
    auto it = module_graphs_.find(prefix + std::string(node.target()));
    if (it == module_graphs_.end() || graph.find_subgraph(node.target())) continue;
    FX_ASSIGN_OR_RETURN(uint32_t index, add_subgraph(graph, node.target(), it->second, depth + 2));
    FX_RETURN_IF_ERROR(
        adopt_module_graphs(modules, graph.subgraph(index), it->first + ".", depth + 1));
  }
  return absl::OkStatus();
}

// ---------------------------------------------------------------- shared with the writer

bool is_document_key(std::string_view key) {
  constexpr std::string_view kKeys[] = {"format", "inputs",    "outputs",
                                        "graph",  "functions", "modules"};
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

const Node* returned_node(const Node& output, size_t i) {
  if (output.num_args() == 0) return nullptr;
  ArgumentRef result = output.arg(0);
  if (!result.is_list() && !result.is_tuple()) return i == 0 ? result.node() : nullptr;
  return i < result.size() ? result[i].node() : nullptr;
}

std::optional<Argument> entry_name(const Argument& entry) {
  const Argument* name = entry.find("name");
  return name != nullptr ? std::optional<Argument>(*name) : std::nullopt;
}

bool name_follows(const Argument& name, const Node* returned) {
  if (!returned) return name.is_none();
  return name.is_string() && name.as_string() == returned->name();
}

Argument without_name(const Argument& entry) {
  std::vector<std::pair<Argument, Argument>> kept;
  for (size_t i = 0; i < entry.size(); ++i)
    if (!(entry.key(i).is_string() && entry.key(i).as_string() == "name"))
      kept.emplace_back(entry.key(i), entry[i]);
  return Argument::dict(kept);
}

}  // namespace fx::json
