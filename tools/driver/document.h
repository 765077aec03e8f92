// Document: a graph that a command reads or writes, with its modules and with the tensors in the
// data file next to it (g.safetensors next to g.fx).
//
//   FX_ASSIGN_OR_RETURN(fx::Document document, fx::Document::read(context, "g.fx"));
//   ... document.graph(), document.root() ...
//   FX_ASSIGN_OR_RETURN(const std::string left_out, document.write("h.fx"));
//
// Writing does not silently omit parts. Tensors that get_attr nodes refer to, including those that
// a pass created, are written to the data file of the output. Text and binary files contain one
// graph. Thus, a graph that calls modules is an error, and `left_out` lists other parts that the
// file does not contain.
#pragma once

#include "fx/ir/files/graph_file.h"
#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/module/tensor.h"

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx {

struct WriteOptions {
  /// Write the graph to a text or binary file even if the modules that it calls are lost.
  bool graph_only = false;
  /// Also write the example inputs and expected results, in.0, out.0, ..., that are in the data file
  /// of the graph or in the .pt2 archive. The inputs and results must be those of the graph that was
  /// read.
  bool with_examples = false;
};

/// See the comment at the top of this file.
class Document {
 public:
  /// Reads a graph of any format (read_program_document) and the tensors in the data file that
  /// get_attr nodes or modules of the graph refer to. Returns errors from reading the files,
  /// and InvalidArgument for a tensor whose dtype or sizes differ from the type in the graph file.
  static absl::StatusOr<Document> read(Context& context, const std::string& path);
  /// Like read. Also prints the notes of the reader on standard error, for example that it ignored
  /// the example inputs.
  static absl::StatusOr<Document> read_and_print_notes(Context& context, const std::string& path);

  Graph& graph() const { return document_.graph(); }
  /// Returns the graph's module. If the graph has no modules, it contains the graph's tensors and
  /// the members that passes add.
  Module& root() const { return document_.module ? *document_.module : *default_root_; }

  /// Writes the graph in the format that the file extension selects. .json and .safetensors files
  /// contain the modules, and the tensors are written to the data file. A .pt2 file contains the
  /// graph and its tensors (write_program). For "", "-" and a device (/dev/null), prints the graph
  /// and then the graphs of modules as text.
  ///
  /// Returns a description of the parts that the output does not contain, or "". Other tensors in
  /// an existing data file do not change. Returns InvalidArgument for an unknown extension; for a
  /// text or binary file if the graph calls modules (unless options.graph_only) or refers to a
  /// member that is not a tensor; and for an existing data file that contains a graph
  /// (save_graph_module).
  absl::StatusOr<std::string> write(const std::string& path,
                                    const WriteOptions& options = {}) const;

 private:
  static absl::StatusOr<Document> create(Context& context, const std::string& path,
                                         GraphDocument document);
  absl::Status read_tensors();
  absl::Status add_constants(const Safetensors& file);
  absl::StatusOr<std::string> write_text(const std::string& path) const;
  using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
  absl::StatusOr<NamedTensors> examples(const WriteOptions& options) const;
  absl::StatusOr<std::string> write_with_modules(const std::string& path,
                                                 const WriteOptions& options) const;
  absl::StatusOr<std::string> write_graph_alone(const std::string& path,
                                                const WriteOptions& options) const;

  std::string path_;
  Context* context_ = nullptr;
  GraphDocument document_;
  std::unique_ptr<Module> default_root_;
  /// The identities of tensors whose data is in the file of the graph.
  absl::flat_hash_set<const void*> inline_tensors_;
  /// The identities of tensors in the data file next to the graph or in the .pt2 archive.
  absl::flat_hash_set<const void*> separate_tensors_;
};

}  // namespace fx
