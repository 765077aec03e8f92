graph @calls(
    %x : f32[4, 6],
    %w : f32[6] !{input={"kind": "parameter", "target": "fc.weight"}},
) {
  %topk : (f32[4, 2], i64[4, 2]) = aten.topk.default(%x, 2) !{module="head", stack_trace="  File \"main.py\", line 3, in run\n    net(x)\n  File \"net.py\", line 12, in forward\n    return x.topk(2)"}
  %values : f32[4, 2] = operator.getitem(%topk, 0)
  %split : [f32[2, 6], f32[2, 6]] = aten.split.Tensor(%x, 2)
  %first : f32[2, 6] = operator.getitem(%split, 0)
  %second : f32[2, 6] = operator.getitem(%split, -1)
  %add : f32[2, 6] = aten.add.Tensor(%first, %second)
  %indices : i64[4, 2] = operator.getitem(%topk, 1)
  %row : i64[2] = aten.select.int(%indices, 0, 0)
  %index : f32[4, 2] = aten.index.Tensor(%x, [None, %row])
  %angle : f32[4, 6] = aten.angle.default(%x)
  %same : bool = aten.equal.default(%x, %x) !{guard=True}
  %keep : f32[4, 1] = aten.sum.dim_IntList(%x, [1], True)
  %squeeze : f32[4] = aten.squeeze.dims(%keep, [0, 1])
  return [%values, None, %add]
}
