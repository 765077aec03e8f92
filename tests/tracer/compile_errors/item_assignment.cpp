// error: discards qualifiers|no viable overloaded|no matching function|cannot bind
#include "fx/tracer/proxy.h"
void f(fx::Proxy x, fx::Proxy y) { x[0] = y; }
