// Lazy views: tensors whose elements libtorch conjugates or negates when it reads them, such as
// `_conj(x)` and `_neg_view(x)`. Types do not state this.
#pragma once

#include "fx/ir/graph/node.h"

namespace fx {

/// True if the value may be a lazy view. An operator that does not handle lazy views receives a
/// dense copy of such an operand, as `clone` returns it, so that its result may have different
/// strides. Attributes count as plain tensors, and inputs if `has_plain_inputs`: an enclosing graph
/// may pass lazy views to a nested graph. Results of unknown calls may be lazy views. Considers a
/// limited number of calls, and returns true if this does not suffice.
bool may_be_lazy_view(const Node& value, bool has_plain_inputs);

}  // namespace fx
