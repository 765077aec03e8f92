// A plugin with a pass that has the name of an existing pass.
#include "fx/ir/support/status.h"
#include "fx/tools/driver/plugin.h"

namespace {

absl::Status add_taken(fx::Extensions& extensions) {
  return extensions.add(
      fx::Pass{"simplify", "does nothing",
               [](fx::PassRun& /*run*/) -> absl::StatusOr<bool> { return false; }});
}

}  // namespace

FXCPP_PLUGIN("taken", "has the name of a pass of fxcpp", add_taken);
