# A write to an item of a slice of results changes the result (1015029113). functionalize rejects it.
# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# CHECK: writes to node a (operator.getitem), which may be a view or a copy
graph(%y : f64[2, 3]) {
  %sort : (f64[2, 3], i64[2, 3]) = aten.sort.default(%y, dim=1)
  %part : [f64[2, 3], i64[2, 3]] = operator.getitem(%sort, slice(0, None, None))
  %a : f64[2, 3] = operator.getitem(%part, 0)
  %b : f64[2, 3] = operator.getitem(%sort, -2)
  %add : none = aten._foreach_add_.Scalar([%a], 2)
  return %b
}
