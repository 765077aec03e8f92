// Python lists and dicts that calls change in place: `l[0] = x`, `l += m`, `l.append(x)`.
//
//   %s : [f32[2], f32[2]] = aten.split.Tensor(%x, 2)
//   %n = operator.setitem(%s, 0, %y)
//   %g = operator.getitem(%s, 0)          # %y, and not an item of the type above
#pragma once

#include "fx/ir/graph/node.h"

#include <vector>

namespace fx {

/// Returns the nodes before the call whose type is that of a list or dict, or a tuple of lists, which
/// the call may make wrong: they may be, contain, or be an item of a list that the call may change.
/// An unknown function or method may change all lists among its operands.
std::vector<Node*> changed_lists(const Node& call);

}  // namespace fx
