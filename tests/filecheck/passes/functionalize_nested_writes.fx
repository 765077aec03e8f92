# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s

# CHECK: node lerp_ (aten.lerp_.Scalar) in a nested graph writes to b, which the enclosing graph owns: return the new value from the nested graph, and write it (aten.copy_) after the call of that graph
graph(%x : f32[3], %average : f32[3]) {
  graph @no_grad(%b : f32[3], %x : f32[3]) {
    %lerp_ : f32[3] = aten.lerp_.Scalar(%b, %x, 0.1)
    return (%lerp_,)
  }
  %call : (f32[3],) = higher_order.wrap_with_set_grad_enabled(False, @no_grad, %average, %x)
  %new : f32[3] = operator.getitem(%call, 0)
  return %new
}
