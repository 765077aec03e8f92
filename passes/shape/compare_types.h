// When an inferred type is as good as a recorded one.
#pragma once

#include "fx/ir/types/type.h"

namespace fx {

/// True when both say the same of a value: dtype, sizes, offset, device, and the strides of
/// dimensions above 1 of tensors that are not empty (others do not matter). Not requires_grad;
/// symbolic sizes by value; a list for a tuple; a constant number for any number of its kind.
bool equal_types(Type expected, Type got);
/// The same, of tensors, for rank and dtype alone.
bool same_rank_and_dtype(Type expected, Type got);

}  // namespace fx
