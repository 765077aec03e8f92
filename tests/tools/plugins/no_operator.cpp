// A plugin with an operator whose schema is malformed.
#include "fx/tools/driver/plugin.h"

namespace {

absl::Status add_malformed(fx::Extensions& extensions) {
  return extensions.add(fx::OperatorExtension{.schema = "bad::op(Tensor x -> Tensor"});
}

}  // namespace

FXCPP_PLUGIN("no_operator", "adds no operator", add_malformed);
