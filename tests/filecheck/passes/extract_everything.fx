# RUN: fxcpp opt %s --passes 'extract_subgraph{inputs="x y",outputs="b"}' --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'extract_subgraph{inputs="y x",outputs="b"}' --check-changed | FileCheck %s --check-prefix=ORDER
# RUN: fxcpp opt %s --passes 'extract_subgraph{inputs="x y",outputs="a"}' --check-changed | FileCheck %s --check-prefix=PART
# RUN: fxcpp opt %s --passes 'extract_subgraph{inputs="a",outputs="b"}' --check-changed | FileCheck %s --check-prefix=INNER
# Extracting the whole graph changes nothing. Different inputs, a different order of inputs, or
# different results change it.

# CHECK: graph(%x : f32[2], %y : f32[2]) {
# ORDER: graph(%y : f32[2], %x : f32[2]) {
# PART: return %a
# INNER: graph(%a : f32[2]) {
graph(%x : f32[2], %y : f32[2]) {
  %a : f32[2] = aten.add.Tensor(%x, %y)
  %b : f32[2] = aten.neg.default(%a)
  return %b
}
