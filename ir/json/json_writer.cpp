// Writes graphs and nodes as interchange JSON: docs/json.md, "Graph" and "Node".
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/json/json.h"
#include "fx/ir/json/json_reader_internal.h"
#include "fx/ir/json/json_writer_internal.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/text/text.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::json {
namespace {

// Nested graphs are written inside arguments only up to this depth of the outer graph and this
// nesting level within the argument, so that the text is not nested more deeply than readers allow.
// Other nested graphs are written by name.
constexpr int kMaxInlineDepth = 8;
constexpr int kMaxInlineLevel = 3;

bool is_text(const Argument& value) { return value.is_string() && is_utf8(value.as_string()); }

/// [[key, path, class], ...]; each item may have a fourth element.
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

}  // namespace

// ---------------------------------------------------------------- graphs

// Nesting is bounded (kMaxGraphDepth).
void Writer::write_graph(const Graph& graph, int depth, bool compact) {
  if (depth >= kMaxGraphDepth) {
    fail(fmt::format("graphs are nested more than {} levels deep", kMaxGraphDepth));
    return;
  }
  graph_ = &graph;
  graph_depth_ = depth;
  node_ = nullptr;
  find_inline_graphs(graph, depth);
  // The lines of a nested graph are indented by two more columns.
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

/// Finds the nested graphs to be written inside arguments: the last ones, if the reader would
/// create the same graph from the result.
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

void Writer::write_operands(const Node& node) {
  const Opcode op = node.op();
  if (node.num_args() > 0 || op == Opcode::kCallFunction || op == Opcode::kOutput) {
    out_ += ",\"args\":[";
    for (size_t i = 0; i < node.num_args(); ++i) {
      if (i) out_ += ',';
      write_argument(node.arg(i));
    }
    out_ += ']';
  }
  if (node.num_kwargs() == 0) return;
  out_ += ",\"kwargs\":{";
  for (size_t i = 0; i < node.num_kwargs(); ++i) {
    if (i) out_ += ',';
    write_text(node.kwarg_name(i).str());
    out_ += ':';
    write_argument(node.kwarg_value(i));
  }
  out_ += '}';
}

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
  write_operands(node);
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
  if (!parts.other.empty()) {
    need_format_2();
    out_ += ",\"meta\":{";
    for (const auto& [name, value] : parts.other) {
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
    if (format_ == 1 && node.type().is_none()) need_format_2();  // null would mean an unknown type
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
    if (has_member_form(key, node, value)) {
      for (const Field& field : kFields)
        if (field.key == key) parts.*field.part = &value;
    } else {
      parts.other.emplace_back(meta_key_to_json(key), &value);
    }
  });
  // Sort by code points, as Python does, because the graph defines no order.
  std::sort(parts.other.begin(), parts.other.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return parts;
}

/// True if the metadata has the form of its member in the document.
bool Writer::has_member_form(std::string_view key, const Node& node, const Argument& value) const {
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
    // The value is not a type, but the reader creates the type from it.
    const std::optional<Type> type = type_of_value(node.context().types(), value);
    return type.value_or(Type()) == node.type() && !(type && is_type_only(value));
  }
  if (&node.graph() != root_) return false;
  if (key == meta::kInput.name) {
    return node.is_placeholder() && value.is_dict() && is_plain(value) &&
           (value.size() > 0 || bare_inputs_) && without_name(value).size() == value.size();
  }
  return key == meta::kOutputs.name && has_outputs_form(node, value);
}

bool Writer::has_outputs_form(const Node& node, const Argument& value) const {
  if (!node.is_output() || &node != root_->output_node() || !value.is_list()) return false;
  for (size_t i = 0; i < value.size(); ++i) {
    if (!value[i].is_dict() || !is_plain(value[i])) return false;
    // The reader drops a name that follows from the returned node.
    const std::optional<Argument> name = entry_name(value[i]);
    if (name && name_follows(*name, returned_node(node, i))) return false;
  }
  return true;
}

}  // namespace fx::json
