# RUN: fxcpp opt %s --passes decompose | FileCheck %s
# A call is not decomposed if that requires the rank of an operand and the rank is unknown.
graph(%s : f32[], %x : f32[*], %y : f32[2, 1]) {
  # CHECK: %a = aten.expand_as.default(%s, %x)
  %a = aten.expand_as.default(%s, %x)
  # CHECK: %b = aten.squeeze.default(%x)
  %b = aten.squeeze.default(%x)
  # CHECK: %c : f32[2] = aten.squeeze.dims(%y, [0, 1])
  %c : f32[2] = aten.squeeze.default(%y)
  return (%a, %b, %c)
}
