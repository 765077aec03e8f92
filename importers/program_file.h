// Reads programs and tensors from files of every format that fxcpp reads without libtorch.
#pragma once

#include "fx/importers/onnx/read_onnx.h"
#include "fx/importers/pt2/pt2.h"
#include "fx/importers/pt2/state_dict.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/files/safetensors.h"

#include "absl/status/statusor.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {

class Context;

/// Returns true for files of foreign programs, which also have the tensors: .pt2 archives
/// (is_pt2_file) and ONNX models (is_onnx_file).
bool is_program_file(const std::string& path);

/// Reads every file format that read_graph_document reads, .pt2 archives with `options`, and ONNX
/// models. check_weights is off by default, since read_tensor_file checks the weights when it reads them.
absl::StatusOr<GraphDocument> read_program_document(Context& context, const std::string& path,
                                                    const Pt2ReadOptions& options = {
                                                        .check_weights = false});

/// Returns the example inputs of a program, named in.0, in.1, ..., and numbers that are not constants as
/// tensors without dimensions.
absl::StatusOr<std::vector<std::pair<std::string, Tensor>>> example_tensors(
    const Pt2Program& program);

/// Reads tensors by name from a .safetensors file, a .npz file of numpy, a .pt2 archive, an ONNX model or
/// a file of torch.save (pt2/state_dict.h), by its ending, else by its first bytes. Weights and constants
/// of a program are named by their paths, and the example inputs of an archive in.0, in.1, ...
absl::StatusOr<Safetensors> read_tensor_file(const std::string& path);
/// The same with the values that are not tensors; only a file of torch.save has any.
absl::StatusOr<StateDict> read_state_file(const std::string& path);

}  // namespace fx
