// error: a traced function may return Proxies, numbers, strings, and containers
#include "fx/tracer/tracer.h"
struct Odd {
  fx::Proxy x;
};
auto f(fx::Context& context) {
  return fx::symbolic_trace(context, [](fx::Proxy x) { return Odd{x}; });
}
