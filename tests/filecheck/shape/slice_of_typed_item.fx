# The same for a file that has the type of the number, and a range for it.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# CHECK: aten.slice_scatter.default(%x, %{{.*}}, 0, %i
# CHECK-NOT: Min(
graph(%x : f32[3, 4], %t : i64[]) {
  %i : SymInt(u0) = aten.item.default(%t)
  %a : f32[u1, 4]{offset=12 - 4*u1} = aten.slice.Tensor(%x, 0, %i)
  %b : f32[u1, 4]{offset=12 - 4*u1} = aten.add_.Scalar(%a, 1)
  return %x
}
