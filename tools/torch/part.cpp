// The part `torch` of the command: see tools/parts.h.
#include "fx/interp/torch/interpret/constant_evaluator.h"
#include "tools/torch/commands.h"

extern "C" const fx::tools::TorchPart* fxcpp_part() {
  static constexpr fx::tools::TorchPart kPart = {
      .version = FXCPP_VERSION,
      .add_capture = fx::tools::add_capture,
      .add_import = fx::tools::add_import,
      .add_run = fx::tools::add_run,
      .add_minimize = fx::tools::add_minimize,
      .type_by_running = fx::tools::type_by_running,
      .compare_by_running = fx::tools::compare_by_running,
      .evaluate_constants = fx::evaluate_constants,
  };
  return &kPart;
}
