// Graphs as exported programs of PyTorch: .pt2 archives that torch.export.load reads, without libtorch
// or Python.
//
//   FX_RETURN_IF_ERROR(fx::write_pt2(*program.module, "model.pt2"));
//
//   >>> torch.export.load("model.pt2").module()(x)
//
// A program is a graph of operators with types, and its tensors. Members that get_attr nodes read
// become inputs, as the format has it, and `copy_` calls before the output results that are written
// back. Placeholders may state what they are by meta data `input`, and results by `outputs`
// (docs/json.md), as graphs of capture, of joint and of read_pt2 do. A graph without in-place
// operators is written in torch.export's dialect ATEN, another one in TRAINING.
//
// docs/exporting.md lists what a program cannot express, and what to do about it.
#pragma once

#include "fx/importers/pt2/pt2.h"
#include "fx/ir/module/graph_module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace fx {

struct Pt2WriteOptions {
  /// The name of the program in the archive; torch.export.load reads only "model".
  std::string model = "model";
  /// Example inputs, one for each of the user's inputs; those of inputs that are constants may be
  /// empty. Without them AOTInductor does not compile the program. Left out where the arguments have
  /// classes that only Python can make.
  std::vector<Pt2SampleInput> sample_inputs = {};
  /// Writes members without data, which PyTorch reads as zeros; otherwise they are an error.
  bool allow_missing_data = false;
};

/// Writes a graph; `members` has the tensors that it reads, by path. An existing file is replaced
/// when the new one is complete.
///
/// Errors name the node or member. FailedPrecondition: types are missing, or a pass must run first,
/// which the message names. Unimplemented: a program cannot express it. NotFound: a member is
/// missing. InvalidArgument: the graph or its meta data are malformed.
absl::Status write_pt2(const Graph& graph, const Module& members, const std::string& path,
                       const Pt2WriteOptions& options = {});
/// The same for a module with its graph.
absl::Status write_pt2(const GraphModule& module, const std::string& path,
                       const Pt2WriteOptions& options = {});
/// The same in memory.
absl::StatusOr<std::string> pt2_bytes(const Graph& graph, const Module& members,
                                      const Pt2WriteOptions& options = {});

/// The path in `members` of the tensor of a placeholder or a get_attr; empty for others. The state of
/// an optimizer, "fc.weight.exp_avg", which a module cannot have below a parameter, is at
/// "optimizer.fc_weight_exp_avg".
std::string pt2_member_path(const Node& node);

}  // namespace fx
