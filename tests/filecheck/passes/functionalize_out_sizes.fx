# An out= that has a different size than the result is resized, even if the type of the call is
# unknown: an input would keep its size (1003063198), and a copy of the result would broadcast.
# RUN: not fxcpp opt --passes functionalize %s 2>&1 | FileCheck %s
# RUN: sed 's/aten.add.out(%%y, %%y, out=%%x)/aten.split_copy.Tensor_out(%%z, 1, 0, out=[%%x, %%v])/' %s > %t.1 && not fxcpp opt --passes functionalize %t.1 2>&1 | FileCheck %s
# Where the sizes are equal, the write becomes a copy.
# RUN: sed 's/(%%y, %%y, out/(%%s, %%s, out/' %s > %t.3 && fxcpp opt --passes functionalize %t.3 | FileCheck --check-prefix=SAME %s
# CHECK: node add ({{.*}}) resizes x, which is a view, has views or is an input
# SAME: %[[A:.*]] : f32[4, 4] = aten.add.Tensor(%s, %s)
# SAME: aten.copy_.default(%x,
graph(%x : f32[4, 4][?], %y : f32[4], %z : f32[2, 4], %s : f32[4, 4], %v : f32[1, 4]) {
  %add = aten.add.out(%y, %y, out=%x)
  %neg = aten.neg.default(%x)
  return %neg
}
