// error: none
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/tracer.h"
auto f(fx::Context& context) {
  return fx::symbolic_trace(context, [](fx::Proxy x, fx::Proxy w) {
    fx::Proxy y = conv2d(x, w, {}, 2);
    y += 1;
    if (y.to_bool()) y = where(y > 0, y, 0.0);
    for (int64_t i = 0; i < int64_t(x.size(0)); ++i) y = y + x[i];
    return relu(y);
  });
}
