// Graphs as commands write them to .pt2 archives, exported programs of PyTorch, with the tensors of
// their modules and of the files beside them.
#pragma once

#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <string>

namespace fx {

struct WriteProgramOptions {
  /// Tensors by the names that data files have (data_name): members, and example inputs.
  const Safetensors* data = nullptr;
  /// Whether `root` states what its members are. Otherwise tensors of type requires_grad are
  /// parameters, and others buffers.
  bool has_kinds = true;
  bool allow_missing_data = false;
};

/// Writes a graph to a .pt2 file. Errors of write_pt2, and of Module::assign.
absl::Status write_program(const Graph& graph, const Module& root, const std::string& path,
                           const WriteProgramOptions& options);

/// The tensors of a graph's file: of a .pt2 archive its own, whose checksums are verified; of another
/// file those of the data file beside it. Empty where there is none.
absl::StatusOr<Safetensors> data_of_graph_file(const std::string& path);

}  // namespace fx
