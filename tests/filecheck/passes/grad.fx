# RUN: fxcpp grad %s | FileCheck %s
# RUN: fxcpp grad %s --wrt w --style aten | FileCheck %s --check-prefix=ATEN
# RUN: fxcpp grad %s --joint --style aten | FileCheck %s --check-prefix=JOINT
# RUN: fxcpp grad %s --mode forward --wrt x | FileCheck %s --check-prefix=FORWARD
# RUN: fxcpp grad %s --vjp --of relu | FileCheck %s --check-prefix=OF
# RUN: not fxcpp grad %s --wrt z 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: not fxcpp grad %s --of mm 2>&1 | FileCheck %s --check-prefix=SCALAR
# RUN: not fxcpp grad %s --joint --vjp 2>&1 | FileCheck %s --check-prefix=ONE
# RUN: fxcpp grad %s | fxcpp verify -

# A relu network: the gradients of both inputs, without products with ones.
# CHECK-LABEL: graph(%x : f32[4, 3], %w : f32[3, 2]) {
# CHECK-NOT: aten.mul
# CHECK-NOT: threshold_backward
# CHECK: aten.gt.Scalar(%relu, 0)
# CHECK-NEXT: aten.where.ScalarOther
# CHECK: return (

# ATEN-LABEL: graph(
# ATEN: aten.threshold_backward.default(%{{.*}}, %relu, 0)
# One product in the forward pass, and one for %w.
# ATEN-NEXT: aten.t.default(%x)
# ATEN-NEXT: aten.mm.default
# ATEN-NEXT: return (%mm_1,)

# JOINT-LABEL: graph(
# JOINT: %primals_1 : f32[4, 3] !{input=
# JOINT: %primals_2 : f32[3, 2] !{input=
# JOINT: %tangents_1 : f32[] !{input={"kind": "tangent"
# JOINT: return [%sum, %mm_1, %mm_2]

# FORWARD-LABEL: graph(%x : f32[4, 3], %w : f32[3, 2], %tangents_1 : f32[4, 3])
# FORWARD: aten.mm.default(%tangents_1, %w)
# FORWARD: return (%sum, (%sum_1,))

# OF-LABEL: graph(%x : f32[4, 3], %w : f32[3, 2], %tangents_1 : f32[4, 2])
# OF-NOT: aten.sum
# OF: return (%relu, (

# NAME: the graph has no input z
# SCALAR: grad requires one real result with one element, but the graph returns f32[4, 2]
# ONE: excludes
graph(%x : f32[4, 3], %w : f32[3, 2]) {
  %mm : f32[4, 2] = aten.mm.default(%x, %w)
  %relu : f32[4, 2] = aten.relu.default(%mm)
  %sum : f32[] = aten.sum.default(%relu)
  return %sum
}
