// Writes graphs as PyTorch's exported programs, without libtorch or Python. torch.export.load reads
// these .pt2 archives.
//
//   FX_RETURN_IF_ERROR(fx::write_pt2(*program.module, "model.pt2"));
//
//   >>> torch.export.load("model.pt2").module()(x)
//
// A program consists of a typed graph of operators and its tensors. The members that get_attr nodes
// refer to become inputs, as the format requires, and `copy_` calls before the output become
// results that are written back. The metadata `input` of placeholders and `outputs` of the output
// node (docs/json.md) may specify the kinds of inputs and results; capture, joint and read_pt2 set
// this metadata. A graph without in-place operators is written in torch.export's ATEN dialect, a
// graph with such operators in the TRAINING dialect.
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
  /// Example inputs, one for each user input and tangent; those for tangents are not written. The
  /// examples for constant inputs may be empty. AOTInductor requires example inputs. They are
  /// omitted if the arguments contain objects of classes that only Python can create.
  std::vector<Pt2SampleInput> sample_inputs = {};
  /// Write members without data, which PyTorch reads as zeros. If false, they are an error.
  bool allow_missing_data = false;
};

/// Writes a graph. `members` contains its tensors, by path. Replaces an existing file only after
/// the new file is complete.
///
/// Errors name the node or member. FailedPrecondition: types are missing, or a pass, which the
/// message names, must run first. Unimplemented: a program cannot express the graph. NotFound: a
/// member is missing. InvalidArgument: the graph or its metadata is malformed.
absl::Status write_pt2(const Graph& graph, const Module& members, const std::string& path,
                       const Pt2WriteOptions& options = {});
/// Writes the graph of a module with the module's tensors.
absl::Status write_pt2(const GraphModule& module, const std::string& path,
                       const Pt2WriteOptions& options = {});
/// Returns the bytes of the archive instead of writing a file.
absl::StatusOr<std::string> pt2_bytes(const Graph& graph, const Module& members,
                                      const Pt2WriteOptions& options = {});

/// Returns the conditions on inputs with which the program is written, as Python code
/// (`L['x'].size()[0] >= 5`) over the arguments of the call: those in the metadata `guards_code`, if
/// the program is written with the calling convention in the metadata of the graph, and the guards
/// of the graph and its nested graphs (docs/guards.md) on sizes and integers of inputs. The module
/// that torch.export.load returns checks them if the program has example inputs. `omitted`, if not
/// null, receives the other conditions and guards.
std::vector<std::string> pt2_guards_code(const Graph& graph,
                                         std::vector<std::string>* omitted = nullptr);

/// Returns the path in `members` of the tensor that a placeholder or get_attr node represents, or
/// an empty string for other nodes. The optimizer state "fc.weight.exp_avg" is at
/// "optimizer.fc_weight_exp_avg", because a parameter cannot have members.
std::string pt2_member_path(const Node& node);

}  // namespace fx
