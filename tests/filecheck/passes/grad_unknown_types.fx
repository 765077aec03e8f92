# RUN: sed 's/RESULT/%l/' %s > %t.1 && not fxcpp grad %t.1 --vjp 2>&1 | FileCheck %s --check-prefix=SIZES
# RUN: sed 's/RESULT/%u/' %s > %t.2 && not fxcpp grad %t.2 --vjp 2>&1 | FileCheck %s --check-prefix=OPERATOR
# RUN: sed 's/RESULT/%f/' %s > %t.3 && not fxcpp grad %t.3 --mode forward 2>&1 | FileCheck %s --check-prefix=FILLED
# RUN: sed 's/RESULT/%r/' %s > %t.4 && not fxcpp grad %t.4 --jacobian 2>&1 | FileCheck %s --check-prefix=BRANCH
# RUN: sed 's/RESULT/%v/' %s > %t.5 && not fxcpp grad %t.5 --joint 2>&1 | FileCheck %s --check-prefix=LATER
# RUN: sed 's/RESULT/%n/' %s > %t.6 && fxcpp grad %t.6 --vjp | FileCheck %s --check-prefix=INDEX
# A value of unknown type may have a derivative: it is not a constant, even beside results of known type.
# SIZES: the type of %d (aten.mul.Tensor) is unknown, so it is unknown whether it has a derivative
# FILLED: the type of %d (aten.mul.Tensor) is unknown, so it is unknown whether it has a derivative
# OPERATOR: an operator has no derivative rule:
# OPERATOR-NEXT: user.f (%u)
# LATER: the type of %d (aten.mul.Tensor) is unknown
# BRANCH: the type of %y (higher_order.cond) is unknown
# INDEX: return
graph(%x : f32[3], %m : b8[3], %p : b8[]) {
  graph @t(%a : f32[3], %k : b8[3]) {
    %u = aten.index.Tensor(%a, [%k])
    %v = aten.index.Tensor(%a, [%k])
    %w = aten.mul.Tensor(%u, %v)
    %s : f32[] = aten.sum.default(%w)
    return (%s,)
  }
  graph @f(%a : f32[3], %k : b8[3]) {
    %s : f32[] = aten.sum.default(%a)
    return (%s,)
  }
  %a = aten.index.Tensor(%x, [%m])
  %b = aten.index.Tensor(%x, [%m])
  %d = aten.mul.Tensor(%a, %b)
  %l = aten.sum.default(%d)
  %zero : f32[] = aten.zeros.default([])
  %f : f32[] = aten.copy.default(%zero, %l)
  %y : (f32[],) = higher_order.cond(%p, @t, @f, [%x, %m])
  %r : f32[] = operator.getitem(%y, 0)
  # The unknown type of a result that has no derivative does not matter.
  %n = aten.argmax.default(%x)
  %q = aten.sin.default(%x)
  %u = user.f(%x)
  %v = user.f(%l)
  return (RESULT, %q)
}
