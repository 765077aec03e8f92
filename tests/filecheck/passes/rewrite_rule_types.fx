# The types of replacements are inferred from the inputs of each match, even if an earlier match had
# different types. A match is not replaced if the replacement would be rejected or has a different
# result type.
# RUN: sed -e '1,/^#--- rules.fx/d' -e '/^#--- graph.fx/,$d' %s > %t.rules.fx
# RUN: sed -e '1,/^#--- graph.fx/d' %s > %t.graph.fx
# RUN: fxcpp rewrite %t.graph.fx --rules %t.rules.fx | FileCheck %s
# CHECK:      %c1 : c64[5] = aten.tan.default(%c)
# CHECK-NEXT: %f1 : f32[3, 2] = aten.tan.default(%f)
# CHECK-NEXT: %c2 : c64[5] = aten.tan.default(%c)
# CHECK-NEXT: %[[A:.*]] : f32[2, 3] = aten.mul.Tensor(%a, 0.5)
# CHECK-NEXT: : f32[2, 3] = aten.gelu.default(%[[A]])
# CHECK-NEXT: %[[B:.*]] : f16[4] = aten.mul.Tensor(%b, 0.5)
# CHECK-NEXT: : f16[4] = aten.gelu.default(%[[B]])
# CHECK-NEXT: %[[D:.*]] : f32[2, 3] = aten.mul.Tensor(%d, 0.5)
# CHECK-NEXT: : f32[2, 3] = aten.gelu.default(%[[D]])
# CHECK-NEXT: %[[E:.*]] : f32[2, 3] = aten.mul.Tensor(%e, 0.5)
# CHECK-NEXT: : f32[2, 3] = aten.gelu.default(%[[E]])
# CHECK-NEXT: %[[U:.*]] = aten.mul.Tensor(%u, 0.5)
# CHECK-NEXT: = aten.gelu.default(%[[U]])

#--- rules.fx
graph @half() {
  graph @pattern(%x) {
    %y = aten.tan.default(%x)
    return %y
  }
  graph @replacement(%x) {
    %h = aten.mul.Tensor(%x, 0.5)
    %y = aten.gelu.default(%h)
    return %y
  }
}
#--- graph.fx
# The type inferred for %f1 from its input differs from its recorded type.
graph(%a : f32[2, 3], %b : f16[4], %c : c64[5], %d : f32[2, 3], %e : f32[2, 3], %f : f32[2, 3], %u) {
  %a1 : f32[2, 3] = aten.tan.default(%a)
  %b1 : f16[4] = aten.tan.default(%b)
  %c1 : c64[5] = aten.tan.default(%c)
  %d1 : f32[2, 3] = aten.tan.default(%d)
  %e1 : f32[2, 3] = aten.tan.default(%e)
  %f1 : f32[3, 2] = aten.tan.default(%f)
  %c2 : c64[5] = aten.tan.default(%c)
  %u1 = aten.tan.default(%u)
  return (%a1, %b1, %c1, %d1, %e1, %f1, %c2, %u1)
}
