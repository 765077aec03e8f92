// The table of op_algebra.cpp.
#pragma once

#include "fx/ir/ops/op_info.h"

#include <string_view>

namespace fx::ops {

/// What OpInfo::algebra() returns. `packet`: the operator's; of a function its name.
OpAlgebra algebra_of(const OpInfo& op, std::string_view packet, const OpSchema& schema);

}  // namespace fx::ops
