# An item of a slice of a list that is written in the call is the tensor in the list: after unsqueeze_,
# its type is unknown.
# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# CHECK: %[[LAST:.*]] : f32[2, 4]{offset=16} = aten.select.int(%x, 0, 2)
# CHECK: aten.unsqueeze_.default
# CHECK: %n = aten.narrow.default(%[[LAST]], 0, 0, 1)
graph(%x : f32[3, 2, 4]) {
  %l = aten.unbind.int(%x, 0)
  %s = operator.getitem(%l, slice(2, None, None))
  %a = operator.getitem(%s, 0)
  %b = operator.getitem(%l, 2)
  %c = aten.unsqueeze_.default(%a, 0)
  %n = aten.narrow.default(%b, 0, 0, 1)
  return (%n, %b)
}
