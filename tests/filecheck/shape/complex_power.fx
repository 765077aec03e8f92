# RUN: fxcpp shape %s | FileCheck %s
# The power of a negative number and an exponent that is no integer is complex; the sign of %n is
# unknown.

# CHECK: complex : complex
# CHECK: product : c64[3]
# CHECK: whole : SymFloat
# CHECK: root : float
# CHECK: of_size : SymFloat
# CHECK: unknown : ?
graph(%x : f32[3], %y : f32[s0], %n : int) {
  %complex = operator.pow(-8, 0.5)
  %product = operator.mul(%x, %complex)
  %whole = operator.pow(-8, 2.0)
  %root = operator.pow(8, 0.5)
  %s = call_method size(%y, 0)
  %of_size = operator.pow(%s, 0.5)
  %unknown = operator.pow(%n, 0.5)
  return (%product, %whole, %root, %of_size, %unknown)
}
