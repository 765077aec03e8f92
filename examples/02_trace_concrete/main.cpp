// Specialization by concrete arguments: ordinary C++ control flow over known values, and nested
// graphs for control flow that depends on data.
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/tracer/control_flow.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/tracer.h"

#include <cstdint>
#include <iostream>

namespace {

fx::Proxy model(fx::Proxy x, bool normalize, int64_t repeats) {
  if (normalize) {
    x = x - mean(x);
    x = x / x.std();
  }
  for (int64_t i = 0; i < repeats; ++i) x = relu(x);
  return x;
}

// `if (sum(x) > 0)` does not compile, because the value is unknown while tracing. cond records both
// branches.
fx::Proxy branch(fx::Proxy x) {
  return fx::cond(
      sum(x) > 0, [](fx::Proxy a) { return relu(a); }, [](fx::Proxy a) { return -a; }, {x});
}

void show(const absl::StatusOr<std::unique_ptr<fx::GraphModule>>& traced) {
  if (traced.ok())
    std::cout << fx::print((*traced)->graph(), {.meta = false}) << '\n';
  else
    std::cout << traced.status().message() << "\n\n";
}

}  // namespace

int main() {
  fx::Context context;
  fx::TraceInputs inputs{"x", "normalize", "repeats"};
  inputs.concrete_args = {{"normalize", true}, {"repeats", 2}};
  show(fx::symbolic_trace(context, model, inputs));  // the graph asserts these values
  inputs.concrete_args = {{"repeats", 2}};
  show(fx::symbolic_trace(context, model, inputs));  // the error names the missing value
  show(fx::symbolic_trace(context, branch, {"x"}));
}
