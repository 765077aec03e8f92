# A complex number without an imaginary part is converted to the dtype of the result: integers are not
# multiplied in floating point, which rounds large ones (1008218969).
# RUN: fxcpp opt %s --passes 'decompose{ops="aten.addcmul.default"}' | FileCheck %s
graph(%x : i32[4], %y : u8[4], %z : f32[4]) {
  # CHECK: %[[M:.*]] : i32[4] = aten.mul.Tensor(
  # CHECK: aten.add.Tensor(%x, %[[M]])
  %a : i32[4] = aten.addcmul.default(%x, %y, %y, value=complex(1.0, 0.0))
  # CHECK: aten.mul.Tensor(%{{.*}}, 3)
  %b : i32[4] = aten.addcmul.default(%x, %y, %y, value=complex(3.0, 0.0))
  # CHECK: aten.mul.Tensor(%z, 2.5)
  %c : f32[4] = aten.addcmul.default(%z, %z, %z, value=complex(2.5, 0.0))
  return [%a, %b, %c]
}
