# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# RUN: fxcpp grad %s --vjp --style aten | FileCheck %s --check-prefix=GRAD

# A recorded type may contain a size that PyTorch computed with floats. The decomposition uses the
# size from the type function.
graph(%x : f32[1, 3, 4*s0, 4*s1]{grad}) {
  # CHECK: %[[HEIGHT:.*]] : SymInt(2*s0) = operator.mul(
  # CHECK: %[[WIDTH:.*]] : SymInt(2*s1) = operator.mul(
  # CHECK: = aten.upsample_nearest2d.default(%x, [%[[HEIGHT]], %[[WIDTH]]], 0.5, 0.5)
  # GRAD: aten.upsample_nearest2d_backward.default(
  %y : f32[1, 3, TruncToInt(0.5*ToFloat(4*s0)), TruncToInt(0.5*ToFloat(4*s1))] = aten.upsample_nearest2d.vec(%x, None, [0.5, 0.5])
  return %y
}
