// Writes the `.fx` text: see text.h and docs/text_format.md.
//
// Everything is appended to one string; nested graphs are walked with a stack of their own.
#include "fx/ir/context.h"
#include "fx/ir/dtype.h"
#include "fx/ir/foreign.h"
#include "fx/ir/graph.h"
#include "fx/ir/listing.h"
#include "fx/ir/meta.h"
#include "fx/ir/sym_expr.h"
#include "fx/ir/text.h"
#include "fx/ir/text_tokens_internal.h"
#include "fx/ir/type.h"

#include "absl/container/flat_hash_set.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

constexpr size_t kMaxHeaderWidth = 100;

/// True when a nested graph occurs in the tree. Depth is bounded (kMaxArgumentDepth).
bool holds_graph(ArgumentRef value) {
  if (value.kind() == ArgumentKind::kGraph) return true;
  for (size_t i = 0; i < value.size(); ++i)
    if (holds_graph(value[i])) return true;
  return false;
}

/// How nodes are called.
enum class Naming : uint8_t {
  kNames,   ///< %relu_1
  kOrder,   ///< %0
  kValues,  ///< v1
};

class Printer {
 public:
  Printer(std::string& out, const PrintOptions& options) : out_(out) {
    types_ = options.types;
    switch (options.preset) {
      case PrintPreset::kCanonical:
        naming_ = Naming::kOrder;
        break;
      case PrintPreset::kNumbered:
        naming_ = Naming::kValues;
        break;
      default:
        meta_ = options.meta;
        collect_functions_ = true;
        break;
    }
  }

  void print_graphs(const Graph& root);
  void print_statement(const Node& node);

  template <class A>
  void print_value(const A& value);

  /// The rows of the functions that do not follow the rules of spelling, each once.
  std::string function_rows() const;

 private:
  struct Frame {
    const Graph* graph;
    size_t next_subgraph;
    std::string_view name;
  };

  void begin_graph(const Graph& graph, std::string_view name);
  void end_graph(const Graph& graph);
  bool fits_header(const Node& node) const;
  size_t count_parameters(const Graph& graph) const;
  void print_parameter(const Node& node);
  void print_graph_meta(const Graph& graph, bool is_root);
  void print_meta(const Node& node);
  void number_nodes(const Graph& graph);

  void print_name(const Node& node);
  void print_type(Type type) {
    if (!type || !types_) return;
    out_ += " : ";
    append_text(out_, type);
  }
  void print_quoted_unless(bool bare, std::string_view text) {
    if (bare)
      out_ += text;
    else
      text::append_quoted(out_, text);
  }
  void print_function(Target function) {
    note_function(function);
    print_quoted_unless(text::is_function_word(function.name()), function.name());
  }
  void note_function(Target function) {
    if (collect_functions_ && function.data()->is_spelled() && seen_.insert(function.data()).second)
      functions_.push_back(function.data());
  }
  void print_target(std::string_view target) {
    out_ += '[';
    const std::string_view stars_off =
        target.substr(std::min(target.size(), target.find_first_not_of('*')));
    print_quoted_unless(text::is_path(stars_off), target);
    out_ += ']';
  }
  void print_arguments(const Node& node);
  template <class A>
  void print_items(const A& value);
  template <class A>
  void print_struct(const A& value);
  void indent() { out_.append(indent_, ' '); }

  std::string& out_;
  Naming naming_ = Naming::kNames;
  bool types_ = true;
  bool meta_ = false;
  bool collect_functions_ = false;
  bool in_meta_ = false;
  size_t indent_ = 0;
  const Graph* graph_ = nullptr;
  std::vector<uint32_t> numbers_;  // by node id, unless names are printed
  std::vector<const TargetData*> functions_;
  absl::flat_hash_set<const TargetData*> seen_;
};

// ---------------------------------------------------------------- values

void Printer::print_name(const Node& node) {
  if (naming_ != Naming::kNames) {
    out_ += naming_ == Naming::kOrder ? '%' : 'v';
    const uint32_t id = node.id();
    text::append_int(out_, id < numbers_.size() ? numbers_[id] : UINT32_MAX);
    return;
  }
  out_ += '%';
  const Name name = node.name_parts();
  if (text::is_name(name.base.str())) {
    name.append_to(out_);
    return;
  }
  text::append_quoted(out_, name.str());
}

template <class A>
void Printer::print_items(const A& value) {
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out_ += ", ";
    print_value(value[i]);
  }
}

/// `pkg.Point(x=1, y=2)`; without fields `torch.Size(1, 2)`.
template <class A>
void Printer::print_struct(const A& value) {
  const std::string_view type_name = value.type_name();
  std::string_view fields = struct_fields(type_name, value.size());
  std::string_view name = struct_class(type_name, value.size());
  if (!text::is_function_word(name)) {
    name = type_name;
    fields = {};
  }
  print_quoted_unless(text::is_function_word(name), name);
  out_ += '(';
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out_ += ", ";
    if (!fields.empty()) {
      out_ += next_struct_field(fields);
      out_ += '=';
    }
    print_value(value[i]);
  }
  out_ += ')';
}

// Depth is bounded (kMaxArgumentDepth).
template <class A>
void Printer::print_value(const A& value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
      out_ += "None";
      return;
    case ArgumentKind::kBool:
      out_ += value.as_bool() ? "True" : "False";
      return;
    case ArgumentKind::kInt:
      text::append_int(out_, value.as_int());
      return;
    case ArgumentKind::kFloat:
      text::append_float(out_, value.as_float());
      return;
    case ArgumentKind::kComplex: {
      const std::complex<double> number = value.as_complex();
      out_ += "complex(";
      text::append_float(out_, number.real());
      out_ += ", ";
      text::append_float(out_, number.imag());
      out_ += ')';
      return;
    }
    case ArgumentKind::kString:
      text::append_quoted(out_, value.as_string());
      return;
    case ArgumentKind::kDType:
      out_ += "torch.";
      out_ += dtype_name(value.as_dtype());
      return;
    case ArgumentKind::kDevice:
      out_ += "device(";
      out_ += device_name(value.as_device());
      out_ += ')';
      return;
    case ArgumentKind::kLayout:
      out_ += "torch.";
      out_ += layout_name(value.as_layout());
      return;
    case ArgumentKind::kMemoryFormat:
      out_ += "torch.";
      out_ += memory_format_name(value.as_memory_format());
      return;
    case ArgumentKind::kSymbolic:
      out_ += "sym(";
      append_text(out_, value.as_symbolic());
      out_ += ')';
      return;
    case ArgumentKind::kType:
      out_ += "type(";
      append_text(out_, value.as_type());
      out_ += ')';
      return;
    case ArgumentKind::kFunction:
      out_ += "op(";
      print_function(value.as_function());
      out_ += ')';
      return;
    case ArgumentKind::kEllipsis:
      out_ += "...";
      return;
    case ArgumentKind::kObject:
      out_ += "object(";
      text::append_quoted(out_, value.as_string());
      out_ += ')';
      return;
    case ArgumentKind::kGraph: {
      const uint32_t index = value.as_graph();
      if (graph_ && !in_meta_ && index < graph_->num_subgraphs()) {
        const std::string_view name = graph_->subgraph_name(index);
        out_ += '@';
        print_quoted_unless(text::is_name(name), name);
      } else {
        out_ += "graph(";
        text::append_int(out_, index);
        out_ += ')';
      }
      return;
    }
    case ArgumentKind::kNode:
      print_name(*value.node());
      return;
    case ArgumentKind::kList:
      out_ += '[';
      print_items(value);
      out_ += ']';
      return;
    case ArgumentKind::kTuple:
      out_ += '(';
      print_items(value);
      out_ += value.size() == 1 ? ",)" : ")";
      return;
    case ArgumentKind::kStruct:
      print_struct(value);
      return;
    case ArgumentKind::kDict:
      out_ += '{';
      for (size_t i = 0, n = value.size(); i < n; ++i) {
        if (i) out_ += ", ";
        print_value(value.key(i));
        out_ += ": ";
        print_value(value[i]);
      }
      out_ += '}';
      return;
    case ArgumentKind::kSlice:
    case ArgumentKind::kRange:
      out_ += value.kind() == ArgumentKind::kSlice ? "slice(" : "range(";
      print_items(value);
      out_ += ')';
      return;
  }
}

// ---------------------------------------------------------------- nodes

void Printer::print_arguments(const Node& node) {
  out_ += '(';
  const size_t num_args = node.num_args(), num_kwargs = node.num_kwargs();
  for (size_t i = 0; i < num_args; ++i) {
    if (i) out_ += ", ";
    print_value(node.arg(i));
  }
  for (size_t i = 0; i < num_kwargs; ++i) {
    if (num_args + i) out_ += ", ";
    const std::string_view key = node.kwarg_name(i).str();
    print_quoted_unless(text::is_key(key), key);
    out_ += '=';
    print_value(node.kwarg_value(i));
  }
  out_ += ')';
}

void Printer::print_meta(const Node& node) {
  if (!meta_) return;
  bool first = true;
  in_meta_ = true;
  node.meta().for_each([&](Symbol key, const Argument& value) {
    out_ += first ? " !{" : ", ";
    first = false;
    print_quoted_unless(text::is_key(key.str()), key.str());
    out_ += '=';
    print_value(value);
  });
  in_meta_ = false;
  if (!first) out_ += '}';
}

void Printer::print_statement(const Node& node) {
  graph_ = &node.graph();
  const std::string_view target = node.target();
  const bool has_arguments = node.num_args() + node.num_kwargs() > 0;
  if (node.is_output() && target == "output" && node.num_args() == 1 && node.num_kwargs() == 0 &&
      !(node.type() && types_) &&
      (naming_ != Naming::kNames || node.name_parts() == Name{node.target_symbol(), 0})) {
    out_ += "return ";
    print_value(node.arg(0));
    print_meta(node);
    return;
  }
  print_name(node);
  if (naming_ != Naming::kValues) print_type(node.type());
  out_ += " = ";
  switch (node.op()) {
    case Opcode::kCallFunction:
      print_function(node.function());
      break;
    case Opcode::kCallMethod:
      out_ += "call_method ";
      print_quoted_unless(text::is_path(target), target);
      break;
    case Opcode::kCallModule:
      out_ += "call_module ";
      print_quoted_unless(text::is_path(target), target);
      break;
    case Opcode::kGetAttr:
      out_ += "get_attr ";
      print_quoted_unless(text::is_path(target), target);
      break;
    case Opcode::kPlaceholder:
      out_ += "placeholder";
      if (naming_ != Naming::kNames || target != node.name()) print_target(target);
      break;
    case Opcode::kOutput:
      out_ += "output";
      if (target != "output") print_target(target);
      break;
  }
  const bool is_call = node.op() == Opcode::kCallFunction || node.op() == Opcode::kCallMethod ||
                       node.op() == Opcode::kCallModule;
  if (is_call || has_arguments) print_arguments(node);
  print_meta(node);
  if (naming_ == Naming::kValues && node.type() && types_) {
    out_ += "  # ";
    append_text(out_, node.type());
  }
}

// ---------------------------------------------------------------- graphs

/// True for placeholders that the header can hold.
bool Printer::fits_header(const Node& node) const {
  if (!node.is_placeholder() || node.num_args() > 1 || node.num_kwargs() > 0) return false;
  return node.num_args() == 0 || !holds_graph(node.arg(0));
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
    // The name of a graph stands behind its `@`.
    const bool is_name = is_root && first && key.str() == kGraphNameKey && value.is_string() &&
                         !value.as_string().empty();
    first = false;
    if (is_name) continue;
    indent();
    out_ += '!';
    print_quoted_unless(text::is_key(key.str()), key.str());
    out_ += " = ";
    print_value(value);
    out_ += '\n';
  }
  in_meta_ = false;
}

void Printer::begin_graph(const Graph& graph, std::string_view name) {
  graph_ = &graph;
  if (naming_ != Naming::kNames) number_nodes(graph);
  const bool is_root = indent_ == 0;
  indent();
  const size_t start = out_.size();
  out_ += "graph";
  if (!name.empty() || !is_root) {
    out_ += " @";
    print_quoted_unless(text::is_name(name), name);
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
  if (naming_ != Naming::kNames) number_nodes(graph);  // nested graphs had their own
  size_t skip = naming_ == Naming::kValues ? 0 : count_parameters(graph);
  for (const Node& node : graph.nodes()) {
    if (skip > 0) {
      --skip;
      continue;
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
    if (text::is_function_word(name))
      rows += name;
    else
      text::append_quoted(rows, name);
    char separator = '(';
    const auto entry = [&](std::string_view key, Symbol value) {
      rows += separator;
      if (separator == ',') rows += ' ';
      separator = ',';
      rows += key;
      rows += '=';
      text::append_quoted(rows, value.str());
    };
    if (function->has_own_base_name) entry("name", function->base_name);
    if (function->listing) entry("listing", function->listing);
    if (function->repr) entry("repr", function->repr);
    if (function->inner) entry("inner", function->inner);
    rows += ")\n";
  }
  return rows;
}

}  // namespace

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
  Printer printer(out, options);
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
  // Numbers belong to whole graphs; a node alone keeps its name.
  PrintOptions named = options;
  named.preset = PrintPreset::kFx;
  Printer(out, named).print_statement(node);
}

std::string print(const Node& node, const PrintOptions& options) {
  std::string out;
  print(node, out, options);
  return out;
}

void print(const Argument& argument, std::string& out) { Printer(out, {}).print_value(argument); }

std::string print(const Argument& argument) {
  std::string out;
  print(argument, out);
  return out;
}

void print(ArgumentRef argument, std::string& out) { Printer(out, {}).print_value(argument); }

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
