// MLIR of a graph: text of torch-mlir's torch dialect, for torch-mlir, IREE and compilers that
// build on them.
//
//   FX_ASSIGN_OR_RETURN(const MlirCode code, mlir_code(graph));
//   code.source     module {
//                     func.func @main(%x: !torch.vtensor<[2,3],f32>, ...) -> ... {
//                       %relu = torch.aten.relu %x : !torch.vtensor<[2,3],f32> -> ...
//
// The text is what torch-mlir's FxImporter makes of the same graph, except that values keep the
// names of their nodes, that equal constants are written once, and what docs/mlir.md lists. Writing
// it needs neither MLIR nor libtorch. The graph must be functional: a value of MLIR cannot be
// written to.
//
// Names, paths and strings are escaped: text of users cannot leave its place in the module.
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
  /// Of the function, in MLIR's symbol table.
  std::string_view function_name = "main";
  /// Parameters, buffers and constants by their names in the model: each becomes a literal in the
  /// text, in place of an argument. InvalidArgument when one does not have the type of its node.
  const OrderedMap<Tensor>* literals = nullptr;
  /// Where get_attr finds the types of tensors; null: the graph's owning module.
  const Module* root = nullptr;
  /// Locations from the meta data `stack_trace` and `module`.
  bool locations = true;
  /// Writes symbolic sizes as `torch.symbolic_int` with their ranges, and
  /// `torch.bind_symbolic_shape` after each value that has some, which IREE reads and torch-mlir's
  /// lowering to linalg refuses. Else types have a `?`, as by torch-mlir's importer.
  bool symbolic_shapes = false;
};

/// An argument of the function.
struct MlirArgument {
  std::string name;  ///< data_name() of the placeholder; the path of a get_attr
  const Node*
      node;  ///< the placeholder, or the first get_attr of the path; null for the tensor of a
             ///< layer that was lowered
};

struct MlirCode {
  std::string source;
  /// Placeholders in order, then the tensors that get_attr nodes read.
  std::vector<MlirArgument> arguments;
  /// For each result of the function, which one of the graph's it is. Lists and tuples that the
  /// graph returns are flattened; None is left out, since compilers cannot return it.
  std::vector<size_t> results;
};

/// The module. Calls that are not operators (torch.relu, methods, layers) are lowered first, on a
/// copy (passes/aten/lower_to_aten.h). An error names the node: FailedPrecondition for a call that
/// writes to its arguments (functionalize the graph first); Unimplemented for what the torch
/// dialect cannot express; InvalidArgument for calls that do not fit their operator.
absl::StatusOr<MlirCode> mlir_code(const Graph& graph, const MlirOptions& options = {});

}  // namespace fx
