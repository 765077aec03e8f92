// A tracer with shapes: loops over sizes are unrolled, branches on sizes are resolved, and an error
// about sizes names the line that causes it.
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/shaped_tracer.h"

#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>

namespace {

// One function for at::Tensor and fx::Proxy.
template <class T>
T running_sum(T x) {
  T total = x[0];
  for (int64_t i = 1; i < int64_t(x.size(0)); ++i) total = total + x[i];
  if (int64_t(total.dim()) == 1) total = unsqueeze(total, 0);
  return total;
}

void show(fx::ShapedTracer& tracer, fx::Proxy (*f)(fx::Proxy), std::string_view type) {
  fx::TraceInputs inputs{"x"};
  inputs.types = {{"x", *tracer.context().types().parse(type)}};
  const auto graph = tracer.trace(f, inputs);
  if (graph.ok()) {
    std::cout << fx::print(**graph, {.meta = false}) << '\n';
    return;
  }
  // "node matmul (aten.matmul.default, main.cpp:42): ...", then one line per operand and the
  // location.
  const std::string message(graph.status().message());
  const size_t reason = message.find("): ") + 3;
  std::cout << message.substr(reason, message.find('\n') - reason) << '\n';
}

}  // namespace

int main() {
  fx::Context context;
  fx::ShapedTracer tracer(context, [](const fx::Node& node) { return fx::infer_type(node); });
  show(tracer, running_sum<fx::Proxy>, "f32[3, 8]");
  show(tracer, running_sum<fx::Proxy>, "f32[2, 4, 4]");
  show(tracer, [](fx::Proxy x) { return matmul(x, x); }, "f32[2, 3]");
}
