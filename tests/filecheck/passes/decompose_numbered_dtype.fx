# TorchScript graphs contain PyTorch's numbers of dtypes and memory formats: 6 is float32, 1 is
# preserve_format. Other numbers are rejected.
# RUN: fxcpp opt %s --passes 'decompose{set=all}' | FileCheck %s
# CHECK-LABEL: graph(
# CHECK: aten._to_copy.default(%x, dtype=torch.float32)
# CHECK: aten.sum.dim_IntList(%x, [], False, dtype=torch.float64)
# CHECK: %c : f16[2, 3] = aten.contiguous.default(%x, memory_format=99)
graph(%x : f16[2, 3]) {
  %a : f32[2, 3] = aten.softmax.int(%x, -1, 6)
  %b : f64[] = aten.sum.default(%x, dtype=7)
  %c : f16[2, 3] = aten.contiguous.default(%x, memory_format=99)
  return (%a, %b, %c)
}
