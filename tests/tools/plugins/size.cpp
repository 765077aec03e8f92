// A plugin with a PluginInfo of a different size, such as that of a later version of plugin.h.
#include "fx/tools/driver/plugin.h"

namespace {

absl::Status add_nothing(fx::Extensions& /*extensions*/) { return absl::OkStatus(); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const fx::PluginInfo* fxcpp_plugin() {
  static const fx::PluginInfo kInfo = {
      sizeof(fx::PluginInfo) + 8, FXCPP_RELEASE, FXCPP_ABI, "large",
      "a later PluginInfo",       add_nothing};
  return &kInfo;
}
