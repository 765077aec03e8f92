// Helpers for finding variants, shared by the built-in table and registries (op_variants.cpp).
#pragma once

#include "fx/ir/ops/op_info.h"

#include <string>
#include <vector>

namespace fx::ops {

/// The packets that may contain variants of `op`, in order of preference.
std::vector<std::string> variant_packets(const OpInfo& op);
/// Adds `candidate` to `variants` if it is a variant of `op`.
void add_variant(const OpInfo& op, const OpInfo& candidate, OpVariants& variants);

}  // namespace fx::ops
