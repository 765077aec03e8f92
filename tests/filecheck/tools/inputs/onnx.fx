graph @net(%x : f32[s0, 4], %w : f32[3, 4] !{input={"kind": "parameter", "target": "fc.weight"}}) {
  %linear : f32[s0, 3] = aten.linear.default(%x, %w) !{module="fc"}
  %relu : f32[s0, 3] = aten.relu.default(%linear)
  return %relu
}
