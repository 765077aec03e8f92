# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# After a change in place, the result of the call is used, which is the same tensor.
# CHECK-LABEL: graph @in_place(
# CHECK-NEXT: %c : f32[3, 4] = aten.clone.default(%x)
# CHECK-NEXT: %[[T:.*]] : f32[4, 3][1, 4] = aten.t_.default(%c)
# CHECK-NEXT: %[[Y:.*]] : f32[3] = aten.sum.dim_IntList(%[[T]], [0])
# CHECK-NEXT: %[[U:.*]] : f32[1, 4, 3]{{.*}} = aten.unsqueeze_.default(%[[T]], 0)
# CHECK-NEXT: return (4, (4, 3), %[[Y]], (1, 4, 3), 3)
graph @in_place(%x : f32[3, 4]) {
  %c = aten.clone.default(%x)
  %u = call_method t_(%c)
  %n = call_method size(%c, 0)
  %k = call_method size(%c)
  %y = call_method sum(%c, 0)
  %v = call_method unsqueeze_(%u, 0)
  %m = call_method size(%c)
  %d = call_method dim(%c)
  return (%n, %k, %y, %m, %d)
}
