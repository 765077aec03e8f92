# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# A call that changes, in place, only the strides of dimensions of size 1 (1001005934).
graph(%z : f64[1, 1][1, 0]) {
  # CHECK: graph @part
  graph @part(%a) {
    %b = aten.alias.default(%a)
    %t = aten.t_.default(%b)
    %c = aten.relu.default(%a)
    return [%b, %c]
  }
  # CHECK: %run : (tensor[*], f64[1, 1]{{.*}}) = higher_order.wrap
  %run = higher_order.wrap(@part, %z)
  return (%run,)
}
