# copy_ casts the elements that a lazily negated view has in memory, and negates the result; copy
# casts a dense copy of the view. Between float16 and float32, copy_ does not negate (1006536551,
# 1006548285). One call at a time:
# RUN: sed 's/CALL/aten.copy_.default(%c, %lazy)/' %s > %t.1 && not fxcpp opt --passes functionalize %t.1 2>&1 | FileCheck --check-prefix=SOURCE %s
# RUN: sed 's/CALL/aten.copy_.default(%u, %lazy)/' %s > %t.2 && not fxcpp opt --passes functionalize %t.2 2>&1 | FileCheck --check-prefix=SOURCE %s
# RUN: sed 's/CALL/aten.copy_.default(%negated, %h)/' %s > %t.3 && not fxcpp opt --passes functionalize %t.3 2>&1 | FileCheck --check-prefix=TARGET %s
# RUN: sed 's/CALL/aten.copy_.default(%f, %lazy)/' %s > %t.4 && fxcpp opt --passes functionalize %t.4 | FileCheck --check-prefix=FINE %s
# RUN: sed 's/CALL/aten.copy_.default(%negated, %x)/' %s > %t.5 && fxcpp opt --passes functionalize %t.5 | FileCheck --check-prefix=FINE %s
# RUN: sed 's/CALL/aten.copy_.default(%c, %x)/' %s > %t.6 && fxcpp opt --passes functionalize %t.6 | FileCheck --check-prefix=FINE %s
# RUN: sed 's/CALL/aten.copy_.default(%u, %y)/' %s > %t.7 && fxcpp opt --passes functionalize %t.7 | FileCheck --check-prefix=FINE %s
# RUN: sed 's/CALL/aten.copy_.default(%c, %resolved)/' %s > %t.8 && fxcpp opt --passes functionalize %t.8 | FileCheck --check-prefix=FINE %s
# SOURCE: aten.copy_.default) may cast lazy, which may be a lazily negated or conjugated view
# TARGET: aten.copy_.default) may cast negated, which may be a lazily negated or conjugated view
# FINE: aten.copy.default
graph(%x : f64[3], %h : f16[3], %y) {
  %lazy : f64[3] = aten._neg_view.default(%x)
  %resolved : f64[3] = aten.neg.default(%x)
  %c : c64[3] = aten.zeros.default([3], dtype=torch.complex64)
  %u = aten.zeros_like.default(%y)
  %f : f64[3] = aten.zeros.default([3], dtype=torch.float64)
  %g : f32[3] = aten.zeros.default([3])
  %negated : f32[3] = aten._neg_view.default(%g)
  %d = CALL
  return %d
}
