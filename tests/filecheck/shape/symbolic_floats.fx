# Each operation on floats rounds its result, so the types of the results of multiple operations have no expression:
# 3 * 0.7 * 10 is 20.999999999999996, and the difference of two equal floats is a float (or NaN).
# RUN: fxcpp opt %s --passes propagate_types,simplify | FileCheck %s
graph(%x : i64[n, 3]) {
  %n : int = aten.sym_size.int(%x, 0)
  # CHECK: %a : SymFloat(0.7*ToFloat(n)) = operator.mul(%n, 0.7)
  %a = operator.mul(%n, 0.7)
  # CHECK: %b : float = operator.mul(%a, 10)
  %b = operator.mul(%a, 10)
  # CHECK: %c = math.floor(%b)
  %c = math.floor(%b)
  # CHECK: %d : SymInt(FloorToInt(0.7*ToFloat(n))) = math.floor(%a)
  %d = math.floor(%a)
  # CHECK: %e : float = operator.sub(%a, %a)
  %e = operator.sub(%a, %a)
  # CHECK: %f : SymFloat(ToFloat(n)) = torch.sym_float(%n)
  %f = torch.sym_float(%n)
  # CHECK: %g : float = operator.sub(%f, %f)
  %g = operator.sub(%f, %f)
  # CHECK: %h : float = operator.floordiv(%f, %f)
  %h = operator.floordiv(%f, %f)
  # CHECK: %i : bool = operator.eq(%a, 2.1)
  %i = operator.eq(%a, 2.1)
  # CHECK: %j : SymFloat(-0.7*ToFloat(n)) = operator.neg(%a)
  %j = operator.neg(%a)
  # CHECK: %k : float(1.5) = operator.add(1, 0.5)
  %k = operator.add(1, 0.5)
  # The product is a float, so the cast is kept.
  # CHECK: aten.to.dtype(
  %y = aten.add.Scalar(%x, %g)
  %z = aten.to.dtype(%y, torch.int64)
  return (%c, %d, %h, %i, %j, %k, %z)
}
