# RUN: fxcpp opt %s --passes 'split_for_backend{ops="aten.sym_size.int aten.expand.default"}' | FileCheck %s

# The users of %na are one group, and the users of %nb are another. Each group uses the other,
# although no path leads from a group back to itself. Neither group can run first, so they are
# merged.
# CHECK: %_run_on_acc_0{{.*}} = call_module _run_on_acc_0(%x, %y)
# CHECK: %_run_on_cpu_1{{.*}} = call_module _run_on_cpu_1(
# CHECK-NOT: call_module
# CHECK-LABEL: graph @_run_on_acc_0
# CHECK-COUNT-4: aten.expand.default
graph(%x : f32[s0, 3], %y : f32[s0, 3]) {
  %na : SymInt(s0) = aten.sym_size.int(%x, 0)
  %nb : SymInt(s0) = aten.sym_size.int(%y, 0)
  %a1 : f32[s0, 3] = aten.expand.default(%x, [%na, 3])
  %b1 : f32[s0, 3] = aten.expand.default(%y, [%nb, 3])
  %a2 : f32[s0, 3] = aten.expand.default(%b1, [%na, 3])
  %b2 : f32[s0, 3] = aten.expand.default(%a1, [%nb, 3])
  %host : f32[s0, 3] = aten.tanh.default(%b2)
  return (%a2, %host)
}
