# RUN: fxcpp opt %s --passes decompose,propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
# A complex input may be a lazy view, so that the inferred type of the call does not state strides.
# The replacement must have the strides of the recorded type (1000987851).
# CHECK: %a : c64[1, 2, 2] = aten.clone.default(%{{.*}}, memory_format=torch.contiguous_format)
graph(%x : f32[1, 2], %y : c64[1, 2, 1][2, 0, 4]{offset=2}, %g : i64[2]) {
  %a : c64[1, 2, 2] = aten.addcmul.default(%g, %y, %x, value=-1.0)
  return (%a,)
}
