// error: more examples than the traced function has parameters
#include "fx/tracer/tracer.h"
auto f(fx::Context& context) {
  return fx::symbolic_trace(
      context, [](fx::Proxy x) { return x; }, {"x"}, fx::Proxy(), fx::Proxy());
}
