# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# RUN: fxcpp opt %s --input 'x=f32[2, 3]' --passes propagate_types,functionalize | FileCheck %s --check-prefix=TYPED
# Without types, it is unknown whether atleast_2d returns its operand itself, and unsqueeze_ changes both (1020001633).
graph(%x) {
  # CHECK: unsqueeze_ (aten.unsqueeze_.default) changes sizes or strides, and {{.*}}atleast_2d{{.*}} may or may not return its operand itself
  # TYPED: return (%[[U:.*]], %[[U]])
  %a = aten.clone.default(%x)
  %b = aten.atleast_2d.default(%a)
  %unsqueeze_ = aten.unsqueeze_.default(%b, 0)
  return (%a, %b)
}
