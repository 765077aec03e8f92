// error: cannot control a branch or a loop
#include "fx/tracer/proxy.h"
bool f(fx::Proxy x, fx::Proxy y) { return x && y; }
