# RUN: fxcpp grad %s | FileCheck %s
# RUN: fxcpp grad %s --mode forward | FileCheck %s --check-prefix=FORWARD
# RUN: fxcpp grad %s -o %t.fx && fxcpp grad %t.fx --vjp --wrt x | FileCheck %s --check-prefix=AGAIN
# RUN: fxcpp opt %s --passes propagate_types,functionalize | FileCheck %s --check-prefix=FUNCTIONAL

# Autograd ignores a write through detach: %c has the new value, and the derivative of the old one.
# CHECK: %[[NEW:.*]] : f32[3] = aten.mul.Tensor(%d, %y)
# CHECK-NEXT: %[[COPY:.*]] : f32[3] = aten.clone.default(%c)
# CHECK-NEXT: %[[DETACH:.*]] : f32[3] = aten.detach.default(%[[COPY]])
# CHECK-NEXT: aten.copy_.default(%[[DETACH]], %[[NEW]])
# CHECK-NEXT: aten.mul.Tensor(%[[COPY]], %[[COPY]])
# The new value of %r is not read: it needs no history.
# CHECK-NOT: copy_
# CHECK: %[[TERM:.*]] : f32[3] = aten.mul.Tensor(%{{.*}}, %[[COPY]])
# CHECK-NEXT: %[[SUM:.*]] : f32[3] = aten.add.Tensor(%[[TERM]], %[[TERM]])
# CHECK-NEXT: aten.copy_.default(%r,
# CHECK-NEXT: return (%[[SUM]], None, None)

# FORWARD: %[[COPY:.*]] : f32[3] = aten.clone.default(%c)
# FORWARD: %[[TANGENT:.*]] : f32[3] = aten.clone.default(%tangents_1)
# FORWARD: aten.mul.Tensor(%[[TANGENT]], %[[COPY]])
# FORWARD: return

# The gradient of the gradient also depends on the old value of %c.
# AGAIN: aten.copy_.default
# AGAIN: %[[X:.*]] : f32[3] = aten.mul.Tensor(%add_1, %expand)
# AGAIN: return ((%{{.*}}, None, None), (%[[X]],))

# FUNCTIONAL: %c : f32[3] = aten.clone.default(%x)
# FUNCTIONAL-NOT: aten.clone.default
# FUNCTIONAL: aten.copy_.default(%r,
# FUNCTIONAL-NEXT: return

graph(%x : f32[3], %y : f32[3], %r : f32[3]) {
  %c = aten.clone.default(%x)
  %d = aten.detach.default(%c)
  %m = aten.mul_.Tensor(%d, %y)
  %s = aten.mul.Tensor(%c, %c)
  %e = aten.detach.default(%r)
  %n = aten.copy_.default(%e, %d)
  %z = aten.sum.default(%s)
  return %z
}
