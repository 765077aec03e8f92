# RUN: fxcpp opt %s --passes simplify --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'simplify{signed_zeros=false}' --check-changed | FileCheck %s --check-prefix=ANY
# The zero that libtorch adds to a complex number, and the one from which it subtracts in neg, have
# signs that depend on the operator.
# CHECK-LABEL: graph(
# ANY-LABEL: graph(
graph(%x : c64[2]) {
  # CHECK: aten.add.Tensor(%s, -0.0)
  # CHECK: aten.sub.Tensor(%s, 0)
  # CHECK: aten.neg.default(%s)
  # CHECK: aten.neg.default(%c)
  # ANY-NOT: aten.add
  # ANY-NOT: aten.sub
  # ANY-NOT: aten.neg
  %s : c64[2] = aten.sin.default(%x)
  %a : c64[2] = aten.add.Tensor(%s, -0.0)
  %b : c64[2] = aten.sub.Tensor(%s, 0)
  %c : c64[2] = aten.neg.default(%s)
  %d : c64[2] = aten.neg.default(%c)
  %e : c64[2] = aten.cos.default(%a)
  %f : c64[2] = aten.cos.default(%b)
  %g : c64[2] = aten.cos.default(%d)
  return (%e, %f, %g)
}
