# RUN: fxcpp shape %s | FileCheck %s
# libtorch converts a number to a 0-dimensional tensor, except for exponents and bounds. Operands
# with different sizes preserve the strides of dimensions of size 1; a single contiguous operand
# does not. (Compared with PyTorch 2.13: x.mul(2).stride(), and so on.)
# CHECK: a : f64[1, 1, 2][1, 1, 1]
# CHECK: b : f64[1, 1, 2][1, 1, 1]
# CHECK: c : b8[1, 1, 2][1, 1, 1]
# CHECK: d : f64[1, 1, 2][1, 1, 1]
# CHECK: e : f64[1, 1, 2]
# CHECK-NOT: [1, 1, 1]
# CHECK: f : f64[1, 1, 2]
# CHECK: g : f64[1, 1, 2]
# CHECK: h : f64[1, 1, 2]
# CHECK: i : f64[1, 1, 2][1, 1, 1]
# CHECK: j : f64[1, 1, 2]
# CHECK-NOT: [1, 1, 1]
# CHECK: k : f64[1, 1, 2]
# CHECK: l : f64[1, 2, 2][1, 1, 2]
graph(%x : f64[1, 1, 2][1, 1, 1], %y : i64[2, 1]) {
  %a = aten.mul.Scalar(%x, 2)
  %b = aten.rsub.Scalar(%x, 2)
  %c = aten.gt.Scalar(%x, 2)
  %d = aten.mul.Tensor(%x, 2)
  %e = aten.pow.Tensor_Scalar(%x, 2)
  %f = aten.clamp_min.default(%x, 0)
  %g = aten.neg.default(%x)
  %h = aten.mul.Tensor(%x, %x)
  %i = aten.div.Scalar_mode(%x, 2, rounding_mode="floor")
  %j = aten.pow.Scalar(2, %x)
  %k = aten.float_power.Tensor_Scalar(%x, 2)
  # The dimension order of a broadcast result depends on these strides.
  %l = aten.sub.Tensor(%y, %a)
  return %l
}
