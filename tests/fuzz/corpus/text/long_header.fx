graph(
    %weight : f32[4, 8]{grad} !{input={"kind": "parameter", "target": "fc.weight"}},
    %x : f32[2, 8],
) {
  %t = aten.t.default(%weight)
  %mm = aten.mm.default(%x, %t)
  return %mm
}
