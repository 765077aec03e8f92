# RUN: not fxcpp shape %s | FileCheck %s
# faults/09-conv-same-strides: like eager mode, padding "same" preserves channels_last.

# CHECK: y : f32[2, 6, 10, 10][600, 1, 60, 6]
# CHECK: p : f32[2, 6, 10, 10]
# CHECK-NOT: [600, 1
# CHECK: error at %z {{.*}}cannot be viewed
graph(%x : f32[2, 4, 10, 10][400, 1, 40, 4], %n : f32[2, 4, 10, 10], %w : f32[6, 4, 3, 3]) {
  %y = aten.conv2d.padding(%x, %w, None, [1, 1], "same", [1, 1], 1)
  %p = aten.conv2d.padding(%n, %w, None, [1, 1], "same", [1, 1], 1)
  %z = aten.view.default(%y, [2, 600])
  return %p
}
