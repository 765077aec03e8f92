graph @net(%x : f32[2]) {
  !kind = "joint"
  !symbols = {"s0": {"min": 2}}
  %sin : f32[2] = aten.sin.default(%x) !{module="layer1.act", stack_trace="File \"m.py\", line 3", seq=1}
  return %sin !{outputs=[{"kind": "user"}]}
}
