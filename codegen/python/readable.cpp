// torch.fx's print_readable: see python.h.
#include "fx/codegen/python/emitter_internal.h"
#include "fx/codegen/python/python.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"

#include "absl/strings/ascii.h"
#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx {
namespace python {

std::string indented(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (bool first = true;; first = false) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (first) {
      out += line;
    } else if (line.find_first_not_of(' ') != std::string_view::npos) {
      out += "    ";
      out += line;
    }
    if (end == text.size()) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace python

namespace {

using python::indented;

absl::StatusOr<std::string> class_of(const Graph& graph, std::string_view name,
                                     const ReadableOptions& options) {
  PythonOptions python;
  python.verbose = true;
  python.include_stride = options.include_stride;
  python.include_device = options.include_device;
  python.expanded_def = options.expanded_def;
  python.additional_meta = options.additional_meta;
  FX_ASSIGN_OR_RETURN(const PythonCode code, python_code(graph, python));
  const size_t begin = std::min(code.source.find_first_not_of('\n'), code.source.size());
  std::string class_name(name);  // torch.fx keeps names such as `<lambda>`
  for (char& c : class_name)
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) &&
        std::string_view("_.<>").find(c) == std::string_view::npos)
      c = '_';
  return indented(
      fmt::format("class {}(torch.nn.Module):\n{}", class_name, code.source.substr(begin)));
}

/// Returns the options for nested classes: torch.fx expands only the outermost definition.
ReadableOptions inner(ReadableOptions options) {
  options.expanded_def = false;
  return options;
}

absl::StatusOr<std::string> readable(const Graph& graph, std::string_view name,
                                     const ReadableOptions& options, int depth) {
  FX_ASSIGN_OR_RETURN(std::string out, class_of(graph, name, options));
  if (depth >= python::kMaxNesting) return out;
  std::string children;
  for (size_t i = 0; i < graph.num_subgraphs(); ++i) {
    FX_ASSIGN_OR_RETURN(const std::string child, readable(graph.subgraph(i), graph.subgraph_name(i),
                                                          inner(options), depth + 1));
    children += '\n';
    children += child;
  }
  return out + indented(children);
}

absl::StatusOr<std::string> readable(const GraphModule& module, std::string_view name,
                                     const ReadableOptions& options, int depth) {
  FX_ASSIGN_OR_RETURN(std::string out, class_of(module.graph(), name, options));
  if (depth >= python::kMaxNesting) return out;
  std::string children;
  for (const auto& [name_of_child, attribute] : module.attributes()) {
    const GraphModule* child = attribute.module ? attribute.module->as_graph_module() : nullptr;
    if (!child) continue;
    FX_ASSIGN_OR_RETURN(const std::string text,
                        readable(*child, name_of_child, inner(options), depth + 1));
    children += '\n';
    children += text;
  }
  return out + indented(children);
}

}  // namespace

absl::StatusOr<std::string> python_readable(const Graph& graph, std::string_view class_name,
                                            const ReadableOptions& options) {
  return readable(graph, class_name, options, 0);
}

absl::StatusOr<std::string> python_readable(const GraphModule& module,
                                            const ReadableOptions& options) {
  return readable(module, module.class_name(), options, 0);
}

}  // namespace fx
