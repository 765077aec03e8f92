// The option `modules`: see module_options.h.
#include "fx/passes/manager/module_options.h"

namespace fx {

PassOption modules_option() {
  return {"modules", "", "only calls in these modules, separated by spaces: layer*.conv? fc"};
}

absl::StatusOr<NodeFilter> selected_modules(PassRun& run, InModulesOptions options) {
  options.required = options.required && !run.may_select_nothing();
  return in_modules(run.graph(), run.words("modules"), options);
}

}  // namespace fx
