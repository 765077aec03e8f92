// reinplace: writes results into the memory of an operand that is not used again.
//
//   %a = aten.mul.Tensor(%x, 2)          %a = aten.mul.Tensor(%x, 2)
//   %b = aten.add.Tensor(%a, 1)    ->    %b = aten.add_.Tensor(%a, 1)
//   return %b                            return %b
//
// This pass is the inverse of functionalize. It reduces the memory that a run of the graph
// requires.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

struct ReinplaceOptions {
  /// Also writes to inputs that the graph no longer needs, for callers that do not use them
  /// afterward. Never writes to attributes. Inputs that share memory must be recorded as such
  /// (interp/shared_inputs.h).
  bool inputs = false;
};

/// Replaces calls with their in-place variants (`add` with `add_`), and operators that write into
/// part of a copy (`select_scatter`) with a view and `copy_`, if
///   - the first operand and the result have the same dtype, sizes and strides, and the elements of
///     the operand neither overlap nor have gaps;
///   - the operand's memory belongs to the graph (see `inputs`), and neither the operand nor a view
///     of it is used by a later call, or returned;
///   - no other operand of the call shares that memory, and the operand is not a lazy view
///     (ir/calls/lazy_views.h);
///   - the write cannot make an operand without a derivative, such as a mask, require gradients;
///   - libtorch's in-place variant computes the same bits: not for `mul.Scalar`, products or
///     quotients of complex tensors, or `copy_` of a lazy view of a different dtype.
/// MemoryAnalysis determines which values share memory. After a call with unknown
/// effects, nothing is assumed about its operands. Types must be known. Nested graphs are
/// not changed. Returns whether anything changed. Results are bit-equal. Takes linear time.
/// Equivalent to torch.fx's passes.reinplace.
absl::StatusOr<bool> reinplace(Graph& graph, const ReinplaceOptions& options = {});

}  // namespace fx
