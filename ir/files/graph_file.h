// Reads and writes graph files. The file name or the content determines the format.
#pragma once

#include "fx/ir/module/graph_module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string>

namespace fx {

class Context;

/// Reads a graph in any format: `.fx` text, interchange JSON or binary `.fxb`, detected from the
/// content, or `.safetensors` with a graph; "-" is standard input. Errors name the file and, if
/// possible, the position. Unimplemented for an archive (.pt2, TorchScript).
absl::StatusOr<std::unique_ptr<Graph>> read_graph_file(Context& context, const std::string& path);

/// Writes a graph in the format of the file extension: `.fx`, `.json` or `.fxb`. "-" and "" mean
/// text on standard output; devices also receive text. InvalidArgument for other extensions.
absl::Status write_graph_file(const Graph& graph, const std::string& path);
/// Returns the error that write_graph_file would return for the file extension, or OK. Call this
/// before expensive work.
absl::Status check_graph_extension(const std::string& path);

/// A graph, with its modules if the file has them.
struct GraphDocument {
  std::unique_ptr<GraphModule> module;      ///< null if there is only a graph
  std::unique_ptr<Graph> standalone_graph;  ///< null if there is a module

  Graph& graph() const;
};

/// Reads the formats of read_graph_file, including the module tree of interchange JSON, and
/// `.safetensors` files written by save_graph_module (ir/files/graph_module_file.h), including
/// their tensors.
absl::StatusOr<GraphDocument> read_graph_document(Context& context, const std::string& path);
/// Writes a document in the format of the file extension: `.json` and `.safetensors` include the
/// modules (only the latter includes tensors); other formats contain only the graph.
/// InvalidArgument for other extensions, and for `.safetensors` if there is no module.
absl::Status write_graph_document(const GraphDocument& document, const std::string& path);

}  // namespace fx
