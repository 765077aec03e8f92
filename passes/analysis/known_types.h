// Fully known types, and their equality.
#pragma once

#include "fx/ir/types/type.h"

namespace fx {

/// True if the type is fully known: a tensor has a dtype, rank, sizes, strides and offset; an
/// aggregate has known items. False for the null Type, and for sparse tensors, whose types do not
/// describe their memory.
bool is_fully_known(Type type);

/// True if the type is fully known and every size, stride and offset is an integer.
bool is_static(Type type);

/// True for two tensor types with equal dtypes, sizes, strides, offsets and devices, and for two
/// identical types of other values. requires_grad is not compared. False if either type is not
/// fully known: two unknown sizes may differ (`f32[*]`, `tensor[3]`, a type without strides). A
/// pass that removes or merges a call because of types must use this instead of comparing Types
/// with `==`.
bool known_equal(Type a, Type b);

/// True for a tensor without elements that has two or more dimensions: its type does not determine
/// its strides. libtorch computes the strides of an empty result from those of the operands (the
/// sum of a tensor f32[0, 1] and a number has strides [1, 0] or [1, 1]). `view.dtype` and
/// `view_as_complex` reject some strides, so a pass should not replace such a tensor.
bool has_unspecified_strides(Type type);

}  // namespace fx
