# Methods of lists, dicts and sets that have the names of methods of tensors.
# RUN: fxcpp opt %s --passes eliminate_dead_code | FileCheck %s
# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# RUN: fxcpp opt %s --passes methods_to_functions | FileCheck %s
graph(%x : f32[4], %l, %k : [f32[4]], %y : f32[4]) {
  %a = builtins.list((3, 1, 2))
  # CHECK: call_method sort(%a)
  # CHECK: call_method sort(%l)
  # CHECK: call_method sort(%k)
  %b = call_method sort(%a)
  %c = call_method sort(%l)
  %d = call_method sort(%k)
  # CHECK: call_method append(%a, %x)
  # CHECK: call_method pop(%l)
  %e = call_method append(%a, %x)
  %f = call_method pop(%l)
  %g = my.set()
  # CHECK: call_method add(%g, 1)
  %h = call_method add(%g, 1)
  # CHECK-NOT: call_method
  # CHECK: return
  %i = call_method sort(%x)
  %m = call_method add(%y, 1)
  return (%a, %l, %k, %g)
}
