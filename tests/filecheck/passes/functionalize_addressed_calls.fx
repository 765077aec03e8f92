# Calls that address the storage of a written tensor by position read different elements, or return a
# different number, if the new value of the tensor is in a different storage or at a different
# position. One call at a time; the results of @same and @view share memory with their operand
# (1003010642).
# RUN: sed 's/CALL/aten.as_strided_copy.default(%%part, [1], [1], 1)/' %s > %t.1 && not fxcpp opt --passes propagate_types,functionalize %t.1 2>&1 | FileCheck --check-prefix=PART %s
# RUN: sed 's/CALL/aten.as_strided_scatter.default(%%part, %%u, [2], [1], 1)/' %s > %t.2 && not fxcpp opt --passes propagate_types,functionalize %t.2 2>&1 | FileCheck --check-prefix=PART %s
# RUN: sed 's/CALL/aten.as_strided_.default(%%part, [1], [1], 1)/' %s > %t.3 && not fxcpp opt --passes propagate_types,functionalize %t.3 2>&1 | FileCheck --check-prefix=PART %s
# RUN: sed 's/CALL/aten.sym_storage_offset.default(%%part)/' %s > %t.4 && not fxcpp opt --passes propagate_types,functionalize %t.4 2>&1 | FileCheck --check-prefix=PART %s
# RUN: sed 's/= CALL/= call_method as_strided(%%part, [1], [1], 1)/' %s > %t.5 && not fxcpp opt --passes functionalize %t.5 2>&1 | FileCheck --check-prefix=PART %s
# RUN: sed 's/CALL/aten.as_strided.default(%%r, [1], [1], 1)/' %s > %t.6 && not fxcpp opt --passes functionalize %t.6 2>&1 | FileCheck --check-prefix=RESULT %s
# RUN: sed 's/CALL/higher_order.wrap(@view, %%r)/' %s > %t.7 && not fxcpp opt --passes functionalize %t.7 2>&1 | FileCheck --check-prefix=RESULT %s
# RUN: sed 's/CALL/aten.as_strided_copy.default(%%z, [2], [2], 1)/' %s > %t.8 && fxcpp opt --passes propagate_types,functionalize %t.8 | FileCheck --check-prefix=WHOLE %s
# RUN: sed 's/CALL/aten.sym_storage_offset.default(%%z)/' %s > %t.9 && fxcpp opt --passes propagate_types,functionalize %t.9 | FileCheck --check-prefix=WHOLE %s
# RUN: sed 's/CALL/aten.as_strided.default(%%part, [1], [1], 1)/' %s > %t.10 && fxcpp opt --passes propagate_types,functionalize %t.10 | FileCheck --check-prefix=ANCHORED %s
# PART: node call {{.*}}addresses the storage of part by position {{.*}}after a write to it
# RESULT: node call {{.*}}addresses the storage of r by position {{.*}}after a write to memory that it may share
# WHOLE: %[[N:.*]] : f32[4] = aten.neg.default(%z)
# WHOLE: %call {{.*}}(%[[N]]
# ANCHORED: %[[Y:.*]] : f32[4, 2] = aten.select_scatter.default(%y
# ANCHORED: %call {{.*}} = aten.as_strided.default(%[[Y]], [1], [1], 1)
graph(%y : f32[4, 2], %z : f32[4], %u : f32[2]) {
  graph @same(%a) {
    %b = aten.alias.default(%a)
    return [%b]
  }
  graph @view(%a) {
    %s = aten.as_strided.default(%a, [1], [1], 1)
    %c = aten.clone.default(%s)
    return [%c]
  }
  %part : f32[2]{offset=2} = aten.select.int(%y, 0, 1)
  %p = aten.neg_.default(%part)
  %o = aten.neg_.default(%z)
  %w = higher_order.wrap(@same, %part)
  %r = operator.getitem(%w, 0)
  %call = CALL
  return (%call,)
}
