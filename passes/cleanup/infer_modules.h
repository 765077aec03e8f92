// infer_modules: states the module of calls whose module is not recorded.
//
// C++ modules have no hook for their calls, so a capture records the module of a call that uses a
// parameter, and otherwise the innermost ModuleScope (importers/torch/capture/scope.h), if any.
// The other calls are between these, in the order of execution:
//
//   %t = aten.t(%fc1_weight)          module fc1
//   %view = aten.view(%x, ...)        between two calls of fc1: module fc1
//   %mm = aten.mm(%view, %t)          module fc1
//   %relu = aten.relu(%mm)            between fc1 and fc2: the module around both
//
// An inferred module is the module of the call or one around it, never one beside it. Modules whose
// children are numbered are lists, which may have no calls of their own, and the calls between two
// of their children may belong to either, to a child without parameters, or to the module around the
// list: the last is stated. The same holds for calls before another call of a module, which starts
// at the next use of the parameter that the module used first. A parameter that is used by a second
// function, after calls of other modules, is tied: the call belongs to the module around the calls
// before and after it. All this assumes that calls between two calls of a module are within one
// call of it, unless its first parameter is used again.
#pragma once

#include "fx/ir/graph/graph.h"

namespace fx {

/// Sets the metadata `module` of forward calls without one, and of those whose module can be
/// stated more exactly (a module below the recorded one), and of the backward calls with the same
/// sequence number. Parameters are placeholders with the metadata `input`, or get_attr nodes.
/// Returns true if a module changed. Nested graphs do not change. Linear in nodes and uses.
bool infer_modules(Graph& graph);

}  // namespace fx
