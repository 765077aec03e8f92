# faults/14-functionalize-out: functionalize rejects calls that eager mode rejects, and must not
# insert a cast that makes such a call valid. One call at a time:
# RUN: sed 's/CALL/aten.abs.out(%x, out=%o)/' %s > %t.1 && not fxcpp opt --passes functionalize %t.1 2>&1 | FileCheck --check-prefix=ABS %s
# RUN: sed 's/CALL/aten.mm.out(%x, %x, out=%o)/' %s > %t.2 && not fxcpp opt --passes functionalize %t.2 2>&1 | FileCheck --check-prefix=MM %s
# RUN: sed 's/CALL/aten.argmax.out(%x, 1, out=%r)/' %s > %t.3 && not fxcpp opt --passes functionalize %t.3 2>&1 | FileCheck --check-prefix=ARGMAX %s
# RUN: sed 's/CALL/aten.add_.Tensor(%i, %x)/' %s > %t.4 && not fxcpp opt --passes functionalize %t.4 2>&1 | FileCheck --check-prefix=ADD %s
# RUN: sed 's/CALL/aten.index_add_.default(%x, 0, %k, %o)/' %s > %t.5 && not fxcpp opt --passes functionalize %t.5 2>&1 | FileCheck --check-prefix=INDEX %s
# RUN: sed 's/CALL/aten.fill_.Tensor(%e, %n)/' %s > %t.7 && not fxcpp opt --passes functionalize %t.7 2>&1 | FileCheck --check-prefix=FILL %s
# RUN: sed 's/CALL/aten.fill_.Scalar(%e, 2)/' %s > %t.8 && fxcpp opt --passes functionalize %t.8 | FileCheck --check-prefix=NUMBER %s
# RUN: sed 's/CALL/aten.add.out(%x, 1, out=%o)/' %s > %t.6 && fxcpp opt --passes functionalize %t.6 | FileCheck --check-prefix=FINE %s

# ABS: aten.abs.out{{.*}}argument out cannot be of dtype float64 if self is of dtype float32
# MM: aten.mm.out{{.*}}argument out cannot be of dtype float64 if self is of dtype float32
# ARGMAX: aten.argmax.out{{.*}}argument out cannot be of dtype float32
# ADD: aten.add_.Tensor{{.*}}cannot be
# INDEX: aten.index_add_.default{{.*}}argument source cannot be of dtype float64 if self is of dtype float32
# FILL: aten.fill_.Tensor{{.*}}more than one element of the written tensor
# NUMBER: aten.fill.Scalar
# FINE: aten._to_copy
graph(%a : f32[3, 3], %b : i64[3, 3], %k : i64[3]) {
  %x = aten.clone.default(%a)
  %i = aten.clone.default(%b)
  %o : f64[3, 3] = aten.ones.default([3, 3], dtype=torch.float64)
  %r : f32[3] = aten.ones.default([3])
  %e = aten.expand.default(%x, [2, 3, 3])
  %n = aten.sum.default(%b)
  %d = CALL
  return %d
}
