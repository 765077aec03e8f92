// error: cannot control a branch or a loop; use where(condition, a, b)
#include "fx/tracer/generated/functions.h"
fx::Proxy f(fx::Proxy x) {
  if (sum(x) > 0) return relu(x);
  return x;
}
