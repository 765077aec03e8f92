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
// Modules whose children are numbered are lists of layers, which make no calls: a call between
// their children 0 and 2 is one of child 1, and a call after the last child belongs to this child.
#pragma once

#include "fx/ir/graph/graph.h"

namespace fx {

/// Sets the meta data `module` of forward calls without one, and of those whose module can be
/// stated more exactly (a module below the recorded one), and of the backward calls with the same
/// sequence number. Parameters are placeholders with the meta data `input`, or get_attr nodes.
/// Returns true if a module changed. Nested graphs do not change. Linear in nodes and uses.
bool infer_modules(Graph& graph);

}  // namespace fx
