# RUN: fxcpp opt %s --passes 'split_for_backend{ops=aten.relu.default}' | FileCheck %s

# A nested graph moves with the call that uses it, and with the module members that the nested graph
# uses.
# CHECK:       graph(%p : b8[], %x : f32[3]) {
# CHECK:         call_module _run_on_acc_0(%x)
# CHECK:         call_module _run_on_cpu_1(
# CHECK-NOT:     get_attr
# CHECK-LABEL: graph @_run_on_acc_0(
# CHECK:         aten.relu.default
# CHECK-LABEL: graph @_run_on_cpu_1(
# CHECK:         graph @yes(%a : f32[3]) {
# CHECK-NEXT:      %sin : f32[3] = aten.sin.default(%a)
# CHECK:         graph @no(%a : f32[3]) {
# CHECK:         %[[YES:.*]] = get_attr yes
# CHECK:         %[[COND:.*]] = higher_order.cond(%p, %[[YES]], @no, [%{{.*}}])
graph(%p : b8[], %x : f32[3]) {
  graph @yes(%a : f32[3]) {
    %sin : f32[3] = aten.sin.default(%a)
    return [%sin]
  }
  graph @no(%a : f32[3]) {
    return [%a]
  }
  %relu : f32[3] = aten.relu.default(%x)
  %true_fn = get_attr yes
  %cond : [f32[3]] = higher_order.cond(%p, %true_fn, @no, [%relu])
  %getitem : f32[3] = operator.getitem(%cond, 0)
  return %getitem
}
