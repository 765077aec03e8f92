// What is wrong with the name of an operator that has no row.
#pragma once

#include <string>
#include <string_view>

namespace fx::ops {

/// `aten.reluu is not an operator of PyTorch (did you mean "aten.relu"?)`; empty when nothing is
/// known against the name: it does not begin with `aten.`, or leaves the overload open
/// (`aten.relu`). Without `suggest` it does not say what was meant, which takes a look at all
/// operators.
std::string unknown_operator(std::string_view name, bool suggest = true);

}  // namespace fx::ops
