# operator.and_ and operator.or_ return new tensors: the underscore avoids Python's keyword.
# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
graph(%x : b8[4, 1], %y : b8[1, 3]) {
  # CHECK: %a : b8[4, 3] = operator.and_(%x, %y)
  # CHECK: %b : i64[1, 3] = operator.or_(%y, 2)
  # CHECK: %c : b8[4, 1] = operator.invert(%x)
  # CHECK: %d : b8[1, 3] = torch.logical_not(%y)
  %a = operator.and_(%x, %y)
  %b = operator.or_(%y, 2)
  %c = operator.invert(%x)
  %d = torch.logical_not(%y)
  return (%a, %b, %c, %d)
}
