// A pass of the checks on many graphs that replaces parts of a graph with copies.
#pragma once

#include "fx/passes/manager/pass.h"

namespace fx {

/// Returns fxcpp's passes and the pass `replace_pattern`, which uses some connected calls of the
/// graph as a pattern and as its replacement. The replacement runs after the last of the calls, so
/// results change if a call between them writes to memory that they read.
const PassTable& checked_passes();

}  // namespace fx
