# RUN: not fxcpp opt %s --passes 'extract_subgraph{inputs="p t",outputs="b"}' 2>&1 | FileCheck %s
# RUN: fxcpp opt %s --passes 'extract_subgraph{inputs="p t",outputs="b c"}' | FileCheck %s --check-prefix=OUT
# A random call that writes to a tensor: not only the call's users read the numbers.

# CHECK: %d draws random numbers, but %a, outside the subgraph, uses %v; make %v an input or an output of the subgraph
# OUT: %d = call_method bernoulli_(%c, 0.5)
# OUT: return [%b, %c]
graph(%p : f32[4, 6], %t : f32[4, 6]) {
  %c = aten.clone.default(%p)
  %v = aten.view.default(%c, [24])
  %d = call_method bernoulli_(%c, 0.5)
  %a = aten.neg.default(%v)
  %b = aten.mul.Tensor(%d, %t)
  return (%a, %b)
}
