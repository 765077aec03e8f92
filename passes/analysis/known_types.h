// Types that are known in full, and their equality.
#pragma once

#include "fx/ir/types/type.h"

namespace fx {

/// True when nothing is missing in the type: a tensor has its dtype, rank, sizes, strides and
/// offset; an aggregate has known items. False for the null Type, and for sparse tensors, whose
/// types do not describe their memory.
bool is_fully_known(Type type);

/// is_fully_known(), and every size, stride and offset is an integer.
bool is_static(Type type);

/// True when values of the two types have equal dtypes, sizes, strides, offsets and devices, or
/// are numbers of one kind. requires_grad is not compared. False when either type is not fully
/// known: two unknown sizes may differ (`f32[*]`, `tensor[3]`, a type without strides). A pass that
/// removes or merges a call because of types must ask this, and not compare Types by `==`.
bool known_equal(Type a, Type b);

}  // namespace fx
