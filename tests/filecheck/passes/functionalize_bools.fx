# RUN: sed 's/CALL/aten.view.dtype(%b, torch.uint8)/' %s > %t.1 && not fxcpp opt --passes functionalize %t.1 2>&1 | FileCheck --check-prefix=REJECTED %s
# RUN: sed 's/CALL/aten.view.dtype(%b, torch.int8)/' %s > %t.2 && not fxcpp opt --passes functionalize %t.2 2>&1 | FileCheck --check-prefix=REJECTED %s
# RUN: sed 's/CALL/aten.view.dtype(%b, torch.float32)/' %s > %t.3 && not fxcpp opt --passes functionalize %t.3 2>&1 | FileCheck --check-prefix=REJECTED %s
# RUN: sed 's/CALL/aten.view.dtype(%u, torch.bool)/' %s > %t.4 && not fxcpp opt --passes functionalize %t.4 2>&1 | FileCheck --check-prefix=REJECTED %s
# RUN: sed 's/CALL/aten.view.dtype(%f, torch.bool)/' %s > %t.5 && not fxcpp opt --passes functionalize %t.5 2>&1 | FileCheck --check-prefix=REJECTED %s
# RUN: sed 's/CALL/aten.view.dtype(%u, torch.int8)/' %s > %t.6 && fxcpp opt --passes functionalize %t.6 | FileCheck --check-prefix=FINE %s
# RUN: sed 's/CALL/aten.view.dtype(%b, torch.bool)/' %s > %t.7 && fxcpp opt --passes functionalize %t.7 | FileCheck --check-prefix=FINE %s
# A write through view.dtype leaves any byte in the memory of bools, which copies write as 0 or 1
# (1001012508). Through a view with bools, copies write the bytes of a part that was not written.
# REJECTED: node w (aten.fill_.Scalar) writes through node v (aten.view.dtype), which reinterprets bools
# FINE: aten.fill.Scalar
graph(%b : b8[4], %u : u8[4], %f : f32[1]) {
  %v = CALL
  %s = aten.slice.Tensor(%v, 0, 0, 1)
  %w = aten.fill_.Scalar(%s, 7)
  return (%b, %u, %f)
}
