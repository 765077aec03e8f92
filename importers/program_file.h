// Reads programs and tensors from files, in every format that fxcpp reads without libtorch.
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

/// Returns true for files in program formats other than fxcpp's, which also contain the tensors:
/// .pt2 archives (is_pt2_file) and ONNX models (is_onnx_file).
bool is_program_file(const std::string& path);

/// Reads .pt2 archives with `options`, ONNX models, and every file format that read_graph_document
/// reads. check_weights is off by default, since read_tensor_file checks the weights that it reads.
absl::StatusOr<GraphDocument> read_program_document(Context& context, const std::string& path,
                                                    const Pt2ReadOptions& options = {
                                                        .check_weights = false});

/// Returns the example inputs of a program, named in.0, in.1, ... Numbers that are not constants
/// become 0-dimensional tensors.
absl::StatusOr<std::vector<std::pair<std::string, Tensor>>> example_tensors(
    const Pt2Program& program);

/// Reads tensors by name from a .safetensors file, a NumPy .npz file, a .pt2 archive, an ONNX model
/// or a torch.save file (pt2/state_dict.h). The extension or, if it is unknown, the first bytes
/// determine the format. The names of weights and constants of a program are their paths, and those
/// of example inputs of an archive are in.0, in.1, ...
absl::StatusOr<Safetensors> read_tensor_file(const std::string& path);
/// Reads tensors like read_tensor_file, and values that are not tensors. Only torch.save files
/// contain such values.
absl::StatusOr<StateDict> read_state_file(const std::string& path);

}  // namespace fx
