// The parts of finding twins that the built-in table and registries share (op_twins.cpp).
#pragma once

#include "fx/ir/ops/op_info.h"

#include <string>
#include <vector>

namespace fx::ops {

/// The packets that may hold twins of `op`, those whose members are preferred first.
std::vector<std::string> twin_packets(const OpInfo& op);
/// Enters `candidate` into `twins` if it is a twin of `op`.
void add_twin(const OpInfo& op, const OpInfo& candidate, OpTwins& twins);

}  // namespace fx::ops
