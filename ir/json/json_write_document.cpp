// Writes the members of an interchange JSON document other than its graph: docs/json.md, "The
// document", and "Bytes" for the layout.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/json/json.h"
#include "fx/ir/json/json_reader_internal.h"
#include "fx/ir/json/json_writer_internal.h"
#include "fx/ir/support/text_tokens.h"

#include <algorithm>

namespace fx {
namespace json {
namespace {

// Top-level keys in the order in which they are written; other keys come before `graph`.
constexpr std::string_view kFirstKeys[] = {"model", "kind", "torch", "symbols"};
constexpr std::string_view kMiddleKeys[] = {"guards", "deterministic"};
constexpr std::string_view kLastKeys[] = {"warnings"};

template <size_t size>
bool contains(const std::string_view (&keys)[size], std::string_view key) {
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

bool is_object_list(const Argument& value) {
  return value.is_list() && value.size() > 0 && value[0].is_dict();
}

/// True if the value has the form of the member `functions`.
bool are_function_rows(const Argument& value) {
  constexpr std::string_view kTexts[] = {"name", "listing", "repr", "inner"};
  if (!value.is_dict() || !is_plain(value)) return false;
  for (size_t i = 0; i < value.size(); ++i) {
    const Argument& row = value[i];
    if (!row.is_dict() || value.key(i).as_string().empty()) return false;
    for (size_t k = 0; k < row.size(); ++k) {
      const std::string_view key = row.key(k).as_string();
      if (key != "unresolved" && !(contains(kTexts, key) && row[k].is_string())) return false;
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<std::string> Writer::write_document(const Graph& graph, const GraphModule* module) {
  root_ = &graph;
  const std::optional<Argument> format = graph.meta("format");
  format_ = format && *format == Argument(1) && !module ? 1 : 2;
  std::string text = write_all(graph, module);
  if (format_ == 1 && needs_2_ && status_.ok()) {
    format_ = 2;
    spelled_.clear();
    seen_functions_.clear();
    text = write_all(graph, module);
  }
  if (!status_.ok()) return status_;
  return text;
}

absl::StatusOr<std::string> Writer::write_plain_value(const Argument& value) {
  if (!is_plain(value))
    return absl::InvalidArgumentError("the value cannot be expressed in plain JSON");
  write_plain(value);
  return std::move(out_);
}

std::string Writer::write_all(const Graph& graph, const GraphModule* module) {
  const std::optional<Argument> kind = graph.meta("kind");
  kind_first_ = format_ == 1 && kind && kind->is_string() && kind->as_string() != "joint";
  bare_inputs_ = true;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    const Argument* input = node.meta().find(meta::kInput.name);
    bare_inputs_ = bare_inputs_ && input && input->is_dict() && input->size() == 0;
  }
  out_.clear();
  out_ += "{\n\"format\":";
  text::append_int(out_, format_);
  auto entries = [&](auto&& is_selected) {
    for (const auto& [key, value] : graph.meta())
      if (!is_in_graph_meta(graph, key, value) && is_selected(key.str()))
        write_document_entry(key.str(), value);
  };
  auto in_order = [&](const auto& keys) {
    for (std::string_view name : keys) entries([&](std::string_view key) { return key == name; });
  };
  in_order(kFirstKeys);
  if (has_inputs(graph)) write_inputs(graph);
  for (const Node& node : graph.nodes()) {
    if (!node.is_output()) continue;
    if (const Argument* outputs = node.meta().find(meta::kOutputs.name))
      if (has_member_form(meta::kOutputs.name, node, *outputs)) write_outputs(node);
    break;
  }
  in_order(kMiddleKeys);
  entries([](std::string_view key) {
    return !contains(kFirstKeys, key) && !contains(kMiddleKeys, key) && !contains(kLastKeys, key) &&
           !is_document_key(key) && key != kCallingConvention;
  });
  begin_entry("graph");
  write_graph(graph, 0, /*compact=*/false);
  std::string modules;
  if (module) {
    // This comes before the rows of functions, because the graphs of modules also call functions.
    std::swap(out_, modules);
    write_modules(*module);
    std::swap(out_, modules);
  }
  write_functions(graph);
  out_ += modules;
  in_order(kLastKeys);
  out_ += "\n}\n";
  return std::move(out_);
}

void Writer::begin_entry(std::string_view key) {
  out_ += ",\n";
  write_text(key);
  out_ += ':';
}

void Writer::write_document_entry(std::string_view key, const Argument& value) {
  begin_entry(key);
  if (!is_object_list(value)) {
    write_plain(value);
    return;
  }
  out_ += '[';
  for (size_t i = 0; i < value.size(); ++i) {
    out_ += i ? ",\n " : "\n ";
    write_plain(value[i]);
  }
  out_ += "\n]";
}

bool Writer::is_in_graph_meta(const Graph& graph, Symbol key, const Argument& value) const {
  const std::string_view name = key.str();
  if (name == kCallingConvention) return !is_plain(value) || !value.is_dict();
  if (&graph != root_) return true;
  if (name == "format") return !(value == Argument(1) && format_ == 1);
  if (name == "inputs") return !(value.is_list() && value.size() == 0 && !has_placeholders(graph));
  if (name == "functions") return !are_function_rows(value);
  return is_document_key(name) || !is_utf8(name) || !is_plain(value);
}

bool Writer::has_placeholders(const Graph& graph) const {
  for (const Node& node : graph.nodes())
    if (node.is_placeholder()) return true;
  return false;
}

bool Writer::has_inputs(const Graph& graph) const {
  bool none = true;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    none = false;
    const Argument* input = node.meta().find(meta::kInput.name);
    if (input && has_member_form(meta::kInput.name, node, *input)) return true;
  }
  return none && graph.meta("inputs") == Argument::list({});
}

void Writer::write_inputs(const Graph& graph) {
  begin_entry("inputs");
  out_ += '[';
  bool first = true;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    node_ = &node;
    const Argument* input = node.meta().find(meta::kInput.name);
    out_ += first ? "\n " : ",\n ";
    first = false;
    const Argument nothing = Argument::dict({});
    write_named_entry(input && has_member_form(meta::kInput.name, node, *input) ? *input : nothing,
                      node.name());
  }
  node_ = nullptr;
  out_ += first ? "]" : "\n]";
}

void Writer::write_outputs(const Node& output) {
  begin_entry("outputs");
  const Argument& entries = *output.meta().find(meta::kOutputs.name);
  out_ += '[';
  for (size_t i = 0; i < entries.size(); ++i) {
    out_ += i ? ",\n " : "\n ";
    const Node* node = returned_node(output, i);
    write_named_entry(entries[i], node ? std::optional(node->name()) : std::nullopt);
  }
  out_ += entries.size() ? "\n]" : "]";
}

void Writer::write_named_entry(const Argument& entry, const std::optional<std::string>& name) {
  auto write_name = [&] {
    key("name");
    if (name)
      write_text(*name);
    else
      out_ += "null";
  };
  const bool named = entry_name(entry).has_value();
  const bool after_kind = kind_first_ && entry.size() > 0 && entry.key(0).as_string() == "kind";
  out_ += '{';
  if (!named && !after_kind) write_name();
  for (size_t i = 0; i < entry.size(); ++i) {
    if (out_.back() != '{') out_ += ',';
    write_text(entry.key(i).as_string());
    out_ += ':';
    write_plain(entry[i]);
    if (i == 0 && !named && after_kind) write_name();
  }
  out_ += '}';
}

void Writer::write_functions(const Graph& graph) {
  // Rows that were kept when the document was read take precedence over rows of the Context.
  std::vector<std::pair<std::string_view, std::string>> rows;
  absl::flat_hash_set<std::string_view> kept;
  const std::optional<Argument> read = graph.meta("functions");
  auto row = [&](std::string_view name, auto&& write_row) {
    std::string before;
    std::swap(out_, before);
    out_ += '{';
    write_row();
    out_ += '}';
    std::swap(out_, before);
    rows.emplace_back(name, std::move(before));
  };
  if (read && are_function_rows(*read)) {
    for (size_t i = 0; i < read->size(); ++i) {
      kept.insert(read->key(i).as_string());
      // Registers the function, so that a later reader does not use the spelling of the row.
      graph.context().function(read->key(i).as_string());
      row(read->key(i).as_string(), [&] {
        for (size_t k = 0; k < (*read)[i].size(); ++k) {
          key((*read)[i].key(k).as_string());
          write_plain((*read)[i][k]);
        }
      });
    }
  }
  for (const TargetData* data : spelled_) {
    if (kept.contains(data->name.str())) continue;
    row(data->name.str(), [&] {
      auto spelling = [&](std::string_view name, Symbol text, bool is_own) {
        if (!is_own) return;
        key(name);
        write_text(text.str());
      };
      spelling("name", data->base_name, data->has_own_base_name);
      spelling("listing", data->listing, static_cast<bool>(data->listing));
      spelling("repr", data->repr, static_cast<bool>(data->repr));
      spelling("inner", data->inner, static_cast<bool>(data->inner));
    });
  }
  if (rows.empty()) return;
  need_format_2();
  std::sort(rows.begin(), rows.end());
  begin_entry("functions");
  out_ += '{';
  for (const auto& [name, text] : rows) {
    if (out_.back() != '{') out_ += ',';
    write_text(name);
    out_ += ':';
    out_ += text;
  }
  out_ += '}';
}

}  // namespace json

absl::StatusOr<std::string> write_json(const Graph& graph, const JsonWriteOptions& options) {
  return json::Writer(options).write_document(graph, nullptr);
}

absl::StatusOr<std::string> write_plain_json(const Argument& value) {
  return json::Writer({}).write_plain_value(value);
}

}  // namespace fx
