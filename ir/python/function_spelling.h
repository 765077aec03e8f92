// torch.fx's spellings of functions: in its listing, and by Python's str() and repr().
//
// The spellings follow from the canonical name by the rules in docs/json.md, "Functions", unless
// the function was created with different spellings (Context::function).
//
//   aten.add.Tensor   listing torch.ops.aten.add.Tensor   str aten.add.Tensor
//   operator.add      listing operator.add                str <built-in function add>
#pragma once

#include "fx/ir/graph/target.h"

#include <string>

namespace fx {

/// Appends the target of a call as in torch.fx's listing.
void append_listing_name(std::string& out, Target function);
/// Appends the function as Python's str() prints it, as in a cell of torch.fx's table. Memory
/// addresses are 0x0.
void append_python_str(std::string& out, Target function);
/// Appends the function as Python's repr() prints it, as inside a list.
void append_python_repr(std::string& out, Target function);

}  // namespace fx
