# RUN: not fxcpp grad %s --mode forward 2>&1 | FileCheck %s
# A gradient function that rejects the call must not crash: the tangent of huber_loss calls that of
# its gradient, which requires operands of the same dtype.
# CHECK: aten.huber_loss.default (%loss)
graph(%x : f32[5, 5], %y : u8[5, 5]) {
  %loss = aten.huber_loss.default(%x, %y, 2, 8.5)
  return %loss
}
