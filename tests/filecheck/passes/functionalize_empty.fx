# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# The type of an empty tensor does not determine the strides of a result, on which `view.dtype` depends: the value after
# a write is a copy that keeps the strides of the written tensor (1015161395).
graph(%x : f64[1, 1]) {
  # CHECK: %a : f64[0, 1]{offset=1} = aten.slice.Tensor(%x, 0, 1)
  %a : f64[0, 1]{offset=1} = aten.slice.Tensor(%x, 0, 1)
  # CHECK: %[[SUM:.*]] : f64[0, 1][1, 0] = aten.add.Tensor(%a, 1.5)
  # CHECK: %[[COPY:.*]] : f64[0, 1]{offset=1} = aten.copy.default(%a, %[[SUM]])
  %b : f64[0, 1]{offset=1} = aten.add_.Tensor(%a, 1.5)
  # CHECK: aten.view.dtype(%[[COPY]], torch.bfloat16)
  %c : bf16[0, 4]{offset=4} = aten.view.dtype(%a, torch.bfloat16)
  return %c
}
