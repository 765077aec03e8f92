graph(%x : f32[8, 4]) {
  %a : f32[8, 4] = aten.relu.default(%x)
  %t : f32[4, 8][1, 4] = aten.t.default(%a)
  %top : (f32[4, 2], i64[4, 2]) = aten.topk.default(%t, 2)
  %index : i64[4, 2] = operator.getitem(%top, 1)
  %result : i64[4, 2] = aten.neg.default(%index)
  return %result
}
