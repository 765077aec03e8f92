# RUN: rm -rf %t && fxcpp partition %s --joint default -o %t.default | FileCheck %s --check-prefix=DEFAULT
# RUN: fxcpp partition %s --joint min-cut -o %t.cut | FileCheck %s --check-prefix=CUT
# RUN: FileCheck %s --check-prefix=FORWARD < %t.cut/forward.fx
# RUN: FileCheck %s --check-prefix=BACKWARD < %t.cut/backward.fx
# RUN: fxcpp partition %s --budget 0.0 | FileCheck %s --check-prefix=LEAST
# RUN: fxcpp verify %t.cut/forward.fx && fxcpp verify %t.cut/backward.fx
# RUN: not fxcpp partition %s --joint default --budget 0.5 2>&1 | FileCheck %s --check-prefix=METHOD
# RUN: not fxcpp partition %s --budget half 2>&1 | FileCheck %s --check-prefix=BUDGET
# RUN: not fxcpp partition %s --save encoder 2>&1 | FileCheck %s --check-prefix=NAME

# DEFAULT: saved {{.*}} 3.25 KiB computed bytes
# DEFAULT: recomputed 0 calls
# The mask is random, so it is saved and not drawn again. %sin and %exp are recomputed.
# CUT: getitem_1 {{.*}} random
# CUT: default    saves 3.25 KiB
# CUT: at least   1.25 KiB
# FORWARD: aten.native_dropout.default
# FORWARD: return [%mul,
# BACKWARD-NOT: native_dropout
# BACKWARD: aten.sin.default
# LEAST: saved {{.*}} 1.25 KiB computed bytes
# LEAST: less than the minimum: saves the minimum
# METHOD: fxcpp partition: a budget requires the min-cut method
# BUDGET: --budget half: expected a fraction with a decimal point, as in 0.5, or bytes
# NAME: no node or module 'encoder' is in the forward part of the graph

# parity: B7 B8
graph(%primals_1 : f32[16, 16], %tangents_1 : f32[16, 16]) {
  %exp : f32[16, 16] = aten.exp.default(%primals_1)
  %drop : (f32[16, 16], b8[16, 16]) = aten.native_dropout.default(%exp, 0.5, True)
  %getitem : f32[16, 16] = operator.getitem(%drop, 0)
  %getitem_1 : b8[16, 16] = operator.getitem(%drop, 1)
  %mm : f32[16, 16] = aten.mm.default(%getitem, %primals_1)
  %sin : f32[16, 16] = aten.sin.default(%mm)
  %mul : f32[16, 16] = aten.mul.Tensor(%sin, %mm)
  %mul_1 : f32[16, 16] = aten.mul.Tensor(%tangents_1, %sin)
  %mul_2 : f32[16, 16] = aten.mul.Tensor(%mul_1, %mm)
  %mul_3 : f32[16, 16] = aten.mul.Tensor(%mul_2, %getitem_1)
  %mul_4 : f32[16, 16] = aten.mul.Tensor(%mul_3, %exp)
  return (%mul, (%mul_4,))
}
