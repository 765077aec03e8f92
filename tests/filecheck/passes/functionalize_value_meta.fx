# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# A new node inherits the position of the call in the program. It inherits the metadata of the
# value, such as tensor_meta, only if its value has the same type.

# CHECK: %fill : f32[4] = aten.fill.Scalar(%select, 2.0) !{tensor_meta=type(f32[4]), stack_trace="line 1"}
# CHECK: %select_scatter : f32[3, 4] = aten.select_scatter.default(%x, %fill, 0, 0) !{stack_trace="line 0"}
# CHECK: %mul : f32[3, 4] = aten.mul.Tensor(%select_scatter, 1) !{tensor_meta=type(f32[3, 4]), stack_trace="line 2"}
# CHECK: %view_as_complex : c64[6] = aten.view_as_complex.default(%view) !{tensor_meta=type(c64[6])}
# CHECK: %mul_1 : c64[6] = aten.mul.Tensor(%view_as_complex, 2) !{tensor_meta=type(c64[6])}
# CHECK-NEXT: %view_as_real : f32[6, 2] = aten.view_as_real.default(%mul_1){{$}}
# CHECK-NEXT: %view_1 : f32[3, 4] = aten.view.default(%view_as_real, [3, 4]){{$}}
graph(%x : f32[3, 4], %y : f32[3, 4]) {
  %select : f32[4] = aten.select.int(%x, 0, 0) !{tensor_meta=type(f32[4]), stack_trace="line 0"}
  %fill_ : f32[4] = aten.fill_.Scalar(%select, 2.0) !{stack_trace="line 1", tensor_meta=type(f32[4])}
  %mul : f32[3, 4] = aten.mul.Tensor(%x, 1) !{stack_trace="line 2", tensor_meta=type(f32[3, 4])}
  %c : f32[3, 4] = aten.clone.default(%y)
  %view : f32[6, 2] = aten.view.default(%c, [6, 2])
  %view_as_complex : c64[6] = aten.view_as_complex.default(%view) !{tensor_meta=type(c64[6])}
  %w : c64[6] = aten.mul_.Tensor(%view_as_complex, 2) !{tensor_meta=type(c64[6])}
  return (%mul, %c)
}
