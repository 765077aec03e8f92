// Writes graphs to .pt2 archives, PyTorch's exported programs, for commands. An archive contains
// the tensors of the graph's modules and of the data file next to the graph.
#pragma once

#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <string>

namespace fx {

struct WriteProgramOptions {
  /// Members and example inputs, by their names in data files (data_name).
  const Safetensors* data = nullptr;
  /// True if the kinds of members in `root` are known. Otherwise, tensors whose type has
  /// requires_grad are parameters, and other tensors are buffers.
  bool has_member_kinds = true;
  bool allow_missing_data = false;
};

/// Writes a graph to a .pt2 file. Returns errors of write_pt2 and Module::assign.
absl::Status write_program(const Graph& graph, const Module& root, const std::string& path,
                           const WriteProgramOptions& options);

/// Returns the tensor of a data file, which is row-major, with the strides and the offset of a type
/// in which the symbols have these values. Returns it unchanged if it does not match the type, if
/// elements that would be at one location differ, or if the copy would consist mostly of gaps.
Tensor with_strides_of(Type type, const Tensor& tensor, const SymBindings& symbols);

/// Reads the tensors of a graph: from its file if it is a program (is_program_file), for example a
/// .pt2 archive, whose checksums are verified, and otherwise from the data file next to it. The
/// result is empty if that file does not exist.
absl::StatusOr<Safetensors> data_of_graph_file(const std::string& path);

/// What a format of other programs contains of the guards of a graph.
enum class GuardSupport : uint8_t {
  kNone,
  kRanges,  ///< the ranges of symbols
  kPt2,     ///< the ranges of symbols, and what pt2_guards_code (write_pt2.h) writes
};

/// Returns the guards of the graph (graph_guards.h) that a file does not contain, as "the guards
/// Eq(m, n), n >= 5", or "" if there are none.
std::string omitted_guards(const Graph& graph, GuardSupport support);

}  // namespace fx
