# RUN: fxcpp opt %s --passes simplify -o %t.fx
# RUN: FileCheck %s --input-file %t.fx
# faults/02-unknown-rank: incomplete types are not equal to any type (known_equal).

# CHECK-LABEL: graph(
graph(%x : f32[*], %d : tensor[3], %s : f32[2, 3][?], %y) {
  # The rank is unknown.
  # CHECK-NEXT: %v : f32[*] = aten.reshape.default(%x, [-1])
  # CHECK-NEXT: %t : f32[*] = aten.expand.default(%v, [3, -1])
  # CHECK-NEXT: %r : f32[*] = aten.squeeze.default(%t)
  %v : f32[*] = aten.reshape.default(%x, [-1])
  %t : f32[*] = aten.expand.default(%v, [3, -1])
  %r : f32[*] = aten.squeeze.default(%t)
  # The dtype is unknown: a cast, and a division of integers.
  # CHECK-NEXT: %c : tensor[3] = aten.to.dtype(%d, torch.float16)
  # CHECK-NEXT: %q : tensor[3] = aten.div.Tensor(%d, 1)
  %c : tensor[3] = aten.to.dtype(%d, torch.float16)
  %q : tensor[3] = aten.div.Tensor(%d, 1)
  # The strides are unknown: contiguous may copy.
  # CHECK-NEXT: %k : f32[2, 3][?] = aten.contiguous.default(%s)
  # CHECK-NEXT: %n : f32[2, 3][?] = aten.clone.default(%s)
  %k : f32[2, 3][?] = aten.contiguous.default(%s)
  %n : f32[2, 3][?] = aten.clone.default(%s)
  # There is no type.
  # CHECK-NEXT: %m = aten.mul.Tensor(%y, 1)
  # CHECK-NEXT: %a : f32[2] = aten.sin.default(%m)
  %m = aten.mul.Tensor(%y, 1)
  %a : f32[2] = aten.sin.default(%m)
  # CHECK-NEXT: %out = aten.block_diag.default([%r, %c, %q, %k, %n, %a])
  %out = aten.block_diag.default([%r, %c, %q, %k, %n, %a])
  return %out
}
