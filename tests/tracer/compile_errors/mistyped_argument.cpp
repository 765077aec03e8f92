// error: no matching function for call|could not convert|cannot convert
#include "fx/tracer/generated/functions.h"
fx::Proxy f(fx::Proxy x, fx::Proxy w) { return conv2d(x, w, "bias"); }
