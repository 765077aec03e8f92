// Documents, graphs and nodes of the interchange JSON, written: docs/json.md, "Bytes" for the
// layout.
#include "fx/ir/context.h"
#include "fx/ir/json.h"
#include "fx/ir/json_reader_internal.h"
#include "fx/ir/json_writer_internal.h"
#include "fx/ir/meta.h"
#include "fx/ir/text.h"
#include "fx/ir/text_tokens_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx {
namespace json {
namespace {

// Top-level keys in the order in which they are written; others stand before `graph`.
constexpr std::string_view kFirstKeys[] = {"model", "kind", "torch", "symbols"};
constexpr std::string_view kMiddleKeys[] = {"guards", "deterministic"};
constexpr std::string_view kLastKeys[] = {"warnings"};

// Graphs in arguments of graphs in arguments, and deep inside of those, are written by name, so
// that the text nests no deeper than readers go.
constexpr int kMaxInlineDepth = 8;
constexpr int kMaxInlineLevel = 3;

template <size_t n>
bool contains(const std::string_view (&keys)[n], std::string_view key) {
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

bool is_object_list(const Argument& value) {
  return value.is_list() && value.size() > 0 && value[0].is_dict();
}

bool is_text(const Argument& value) { return value.is_string() && is_utf8(value.as_string()); }

/// [[key, path, class], ...], a fourth element allowed.
bool is_module_stack(const Argument& value) {
  if (!value.is_list()) return false;
  for (size_t i = 0; i < value.size(); ++i) {
    const Argument& entry = value[i];
    if (!entry.is_list() || entry.size() < 3 || entry.size() > 4) return false;
    for (size_t k = 0; k < entry.size(); ++k)
      if (!is_text(entry[k])) return false;
  }
  return true;
}

/// [[name, function], ...]
bool is_source_fn(const Argument& value) {
  if (!value.is_list()) return false;
  for (size_t i = 0; i < value.size(); ++i) {
    const Argument& entry = value[i];
    if (!entry.is_list() || entry.size() != 2 || !is_text(entry[0])) return false;
    if (!is_text(entry[1]) && entry[1].kind() != ArgumentKind::kFunction) return false;
  }
  return true;
}

/// Rows of functions as `functions` has them.
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

// ---------------------------------------------------------------- documents

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
    return absl::InvalidArgumentError("the value holds something that plain JSON has no form for");
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
  auto entries = [&](auto&& wanted) {
    for (const auto& [key, value] : graph.meta())
      if (!is_in_graph_meta(graph, key, value) && wanted(key.str()))
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
      if (fits(meta::kOutputs.name, node, *outputs)) write_outputs(node);
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
    // Their graphs call functions too, whose rows stand before them.
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
    if (input && fits(meta::kInput.name, node, *input)) return true;
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
    write_named_entry(input && fits(meta::kInput.name, node, *input) ? *input : nothing,
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
  // Rows that were kept as they were read come before those that the Context has.
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
      // Then it is known, so that it is not spelled by the row when that is read here again.
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

// ---------------------------------------------------------------- graphs

// Nesting is bounded (kMaxGraphDepth).
void Writer::write_graph(const Graph& graph, int depth, bool compact) {
  if (depth >= kMaxGraphDepth) {
    fail(fmt::format("graphs nest deeper than {} levels", kMaxGraphDepth));
    return;
  }
  graph_ = &graph;
  graph_depth_ = depth;
  node_ = nullptr;
  find_inline_graphs(graph, depth);
  // The lines of a graph are indented by two more than those of the one around it.
  std::string line;
  if (!compact) {
    line += '\n';
    line.append(2 * static_cast<size_t>(depth) + 1, ' ');
  }
  const std::string_view blank = compact ? "" : " ";
  const std::string_view end = compact ? "" : std::string_view(line).substr(0, line.size() - 1);
  out_ += '{';
  out_ += line;
  out_ += "\"nodes\":[";
  bool first = true;
  for (const Node& node : graph.nodes()) {
    if (!first) out_ += ',';
    first = false;
    out_ += line;
    out_ += blank;
    node_ = &node;
    write_node(node);
  }
  node_ = nullptr;
  if (!first) out_ += line;
  out_ += ']';
  const auto inline_from = first_inline_.find(&graph);
  const size_t named =
      inline_from == first_inline_.end() ? graph.num_subgraphs() : inline_from->second;
  if (named > 0) {
    out_ += ',';
    out_ += line;
    out_ += "\"subgraphs\":{";
    for (size_t i = 0; i < named; ++i) {
      if (i) out_ += ',';
      out_ += line;
      out_ += blank;
      write_text(graph.subgraph_name(i));
      out_ += ':';
      write_graph(graph.subgraph(i), depth + 1, compact);
      graph_ = &graph;
      graph_depth_ = depth;
    }
    out_ += line;
    out_ += '}';
  }
  write_graph_meta(graph, line);
  out_ += end;
  out_ += '}';
}

void Writer::write_graph_meta(const Graph& graph, std::string_view separator) {
  const std::optional<Argument> convention = graph.meta(kCallingConvention);
  if (convention && is_plain(*convention) && convention->is_dict()) {
    need_format_2();
    out_ += ',';
    out_ += separator;
    out_ += "\"calling_convention\":";
    write_plain(*convention);
  }
  bool first = true;
  for (const auto& [name, value] : graph.meta()) {
    if (!is_in_graph_meta(graph, name, value)) continue;
    need_format_2();
    if (first) {
      out_ += ',';
      out_ += separator;
      out_ += "\"meta\":{";
    } else {
      out_ += ',';
    }
    first = false;
    write_text(name.str());
    out_ += ':';
    write_argument(value);
  }
  if (!first) out_ += '}';
}

/// Nested graphs that stand in an argument itself: the last ones, when they are what the reader
/// would make of that.
void Writer::find_inline_graphs(const Graph& graph, int depth) {
  if (graph.num_subgraphs() == 0 || first_inline_.contains(&graph)) return;
  auto first = static_cast<uint32_t>(graph.num_subgraphs());
  while (first > 0 && graph.subgraph_name(first - 1).starts_with(kInlineGraphPrefix)) --first;
  uint32_t next = first;
  bool in_order = depth <= kMaxInlineDepth;
  absl::flat_hash_set<std::string_view> paths;
  for (const Node& node : graph.nodes()) {
    if (node.op() == Opcode::kGetAttr) paths.insert(node.target());
    auto visit = [&](auto&& self, ArgumentRef value, int level) -> void {
      if (value.kind() == ArgumentKind::kGraph && value.as_graph() >= first)
        in_order = in_order && value.as_graph() == next++ && level <= kMaxInlineLevel;
      for (size_t i = 0; i < value.size(); ++i) self(self, value[i], level + 1);
    };
    for (size_t i = 0; i < node.num_args(); ++i) visit(visit, node.arg(i), 0);
    for (size_t i = 0; i < node.num_kwargs(); ++i) visit(visit, node.kwarg_value(i), 0);
  }
  in_order = in_order && next == graph.num_subgraphs();
  for (uint32_t i = first; i < graph.num_subgraphs(); ++i) {
    in_order = in_order && !paths.contains(graph.subgraph_name(i)) &&
               graph.subgraph_name(i) == fmt::format("{}{}", kInlineGraphPrefix, i - first);
  }
  if (in_order && next > first) first_inline_.emplace(&graph, first);
}

// ---------------------------------------------------------------- nodes

void Writer::write_node(const Node& node) {
  out_ += "{\"name\":";
  write_text(node.name());
  out_ += ",\"op\":\"";
  out_ += opcode_name(node.op());
  out_ += "\",\"target\":";
  write_text(node.target());
  const Opcode op = node.op();
  if (op == Opcode::kCallMethod || op == Opcode::kCallModule) need_format_2();
  if (node.function()) note_function(node.function());
  if (node.num_args() > 0 || op == Opcode::kCallFunction || op == Opcode::kOutput) {
    out_ += ",\"args\":[";
    for (size_t i = 0; i < node.num_args(); ++i) {
      if (i) out_ += ',';
      write_argument(node.arg(i));
    }
    out_ += ']';
  }
  if (node.num_kwargs() > 0) {
    out_ += ",\"kwargs\":{";
    for (size_t i = 0; i < node.num_kwargs(); ++i) {
      if (i) out_ += ',';
      write_text(node.kwarg_name(i).str());
      out_ += ':';
      write_argument(node.kwarg_value(i));
    }
    out_ += '}';
  }
  const NodeMetaParts parts = split_meta(node);
  write_val(node, parts.val);
  auto part = [&](std::string_view name, const Argument* value, bool in_format_1 = false) {
    if (!value) return;
    if (!in_format_1) need_format_2();
    key(name);
    if (name == "original_aten") note_function(node.context().function(value->as_string()));
    if (name == "module_stack" || name == "from_node")
      write_plain(*value);
    else
      write_argument(*value);
  };
  part("region", parts.region, true);
  part("seq", parts.seq, true);
  part("module", parts.module, true);
  part("type", parts.annotation);
  part("module_stack", parts.module_stack);
  part("stack_trace", parts.stack_trace);
  part("tensor_meta", parts.tensor_meta);
  part("original_aten", parts.original_aten);
  part("source_fn", parts.source_fn);
  part("from_node", parts.from_node);
  if (!parts.rest.empty()) {
    need_format_2();
    out_ += ",\"meta\":{";
    for (const auto& [name, value] : parts.rest) {
      if (out_.back() != '{') out_ += ',';
      write_text(name);
      out_ += ':';
      write_argument(*value);
    }
    out_ += '}';
  }
  out_ += '}';
}

void Writer::write_val(const Node& node, const Argument* val) {
  if (val) {
    need_format_2();
    key("val");
    write_argument(*val);
  } else if (node.type()) {
    if (format_ == 1 && node.type().is_none()) need_format_2();  // null would mean: not known
    key("val");
    write_value(node.type());
  } else if (format_ == 1 && !node.is_output() &&
             !(node.op() == Opcode::kGetAttr && graph_->find_subgraph(node.target()))) {
    out_ += ",\"val\":null";
  }
}

Writer::NodeMetaParts Writer::split_meta(const Node& node) const {
  struct Field {
    std::string_view key;
    const Argument* NodeMetaParts::* part;
  };
  static constexpr Field kFields[] = {{"val", &NodeMetaParts::val},
                                      {"region", &NodeMetaParts::region},
                                      {"seq", &NodeMetaParts::seq},
                                      {"module", &NodeMetaParts::module},
                                      {"annotation", &NodeMetaParts::annotation},
                                      {"module_stack", &NodeMetaParts::module_stack},
                                      {"stack_trace", &NodeMetaParts::stack_trace},
                                      {"tensor_meta", &NodeMetaParts::tensor_meta},
                                      {"original_aten", &NodeMetaParts::original_aten},
                                      {"source_fn", &NodeMetaParts::source_fn},
                                      {"from_node", &NodeMetaParts::from_node}};
  NodeMetaParts parts;
  node.meta().for_each([&](Symbol symbol, const Argument& value) {
    const std::string_view key = symbol.str();
    if (options_.keep_meta && !options_.keep_meta(key)) return;
    if (fits(key, node, value)) {
      for (const Field& field : kFields)
        if (field.key == key) parts.*field.part = &value;
    } else {
      parts.rest.emplace_back(meta_key_to_json(key), &value);
    }
  });
  return parts;
}

/// The meta data has the form that its place in the document wants.
bool Writer::fits(std::string_view key, const Node& node, const Argument& value) const {
  if (key == meta::kRegion.name)
    return value.is_string() && (value.as_string() == "fw" || value.as_string() == "bw");
  if (key == meta::kSeq.name) return value.is_int();
  if (key == meta::kModule.name || key == meta::kAnnotation.name || key == meta::kStackTrace.name ||
      key == meta::kOriginalAten.name)
    return is_text(value);
  if (key == meta::kModuleStack.name) return is_module_stack(value);
  if (key == meta::kFromNode.name) return value.is_list() && is_plain(value);
  if (key == kSourceFn) return is_source_fn(value);
  if (key == kTensorMeta) return true;
  if (key == "val") {
    // Read back, it gives the type again, and is no type itself.
    const std::optional<Type> type = type_of_value(node.context().types(), value);
    return type.value_or(Type()) == node.type() && !(type && is_type_only(value));
  }
  if (&node.graph() != root_) return false;
  if (key == meta::kInput.name) {
    return node.is_placeholder() && value.is_dict() && is_plain(value) &&
           (value.size() > 0 || bare_inputs_) && without_name(value).size() == value.size();
  }
  if (key == meta::kOutputs.name) {
    if (!node.is_output() || &node != root_->output_node() || !value.is_list()) return false;
    for (size_t i = 0; i < value.size(); ++i) {
      if (!value[i].is_dict() || !is_plain(value[i])) return false;
      // A name that follows from what is returned is not kept when read.
      const std::optional<Argument> name = entry_name(value[i]);
      if (name && name_follows(*name, returned_node(node, i))) return false;
    }
    return true;
  }
  return false;
}

}  // namespace json

absl::StatusOr<std::string> write_json(const Graph& graph, const JsonWriteOptions& options) {
  return json::Writer(options).write_document(graph, nullptr);
}

absl::StatusOr<std::string> write_plain_json(const Argument& value) {
  return json::Writer({}).write_plain_value(value);
}

}  // namespace fx
