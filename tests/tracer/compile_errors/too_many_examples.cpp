// error: the number of examples exceeds the number of parameters of the traced function
#include "fx/tracer/tracer.h"
auto f(fx::Context& context) {
  return fx::symbolic_trace(
      context, [](fx::Proxy x) { return x; }, {"x"}, fx::Proxy(), fx::Proxy());
}
