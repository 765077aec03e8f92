// infer_modules: infers the module of each call for which none was recorded.
//
// C++ modules have no call hooks, so capture records the module whose parameter a call uses, or
// otherwise the innermost ModuleScope (importers/torch/capture/scope.h), if any.
// The module of the other calls follows from the calls before and after them:
//
//   %t = aten.t(%fc1_weight)          module fc1
//   %view = aten.view(%x, ...)        between two calls of fc1: module fc1
//   %mm = aten.mm(%view, %t)          module fc1
//   %relu = aten.relu(%mm)            between fc1 and fc2: the module that contains both
//
// An inferred module is the module of the call or a module that contains it, never a sibling. A
// module with numbered children is a list and computes nothing. Calls between two children of a
// list may belong to either child, to a child without parameters, or to the module that contains
// the list; the pass chooses the last. It does the same for calls before a repeated call of a
// module, which starts at the next use of the parameter that the module used first. A parameter
// that a second function uses after calls of other modules is tied: that call belongs to the
// innermost module that contains the calls before and after it. The pass assumes that the calls
// between two calls of a module belong to one call of this module, unless its first parameter is
// used again.
#pragma once

#include "fx/ir/graph/graph.h"

namespace fx {

/// Sets the metadata `module` of forward calls that have none, or whose inferred module is inside
/// the recorded module, and of the backward calls with the same sequence numbers. Parameters are
/// placeholders with the metadata `input`, or get_attr nodes.
/// Returns true if a module changed. Nested graphs do not change. Takes time linear in nodes and
/// uses.
bool infer_modules(Graph& graph);

}  // namespace fx
