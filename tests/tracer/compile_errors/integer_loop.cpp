// error: cannot control a branch or a loop
#include "fx/tracer/proxy.h"
fx::Proxy f(fx::Proxy x) {
  for (int i = 0; i < x.size(0); ++i) x = x + x[i];
  return x;
}
