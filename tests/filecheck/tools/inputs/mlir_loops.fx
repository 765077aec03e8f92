graph @loops(%x : f32[2], %flag : b8[], %n : i64[]) {
  graph @yes(%x : f32[2]) {
    %sin : f32[2] = aten.sin.default(%x)
    return [%sin]
  }
  graph @no(%x : f32[2]) {
    return [%x]
  }
  graph @test(%i : i64[], %v : f32[2]) {
    %gt : b8[] = aten.gt.Scalar(%i, 0)
    return %gt
  }
  graph @step(%i : i64[], %v : f32[2]) {
    %sub : i64[] = aten.sub.Tensor(%i, 1)
    %cos : f32[2] = aten.cos.default(%v)
    return [%sub, %cos]
  }
  %yes = get_attr yes
  %no = get_attr no
  %cond : [f32[2]] = higher_order.cond(%flag, %yes, %no, [%x])
  %chosen : f32[2] = operator.getitem(%cond, 0)
  %test = get_attr test
  %step = get_attr step
  %loop : [i64[], f32[2]] = higher_order.while_loop(%test, %step, [%n, %chosen], [])
  %result : f32[2] = operator.getitem(%loop, 1)
  return %result
}
