# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# faults/50-instance-norm: normalizations without running statistics write nothing. They do not
# change, and their results are separate tensors. Calls that write statistics become functional.

# CHECK-LABEL: graph @statistics(
# CHECK-NEXT: %a : f32[2, 4, 3] = aten.instance_norm.default(%x, None, None, None, None, True, 0.1, 1e-05, True)
# CHECK-NEXT: %b : f32[2, 4, 3] = aten.instance_norm.default(input=%x, weight=%k,
# CHECK-NEXT: %c : f32[2, 4, 3] = aten.instance_norm.default(%x, %k, %k, %m, %v, False, 0.1, 1e-05, True)
# CHECK-NEXT: %d : f32[2, 4, 3] = aten.batch_norm.default(%x, %k, %k, None, None, True, 0.1, 1e-05, True)
# CHECK-NEXT: %add : f32[2, 4, 3] = aten.add.Tensor(%x, 1)
# CHECK-NEXT: {{.*}} = aten.copy_.default(%x, %add)
# CHECK-NEXT: return (%a, %b, %c, %d)
graph @statistics(%x : f32[2, 4, 3], %k : f32[4], %m : f32[4], %v : f32[4]) {
  %a = aten.instance_norm.default(%x, None, None, None, None, True, 0.1, 1e-05, True)
  %b = aten.instance_norm.default(input=%x, weight=%k, bias=None, running_mean=None, running_var=None, use_input_stats=True, momentum=0.1, eps=1e-05, cudnn_enabled=True)
  %c = aten.instance_norm.default(%x, %k, %k, %m, %v, False, 0.1, 1e-05, True)
  %d = aten.batch_norm.default(%x, %k, %k, None, None, True, 0.1, 1e-05, True)
  %w = aten.add_.Tensor(%x, 1)
  return (%a, %b, %c, %d)
}
