# Splitting keeps the calling convention: targets, `*args`, `**kwargs` and defaults of inputs.
# RUN: fxcpp opt %s --passes split_module | FileCheck %s
# RUN: fxcpp opt %s --passes 'split_module{keep_names=false}' | FileCheck %s --check-prefix=TARGETS
# RUN: fxcpp opt %s --passes 'split_for_backend{ops="aten.relu.default"}' | FileCheck %s
# RUN: fxcpp opt %s --passes 'split_for_backend{ops="aten.relu.default operator.mul"}' | FileCheck %s
# RUN: fxcpp opt %s --passes 'partition{ops="aten.relu.default operator.mul"}' | FileCheck %s
# RUN: fxcpp opt %s --passes 'split_module' -o %t.json
# RUN: fxcpp opt %t.json --passes inline_calls | FileCheck %s
# TARGETS: graph(%x : f32[2], %input_1[input], %_args[*args], %_kw[**kw], %opt = 3) {
# CHECK: graph(%x : f32[2], %input_1[input], %args[*args], %kw[**kw], %opt = 3) {
graph(%x : f32[2], %input_1[input], %args[*args], %kw[**kw], %opt = 3) {
  %k = operator.getitem(%kw, "scale")
  %r = aten.relu.default(%x)
  %z = operator.mul(%r, %k)
  %s = operator.mul(%z, %input_1)
  %q = operator.add(%s, %opt)
  return %q
}
