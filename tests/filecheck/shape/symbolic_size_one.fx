# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# A symbolic size that is known to be 1 is broadcast: its stride does not determine that of the result (27001313).
graph(%x : f32[3, n + 1, n], %y : f64[n, 2*n]) {
  # CHECK: %d : f32[n, Min(1, n + 1)][1, n**2 + 2*n]{{.*}} = aten.diagonal.default
  %d = aten.diagonal.default(%x, -2)
  %s = aten.select.int(%y, -2, 2)
  # CHECK: %a : f64[n, 2*n] = aten.add.Tensor(%s, %d)
  %a = aten.add.Tensor(%s, %d)
  return %a
}
