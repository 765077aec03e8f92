# A resized `out=` has the strides of the functional form for some kernels (add), and is row-major for
# others (clone, t_copy, relu).
# RUN: fxcpp shape %s | FileCheck %s
graph(%x : f32[2, 4], %y : f32[4, 2][1, 4], %a : f32[1], %b : f32[1], %c : f32[1], %d : f32[4, 2],
      %e : f32[1, 3][1, 2], %f : f32[1]) {
  # CHECK: t : f32[4, 2][?]
  %t = aten.t_copy.out(%x, out=%a)
  # CHECK: u : f32[4, 2][?]
  %u = aten.clone.out(%y, out=%b)
  # CHECK: v : f32[2, 4]{{$}}
  %v = aten.relu.out(%x, out=%c)
  # CHECK: w : f32[4, 2]{{$}}
  %w = aten.t_copy.out(%x, out=%d)
  # A dimension of size 1 has the stride of the operand, or that of a row-major tensor.
  # CHECK: s : f32[1, 3][?]
  %s = aten.neg.out(%e, out=%f)
  return (%t, %u, %v, %w, %s)
}
