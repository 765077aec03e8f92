# If the type of the merged product is unknown, so are the strides and the offsets of its parts
# (1008016964).
# RUN: fxcpp opt %s --passes merge_matmul | FileCheck %s
graph(%a : f64[4, 3][?], %x : f64[3, 1][?]) {
  # CHECK: %[[SPLIT:.*]] = aten.split_with_sizes.default(%{{.*}}, [4, 4])
  # CHECK: %[[SECOND:.*]] : f64[4, 1][?] = operator.getitem(%[[SPLIT]], 1)
  # CHECK: %e = aten.exp.default(%[[SECOND]])
  %p : f64[4, 1] = aten.matmul.default(%a, %x)
  %q : f64[4, 1] = aten.matmul.default(%a, %x)
  %d : f64[4, 1] = aten.exp.default(%p)
  %e : f64[4, 1] = aten.exp.default(%q)
  return (%d, %e)
}
