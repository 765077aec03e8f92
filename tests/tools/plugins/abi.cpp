// A plugin with a different C++ ABI.
#include "fx/tools/driver/plugin.h"

namespace {

absl::Status add_nothing(fx::Extensions& /*extensions*/) { return absl::OkStatus(); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const fx::PluginInfo* fxcpp_plugin() {
  static const fx::PluginInfo kInfo = {sizeof(fx::PluginInfo), FXCPP_RELEASE,
                                       "4-byte pointers",      "small",
                                       "another ABI",          add_nothing};
  return &kInfo;
}
