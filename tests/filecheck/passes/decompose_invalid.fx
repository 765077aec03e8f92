# RUN: fxcpp opt %s --passes 'decompose{set=all}' --check-changed | FileCheck %s
# RUN: not fxcpp opt %s --passes 'decompose{set=all,strict=true}' 2>&1 | FileCheck %s --check-prefix=STRICT
# A call that eager mode rejects is not decomposed: its replacement could be valid.
# CHECK-LABEL: graph(
# CHECK: %a = aten.conv1d.default(%x, %w, padding=1)
# CHECK-NEXT: %b = aten.conv1d.padding(%x, %w, dilation=[], padding="same")
# CHECK-NEXT: %c = aten.addmm.default(%h, %m, %m)
# CHECK-NEXT: return
# STRICT: a (aten.conv1d.default): {{.*}}padding
graph(%x : f32[2, 3, 8], %w : f32[3, 3, 3], %h : f16[3, 3], %m : f32[3, 3]) {
  %a = aten.conv1d.default(%x, %w, padding=1)
  %b = aten.conv1d.padding(%x, %w, dilation=[], padding="same")
  %c = aten.addmm.default(%h, %m, %m)
  return (%a, %b, %c)
}
