// A plugin whose registration function throws an exception.
#include "fx/tools/driver/plugin.h"

#include <stdexcept>

namespace {

absl::Status add_throwing(fx::Extensions& /*extensions*/) {
  throw std::runtime_error("no license");
}

}  // namespace

FXCPP_PLUGIN("throws_in_add", "throws immediately", add_throwing);
