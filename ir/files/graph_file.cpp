// Graphs as files: see graph_file.h.
#include "fx/ir/files/graph_file.h"

#include "fx/ir/files/binary.h"
#include "fx/ir/files/graph_module_file.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/steps.h"
#include "fx/ir/text/text.h"

#include "fmt/format.h"

#include <string_view>
#include <utility>

namespace fx {

namespace {

/// Reads a document, and detects its format from the content. Includes the modules of interchange
/// JSON if `with_modules` is set.
absl::StatusOr<GraphDocument> read_text(Context& context, const std::string& path,
                                        bool with_modules) {
  FX_ASSIGN_OR_RETURN(const std::string text, read_file(path));
  const std::string name = path == "-" ? "<stdin>" : path;
  GraphDocument document;
  const auto keep = [&](auto read, auto& member) -> absl::Status {
    if (!read.ok()) return with_context(read.status(), name);
    member = *std::move(read);
    return absl::OkStatus();
  };
  if (is_binary_graph(text)) {
    FX_RETURN_IF_ERROR(keep(read_binary(context, text), document.standalone_graph));
    return document;
  }
  const size_t first = text.find_first_not_of(" \t\r\n", text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  if (first == std::string::npos)
    return absl::InvalidArgumentError(fmt::format("{}: the input is empty", name));
  if (text.compare(0, 4, "PK\x03\x04") == 0) {
    return absl::UnimplementedError(
        fmt::format("{}: ZIP archives (.pt2 or TorchScript) are not supported here", name));
  }
  if (text[first] != '{') {  // its errors name the file
    FX_ASSIGN_OR_RETURN(document.standalone_graph, parse_graph(context, text, {.file_name = name}));
  } else if (with_modules && text.find("\"modules\"") != std::string::npos) {
    FX_RETURN_IF_ERROR(keep(read_json_module(context, text), document.module));
  } else {
    FX_RETURN_IF_ERROR(keep(read_json(context, text), document.standalone_graph));
  }
  return document;
}

std::string_view extension_of(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(dot);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> read_graph_file(Context& context, const std::string& path) {
  const Step step("read");
  if (path.ends_with(".fxb")) return read_binary_file(context, path);  // mapped, not copied
  if (path.ends_with(".safetensors")) {
    FX_ASSIGN_OR_RETURN(const std::unique_ptr<GraphModule> module,
                        load_graph_module(context, path));
    return module->graph().clone();
  }
  FX_ASSIGN_OR_RETURN(GraphDocument document, read_text(context, path, /*with_modules=*/false));
  return std::move(document.standalone_graph);
}

absl::Status check_graph_extension(const std::string& path) {
  const std::string_view extension = extension_of(path);
  if (extension == ".fx" || extension == ".json" || extension == ".fxb" || path == "-" ||
      path.empty() || is_device_file(path))
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{}: unknown file extension; use .fx (text), .json or .fxb (binary)", path));
}

absl::Status write_graph_file(const Graph& graph, const std::string& path) {
  FX_RETURN_IF_ERROR(check_graph_extension(path));
  const Step step("write");
  const std::string_view extension = extension_of(path);
  if (extension == ".fxb") return write_binary_file(graph, path);
  if (extension == ".json") {
    FX_ASSIGN_OR_RETURN(const std::string text, write_json(graph));
    return write_file(path, text);
  }
  return write_file(path, print(graph));
}

Graph& GraphDocument::graph() const { return module ? module->graph() : *standalone_graph; }

absl::StatusOr<GraphDocument> read_graph_document(Context& context, const std::string& path) {
  const Step step("read");
  GraphDocument document;
  if (path.ends_with(".safetensors")) {
    FX_ASSIGN_OR_RETURN(document.module, load_graph_module(context, path));
  } else if (path.ends_with(".fxb")) {
    FX_ASSIGN_OR_RETURN(document.standalone_graph, read_binary_file(context, path));
  } else {
    return read_text(context, path, /*with_modules=*/true);
  }
  return document;
}

absl::Status write_graph_document(const GraphDocument& document, const std::string& path) {
  const std::string_view extension = extension_of(path);
  if (extension == ".safetensors") {
    if (document.module) return save_graph_module(*document.module, path);
    return absl::InvalidArgumentError(
        fmt::format("{}: a graph without modules has no tensors; use .fx, .json or .fxb", path));
  }
  if (extension == ".json" && document.module) {
    FX_ASSIGN_OR_RETURN(const std::string text, write_json(*document.module));
    return write_file(path, text);
  }
  return write_graph_file(document.graph(), path);
}

}  // namespace fx
