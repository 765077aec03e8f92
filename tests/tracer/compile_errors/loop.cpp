// error: cannot control a branch or a loop
#include "fx/tracer/generated/functions.h"
fx::Proxy f(fx::Proxy x) {
  while (sum(x) > 0) x = x - 1;
  return x;
}
