// functionalize: a graph that writes to tensors becomes one that computes the same without writing.
//
//   %v    = aten.select.int(%x, 0, 1)            %v    = aten.select.int(%x, 0, 1)
//   %add_ = aten.add_.Tensor(%v, 1)              %add  = aten.add.Tensor(%v, 1)
//   %sum  = aten.sum.default(%x)                 %s    = aten.select_scatter.default(%x, %add, 0,
//   1) return %sum                                  %sum  = aten.sum.default(%s)
//                                                %c    = aten.copy_.default(%x, %s)
//                                                return %sum
//
// What PyTorch's functionalization does while a program runs happens here to a graph, without
// libtorch. For each piece of memory the pass keeps the tensor that it holds now. A write in place
// (`add_`, `out=`, `_foreach_add_`, a batch norm's running statistics) becomes the operator's
// functional form; what was written through a view goes into the memory's tensor by the inverse of
// the view (`select_scatter`, or the view that goes back); and who reads a view of memory that has
// changed since reads the view taken anew. The operators' schemas say what shares memory and what
// is written; where that depends on the tensors (`reshape`, `contiguous`), their types do.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

struct FunctionalizeOptions {
  /// Inputs and attributes that the graph writes to get their final value by an `aten.copy_` before
  /// the output: the only writes that are left. An input that the graph returns as changed (meta
  /// data `outputs`, as in captured graphs) is left alone. False: nothing is written; what callers
  /// see of their inputs changes.
  bool copy_back = true;
};

/// Functionalizes a graph of ATen operators and its nested graphs; returns whether anything
/// changed. A graph that writes no more than such copies, of values in memory of their own, is
/// done. Linear in the nodes, the nodes made and the lengths of chains of views.
///
/// Values stay equal to the bit, and strides are those that they were: where a functional form has
/// others, `aten.copy` or `aten._to_copy` follows. Two results that shared memory may no longer do
/// so. Inputs must not share memory with each other; attributes of the same path do.
///
/// Types are needed where the inverse of a view needs sizes, and to tell whether an operator that
/// may return its argument does. New nodes are typed; they have the meta data of the call that they
/// stand for.
///
/// On an error nothing has changed. Unimplemented: an operator that writes has no functional form
/// (`set_`, `resize_`), or a write goes through a view without an inverse. FailedPrecondition: a
/// type is missing, or a call is none of ATen's operators (`x.add_(1)`) and may write or share
/// memory. The message names the node and the remedy.
absl::StatusOr<bool> functionalize(Graph& graph, const FunctionalizeOptions& options = {});

}  // namespace fx
