# RUN: fxcpp opt %s --passes 'split_for_backend{ops=aten.neg.default}' --check-changed | FileCheck %s
# After add.out has changed the sizes of %o, its recorded type no longer shows that %l and %p are the
# same tensor. unsqueeze_ changes all of them, so the type of a result is unknown (1034096990).
# CHECK: %_run_on_cpu_1 = call_module _run_on_cpu_1(%x, %_run_on_acc_0)
# CHECK-NEXT: return (%_run_on_acc_0, %_run_on_cpu_1)
graph(%x : f32[3, 2], %y : f32[4]) {
  %o : f32[4] = aten.neg.default(%y)
  %w : f32[3, 2] = aten.add.out(%x, %x, out=%o)
  %l : f32[3, 2] = aten.lift_fresh.default(%o)
  %p : f32[3, 2] = aten.positive.default(%o)
  %u : f32[1, 3, 2] = aten.unsqueeze_.default(%p, 0)
  return (%o, %l)
}
