// Messages for names of operators without a row.
#pragma once

#include <string>
#include <string_view>

namespace fx::ops {

/// `aten.reluu is not a PyTorch operator (did you mean "aten.relu"?)`. Empty if the name may be
/// valid: it does not start with `aten.`, or has no overload (`aten.relu`). If `suggest` is
/// false, the message has no suggestion; computing one searches all operators.
std::string unknown_operator(std::string_view name, bool suggest = true);

}  // namespace fx::ops
