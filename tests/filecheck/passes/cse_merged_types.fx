# RUN: fxcpp opt %s --passes eliminate_common_subexpressions | FileCheck %s
# RUN: fxcpp opt %s --passes eliminate_common_subexpressions,eliminate_common_subexpressions | FileCheck %s
# %as may be %b itself, as long as the type of %b is unknown. After it uses %a, which has a type, it is
# known to be a copy, so that %c may be merged in the same run (1002046476).
graph(%z : i32[2]) {
  # CHECK: %a : i64[1] = aten.arange.default(1)
  # CHECK-NEXT: %as : i32[1] = aten.type_as.default(%a, %z)
  # CHECK-NEXT: return (%as, %a)
  %a : i64[1] = aten.arange.default(1)
  %b = aten.arange.default(1)
  %as : i32[1] = aten.type_as.default(%b, %z)
  %c = aten.arange.default(1)
  return (%as, %c)
}
