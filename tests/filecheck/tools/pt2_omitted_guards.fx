# A .pt2 file contains guards as conditions on arguments. If the calling convention does not fit the
# graph, conditions that name its arguments are omitted, as is a guard on a size that no input has.
# Both are reported.
# RUN: fxcpp emit %s --to pt2 -o %t.pt2 2>&1 | FileCheck %s
# CHECK: does not contain the guards f(x), u0 > 2
# RUN: fxcpp print %t.pt2 --guards | FileCheck %s --check-prefix=GUARDS --implicit-check-not=u0
# GUARDS: Ne(n, 5)
graph(%x : f32[n, 3], %y : f32[n, 3]) {
  !symbols = {"n": {"min": 2, "max": 64}}
  !guards = ["Ne(n, 5)", "u0 > 2"]
  !guards_code = ["L['x'].size()[0] != 5", "f(x)"]
  !calling_convention = {"orig_args": ["x"], "in_spec": "[1, {\"type\": null, \"context\": null, \"children_spec\": []}]", "out_spec": "[1, {\"type\": null, \"context\": null, \"children_spec\": []}]"}
  %a : f32[n, 3] = aten.add.Tensor(%x, %y)
  return %a
}
