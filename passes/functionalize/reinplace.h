// reinplace: operators write into the memory of an operand that is not needed afterwards.
//
//   %a = aten.mul.Tensor(%x, 2)          %a = aten.mul.Tensor(%x, 2)
//   %b = aten.add.Tensor(%a, 1)    ->    %b = aten.add_.Tensor(%a, 1)
//   return %b                            return %b
//
// The way back from functionalize: it saves the memory of results, for a graph that is to run.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

struct ReinplaceOptions {
  /// Inputs may be written to as well, where the graph does not need them any more: for callers
  /// that give them away. Attributes are never written. Inputs that share memory must be recorded as
  /// such (interp/shared_inputs.h).
  bool inputs = false;
};

/// Replaces calls by their in-place variants (`add` by `add_`), and what writes into part of a copy
/// (`select_scatter`) by a view and `copy_`, where
///   - the first operand and the result have the same type, strides included, whose elements do not
///     overlap;
///   - the operand's memory is the graph's own (see `inputs`), and neither it nor a view of it is
///     read by a later call, or returned;
///   - no other operand of the call shares that memory.
/// What shares memory with what is told by the operators' schemas; a call that may do anything ends
/// what is known of its operands. Types must be known. Nested graphs stay as they are. Returns
/// whether anything changed. Values stay equal to the bit. Linear. torch.fx's passes.reinplace.
absl::StatusOr<bool> reinplace(Graph& graph, const ReinplaceOptions& options = {});

}  // namespace fx
