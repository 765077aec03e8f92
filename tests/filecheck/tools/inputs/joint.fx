fx 1
graph @tiny(
    %w : f32[4, 4] !{input={"kind": "parameter", "target": "fc.weight"}},
    %x : f32[6, 4] !{input={"kind": "user_input"}},
    %t : f32[] !{input={"kind": "tangent"}},
) {
  %tw : f32[4, 4][1, 4] = aten.t.default(%w) !{region="fw", module="fc"}
  %mm : f32[6, 4] = aten.mm.default(%x, %tw) !{region="fw", module="fc"}
  %relu : f32[6, 4] = aten.relu.default(%mm) !{region="fw", module="fc"}
  %sum : f32[] = aten.sum.default(%relu) !{region="fw"}
  %expand : f32[6, 4][0, 0] = aten.expand.default(%t, [6, 4]) !{region="bw"}
  %masked : f32[6, 4] = aten.threshold_backward.default(%expand, %relu, 0) !{region="bw", module="fc"}
  %mt : f32[4, 6][1, 4] = aten.t.default(%masked) !{region="bw", module="fc"}
  %dw : f32[4, 4] = aten.mm.default(%mt, %x) !{region="bw", module="fc"}
  return (%sum, %dw) !{outputs=[{"kind": "output", "index": 0}, {"kind": "gradient", "of": {"kind": "parameter", "target": "fc.weight"}}]}
}
