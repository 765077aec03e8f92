// The functions of Python's module math, for numbers that a graph computes (sizes). For a Proxy
// they record `math.sqrt` and so on; for numbers they compute the result. sqrt(x), which is
// torch.sqrt, is for tensors.
#pragma once

#include "fx/tracer/tracer_base.h"

#include <cmath>

namespace fx::math {

#define FX_MATH_FUNCTION(name)                                        \
  inline double name(double x) { return std::name(x); }               \
  inline Proxy name(const Proxy& x, Where where = Where::current()) { \
    return call_function("math." #name, {x}, {}, where);              \
  }
FX_MATH_FUNCTION(sqrt)
FX_MATH_FUNCTION(floor)
FX_MATH_FUNCTION(ceil)
FX_MATH_FUNCTION(trunc)
FX_MATH_FUNCTION(exp)
FX_MATH_FUNCTION(log)
FX_MATH_FUNCTION(log2)
FX_MATH_FUNCTION(log10)
FX_MATH_FUNCTION(sin)
FX_MATH_FUNCTION(cos)
FX_MATH_FUNCTION(tan)
FX_MATH_FUNCTION(tanh)
#undef FX_MATH_FUNCTION

inline double pow(double x, double y) { return std::pow(x, y); }
inline Proxy pow(const AnyArg& x, const AnyArg& y, Where where = Where::current()) {
  return call_function("math.pow", {x, y}, {}, where);
}

}  // namespace fx::math
