graph(%p : b8[], %x : f32[2]) {
  graph @then(%x : f32[2]) {
    %sin : f32[2] = aten.sin.default(%x)
    return (%sin,)
  }
  graph @else(%x : f32[2]) {
    return (%x,)
  }
  %cond : (f32[2],) = higher_order.cond(%p, @then, @else, (%x,))
  %getitem : f32[2] = operator.getitem(%cond, 0)
  return %getitem
}
