// The interchange JSON: graphs from and to Python's torch.fx, the corpus, and other programs.
//
//   FX_ASSIGN_OR_RETURN(std::unique_ptr<fx::Graph> graph, fx::read_json(context, text));
//   FX_ASSIGN_OR_RETURN(std::string text, fx::write_json(*graph));
//
// docs/json.md defines the format. What a document holds beside nodes is kept on the graph:
//
//   document                       graph
//   an entry of `inputs`           meta data meta::kInput of its placeholder: a dict without name
//   `outputs`                      meta data meta::kOutputs of the output: a list of dicts, without
//                                  names that follow from what is returned
//   `format` 1                     meta data "format", so that it is written again
//   `model`, `kind`, `symbols`, .. meta data of the graph, by the same keys
//   `val`                          the type of the node; where a Type cannot express it, also its
//                                  meta data "val"
//   `type`, `module`, `seq`, ...   meta data of the node, by the keys of ir/graph/meta.h
//   `meta`                         meta data of the node, by the same keys
//   tensors with data, enums, ...  named tuples of the classes in ir/python/foreign.h
//
// What was read is written back without loss, a file in the layout of docs/json.md byte by byte.
// Any graph can be written, with three extensions of the format: `{"type": text}` for types that
// have no other form, in the notation of docs/text_format.md; `{"graph": name}` for a nested graph
// of `subgraphs`; and a key `meta` of graphs, for meta data of nested graphs and what is no plain
// JSON.
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
  /// A node may read a later one: a graph in the middle of an edit; verify() reports it.
  /// Otherwise that is an error.
  bool allow_forward_references = true;
  /// Takes notes of what was read but means less than it did where it was written: functions that
  /// no operator table has, each once. They are kept by name.
  std::vector<std::string>* warnings = nullptr;
};

struct JsonWriteOptions {
  /// Which meta data of nodes is written; all when empty. Keys are those of NodeMeta.
  std::function<bool(std::string_view key)> keep_meta = {};
};

/// Reads the graph of a document. Of its `modules` only the graphs that get_attr nodes name come
/// along, as nested graphs; read_json_module reads all.
///
/// InvalidArgument when the text is not JSON (line and column) or not a graph (JSON pointer and
/// node). Input is bounded: lists and objects nest at most 1024 deep, arguments kMaxArgumentDepth,
/// graphs kMaxGraphDepth.
absl::StatusOr<std::unique_ptr<Graph>> read_json(Context& context, std::string_view text,
                                                 const JsonOptions& options = {});

/// Writes a graph, its nested graphs, and the spellings of functions that do not follow from their
/// names. Format 1 when it was read from that and still fits it, else 2. InvalidArgument when a
/// name or path is not UTF-8, or graphs nest too deeply.
absl::StatusOr<std::string> write_json(const Graph& graph, const JsonWriteOptions& options = {});

/// A plain value: lists, dicts with string keys, finite numbers, strings, bools and None,
/// and nothing else. InvalidArgument otherwise. No line breaks.
absl::StatusOr<std::string> write_plain_json(const Argument& value);

/// The same with the module tree: parameters and buffers by type, hyper-parameters, graph modules.
absl::StatusOr<std::unique_ptr<GraphModule>> read_json_module(Context& context,
                                                              std::string_view text,
                                                              const JsonOptions& options = {});
absl::StatusOr<std::string> write_json(const GraphModule& module,
                                       const JsonWriteOptions& options = {});

}  // namespace fx
