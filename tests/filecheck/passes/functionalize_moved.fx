# The new value of a written tensor has offset 0. This also holds for the results of operators that
# keep the offset of an operand, and for views of these results.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
graph(%x : f64[4]{offset=2}, %y : i64[1, 3][1, 1]{offset=3}, %z : f32[4], %q : i64[1]) {
  %w : f64[4]{offset=2} = aten.fill_.Scalar(%x, 2)
  # CHECK: %s : f64[4] = aten.slice_scatter.default(%fill, %z, 0, 0, 4)
  %s : f64[4]{offset=2} = aten.slice_scatter.default(%w, %z, 0, 0, 4)
  # CHECK: %r : f64[2, 2] = aten.reshape.default(%s, [2, 2])
  %r : f64[2, 2]{offset=2} = aten.reshape.default(%s, [2, 2])
  # CHECK: %parts : [f64[2], f64[2]{offset=2}] = aten.split.Tensor(%s, 2)
  # CHECK: %part : f64[2]{offset=2} = operator.getitem(%parts, 1)
  %parts : [f64[2]{offset=2}, f64[2]{offset=4}] = aten.split.Tensor(%s, 2)
  %part : f64[2]{offset=4} = operator.getitem(%parts, 1)
  # A method; its type is not inferred.
  # CHECK: %m : f64[4][?] = call_method view(%s, 4)
  %m : f64[4]{offset=2} = call_method view(%s, 4)
  %i : i64[1, 3][1, 1]{offset=3} = aten.add_.Scalar(%y, 1)
  # CHECK: %d : i64[1, 3][1, 1] = aten.diagonal_scatter.default
  %d : i64[1, 3][1, 1]{offset=3} = aten.diagonal_scatter.default(%i, %q)
  # A new tensor does not change, nor does a view of an input that is not written.
  # CHECK: %n : f64[4] = aten.neg.default(%fill)
  %n : f64[4] = aten.neg.default(%w)
  # CHECK: %o : f32[2]{offset=2} = aten.slice.Tensor(%z, 0, 2, 4)
  %o : f32[2]{offset=2} = aten.slice.Tensor(%z, 0, 2, 4)
  return (%s, %r, %part, %m, %d, %n, %o)
}
