# RUN: not fxcpp shape %s | FileCheck %s
# If sizes and ranges do not determine the number of parts, chunk assumes the requested number, and
# split has no type.

# CHECK: chunks : [f32[((n + 2)//3)], f32[((n + 2)//3)]{{.*}}, f32[n - 2*(((n + 2)//3))]{{.*}}]
# CHECK: split : ?
# CHECK: sizes : [f32[4], f32[n - 4]{offset=4}]
# CHECK: guard 2*(((n + 2)//3)) <= Max(0, n - 1)
# CHECK: guard n >= 4
# CHECK: error at %split (aten.split.Tensor): the number of parts of length 2 in a dimension of size n is unknown
graph(%x : f32[n]) {
  !symbols = {"n": {"min": 0}}
  %chunks = aten.chunk.default(%x, 3)
  %split = aten.split.Tensor(%x, 2)
  %sizes = aten.split_with_sizes.default(%x, [4, sym(n - 4)])
  return (%chunks, %split, %sizes)
}
