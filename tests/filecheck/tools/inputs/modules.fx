graph(%w : f32[2] !{input={"kind": "parameter", "target": "layer1.0.conv1.weight"}},
      %x : f32[2], %t : f32[2]) {
  graph @body(%y : f32[2]) {
    %r : f32[2] = aten.relu.default(%y) !{module="gate.act"}
    return (%r,)
  }
  %m1 : f32[2] = aten.mul.Tensor(%x, %w) !{module="layer1.0.conv1", region="fw"}
  %n1 : f32[2] = aten.neg.default(%m1) !{module="layer1"}
  %m2 : f32[2] = aten.mul.Tensor(%n1, %w) !{module="layer2.0.conv2"}
  %n2 : f32[2] = aten.neg.default(%m2) !{module="layer2"}
  %l : f32[2] = aten.neg.default(%n2) !{module="layer10"}
  %f1 : f32[2] = aten.neg.default(%l) !{module="fc"}
  %f2 : f32[2] = aten.neg.default(%f1) !{module="fc"}
  %g : (f32[2],) = higher_order.invoke_subgraph(@body, "body", %f2) !{module="gate"}
  %out : f32[2] = operator.getitem(%g, 0)
  %d1 : f32[2] = aten.mul.Tensor(%t, %x) !{module="layer1.0.conv1", region="bw"}
  return (%out, %d1)
}
