// functionalize: turns a graph that writes to tensors into a graph that computes the same
// values without writes.
//
//   %v    = aten.select.int(%x, 0, 1)     ->  %v   = aten.select.int(%x, 0, 1)
//   %add_ = aten.add_.Tensor(%v, 1)           %add = aten.add.Tensor(%v, 1)
//   %sum  = aten.sum.default(%x)              %s   = aten.select_scatter.default(%x, %add, 0, 1)
//   return %sum                               %sum = aten.sum.default(%s)
//                                             %c   = aten.copy_.default(%x, %s)
//                                             return %sum
//
// PyTorch's functionalization does this while a program runs; this pass transforms a graph, without
// libtorch. The pass tracks the tensor that each block of memory contains. A write in place
// (`add_`, `out=`, `_foreach_add_`, a batch norm's running statistics) becomes the operator's
// functional form. A write through a view becomes calls that create a new tensor for the memory
// with the inverse of the view (`select_scatter`, or the inverse view). If memory was written after
// a view of it was created, a use of the view becomes a use of a new view. The schemas of the
// operators determine which values share memory and which are written; if that depends on the
// operands (`reshape`, `contiguous`), the types determine it.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

struct FunctionalizeOptions {
  /// Adds an `aten.copy_` before the output for the final value of each input and attribute that
  /// the graph writes to; all other writes are removed. Inputs whose new value the graph returns
  /// (metadata `outputs`, as in captured graphs) are not written. If false, all writes are removed,
  /// and callers do not observe changes to their inputs.
  bool copy_back = true;
  /// Keeps derivatives where the graph writes to a tensor through a view that autograd does not
  /// follow (`detach`, `view.dtype`): the tensor has the new value, and the derivative of its old
  /// value. This requires a write to a clone (histories.h); without such views, the result is the
  /// same.
  bool keep_histories = false;
};

/// Functionalizes a graph of ATen operators and its nested graphs. Returns whether anything
/// changed. A graph whose only writes are such copies, of values in separate memory, does not
/// change. Takes time linear in the nodes, the new nodes and the lengths of chains of views.
///
/// Values stay bit-equal (docs/functionalize.md lists the exceptions), and strides do not change:
/// where a functional form has different strides, `aten.copy` or `aten._to_copy` follows. Two
/// results that shared memory may no longer share it. Inputs that share memory must be recorded as
/// such (interp/shared_inputs.h); get_attr nodes with the same path are one tensor, and those whose
/// tensors share memory in the owning module (interp/shared_attributes.h) are read through one.
///
/// Types are required for the inverses of some views, and to decide whether an operator returns its
/// operand. Nodes without a type receive one if the types of their operands determine it. New nodes
/// have types and the metadata of the call that they replace.
///
/// Errors leave the graph unchanged. The message names the node and a remedy:
///   - InvalidArgument: eager mode rejects the call, for example if it cannot cast the result;
///   - Unimplemented: an operator that writes has no functional form (`set_`, `resize_`), a write
///     goes through a view without an inverse, or operands overlap the written memory;
///   - FailedPrecondition: a type is missing, inputs share memory that no input covers, or a call
///     that is not to an ATen operator (`x.add_(1)`) may write to memory or share written memory.
absl::StatusOr<bool> functionalize(Graph& graph, const FunctionalizeOptions& options = {});

}  // namespace fx
