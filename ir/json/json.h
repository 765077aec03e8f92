// The interchange JSON: exchanges graphs with Python's torch.fx, the corpus, and other programs.
//
//   FX_ASSIGN_OR_RETURN(std::unique_ptr<fx::Graph> graph, fx::read_json(context, text));
//   FX_ASSIGN_OR_RETURN(std::string text, fx::write_json(*graph));
//
// docs/json.md defines the format. The graph keeps the parts of a document that are not nodes:
//
//   document                       graph
//   an entry of `inputs`           metadata meta::kInput of its placeholder: a dict without name
//   `outputs`                      metadata meta::kOutputs of the output: a list of dicts, without
//                                  names that follow from the returned values
//   `format` 1                     metadata "format", so that write_json writes format 1
//   `model`, `kind`, `symbols`, .. metadata of the graph, by the same keys
//   `val`                          the type of the node; if a Type cannot express it, also its
//                                  metadata "val"
//   `type`, `module`, `seq`, ...   metadata of the node, by the keys of ir/graph/meta.h
//   `meta`                         metadata of the node, by the same keys
//   tensors with data, enums, ...  named tuples of the classes in ir/python/python_objects.h
//
// Reading and writing a document loses nothing; a file in the layout of docs/json.md is reproduced
// byte for byte. Any graph can be written, with three extensions of the format: `{"type": text}`
// for types that have no other form, in the notation of docs/text_format.md; `{"graph": name}` for
// a nested graph of `subgraphs`; and a key `meta` of graphs, for metadata of nested graphs and for
// values that are not plain JSON.
#pragma once

#include "absl/status/statusor.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Argument;
class Context;
class Graph;
class GraphModule;

struct JsonOptions {
  /// If true, a node may use a later one, as in a graph that is being edited; verify() reports it.
  /// Otherwise that is an error.
  bool allow_forward_references = true;
  /// Receives a warning for each function that is not in the operator table. Such functions are
  /// kept by name.
  std::vector<std::string>* warnings = nullptr;
};

struct JsonWriteOptions {
  /// Returns whether the metadata of nodes with this key (of NodeMeta) is written. If empty, all
  /// metadata is written.
  std::function<bool(std::string_view key)> keep_meta = {};
};

/// Reads the graph of a document. Of the document's `modules`, reads only the graphs to which
/// get_attr nodes refer, as nested graphs; read_json_module reads all modules.
///
/// InvalidArgument when the text is not JSON (line and column) or not a graph (JSON pointer and
/// node). Input is bounded: lists and objects are nested at most 1024 levels deep,
/// arguments kMaxArgumentDepth levels, graphs kMaxGraphDepth levels.
absl::StatusOr<std::unique_ptr<Graph>> read_json(Context& context, std::string_view text,
                                                 const JsonOptions& options = {});

/// Writes a graph, its nested graphs, and the spellings of functions that do not follow from their
/// names. The format is 1 if the graph was read from format 1 and can be expressed in it, else 2.
/// InvalidArgument when a name or path is not UTF-8, or graphs are nested too deeply.
absl::StatusOr<std::string> write_json(const Graph& graph, const JsonWriteOptions& options = {});

/// Writes a plain value on one line: lists, dicts with string keys, finite numbers, strings, bools
/// and None. InvalidArgument for other values.
absl::StatusOr<std::string> write_plain_json(const Argument& value);

/// Like read_json and write_json, with the module tree: parameters and buffers by type,
/// hyperparameters, graph modules.
absl::StatusOr<std::unique_ptr<GraphModule>> read_json_module(Context& context,
                                                              std::string_view text,
                                                              const JsonOptions& options = {});
absl::StatusOr<std::string> write_json(const GraphModule& module,
                                       const JsonWriteOptions& options = {});

}  // namespace fx
