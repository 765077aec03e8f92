// Replaces a call and the nodes that select items of its result with a value.
//
//   // %pair = f(%x); %a = operator.getitem(%pair, 0); %b = operator.getitem(%pair, 1)
//   FX_RETURN_IF_ERROR(replace_call(*pair, Argument::tuple({x, y})));   // users of %b use %y
#pragma once

#include "fx/ir/graph/argument.h"

#include "absl/status/status.h"

namespace fx {

class Node;

/// Replaces the uses of `call` with `value` and erases the call. Calls to operator.getitem that
/// select an item of a list or tuple with a constant index are replaced with the item and erased,
/// at every depth; calls with an index that is out of range are kept. `value` must not contain
/// `call`.
absl::Status replace_call(Node& call, const Argument& value);

}  // namespace fx
