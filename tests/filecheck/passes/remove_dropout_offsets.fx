# RUN: fxcpp opt %s --passes propagate_types,remove_dropout | FileCheck %s
# The result of native_dropout is at the start of a new storage, and has no gaps. Calls that depend
# on this must not use an operand that is a part of other memory.
graph(%x : f32[4, 2], %y : f32[2]) {
  %part : f32[2]{offset=2} = aten.select.int(%x, 0, 1)
  # CHECK: %[[COPY:.*]] : f32[2] = aten.clone.default(%part)
  # CHECK: %s : f32[1] = aten.as_strided_copy.default(%[[COPY]], [1], [1], 0)
  %d = aten.native_dropout.default(%part, 0.5, False)
  %g = operator.getitem(%d, 0)
  %s = aten.as_strided_copy.default(%g, [1], [1], 0)
  # CHECK: %n : f32[2] = aten.neg.default(%y)
  %e = aten.native_dropout.default(%y, 0.5, False)
  %h = operator.getitem(%e, 0)
  %n = aten.neg.default(%h)
  return (%s, %n)
}
