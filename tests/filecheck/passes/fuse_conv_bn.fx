# RUN: fxcpp opt %s --passes fuse_conv_bn --check-changed | FileCheck %s
# parity: E1
graph(%x : f32[1, 3, 8, 8], %lx : f32[2, 3], %lw : f32[4, 3], %w : f32[4, 3, 3, 3], %b : f32[4], %g : f32[4], %h : f32[4], %m : f32[4], %v : f32[4]) {
  # CHECK:      %[[EPS:.*]] : f32[4] = aten.add.Scalar(%v, 1e-05)
  # CHECK-NEXT: %[[R:.*]] : f32[4] = aten.rsqrt.default(%[[EPS]])
  # CHECK-NEXT: %[[S:.*]] : f32[4] = aten.mul.Tensor(%g, %[[R]])
  # CHECK-NEXT: %[[S4:.*]] : f32[4, 1, 1, 1] = aten.reshape.default(%[[S]], [-1, 1, 1, 1])
  # CHECK-NEXT: %[[W:.*]] : f32[4, 3, 3, 3] = aten.mul.Tensor(%w, %[[S4]])
  # CHECK-NEXT: %[[C:.*]] : f32[4] = aten.sub.Tensor(%b, %m)
  # CHECK-NEXT: %[[CR:.*]] : f32[4] = aten.mul.Tensor(%[[C]], %[[R]])
  # CHECK-NEXT: %[[CRG:.*]] : f32[4] = aten.mul.Tensor(%[[CR]], %g)
  # CHECK-NEXT: %[[B:.*]] : f32[4] = aten.add.Tensor(%[[CRG]], %h)
  # CHECK-NEXT: %[[F:.*]] : f32[1, 4, 6, 6] = aten.conv2d.default(%x, %[[W]], %[[B]], [1, 1], [0, 0], [1, 1], 1)
  %c : f32[1, 4, 6, 6] = aten.conv2d.default(%x, %w, %b)
  %n : f32[1, 4, 6, 6] = aten.batch_norm.default(%c, %g, %h, %m, %v, False, 0.1, 1e-05, True)
  # Must not change: the convolution has another user, training mode, no statistics.
  # CHECK-NEXT: %d = aten.conv2d.default(%x, %w)
  # CHECK-NEXT: %o = aten.batch_norm.default(%d,
  # CHECK-NEXT: %e = aten.conv2d.default(%x, %w)
  # CHECK-NEXT: %p = aten.batch_norm.default(%e,
  # CHECK-NEXT: %f = aten.conv2d.default(%x, %w)
  # CHECK-NEXT: %q = aten.batch_norm.default(%f,
  %d = aten.conv2d.default(%x, %w)
  %o = aten.batch_norm.default(%d, %g, %h, %m, %v, False, 0.1, 1e-05, True)
  %e = aten.conv2d.default(%x, %w)
  %p = aten.batch_norm.default(%e, %g, %h, %m, %v, True, 0.1, 1e-05, True)
  %f = aten.conv2d.default(%x, %w)
  %q = aten.batch_norm.default(%f, %g, %h, None, None, True, 0.1, 1e-05, True)
  # A batch norm without weights; a linear layer; the form in core ATen.
  # CHECK: aten.linear.default(
  # CHECK: aten.convolution.default(%x, %{{.*}}, %{{.*}}, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
  # CHECK-NOT: _native_batch_norm
  %l = aten.linear.default(%lx, %lw)
  %r = aten.batch_norm.default(%l, None, None, %m, %v, False, 0.1, 1e-05, True)
  %s = aten.convolution.default(%x, %w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
  %t = aten._native_batch_norm_legit_no_training.default(%s, %g, %h, %m, %v, 0.1, 1e-05)
  %u = operator.getitem(%t, 0)
  return (%n, %d, %o, %p, %q, %r, %u)
}
