# The real parts and the imaginary parts of a tensor are different elements: a call may read one and
# write to the other. Two slices of one part may not be.
# RUN: fxcpp opt %s --passes functionalize -o - | FileCheck %s
# RUN: not fxcpp opt %S/inputs/complex_parts_overlap.fx --passes functionalize -o - 2>&1 | FileCheck %s --check-prefix=OVERLAP
# CHECK: [[SUM:%[a-z_]+]] : {{.*}} = aten.add.Tensor(%im, %re)
# CHECK: aten.select_scatter.default({{.*}}, [[SUM]], -1, 1)
# OVERLAP: may have elements in common
graph(%w : c64[3]) {
  %v : c64[3] = aten.clone.default(%w)
  %im : f32[3][2]{offset=1} = aten.imag.default(%v)
  %re : f32[3][2] = aten.real.default(%v)
  %r : f32[3][2]{offset=1} = aten.add_.Tensor(%im, %re)
  return %v
}
