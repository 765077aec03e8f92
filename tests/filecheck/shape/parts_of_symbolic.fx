# RUN: fxcpp shape %s | FileCheck %s
# Parts of a dimension with a symbolic size have types if sizes and ranges determine the number of
# parts. Min and Max are ordinary sizes.

# CHECK: thirds : [f32[((n + 2)//3)], f32[((n + 2)//3)]{offset=((n + 2)//3)}, f32[n - 2*(((n + 2)//3))]{{.*}}]
# CHECK: even : [f32[m], f32[m]{offset=m}]
# CHECK: one : [f32[n]]
# CHECK: two : [f32[8], f32[n - 8]{offset=8}]
# CHECK: sections : [f32[((n + 2)//3)], f32[((n + 1)//3)]{{.*}}, f32[(n//3)]{{.*}}]
# CHECK: at : [f32[2], f32[n - 3]{offset=2}, f32[1]{offset=n - 1}]
# CHECK: sizes : [f32[4], f32[n - 4]{offset=4}]
# CHECK: clamped : f32[Max(4, Min(n - 2, 12))]
# CHECK-NOT: guard
graph(%x : f32[n], %y : f32[2*m], %z : f32[Max(4, Min(n - 2, 12))]) {
  !symbols = {"n": {"min": 9, "max": 16}, "m": {"min": 1}}
  %thirds = aten.chunk.default(%x, 3)
  %even = aten.chunk.default(%y, 2)
  %one = aten.split.Tensor(%x, 16)
  %two = aten.split.Tensor(%x, 8)
  %sections = aten.tensor_split.sections(%x, 3)
  %at = aten.tensor_split.indices(%x, [2, -1])
  %sizes = aten.split_with_sizes.default(%x, [4, sym(n - 4)])
  %clamped = aten.relu.default(%z)
  return (%thirds, %even, %one, %two, %sections, %at, %sizes, %clamped)
}
