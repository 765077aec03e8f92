// Exported programs of PyTorch (torch.export), read from .pt2 archives without libtorch or Python.
//
//   FX_ASSIGN_OR_RETURN(fx::Pt2Program program, fx::read_pt2(context, "model.pt2"));
//   program.module->graph();                              // placeholders are the user's inputs
//   program.module->find_tensor("layer1.0.conv1.weight");  // in the mapped file
//
// Nodes have the names, types and meta data that torch.export.load gives them. Sizes may be
// symbolic. Meta data of the graph: `symbols` (ranges, and hints), `guards_code`,
// `calling_convention`, `torch`, and `pt2`, the parts that only another .pt2 needs. Of the nodes:
// those of ir/graph/meta.h, and `torch_fn`, `source_fn`, `custom`.
//
// Archives are not trusted: whatever is wrong with one is InvalidArgument, naming the entry and the
// node; memory and time are bounded by the size of the file. No code of the archive runs.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/tensor.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Context;

struct Pt2ReadOptions {
  /// The program of an archive that has several; empty: the only one, or the one named "model".
  std::string model = {};
  /// The form of the file: parameters, buffers and constants are placeholders, and the graph returns
  /// what is written to buffers and inputs. Otherwise get_attr nodes read members of the module, and
  /// `aten.copy_` calls before the output write.
  bool lifted = false;
  /// Compares the CRC-32 of weights, which reads all of them. Metadata are always checked.
  bool check_weights = true;
  /// Receives what the reader leaves aside: unknown fields, weights without data, ...
  std::vector<std::string>* notes = nullptr;
};

/// An example input: a tensor, or a constant.
struct Pt2SampleInput {
  Tensor tensor;   ///< undefined for a constant
  Argument value;  ///< of a constant
};

struct Pt2Program {
  std::unique_ptr<GraphModule> module;
  /// The inputs that the program was exported with, in the order of the user's inputs; empty where
  /// the archive has none, or has values of classes that only Python can restore.
  std::vector<Pt2SampleInput> sample_inputs = {};
};

/// Maps and reads a file. Tensors lie in it until they are written to; it must not be shortened
/// while they exist. NotFound when the file or the program does not exist.
absl::StatusOr<Pt2Program> read_pt2(Context& context, const std::string& path,
                                    const Pt2ReadOptions& options = {});
/// The same from memory.
absl::StatusOr<Pt2Program> parse_pt2(Context& context, std::shared_ptr<Storage> bytes,
                                     const Pt2ReadOptions& options = {});

/// The names of the programs in an archive, in its order.
absl::StatusOr<std::vector<std::string>> pt2_models(const std::string& path);

/// Whether a file is a .pt2 archive: a zip archive with the mark of one or the ending ".pt2", the
/// latter even if it is damaged. False when it cannot be read.
bool is_pt2_file(const std::string& path);

}  // namespace fx
