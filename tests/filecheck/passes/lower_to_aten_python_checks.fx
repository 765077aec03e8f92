# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# RUN: not fxcpp shape %s 2>&1 | FileCheck %s --check-prefix=SHAPE
# Calls that torch.nn.functional refuses, although the operators accept them, are not lowered.

# CHECK: %a = torch.nn.functional.batch_norm(%x, None, None, training=True)
# CHECK-NEXT: %b = torch.nn.functional.group_norm(%x, 3)
# CHECK-NEXT: %c = torch.nn.functional.instance_norm(%y)
# CHECK-NEXT: %d = torch.nn.functional.embedding(%i, %w, padding_idx=5)
# CHECK-NEXT: %e = torch.nn.functional.hardtanh(%x, 2.0, 1.0)
# CHECK-NEXT: %f = torch.nn.functional.dropout1d(%z, 0.5)
# CHECK-NEXT: %g = torch.nn.functional.triplet_margin_loss(%x, %x, %x, margin=-1)
# CHECK-NEXT: %h = torch.nn.functional.lp_pool1d(%y, 0, 1)
# CHECK-NEXT: aten.batch_norm.default(%x
# CHECK-NEXT: aten.group_norm.default(%x, 1
# CHECK-NEXT: aten.embedding.default(%w, %i, 3
# SHAPE: each channel must have more than 1 value; the input is f32[1, 3]
graph(%x : f32[1, 3], %y : f32[2, 3, 1], %z : f32[1, 2, 3, 4], %i : i64[2], %w : f32[4, 2], %v : f32[3]) {
  %a = torch.nn.functional.batch_norm(%x, None, None, training=True)
  %b = torch.nn.functional.group_norm(%x, 3)
  %c = torch.nn.functional.instance_norm(%y)
  %d = torch.nn.functional.embedding(%i, %w, padding_idx=5)
  %e = torch.nn.functional.hardtanh(%x, 2.0, 1.0)
  %f = torch.nn.functional.dropout1d(%z, 0.5)
  %g = torch.nn.functional.triplet_margin_loss(%x, %x, %x, margin=-1)
  %h = torch.nn.functional.lp_pool1d(%y, 0, 1)
  # Must be lowered.
  %k = torch.nn.functional.batch_norm(%x, %v, %v)
  %l = torch.nn.functional.group_norm(%x, 1)
  %m = torch.nn.functional.embedding(%i, %w, padding_idx=-1)
  return (%a, %b, %c, %d, %e, %f, %g, %h, %k, %l, %m)
}
