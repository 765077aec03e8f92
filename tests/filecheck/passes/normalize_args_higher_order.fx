# Higher-order operators are functions of Python without a schema. Some, such as while_loop, do not accept
# keywords.
# RUN: fxcpp opt %s --passes 'normalize_args{only_kwargs=true}' | FileCheck %s
graph(%n : i64[], %x : f32[2]) {
  graph @test(%i : i64[], %a : f32[2]) {
    # CHECK: %gt : b8[] = aten.gt.Scalar(self=%i, other=0)
    %gt : b8[] = aten.gt.Scalar(%i, 0)
    return %gt
  }
  graph @body(%i : i64[], %a : f32[2]) {
    %sub : i64[] = aten.sub.Tensor(%i, 1)
    %sin : f32[2] = aten.sin.default(%a)
    return (%sub, %sin)
  }
  # CHECK: higher_order.while_loop(%test, %body, (%n, %x), ())
  %test = get_attr test
  %body = get_attr body
  %while_loop : (i64[], f32[2]) = higher_order.while_loop(%test, %body, (%n, %x), ())
  return %while_loop
}
