# RUN: fxcpp vmap %s --size 5 --no-loop | FileCheck %s
# RUN: sed 's/, dtype=torch.float32)/, [3, 1])/' %s > %t.fx
# RUN: not fxcpp vmap %t.fx --size 5 --no-loop 2>&1 | FileCheck %s --check-prefix=STRIDES
# Checks of metadata apply to the batch. The strides of the batch differ from those of an example.

# CHECK: graph(%x : f32[5, 4, 3]
# STRIDES: aten._assert_tensor_metadata.default (%b): its batching rule: it checks strides
graph(%x : f32[4, 3]) {
  # CHECK: aten._assert_tensor_metadata.default(%x, None, None, torch.float32)
  %a = aten._assert_tensor_metadata.default(%x, None, None, torch.float32)
  # CHECK-NEXT: aten._assert_tensor_metadata.default(%x, [5, 4, 3], dtype=torch.float32)
  %b = aten._assert_tensor_metadata.default(%x, [4, 3], dtype=torch.float32)
  # CHECK-NEXT: : f64[5, 4, 3] = aten._to_copy.default(%x, dtype=torch.float64)
  %y = aten._to_copy.default(%x, dtype=torch.float64)
  return %y
}
