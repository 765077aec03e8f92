// The option `modules` of passes that process calls: patterns for the modules of the calls.
//
//   fxcpp opt g.fx --passes 'decompose{ops=aten.gelu,modules="layer*.act fc"}'
#pragma once

#include "fx/passes/analysis/selection.h"
#include "fx/passes/manager/pass.h"

#include "absl/status/statusor.h"

namespace fx {

/// Returns the option, for the row of a pass.
PassOption modules_option();

/// Returns the filter for calls in the modules that the option lists; an empty filter if the option
/// is empty. Returns the errors of in_modules (selection.h), whose option `required` is false if
/// the run may select nothing.
absl::StatusOr<NodeFilter> selected_modules(PassRun& run, InModulesOptions options = {});

}  // namespace fx
