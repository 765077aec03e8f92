# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# The guard Eq(n, 2) makes the second dimension of %d have size Min(k, 1), which is 1 if k has the default
# range. Then %flat is a view, which has the offset of %d; otherwise it is a copy.

# CHECK: "Eq(Min(k, n - 1), 1)"
# CHECK: %flat : i64[n*Min(k, n - 1)][?]
graph(%i : i64[n + 1, k, n]) {
  !symbols = {"n": {"min": 2, "max": 11}}
  !guards = ["Eq(n, 2)"]
  %d = aten.diagonal.default(%i, -2)
  %flat = aten.flatten.using_ints(%d, 0, -1)
  return %flat
}
