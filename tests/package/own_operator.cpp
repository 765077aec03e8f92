// A custom operator with a type function, in a program outside fxcpp.
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/shape_prop.h"

#include <cstdio>

namespace {

/// Halves the number of columns: f32[s0, 8] becomes f32[s0, 4].
absl::Status add_pool(fx::Context& context, fx::TypeRules& rules) {
  FX_RETURN_IF_ERROR(context.add_operator("mylib::pool(Tensor x, int size=2) -> Tensor").status());
  return rules.add(context, "mylib.pool.default", [](fx::TypeCall& c) {
    const fx::Type x = c.tensor(0);
    if (x.rank() != 2) return c.fail("x must be a matrix");
    return c.result(x.dtype(), {x.sizes()[0], fx::floor_div(x.sizes()[1], c.dim(1))});
  });
}

}  // namespace

int main() {
  fx::Context context;
  fx::TypeRules rules;
  if (!add_pool(context, rules).ok()) return 1;
  auto graph = fx::parse_graph(context,
                               "graph(%x : f32[s0, 8], %y : f32[3]) {\n"
                               "  %pool = mylib.pool.default(%x)\n"
                               "  %relu = aten.relu.default(%pool)\n"
                               "  %wrong = mylib.pool.default(%y)\n"
                               "  return %relu\n"
                               "}\n");
  if (!graph.ok()) return 1;
  const fx::ShapeReport report = fx::propagate_types(**graph, {.rules = &rules});
  std::printf("%s%s", fx::print(**graph).c_str(), report.str().c_str());
  return 0;
}
