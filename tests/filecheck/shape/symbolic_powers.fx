# The power of an int and a symbolic exponent is an int if the exponent is not negative, and so is what ints are
# computed from it. Otherwise, it is an int or a float: its type and those of calls with it are unknown.
# RUN: fxcpp opt %s --passes propagate_types,simplify | FileCheck %s
graph(%x : i64[n, 3]) {
  %n : int = aten.sym_size.int(%x, 0)
  # CHECK: %e : SymInt(PowByNatural(2, n)) = operator.pow(2, %n)
  %e = operator.pow(2, %n)
  # CHECK: %f : SymInt(n**2) = operator.pow(%n, 2)
  %f = operator.pow(%n, 2)
  # CHECK: %g : SymFloat({{.*}}) = operator.pow(%n, -1)
  %g = operator.pow(%n, -1)
  # CHECK: %h : SymInt({{.*}}) = operator.add(%e, 1)
  %h = operator.add(%e, 1)
  # CHECK: %i : SymFloat({{.*}}) = operator.truediv(%e, 2)
  %i = operator.truediv(%e, 2)
  # CHECK: %z : i64[n, 3] = aten.mul.Scalar(%x, %h)
  %z = aten.mul.Scalar(%x, %h)
  # CHECK: %c : f32[n, 3]{{.*}} = aten.to.dtype(%z, torch.float32)
  %c = aten.to.dtype(%z, torch.float32)
  %m = operator.sub(%n, 100)
  # CHECK: %u = operator.pow(2, %m)
  %u = operator.pow(2, %m)
  # CHECK: %v = aten.mul.Scalar(%x, %u)
  %v = aten.mul.Scalar(%x, %u)
  # CHECK: %w = aten.new_zeros.default(%x, [%u])
  %w = aten.new_zeros.default(%x, [%u])
  return (%c, %f, %g, %i, %v, %w)
}
