# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
# A flatten of one dimension returns its operand, even if a view could not have its strides.
# CHECK:      graph(
# CHECK-NEXT:   %m : f64[1, 4, 4][1, 1, 4]{offset=3} = aten.alias.default(%y)
# `where` of a real tensor and a complex number converts the tensor, as in libtorch; the gradient is
# real.
# CHECK-NEXT:   %_to_copy : c128[2] = aten._to_copy.default(%x, dtype=torch.complex128)
# CHECK-NEXT:   %scalar_tensor : c128[] = aten.scalar_tensor.default(
# CHECK-NEXT:   %w : c128[2] = aten.where.self(%c, %_to_copy, %scalar_tensor)
# CHECK-NEXT:   return (%m, %w)
graph(%y : f64[1, 4, 4][1, 1, 4]{offset=3}, %c : b8[2], %x : f64[2]) {
  %m : f64[1, 4, 4][1, 1, 4]{offset=3} = aten.alias.default(%y)
  %f : f64[1, 4, 4][1, 1, 4]{offset=3} = aten.flatten.using_ints(%m, -1, -1)
  %w : c128[2] = aten.where.ScalarOther(%c, %x, complex(1.0, 2.0))
  return (%f, %w)
}
