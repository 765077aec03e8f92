// Writes graphs to .pt2 archives, PyTorch's exported programs, for commands. The archives contain
// the tensors of the graphs' modules and of the data files next to the graphs.
#pragma once

#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <string>

namespace fx {

struct WriteProgramOptions {
  /// Members and example inputs by their names in data files (data_name).
  const Safetensors* data = nullptr;
  /// Whether `root` states which members are parameters. Otherwise tensors whose type has
  /// requires_grad are parameters, and other tensors are buffers.
  bool has_kinds = true;
  bool allow_missing_data = false;
};

/// Writes a graph to a .pt2 file. Returns errors of write_pt2 and Module::assign.
absl::Status write_program(const Graph& graph, const Module& root, const std::string& path,
                           const WriteProgramOptions& options);

/// Reads the tensors of a graph's file: from the file itself if it is a .pt2 archive, whose
/// checksums are verified, and otherwise from the data file next to it. Empty if there is no such
/// file.
absl::StatusOr<Safetensors> data_of_graph_file(const std::string& path);

/// Returns the guards of the graph (graph_guards.h) as "the guards Eq(m, n), n >= 5", which a file of
/// a format without guards does not contain; "" if there are none. With `has_ranges`, the format
/// contains the ranges of symbols.
std::string guards_left_out(const Graph& graph, bool has_ranges);

}  // namespace fx
