# RUN: not fxcpp shape %s | FileCheck %s
# faults/07-conv-checks, 08-output-padding: parameters that eager mode rejects.

# CHECK-NOT: error at %ok
# CHECK: error at %groups {{.*}}the number of groups, 4, must divide the size of dimension 0 of the weight, 6
# CHECK: error at %padding {{.*}}padding -1 must be at least 0
# CHECK: error at %dilation {{.*}}dilation 0 must be at least 1
# CHECK: error at %bias {{.*}}argument bias cannot be of dtype float64
# CHECK: error at %none {{.*}}number of groups 0 must be at least 1
# CHECK: error at %stride {{.*}}stride 0 must be at least 1
# CHECK: error at %out_pad {{.*}}output padding must be smaller than either stride or dilation, but is 2
# CHECK: error at %more {{.*}}output padding must be smaller than either stride or dilation, but is 1
# CHECK: error at %word {{.*}}"same" or "valid"
# CHECK-NOT: error at %ok
graph(%x : f32[2, 8, 12], %w : f32[6, 2, 3], %w1 : f32[6, 8, 3], %b : f64[6], %t : f32[8, 3, 3]) {
  %groups = aten.conv1d.default(%x, %w, None, [1], [0], [1], 4)
  %padding = aten.conv1d.default(%x, %w1, None, [1], [-1], [1], 1)
  %dilation = aten.conv1d.default(%x, %w1, None, [1], [0], [0], 1)
  %bias = aten.conv1d.default(%x, %w1, %b, [1], [0], [1], 1)
  %none = aten.convolution.default(%x, %w1, None, [1], [0], [1], False, [0], 0)
  %stride = aten.conv1d.default(%x, %w1, None, [0], [0], [1], 1)
  %out_pad = aten.conv_transpose1d.default(%x, %t, None, [2], [0], [2], 1, [2])
  %more = aten.conv_transpose1d.default(%x, %t, None, [1], [0], [1], 1, [1])
  %word = aten.conv1d.padding(%x, %w1, None, [1], "bogus", [1], 1)
  %ok = aten.conv_transpose1d.default(%x, %t, None, [2], [0], [1], 1, [1])
  return %ok
}
