// error: a Proxy cannot be iterated
#include "fx/tracer/proxy.h"
fx::Proxy f(fx::Proxy x) {
  fx::Proxy last;
  for (const fx::Proxy& item : x) last = item;
  return last;
}
