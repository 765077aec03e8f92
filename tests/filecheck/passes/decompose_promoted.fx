# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all}' | FileCheck %s
# Kernels convert operands to the dtype of the result before they compute in a wider dtype, so an
# integer may become infinite (1075062853), and a float is rounded.
# CHECK-LABEL: graph(
# CHECK: %[[HALF:.*]] : f16[4] = aten._to_copy.default(%i, dtype=torch.float16)
# CHECK-NEXT: %[[WIDE:.*]] : f32[4] = aten._to_copy.default(%[[HALF]], dtype=torch.float32)
# CHECK: %a : f16[4] = aten._to_copy.default(
# CHECK: %[[HALF:.*]] : f16[4] = aten._to_copy.default(%i, dtype=torch.float16)
# CHECK-NEXT: %[[WIDE:.*]] : f32[4] = aten._to_copy.default(%[[HALF]], dtype=torch.float32)
# CHECK: %b : f16[4] = aten._to_copy.default(
# CHECK: %[[SHORT:.*]] : bf16[4] = aten._to_copy.default(%y, dtype=torch.bfloat16)
# CHECK-NEXT: %[[WIDE:.*]] : f32[4] = aten._to_copy.default(%[[SHORT]], dtype=torch.float32)
# CHECK: %c : bf16[] = aten._to_copy.default(
graph(%x : f16[4], %i : i64[4], %y : f32[4]) {
  %a = aten.addcmul.default(%x, %i, %x)
  %b = aten.xlogy.Tensor(%x, %i)
  %c = aten.mean.dim(%y, [0], dtype=torch.bfloat16)
  return (%a, %b, %c)
}
