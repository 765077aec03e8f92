// Writes graphs as `.fx` text, and applies the preset: see text.h and docs/text_format.md.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/listing.h"
#include "fx/ir/text/printer_internal.h"
#include "fx/ir/text/text.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace text {
namespace {

constexpr size_t kMaxHeaderWidth = 100;

/// True when a nested graph occurs in the tree. Depth is bounded (kMaxArgumentDepth).
bool contains_graph(ArgumentRef value) {
  if (value.kind() == ArgumentKind::kGraph) return true;
  for (size_t i = 0; i < value.size(); ++i)
    if (contains_graph(value[i])) return true;
  return false;
}

}  // namespace

/// True for placeholders that can be written in the header.
bool Printer::fits_header(const Node& node) const {
  if (!node.is_placeholder() || node.num_args() > 1 || node.num_kwargs() > 0) return false;
  return node.num_args() == 0 || !contains_graph(node.arg(0));
}

size_t Printer::count_parameters(const Graph& graph) const {
  size_t count = 0;
  for (const Node& node : graph.nodes()) {
    if (!fits_header(node)) break;
    ++count;
  }
  return count;
}

void Printer::print_parameter(const Node& node) {
  print_name(node);
  if (naming_ != Naming::kNames || node.target() != node.name()) print_target(node.target());
  print_type(node.type());
  if (node.num_args() == 1) {
    out_ += " = ";
    print_value(node.arg(0));
  }
  print_meta(node);
}

void Printer::number_nodes(const Graph& graph) {
  numbers_.assign(graph.id_bound(), UINT32_MAX);
  uint32_t number = naming_ == Naming::kValues ? 1 : 0;
  for (const Node& node : graph.nodes()) numbers_[node.id()] = number++;
}

void Printer::print_graph_meta(const Graph& graph, bool is_root) {
  if (!meta_) return;
  in_meta_ = true;
  bool first = true;
  for (const auto& [key, value] : graph.meta()) {
    // The name of a graph follows its `@`.
    const bool is_name = is_root && first && key.str() == kGraphNameKey && value.is_string() &&
                         !value.as_string().empty();
    first = false;
    if (is_name) continue;
    indent();
    out_ += '!';
    print_quoted_unless(is_key(key.str()), key.str());
    out_ += " = ";
    print_value(value);
    out_ += '\n';
  }
  in_meta_ = false;
}

void Printer::begin_graph(const Graph& graph, std::string_view name) {
  graph_ = &graph;
  if (naming_ != Naming::kNames) number_nodes(graph);
  if (meta_) meta_order_.emplace(graph);
  const bool is_root = indent_ == 0;
  indent();
  const size_t start = out_.size();
  out_ += "graph";
  if (!name.empty() || !is_root) {
    out_ += " @";
    print_quoted_unless(is_name(name), name);
  }
  if (naming_ == Naming::kValues) {
    out_ += ":\n";
    indent_ += 2;
    return;
  }
  out_ += '(';
  const size_t parameters_start = out_.size(), parameters = count_parameters(graph);
  bool one_line = true;
  size_t left = parameters;
  for (const Node& node : graph.nodes()) {
    if (left == 0 || !one_line) break;
    if (left != parameters) out_ += ", ";
    print_parameter(node);
    one_line =
        out_.size() - start + indent_ + 3 <= kMaxHeaderWidth && (!meta_ || node.meta().empty());
    --left;
  }
  if (!one_line) {
    out_.resize(parameters_start);
    left = parameters;
    for (const Node& node : graph.nodes()) {
      if (left-- == 0) break;
      out_ += '\n';
      out_.append(indent_ + 4, ' ');
      print_parameter(node);
      out_ += ',';
    }
    out_ += '\n';
    indent();
  }
  out_ += ") {\n";
  indent_ += 2;
  print_graph_meta(graph, is_root);
}

void Printer::end_graph(const Graph& graph) {
  graph_ = &graph;
  if (graph.num_subgraphs() > 0) {  // nested graphs have overwritten the numbers and the order
    if (naming_ != Naming::kNames) number_nodes(graph);
    if (meta_) meta_order_.emplace(graph);
  }
  size_t skip = naming_ == Naming::kValues ? 0 : count_parameters(graph);
  // Estimate the length of the text from the first nodes, to allocate it once.
  constexpr size_t kSample = 256;
  const size_t start = out_.size();
  size_t printed = 0;
  for (const Node& node : graph.nodes()) {
    if (skip > 0) {
      --skip;
      continue;
    }
    if (printed++ == kSample && graph.size() > 4 * kSample) {
      const size_t expected = (out_.size() - start) / kSample * graph.size();
      out_.reserve(out_.size() + expected + expected / 8);
    }
    indent();
    print_statement(node);
    out_ += '\n';
  }
  indent_ -= 2;
  if (naming_ == Naming::kValues) return;
  indent();
  out_ += "}\n";
}

void Printer::print_graphs(const Graph& root) {
  std::vector<Frame> stack;
  const auto enter = [&](const Graph& graph, std::string_view name) {
    begin_graph(graph, name);
    stack.push_back({&graph, 0, name});
  };
  enter(root, naming_ == Naming::kOrder ? std::string_view() : graph_name(root));
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next_subgraph < top.graph->num_subgraphs()) {
      const Graph& graph = *top.graph;
      const size_t i = top.next_subgraph++;
      enter(graph.subgraph(i), graph.subgraph_name(i));
    } else {
      end_graph(*top.graph);
      stack.pop_back();
    }
  }
}

std::string Printer::function_rows() const {
  std::string rows;
  for (const TargetData* function : functions_) {
    rows += "function ";
    const std::string_view name = function->name.str();
    if (is_function_word(name))
      rows += name;
    else
      append_quoted(rows, name);
    char separator = '(';
    const auto entry = [&](std::string_view key, Symbol value) {
      rows += separator;
      if (separator == ',') rows += ' ';
      separator = ',';
      rows += key;
      rows += '=';
      append_quoted(rows, value.str());
    };
    if (function->has_own_base_name) entry("name", function->base_name);
    if (function->listing) entry("listing", function->listing);
    if (function->repr) entry("repr", function->repr);
    if (function->inner) entry("inner", function->inner);
    rows += ")\n";
  }
  return rows;
}

}  // namespace text

std::optional<PrintPreset> print_preset_from_name(std::string_view name) {
  if (name == "fx") return PrintPreset::kFx;
  if (name == "canonical") return PrintPreset::kCanonical;
  if (name == "numbered") return PrintPreset::kNumbered;
  if (name == "torch") return PrintPreset::kTorch;
  if (name == "tabular") return PrintPreset::kTabular;
  return std::nullopt;
}

void print(const Graph& graph, std::string& out, const PrintOptions& options) {
  if (options.preset == PrintPreset::kTorch || options.preset == PrintPreset::kTabular) {
    out += options.preset == PrintPreset::kTorch ? format_graph(graph) : format_tabular(graph);
    out += '\n';
    return;
  }
  if (options.version_line && options.preset == PrintPreset::kFx) out += "fx 1\n";
  const size_t start = out.size();
  text::Printer printer(out, options);
  printer.print_graphs(graph);
  const std::string rows = printer.function_rows();
  if (!rows.empty()) out.insert(start, rows);
}

std::string print(const Graph& graph, const PrintOptions& options) {
  std::string out;
  print(graph, out, options);
  return out;
}

void print(const Node& node, std::string& out, const PrintOptions& options) {
  if (options.preset == PrintPreset::kTorch || options.preset == PrintPreset::kTabular) {
    out += format_node(node);
    return;
  }
  // Only whole graphs are numbered; a single node is printed with its name.
  PrintOptions named = options;
  named.preset = PrintPreset::kFx;
  text::Printer(out, named).print_statement(node);
}

std::string print(const Node& node, const PrintOptions& options) {
  std::string out;
  print(node, out, options);
  return out;
}

void print(const Argument& argument, std::string& out) {
  text::Printer(out, {}).print_value(argument);
}

std::string print(const Argument& argument) {
  std::string out;
  print(argument, out);
  return out;
}

void print(ArgumentRef argument, std::string& out) { text::Printer(out, {}).print_value(argument); }

std::string print(ArgumentRef argument) {
  std::string out;
  print(argument, out);
  return out;
}

std::string_view graph_name(const Graph& graph) {
  for (const auto& [key, value] : graph.meta())
    if (key.str() == kGraphNameKey && value.is_string()) return value.as_string();
  return {};
}

void set_graph_name(Graph& graph, std::string_view name) { graph.set_meta(kGraphNameKey, name); }

}  // namespace fx
