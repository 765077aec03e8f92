// tools/driver/document.h - a graph as a command reads and writes it: with its modules, and with the
// tensors in the data file beside it (g.safetensors beside g.fx).
//
//   FX_ASSIGN_OR_RETURN(fx::Document document, fx::Document::read(context, "g.fx"));
//   ... document.graph(), document.root() ...
//   FX_ASSIGN_OR_RETURN(const std::string left_out, document.write("h.fx"));
//
// Writing loses nothing silently. Tensors that get_attr nodes read, those that a pass made included,
// go to the data file of the output. Text and binary files hold one graph: a graph that calls
// modules is refused there, and `left_out` names what else such a file does not hold.
#pragma once

#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string>

namespace fx {

struct WriteOptions {
  /// Writes the graph to a text or binary file although the modules that it calls are lost.
  bool graph_only = false;
};

/// See the head of this file.
class Document {
 public:
  /// Reads a graph of any form (read_program_document) and the tensors beside it: those that get_attr
  /// nodes name, and those of its modules. Errors of reading; InvalidArgument for a tensor of
  /// another dtype or other sizes than the graph file declares.
  static absl::StatusOr<Document> read(Context& context, const std::string& path);

  Graph& graph() const { return document_.graph(); }
  /// The graph's module. For a graph without modules, one that holds its tensors, and what passes
  /// add.
  Module& root() const { return document_.module ? *document_.module : *lone_root_; }

  /// Writes the graph in the form that the ending names, with its modules in .json and .safetensors,
  /// and its tensors beside it; to "" and "-" the graph, then the graphs of modules, as text.
  ///
  /// Returns what the output does not hold, in words, or "". An existing data file keeps the other
  /// tensors that it has. InvalidArgument for another ending; for a text or binary file when the
  /// graph calls modules (unless options.graph_only) or reads a member that is not a tensor; for an
  /// existing data file that holds a graph of its own (save_graph_module).
  absl::StatusOr<std::string> write(const std::string& path,
                                    const WriteOptions& options = {}) const;

 private:
  absl::Status read_tensors();
  absl::StatusOr<std::string> write_text() const;
  absl::StatusOr<std::string> write_with_modules(const std::string& path) const;
  absl::StatusOr<std::string> write_graph_alone(const std::string& path,
                                                const WriteOptions& options) const;

  std::string path_;
  Context* context_ = nullptr;
  GraphDocument document_;
  std::unique_ptr<Module> lone_root_;
  /// Identities of tensors whose data is in the graph's file itself.
  absl::flat_hash_set<const void*> inline_tensors_;
  /// Identities of tensors that the data file beside it has, or the .pt2 archive.
  absl::flat_hash_set<const void*> beside_tensors_;
};

}  // namespace fx
