// A plugin for a different version of fxcpp.
#include "fx/tools/driver/plugin.h"

namespace {

absl::Status add_nothing(fx::Extensions& /*extensions*/) { return absl::OkStatus(); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const fx::PluginInfo* fxcpp_plugin() {
  static const fx::PluginInfo kInfo = {sizeof(fx::PluginInfo), "0.0.9",    FXCPP_ABI, "old",
                                       "an old one",           add_nothing};
  return &kInfo;
}
