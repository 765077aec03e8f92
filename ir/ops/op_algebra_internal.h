// The table of op_algebra.cpp.
#pragma once

#include "fx/ir/ops/op_info.h"

#include <string_view>

namespace fx::ops {

/// Computes the result of OpInfo::algebra(). `packet` is the packet of the operator, or the
/// function name.
OpAlgebra algebra_of(const OpInfo& op, std::string_view packet, const OpSchema& schema);

}  // namespace fx::ops
