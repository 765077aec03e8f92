# parity: P9 P10 P11
# RUN: fxcpp opt %s --passes 'split_for_backend{ops="aten.relu.default aten.neg.default aten.sym_size.int aten.expand.default aten.split.Tensor operator.getitem"}' | FileCheck %s
# RUN: fxcpp opt %s --passes 'split_for_backend{ops="aten.relu.default aten.neg.default",min_calls=2}' | FileCheck %s --check-prefix=LEAST
# RUN: not fxcpp opt %s --passes 'split_for_backend{ops="aten.relu.default",max_parts=1}' 2>&1 | FileCheck %s --check-prefix=MANY

# MANY: the graph has 2 parts, more than 1; raise max_parts or min_backend_calls

graph(%x : f32[s0, 3], %w : f32[3]) {
  # Calls that pass only tensors to each other may be on different sides.
  # CHECK: %_run_on_acc_0{{.*}} = call_module _run_on_acc_0(%x, %w)
  # CHECK: %_run_on_cpu_1{{.*}} = call_module _run_on_cpu_1(
  # CHECK: %_run_on_acc_2{{.*}} = call_module _run_on_acc_2(
  # CHECK-LABEL: graph @_run_on_acc_0
  # CHECK: aten.relu.default
  # CHECK: aten.sym_size.int
  # CHECK: aten.expand.default
  # CHECK-LABEL: graph @_run_on_cpu_1
  # CHECK: aten.tanh.default
  # A host call uses the number `%count`, so it and its users stay on the host.
  # CHECK: aten.sym_size.int
  # CHECK: user.function
  # CHECK-LABEL: graph @_run_on_acc_2
  # CHECK: aten.neg.default
  # LEAST: %_run_on_cpu_0{{.*}} = call_module _run_on_cpu_0(%x, %w)
  # LEAST-NOT: _run_on_acc
  %relu : f32[s0, 3] = aten.relu.default(%x)
  %size : SymInt(s0) = aten.sym_size.int(%relu, 0)
  %expand : f32[s0, 3][0, 1] = aten.expand.default(%w, [%size, 3])
  %tanh : f32[s0, 3] = aten.tanh.default(%relu)
  %count : SymInt(s0) = aten.sym_size.int(%tanh, 0)
  %host : f32[s0, 3] = user.function(%tanh, %count)
  %neg : f32[s0, 3] = aten.neg.default(%host)
  return (%neg, %expand)
}
