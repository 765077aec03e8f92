# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes functionalize,functionalize --check-changed | FileCheck %s
# A returned view that has the sizes of a written input is recomputed before the input is written: otherwise, the graph
# would read the input after the write, which a second run would change (1000721772).
# CHECK: %[[Y:.*]] : u8[3, 2, 2] = aten.view.default(%add, [3, 2, 2])
# CHECK-DAG: aten.reshape_as.default(%add, %y)
# CHECK-DAG: aten.view_as.default(%add, %y)
# CHECK: aten.copy_.default(%y, %[[Y]])
# CHECK-NEXT: return
graph(%y : u8[3, 2, 2]) {
  %flat : u8[12, 1] = aten.reshape.default(%y, [-1, 1])
  %a : u8[3, 2, 2] = aten.reshape_as.default(%flat, %y)
  %b : u8[3, 2, 2] = aten.view_as.default(%flat, %y)
  %w : u8[12, 1] = aten.add_.Tensor(%flat, 1)
  return (%a, %b)
}
