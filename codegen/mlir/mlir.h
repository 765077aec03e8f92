// Emits a graph as MLIR, in torch-mlir's torch dialect, for torch-mlir, IREE and compilers that
// build on them.
//
//   FX_ASSIGN_OR_RETURN(const MlirCode code, mlir_code(graph));
//   code.source     module {
//                     func.func @main(%x: !torch.vtensor<[2,3],f32>, ...) -> ... {
//                       %relu = torch.aten.relu %x : !torch.vtensor<[2,3],f32> -> ...
//
// The text is the output of torch-mlir's FxImporter for the same graph, except that values keep the
// names of their nodes, that equal constants are written once, and for the differences listed in
// docs/mlir.md. This writer requires neither MLIR nor libtorch. The graph must be functional,
// because MLIR values are immutable.
//
// Names, paths and strings are escaped, so that text from users cannot inject code.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/ordered_map.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Graph;
class Module;

struct MlirOptions {
  /// The name of the function in MLIR's symbol table.
  std::string_view function_name = "main";
  /// Parameters, buffers and constants by name in the model: each becomes a literal in the text
  /// instead of an argument. Returns InvalidArgument if a tensor does not have the type of its
  /// node.
  const OrderedMap<Tensor>* literals = nullptr;
  /// The module that contains the tensors of get_attr nodes. If null, the graph's owning module is
  /// used.
  const Module* root = nullptr;
  /// Writes locations from the metadata `stack_trace` and `module`.
  bool locations = true;
  /// Writes symbolic sizes as `torch.symbolic_int` with their ranges, and adds
  /// `torch.bind_symbolic_shape` after each value that has symbolic sizes. IREE accepts these
  /// operations, but torch-mlir's lowering to linalg rejects them. If false, types contain a `?`
  /// instead, as torch-mlir's importer writes them.
  bool symbolic_shapes = false;
};

/// An argument of the function.
struct MlirArgument {
  std::string name;  ///< data_name() of the placeholder; the path of a get_attr
  /// The placeholder, or the first get_attr of the path; null for the tensor of a layer that was
  /// lowered.
  const Node* node;
};

struct MlirCode {
  std::string source;
  /// Placeholders in order, then the tensors that get_attr nodes use.
  std::vector<MlirArgument> arguments;
  /// For each result of the function, the index of the graph's result. Lists and tuples that the
  /// graph returns are flattened; None is omitted, because compilers cannot return it.
  std::vector<size_t> results;
};

/// Returns the MLIR module. Calls that are not operators (torch.relu, methods, layers) are lowered
/// first, on a copy (passes/aten/lower_to_aten.h). Returns an error that names the node:
/// FailedPrecondition for a call that writes to its arguments (functionalize the graph first);
/// Unimplemented for a call that the torch dialect cannot express; InvalidArgument for a call that
/// does not match its operator.
absl::StatusOr<MlirCode> mlir_code(const Graph& graph, const MlirOptions& options = {});

}  // namespace fx
