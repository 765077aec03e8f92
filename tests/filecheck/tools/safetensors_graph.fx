# Commands that need only a graph read it from a .safetensors file, which other commands write.
# RUN: fxcpp opt %s --passes 'partition{ops="aten.neg.default aten.relu.default"}' -o %t.safetensors
# RUN: fxcpp print %t.safetensors | FileCheck %s
# RUN: fxcpp verify %t.safetensors
# RUN: fxcpp diff %t.safetensors %t.safetensors
# CHECK: %fused_0 : f32[2] = call_module fused_0(%x)
graph(%x : f32[2]) {
  %n : f32[2] = aten.neg.default(%x)
  %r : f32[2] = aten.relu.default(%n)
  %m : f32[2] = aten.mul.Tensor(%r, 2)
  return %m
}
