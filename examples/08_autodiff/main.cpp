// Lesson 8: differentiates a graph with an interpreter (vjp.h), and prints the result.
#include "fx/ir/text/text.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/tracer.h"

#include <iostream>

#include "vjp.h"

int main() {
  fx::Context context;
  const auto f = fx::symbolic_trace(context, [](fx::Proxy x) { return sin(x) + x; }, {"x"});
  const auto result =
      f.ok() ? autodiff::vjp((*f)->graph(), autodiff::standard_rules()) : f.status();
  if (result.ok()) std::cout << fx::print(**result, {.meta = false});
  if (!result.ok()) std::cerr << result.status() << '\n';
  return result.ok() ? 0 : 1;
}
