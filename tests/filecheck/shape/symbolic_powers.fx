# A power with a symbolic exponent is an int or a float, depending on the exponent: its type is unknown, and so is the
# dtype of a product with it.
# RUN: fxcpp opt %s --passes propagate_types,simplify | FileCheck %s
graph(%x : i64[n, 3]) {
  %n : int = aten.sym_size.int(%x, 0)
  # CHECK: %e = operator.pow(2, %n)
  %e = operator.pow(2, %n)
  # CHECK: %f : SymInt(n**2) = operator.pow(%n, 2)
  %f = operator.pow(%n, 2)
  # CHECK: %g : SymFloat({{.*}}) = operator.pow(%n, -1)
  %g = operator.pow(%n, -1)
  # CHECK: %z = aten.mul.Scalar(%x, %e)
  %z = aten.mul.Scalar(%x, %e)
  # CHECK: %c : f32[n, 3]{{.*}} = aten.to.dtype(%z, torch.float32)
  %c = aten.to.dtype(%z, torch.float32)
  return (%c, %f, %g)
}
