// error: was not declared in this scope|use of undeclared identifier
#include "fx/tracer/generated/functions.h"
fx::Proxy f(fx::Proxy x) { return rellu(x); }
