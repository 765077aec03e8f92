// How torch.fx spells functions: in its listing, and by Python's str() and repr().
//
// The spellings follow from the canonical name by the rules of docs/json.md, "Functions", unless
// the function was made with spellings of its own (Context::function).
//
//   aten.add.Tensor   listing torch.ops.aten.add.Tensor   str aten.add.Tensor
//   operator.add      listing operator.add                str <built-in function add>
#pragma once

#include "fx/ir/graph/target.h"

#include <string>

namespace fx {

/// As torch.fx's listing prints the target of a call.
void append_listing_name(std::string& out, Target function);
/// As Python's str() prints the function: a cell of torch.fx's table. Memory addresses are 0x0.
void append_python_str(std::string& out, Target function);
/// As Python's repr() prints it: the function inside a list.
void append_python_repr(std::string& out, Target function);

}  // namespace fx
