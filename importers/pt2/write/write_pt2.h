// Writes graphs as exported programs of PyTorch: .pt2 archives that torch.export.load reads,
// without libtorch or Python.
//
//   FX_RETURN_IF_ERROR(fx::write_pt2(*program.module, "model.pt2"));
//
//   >>> torch.export.load("model.pt2").module()(x)
//
// A program is a graph of operators with types, and its tensors. Members of get_attr nodes become
// inputs, as the format requires, and `copy_` calls before the output become results that are
// written back. Metadata `input` of placeholders and `outputs` of results (docs/json.md) may state
// their kinds, as in graphs of capture, joint and read_pt2. A graph without in-place operators is
// written in torch.export's dialect ATEN, another graph in TRAINING.
//
// docs/exporting.md lists unsupported graphs and how to change them.
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
  /// Example inputs, one for each user input; those of constant inputs may be empty. AOTInductor
  /// compiles only programs with example inputs. They are omitted if the arguments have classes
  /// that only Python can create.
  std::vector<Pt2SampleInput> sample_inputs = {};
  /// Write members without data, which PyTorch reads as zeros; otherwise they are an error.
  bool allow_missing_data = false;
};

/// Writes a graph; `members` has its tensors, by path. Replaces an existing file after the new one
/// is complete.
///
/// Errors name the node or member. FailedPrecondition: types are missing, or a pass must run first
/// (the message names it). Unimplemented: a program cannot express the graph. NotFound: a member is
/// missing. InvalidArgument: the graph or its metadata is malformed.
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
