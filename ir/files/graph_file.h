// Graphs as files, in the form that the name or the content determines.
#pragma once

#include "fx/ir/module/graph_module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string>

namespace fx {

class Context;

/// Reads a graph of any form: `.fx` text, interchange JSON or binary `.fxb`, found from the
/// content; "-" is standard input. Errors name the file, and the place where there is one;
/// Unimplemented for an archive (.pt2, TorchScript).
absl::StatusOr<std::unique_ptr<Graph>> read_graph_file(Context& context, const std::string& path);

/// Writes a graph in the form of the file name's ending: `.fx`, `.json` or `.fxb`; text to "-" and
/// "", which are standard output. InvalidArgument for another ending.
absl::Status write_graph_file(const Graph& graph, const std::string& path);
/// Whether write_graph_file accepts the ending: to call before long work.
absl::Status check_graph_ending(const std::string& path);

/// A graph, with its modules where a file has them.
struct GraphDocument {
  std::unique_ptr<GraphModule> module;  ///< null where there is a graph alone
  std::unique_ptr<Graph> lone_graph;    ///< null where there is a module

  Graph& graph() const;
};

/// Reads what read_graph_file reads, and the module tree of interchange JSON; and a `.safetensors`
/// of save_graph_module (ir/files/graph_module_file.h), with its tensors.
absl::StatusOr<GraphDocument> read_graph_document(Context& context, const std::string& path);
/// Writes it in the form of the file name's ending: `.json` and `.safetensors` with modules (only
/// the latter with tensors), the others the graph alone. InvalidArgument for another ending, and
/// for `.safetensors` where there is no module.
absl::Status write_graph_document(const GraphDocument& document, const std::string& path);

}  // namespace fx
