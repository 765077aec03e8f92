// Lazy views: tensors whose elements libtorch conjugates or negates when it reads them, such as
// `_conj(x)` and `_neg_view(x)`. Types do not record this.
#pragma once

#include "fx/ir/graph/node.h"

#include "absl/functional/function_ref.h"

namespace fx {

/// True if the value may be a lazy view. An operator that does not handle lazy views receives a
/// dense copy of such an operand, like the result of `clone`, so its result may have different
/// strides. `is_lazy_input` returns whether a placeholder of the graph of `value`, or of a nested
/// graph, may be a lazy view. Attributes count as plain tensors, and results of unknown calls as
/// lazy views. Visits a limited number of nodes, and returns true if there are more.
bool may_be_lazy_view(const Node& value, absl::FunctionRef<bool(const Node&)> is_lazy_input);

/// True for the input of a nested graph, to which a call may pass any tensor, and for an input that
/// may be complex. Other inputs count as plain tensors.
bool may_be_lazy_input(const Node& input);

/// True if `copy_` of a tensor of type `source` to one of type `target` may store different values
/// if the source is a lazy view, because the dtypes differ or are unknown. `copy_` handles such
/// operands itself: it casts the elements in memory, and negates the result. The result differs if
/// the cast does not commute with the negation (-2 of a uint8, the imaginary part -0.0 of a real
/// number), or if the negation is missing (between float16 and float32); for bool, `copy_` fails.
/// Functional operators cast a dense copy.
bool may_copy_lazy_view_differently(Type source, Type target);

/// True if, according to its type, no tensor of the value is complex. Real tensors are lazy views
/// only after `_neg_view`, and as the imaginary part of a conjugate.
bool is_known_real(Type type);

}  // namespace fx
