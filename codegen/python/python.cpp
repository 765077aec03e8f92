// Assembles the function: its head (torch.fx's gen_fn_def), and the lines before and after the
// body.
#include "fx/codegen/python/python.h"

#include "fx/codegen/python/convention_internal.h"
#include "fx/codegen/python/emitter_internal.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "fmt/format.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace fx {
namespace python {
namespace {

constexpr std::string_view kCounter = "# COUNTER: ";
constexpr std::string_view kWrap = "torch.fx._symbolic_trace.wrap";

/// Applies the body transformers to the pieces of the body, and joins the result without the
/// counter lines.
void transform(const PythonOptions& options, const Graph& graph, Emitter& emitter) {
  std::vector<const Node*> nodes;
  for (const Node& node : graph.nodes()) nodes.push_back(&node);
  std::vector<std::string> pieces;
  size_t begin = 0, mark = 0;
  for (const size_t end : emitter.pieces) {
    if (end > begin) pieces.push_back(emitter.body.substr(begin, end - begin));
    begin = end;
    while (mark < emitter.marks.size() && emitter.marks[mark].first <= end) {
      pieces.push_back(fmt::format("{}{}\n", kCounter, mark));
      ++mark;
    }
  }
  if (pieces.empty()) pieces.emplace_back("pass\n");
  for (const PythonBodyTransformer& transformer : options.body_transformers)
    pieces = transformer(std::move(pieces));
  const std::string text = absl::StrJoin(pieces, "");
  emitter.body.clear();
  emitter.marks.clear();
  for (size_t begin_of_line = 0; begin_of_line < text.size();) {
    const size_t end = std::min(text.find('\n', begin_of_line), text.size());
    const std::string_view line = std::string_view(text).substr(begin_of_line, end - begin_of_line);
    size_t number = 0;
    const char* last = line.data() + line.size();
    if (line.starts_with(kCounter) &&
        std::from_chars(line.data() + kCounter.size(), last, number).ptr == last) {
      emitter.marks.emplace_back(emitter.body.size(),
                                 number < nodes.size() ? nodes[number] : nullptr);
    } else {
      emitter.body += line;
      if (end < text.size()) emitter.body += '\n';
    }
    begin_of_line = end + 1;
  }
}

/// True if the body contains a statement, not only comments and blank lines.
bool has_statement(std::string_view body) {
  while (!body.empty()) {
    const size_t end = std::min(body.find('\n'), body.size());
    const std::string_view line = body.substr(0, end);
    const size_t first = line.find_first_not_of(' ');
    if (first != std::string_view::npos && line[first] != '#') return true;
    body.remove_prefix(std::min(body.size(), end + 1));
  }
  return false;
}

/// Returns the number of times that the body uses `name` as a variable or function. Attributes,
/// keywords of calls, strings and comments do not count.
size_t num_uses(std::string_view body, std::string_view name) {
  const auto is_word = [&](size_t i) {
    return i < body.size() &&
           (absl::ascii_isalnum(static_cast<unsigned char>(body[i])) || body[i] == '_');
  };
  size_t count = 0;
  for (size_t i = 0; i < body.size();) {
    if (const char quote = body[i]; quote == '"' || quote == '\'') {
      for (++i; i < body.size() && body[i] != quote; ++i) i += body[i] == '\\' ? 1 : 0;
      ++i;
    } else if (quote == '#') {
      i = std::min(body.find('\n', i), body.size());
    } else if (is_word(i)) {
      const size_t begin = i;
      while (is_word(i)) ++i;
      const bool is_attribute = begin > 0 && body[begin - 1] == '.';
      const std::string_view rest = body.substr(i);
      const bool is_keyword = rest.starts_with(" = ") ||  // an assignment, or a keyword argument
                              (rest.starts_with('=') && !rest.starts_with("=="));
      count += body.substr(begin, i - begin) == name && !is_attribute && !is_keyword ? 1 : 0;
    } else {
      ++i;
    }
  }
  return count;
}

/// Returns an error if the code does not read this parameter, whose value has a local with a
/// different name, correctly: because a function that the code calls has the name of the parameter,
/// or because an earlier value has a local of this name. `earlier` contains the earlier locals.
absl::Status check_parameter(const Graph& graph, const Node& node, const std::string& name,
                             const std::set<std::string>& earlier, Emitter& emitter) {
  if (earlier.contains(name)) {
    return node_error(node, absl::InvalidArgumentError(fmt::format(
                                "an earlier value has the name of the parameter \"{}\", which the "
                                "code would overwrite; change the target of the placeholder",
                                name)));
  }
  if (num_uses(emitter.body, name) <= 1) return absl::OkStatus();
  for (const Node& other : graph.nodes()) {
    std::string local;
    emitter.names().local(other).append_to(local);
    if (local == name) return absl::OkStatus();  // no function has the name of a local
  }
  return node_error(node, absl::InvalidArgumentError(
                              fmt::format("the parameter \"{}\" hides a function that the code "
                                          "calls; change the target of the placeholder",
                                          name)));
}

/// Checks the parameter names. A parameter keeps its name even if it is not that of the local that
/// contains the value, as in torch.fx.
absl::Status check_parameters(const Graph& graph, Emitter& emitter,
                              const std::optional<Convention>& convention) {
  const auto placeholders = graph.find_nodes(Opcode::kPlaceholder);
  std::set<std::string> local_names;  // the names of inputs that are also locals
  std::set<std::string> earlier;      // the names of locals so far
  size_t visited = 0;
  for (const Node& node : graph.nodes()) {
    if (visited == placeholders.size()) break;
    std::string local;
    emitter.names().local(node).append_to(local);
    if (node.is_placeholder()) {
      ++visited;
      std::string name(node.target());
      name.erase(0, std::min(name.size(), name.find_first_not_of('*')));
      if (local == name) {
        local_names.insert(local);
      } else {
        FX_RETURN_IF_ERROR(check_parameter(graph, node, name, earlier, emitter));
      }
    }
    earlier.insert(std::move(local));
  }
  if (!convention) return absl::OkStatus();
  for (const std::string& name : convention->orig_args) {
    // The first line of the code reads the parameter once.
    const bool is_needed = name == "fx_pytree" || name == "pytree" ||
                           ((emitter.names().is_global(name) || is_reserved_name(name)) &&
                            num_uses(emitter.body, name) > 1);
    if (is_needed && !local_names.contains(name))
      return absl::InvalidArgumentError(
          fmt::format("the graph's calling_convention: the parameter \"{}\" hides a name that the "
                      "code uses; rename it in \"orig_args\"",
                      name));
  }
  return absl::OkStatus();
}

/// Appends the body, indented, to `code.source`, and records the node of each line.
void append_body(const Emitter& emitter, PythonCode& code) {
  const std::string_view body = emitter.body;
  auto mark = emitter.marks.begin();
  const Node* node = nullptr;
  size_t begin = std::min(body.find_first_not_of('\n'), body.size());
  while (true) {
    for (; mark != emitter.marks.end() && mark->first <= begin; ++mark) node = mark->second;
    const size_t end = std::min(body.find('\n', begin), body.size());
    code.source += "    ";
    code.source += body.substr(begin, end - begin);
    code.line_nodes.push_back(begin < body.size() ? node : nullptr);
    if (end == body.size()) return;
    code.source += '\n';
    begin = end + 1;
  }
}

std::string head(const PythonOptions& options, const std::optional<Convention>& convention,
                 const Emitter& emitter) {
  const std::vector<Parameter> declared =
      convention ? convention->parameters() : declared_parameters(emitter.parameters);
  if (options.function_head) {
    std::vector<std::string> texts;
    for (const Parameter& parameter : declared_parameters(emitter.parameters))
      texts.push_back(parameter.text());
    return options.function_head(texts, emitter.returns);
  }
  std::string out = function_head(options, declared, emitter.returns);
  if (!convention) return out;
  const bool has_self = !convention->orig_args.empty() && convention->orig_args[0] == "self";
  if (has_self || !emitter.parameters.empty())
    out += convention->bindings(emitter.parameters, options.expanded_def);
  return out;
}

absl::Status check(const PythonOptions& options) {
  if (!is_dotted(options.root))
    return absl::InvalidArgumentError(
        fmt::format("option root, \"{}\", must be a Python name", std::string(options.root)));
  if (!is_identifier(options.function_name))
    return absl::InvalidArgumentError(fmt::format(
        "option function_name, \"{}\", must be a Python name", std::string(options.function_name)));
  return absl::OkStatus();
}

}  // namespace
}  // namespace python

absl::StatusOr<PythonCode> python_code(const Graph& graph, const PythonOptions& options) {
  FX_RETURN_IF_ERROR(python::check(options));
  FX_ASSIGN_OR_RETURN(const std::optional<python::Convention> convention,
                      python::read_convention(graph));
  python::Emitter emitter(graph, options);
  emitter.has_out_spec = convention && convention->has_out_spec;
  FX_RETURN_IF_ERROR(emitter.emit());
  FX_RETURN_IF_ERROR(python::check_parameters(graph, emitter, convention));
  if (!options.body_transformers.empty()) python::transform(options, graph, emitter);
  // torch.fx writes no body for a function that has only placeholders, which is not valid Python.
  if (!python::has_statement(emitter.body)) emitter.body += "pass\n";

  PythonCode code;
  code.source.reserve(emitter.body.size() + 4 * graph.size() + 256);
  code.source += '\n';
  std::set<std::string_view> seen;
  for (const std::string& name : emitter.wrapped) {
    if (!seen.insert(name).second) continue;
    if (seen.size() > 1) code.source += '\n';
    code.source += fmt::format("{}(\"{}\")", python::kWrap, name);
  }
  code.source += "\n\n";
  code.prologue_line =
      1 + static_cast<int>(std::count(code.source.begin(), code.source.end(), '\n'));
  code.source += python::head(options, convention, emitter);
  code.source += '\n';
  code.line_nodes.assign(
      static_cast<size_t>(std::count(code.source.begin(), code.source.end(), '\n')), nullptr);
  python::append_body(emitter, code);
  code.globals = emitter.names().take_globals();
  code.globals.insert(code.globals.end(), options.additional_globals.begin(),
                      options.additional_globals.end());
  return code;
}

absl::StatusOr<PythonCode> python_code(const GraphModule& module, const PythonOptions& options) {
  return python_code(module.graph(), options);
}

absl::StatusOr<std::string> PythonCode::import_block() const {
  std::set<std::string> statements;
  std::vector<std::string> unknown;
  for (const PythonGlobal& global : globals) {
    if (global.statement.empty())
      unknown.push_back(global.name);
    else
      statements.insert(global.statement);
  }
  if (!unknown.empty()) {
    return absl::FailedPreconditionError(
        fmt::format("the code uses names that cannot be imported: {}. Bind them "
                    "before running it",
                    absl::StrJoin(unknown, ", ")));
  }
  return absl::StrJoin(statements, "\n");
}

}  // namespace fx
