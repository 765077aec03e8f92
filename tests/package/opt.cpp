// A complete user program: `fxcpp opt` with a custom pass.
#include "fx/ir/graph/context.h"
#include "fx/tools/driver/opt_main.h"

absl::StatusOr<bool> multiply(fx::PassRun& run) {
  const auto adds = run.graph().find_nodes(run.graph().context().function("aten.add.Tensor"));
  for (fx::Node* add : adds) add->set_function(run.graph().context().function("aten.mul.Tensor"));
  return !adds.empty();
}

int main(int argc, char** argv) {
  return fx::opt_main(argc, argv, {{"multiply", "multiplies instead of adding", multiply}});
}
