# RUN: fxcpp opt %s --passes fuse_conv_bn | FileCheck %s
# faults/01-linear3d, 01-keyword-abort: a batch norm normalizes dimension 1. It is fused if
# dimension 1 is the output dimension of the layer, and ranks and dtypes are known and equal, in any
# form of the calls.

# CHECK-LABEL: graph(
graph(%x2 : f32[4, 3], %x3 : f32[2, 5, 3], %u, %i3 : f32[3, 8, 8], %i4 : f32[1, 3, 8, 8], %i : f32[3, 9], %w : f32[5, 3], %c2 : f32[5, 3, 3, 3], %c1 : f32[5, 3, 3], %h : bf16[5, 3, 3, 3], %hx : bf16[1, 3, 8, 8], %b : f32[5], %m : f32[5], %v : f32[5], %m7 : f32[7], %v7 : f32[7]) {
  # Fused: a call with keyword arguments.
  # CHECK: %fc{{.*}} : f32[4, 5] = aten.linear.default(%x2, %mul
  # CHECK: %conv{{.*}} : f32[1, 5, 6, 6] = aten.conv2d.default(%i4, %mul
  %fc : f32[4, 5] = aten.linear.default(input=%x2, weight=%w, bias=%b)
  %bn : f32[4, 5] = aten.batch_norm.default(%fc, None, None, %m, %v, False, 0.1, 1e-05, True)
  %conv : f32[1, 5, 6, 6] = aten.conv2d.default(weight=%c2, input=%i4)
  %cbn : f32[1, 5, 6, 6] = aten.batch_norm.default(input=%conv, weight=None, bias=None, running_mean=%m, running_var=%v, training=False, momentum=0.1, eps=1e-05, cudnn_enabled=True)
  # The input of a linear layer has more than two dimensions: the features are the last dimension.
  # CHECK: %l3 : f32[2, 5, 5] = aten.linear.default(%x3, %w, %b)
  # CHECK-NEXT: %n3 : f32[2, 5, 5] = aten.batch_norm.default(%l3,
  %l3 : f32[2, 5, 5] = aten.linear.default(%x3, %w, %b)
  %n3 : f32[2, 5, 5] = aten.batch_norm.default(%l3, None, None, %m, %v, False, 0.1, 1e-05, True)
  # The rank is unknown.
  # CHECK-NEXT: %lu = aten.linear.default(%u, %w, %b)
  # CHECK-NEXT: %nu = aten.batch_norm.default(%lu,
  %lu = aten.linear.default(%u, %w, %b)
  %nu = aten.batch_norm.default(%lu, None, None, %m, %v, False, 0.1, 1e-05, True)
  # Convolutions without a batch: dimension 1 is a spatial dimension.
  # CHECK-NEXT: %k2 : f32[5, 6, 6] = aten.conv2d.default(%i3, %c2)
  # CHECK-NEXT: %nk2 : f32[5, 6, 6] = aten.batch_norm.default(%k2,
  # CHECK-NEXT: %k1 : f32[5, 7] = aten.conv1d.default(%i, %c1)
  # CHECK-NEXT: %nk1 : f32[5, 7] = aten.batch_norm.default(%k1,
  %k2 : f32[5, 6, 6] = aten.conv2d.default(%i3, %c2)
  %nk2 : f32[5, 6, 6] = aten.batch_norm.default(%k2, None, None, %m, %v, False, 0.1, 1e-05, True)
  %k1 : f32[5, 7] = aten.conv1d.default(%i, %c1)
  %nk1 : f32[5, 7] = aten.batch_norm.default(%k1, None, None, %m7, %v7, False, 0.1, 1e-05, True)
  # The statistics have a different dtype.
  # CHECK-NEXT: %kh : bf16[1, 5, 6, 6] = aten.conv2d.default(%hx, %h)
  # CHECK-NEXT: %nh : bf16[1, 5, 6, 6] = aten.batch_norm.default(%kh,
  %kh : bf16[1, 5, 6, 6] = aten.conv2d.default(%hx, %h)
  %nh : bf16[1, 5, 6, 6] = aten.batch_norm.default(%kh, None, None, %m, %v, False, 0.1, 1e-05, True)
  return (%bn, %cbn, %n3, %nu, %nk2, %nk1, %nh)
}
