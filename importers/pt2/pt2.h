// Reads PyTorch's exported programs (torch.export) from .pt2 archives, without libtorch or Python.
//
//   FX_ASSIGN_OR_RETURN(fx::Pt2Program program, fx::read_pt2(context, "model.pt2"));
//   program.module->graph();                              // placeholders are the user's inputs
//   program.module->find_tensor("layer1.0.conv1.weight");  // refers to the mapped file
//
// Nodes have the names, types and metadata that torch.export.load restores. Sizes may be
// symbolic. The graph has the metadata `symbols` (ranges and hints), `guards_code`,
// `calling_convention`, `torch` and `pt2`; `pt2` contains what is required only to write a
// .pt2 file again. Nodes have the metadata of ir/graph/meta.h, and `torch_fn`, `source_fn` and
// `custom`.
//
// Archives are not trusted: a malformed archive results in InvalidArgument, naming the entry and
// the node, and the size of the file bounds memory and time. Code in the archive is never run.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Context;

struct Pt2ReadOptions {
  /// The name of the program to read. If empty, it is the only program, or the one named "model".
  std::string model = {};
  /// Keep the form of the file: parameters, buffers and constants are placeholders, and the graph
  /// returns the values to write to buffers and inputs. Otherwise, get_attr nodes read members of
  /// the module, and calls to `aten.copy_` before the output write to buffers and inputs.
  bool lifted = false;
  /// Verify the CRC-32 of weights, which requires reading all weights. Metadata is always verified.
  bool check_weights = true;
  /// Receives notes about parts that the reader ignores, such as unknown fields, weights without
  /// data, or guards that a run does not check.
  std::vector<std::string>* notes = nullptr;
};

/// An example input: a tensor or a constant.
struct Pt2SampleInput {
  Tensor tensor;   ///< undefined for a constant
  Argument value;  ///< the value of a constant
};

struct Pt2Program {
  std::unique_ptr<GraphModule> module;
  /// The inputs that the program was exported with, in the order of the user's inputs. Empty if the
  /// archive has no example inputs, or if only Python can restore the class of one of them.
  std::vector<Pt2SampleInput> sample_inputs = {};
};

/// Maps and reads a file. Tensors use the mapped memory until they are written to, so the file must
/// not be truncated while they exist. Returns NotFound if the file or the program does not exist.
absl::StatusOr<Pt2Program> read_pt2(Context& context, const std::string& path,
                                    const Pt2ReadOptions& options = {});
/// Reads an archive from memory.
absl::StatusOr<Pt2Program> parse_pt2(Context& context, std::shared_ptr<Storage> bytes,
                                     const Pt2ReadOptions& options = {});

/// Returns the names of the programs in an archive, in the order of the archive.
absl::StatusOr<std::vector<std::string>> pt2_models(const std::string& path);

/// Returns true if a file is a ZIP archive with the entry `archive_format`, or starts like a ZIP
/// archive and has the extension ".pt2", even if it is corrupted. Returns false if the file cannot
/// be read.
bool is_pt2_file(const std::string& path);

/// Returns the relations of the metadata `guards_code`, the conditions on the sizes of inputs under
/// which torch.export has captured the program, in terms of the symbols in the types of the inputs.
/// `unread`, if not null, receives the other conditions. A reader adds the relations to the guards
/// of the graph (docs/guards.md).
std::vector<SymExpr> pt2_guards(const Graph& graph, std::vector<std::string>* unread = nullptr);

}  // namespace fx
