# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# RUN: sed 's/view.dtype(%%x, torch.int32)/real.default(%%x)/' %s > %t && not fxcpp opt %t --passes functionalize 2>&1 | FileCheck %s
# The inverse of a view with a different dtype requires the dtype of the source.
# CHECK: the type of node x (placeholder) is missing or incomplete, but is needed to determine the inverse of a view of it
graph(%x : tensor[2, 3]) {
  %part : i32[2, 3] = aten.view.dtype(%x, torch.int32)
  %fill_ : i32[2, 3] = aten.fill_.Scalar(%part, 3)
  return %part
}
