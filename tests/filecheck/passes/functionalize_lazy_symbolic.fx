# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# A symbolic number must not become an argument of a call: the new value of a view with symbolic sizes
# that may be lazy is an ordinary copy (symbolic program 1006901815).
graph(%x : c64[3, n + 1]) {
  !guards = ["n >= 1"]
  # CHECK: %zero : c64[] = aten.zero.default
  # CHECK-NEXT: %[[SCATTER:.*]] : c64[n + 1][?] = aten.select_scatter.default
  # CHECK-NEXT: %copy{{.*}} = aten.copy.default(%{{.*}}, %[[SCATTER]])
  # CHECK-NOT: sym(
  %row : c64[n + 1]{offset=n + 1} = aten.select.int(%x, 0, 1)
  %same : c64[n + 1]{offset=n + 1} = aten.transpose.int(%row, -1, -1)
  %part : c64[]{offset=n + 1} = aten.select.int(%same, 0, 0)
  %written : c64[]{offset=n + 1} = aten.zero_.default(%part)
  return %row
}
