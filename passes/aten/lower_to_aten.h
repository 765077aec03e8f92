// lower_to_aten: replaces the calls that torch.fx's tracing records (torch.*, methods, Python's
// operators, layers) with ATen operators. libtorch runs these, they have type functions, and the
// code generators accept them.
//
//   %relu = torch.relu(%x)                  aten.relu.default(%x)
//   %view = call_method view(%x, 2, -1)     aten.view.default(%x, [2, -1])
//   %add = operator.add(%x, 1)              aten.add.Scalar(%x, 1)
//   %getitem = operator.getitem(%x, 0)      aten.select.int(%x, 0, 0)
//   %fc = call_module fc(%x)                aten.linear.default(%x, %fc_weight, %fc_bias)
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/shape/shape_env.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <string>
#include <vector>

namespace fx {

struct LowerToAtenOptions {
  /// The ranges of symbolic sizes, as in propagate_types. If null, the ranges recorded in the graph
  /// are used.
  ShapeEnv* env = nullptr;
};

/// A call that was not lowered.
struct NotLowered {
  const Node* node;
  absl::Status reason;
};

struct LowerToAtenReport {
  bool changed = false;
  size_t lowered = 0;
  std::vector<NotLowered> not_lowered;
  std::string str() const;
};

/// Lowers the calls in `graph`, including calls to layers if it belongs to a GraphModule
/// (inline_layers). Calls receive types, which are computed from the types of the inputs (or those
/// that torch.fx's ShapeProp recorded) and of the module's tensors. Types determine overloads, and
/// known sizes become numbers (`x.size(0)`). A value without a type counts as a tensor if it is an
/// operand that must be a tensor; sizes, lengths and values that Python's operators compute from
/// them are numbers.
///
/// A call that cannot be lowered does not change and is reported: a function that is not part of
/// PyTorch or that corresponds to multiple operators (except those of composite_*.cpp:
/// F.interpolate, F.normalize, torch.norm, ...), a layer whose graph depends on an unknown rank,
/// arguments that no overload accepts, an operand that may be a tensor or a number. Nodes keep
/// their names and provenance. Nested graphs do not change. FailedPrecondition if a call_module
/// names no module.
absl::StatusOr<LowerToAtenReport> lower_to_aten(Graph& graph,
                                                const LowerToAtenOptions& options = {});

}  // namespace fx
