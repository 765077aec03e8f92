# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes decompose,decompose | FileCheck %s
# Nested graphs are decomposed first. atleast_2d of an input of unknown type may return the input, and
# transpose_ would then change its sizes; unsqueeze creates a tensor (1034021779).
graph(%x : tensor[6], %y : f32[3, 2]) {
  graph @body(%a : i64[6], %b : f32[3, 2]) {
    # CHECK: %m : i64[1, 6] = aten.unsqueeze.default(%a, 0)
    %m = aten.atleast_2d.default(%a)
    %t : i64[6, 1][1, 6] = aten.transpose_.default(%m, 0, -1)
    %d : f32[3, 2] = aten.mul.Tensor(%b, 2)
    return [%d]
  }
  %w : (f32[3, 2],) = higher_order.wrap(@body, %x, %y)
  # CHECK: aten.sum.dim_IntList(%y, [])
  %s : f32[] = aten.sum.default(%y)
  return (%w, %s)
}
