// Compares an inferred type with a recorded one.
#pragma once

#include "fx/ir/types/type.h"

namespace fx {

/// True if both types agree on dtype, sizes, offset, device, layout, and the strides of dimensions
/// whose size is not 1. Strides of empty tensors and requires_grad are not compared. Symbolic
/// sizes are compared by value. A list matches a tuple. An expected number that PyTorch may have
/// read from a tensor (a constant, or an unbacked symbol of a float) matches an unknown number of
/// its kind.
bool equal_types(Type expected, Type got);
/// Like equal_types(), but also compares the strides of empty tensors and of dimensions of size 1,
/// and whether strides are known.
bool have_identical_layouts(Type a, Type b);
/// True if the kinds, the numbers of items, or the known ranks of two types differ, so no value has
/// both types. Ignores dtypes: those of factories depend on PyTorch's default dtype.
bool have_different_ranks(Type a, Type b);
/// Like equal_types(), but compares only rank and dtype of tensors.
bool same_rank_and_dtype(Type expected, Type got);

}  // namespace fx
