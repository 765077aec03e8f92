// Calls that change the sizes, strides or storage of an operand: `t_`, `resize_`, `x.data = y`, and
// out= of a different size.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/types/type.h"

#include "absl/functional/function_ref.h"

namespace fx {

/// Calls `f` with each operand whose sizes, strides or storage the call itself, as opposed to the
/// graphs that it runs, changes or may change, and with the new type of the operand, which is null if
/// it is unknown. `result` is the type of the call's result. An unknown function, method or module may
/// change all operands; an operator overload that is not registered changes none.
/// Operands are values of any type, and include the items of lists: `out=(values, indices)`.
void for_each_metadata_write(const Node& call, Type result, absl::FunctionRef<void(Node&, Type)> f);

/// True if the call itself may change the sizes, strides or storage of some operand, whichever
/// operands it has.
bool may_change_metadata(const Node& call);
bool may_change_metadata(const ops::OpInfo& op);

/// Returns the first operand if the name of a method or function ends in `_`, as in `x.t_()`, which
/// marks it as in-place; else null.
Node* written_by_name(const Node& call);

}  // namespace fx
