// Programs and tensors from files of every form that fxcpp reads without libtorch.
#pragma once

#include "fx/importers/pt2/pt2.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/files/safetensors.h"

#include "absl/status/statusor.h"

#include <string>

namespace fx {

class Context;

/// Reads what read_graph_document reads, and .pt2 archives with `options`, of which check_weights
/// is off: what reads weights checks them (read_tensor_file).
absl::StatusOr<GraphDocument> read_program_document(Context& context, const std::string& path,
                                                    const Pt2ReadOptions& options = {
                                                        .check_weights = false});

/// Reads tensors by name: a .safetensors file; an .npz file of numpy; or a .pt2 archive, whose
/// weights and constants have their paths, and whose example inputs the names in.0, in.1, ...
absl::StatusOr<Safetensors> read_tensor_file(const std::string& path);

}  // namespace fx
