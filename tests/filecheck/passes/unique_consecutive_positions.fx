# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# RUN: fxcpp opt %s --passes normalize_args | FileCheck %s --check-prefix=NORMAL
# RUN: fxcpp opt %s --passes omit_default_arguments | FileCheck %s --check-prefix=OMIT
# torch.unique_consecutive selects its results by flags from wrong positions: eager returns the
# values and empty counts for (x, True), and the values and an empty inverse for (x, False, True).

# CHECK: %[[A:.*]] : (i64[u0], i64[5], i64[0]) = aten.unique_consecutive.default(%x, True, False, None)
# CHECK: %[[A2:.*]] : i64[0] = operator.getitem(%[[A]], 2)
# CHECK: %[[B:.*]] : (i64[u1], i64[0], i64[u1]) = aten.unique_consecutive.default(%x, False, True, None)
# CHECK: %[[B1:.*]] : i64[0] = operator.getitem(%[[B]], 1)
# CHECK: %[[C:.*]] : {{.*}} = aten.unique_consecutive.default(%x, False, True, None)
# CHECK: %[[C2:.*]] : i64[u2] = operator.getitem(%[[C]], 2)
# CHECK: %[[D:.*]] : {{.*}} = aten.unique_consecutive.default(%x, True, False, None)
# CHECK: %[[D1:.*]] : i64[5] = operator.getitem(%[[D]], 1)
# CHECK: return (({{.*}}, %[[A2]]), ({{.*}}, %[[B1]]), ({{.*}}, %[[C2]]), ({{.*}}, %[[D1]]), {{%[a-z0-9_]+}})
# NORMAL: %a = torch.unique_consecutive(%x, True)
# NORMAL-NEXT: %b = torch.unique_consecutive(%x, False, True)
# NORMAL-NEXT: %c = torch.unique_consecutive(%x, return_inverse=False, return_counts=True, dim=None)
# OMIT: %e = torch.functional.unique_consecutive(%x, True, return_counts=False)
graph(%x : i64[5]) {
  %a = torch.unique_consecutive(%x, True)
  %b = torch.unique_consecutive(%x, False, True)
  %c = torch.unique_consecutive(%x, return_counts=True)
  %d = call_method unique_consecutive(%x, True)
  %e = torch.functional.unique_consecutive(%x, True, return_counts=False)
  return (%a, %b, %c, %d, %e)
}
