# as_strided addresses an element in a gap of its operand: a column of %y that %z does not contain, or
# memory between the rows of %x, which a new value of %x does not have. One call at a time
# (1006000699):
# RUN: sed 's/OPERAND/%%n/; s/AT/9/; s/WRITTEN/%%s/' %s > %t.1 && not fxcpp opt --passes propagate_types,functionalize %t.1 2>&1 | FileCheck --check-prefix=WRITE %s
# RUN: sed 's/OPERAND/%%x/; s/AT/2/; s/WRITTEN/%%s/' %s > %t.2 && not fxcpp opt --passes propagate_types,functionalize %t.2 2>&1 | FileCheck --check-prefix=WRITE %s
# RUN: sed 's/OPERAND/%%x/; s/AT/2/; s/WRITTEN/%%x/' %s > %t.3 && not fxcpp opt --passes propagate_types,functionalize %t.3 2>&1 | FileCheck --check-prefix=READ %s
# RUN: sed 's/OPERAND/%%n/; s/AT/10/; s/WRITTEN/%%s/' %s > %t.4 && fxcpp opt --passes propagate_types,functionalize %t.4 | FileCheck --check-prefix=PART %s
# RUN: sed 's/OPERAND/%%n/; s/AT/9/; s/WRITTEN/%%y/' %s > %t.5 && fxcpp opt --passes propagate_types,functionalize %t.5 | FileCheck --check-prefix=ROOT %s
# RUN: sed 's/OPERAND/%%x/; s/AT/4/; s/WRITTEN/%%s/' %s > %t.6 && fxcpp opt --passes propagate_types,functionalize %t.6 | FileCheck --check-prefix=ELEMENT %s
# RUN: sed 's/OPERAND/%%n/; s/.1., .1., AT/[2], [4], 1/; s/WRITTEN/%%s/' %s > %t.7 && fxcpp opt --passes propagate_types,functionalize %t.7 | FileCheck --check-prefix=ELEMENTS %s
# RUN: sed 's/OPERAND/%%n/; s/.1., .1., AT/[3], [4], 1/; s/WRITTEN/%%s/' %s > %t.8 && not fxcpp opt --passes propagate_types,functionalize %t.8 2>&1 | FileCheck --check-prefix=WRITE %s
# WRITE: node w {{.*}}writes through node s (aten.as_strided.default), which extends {{.*}}into a gap between its elements
# READ: node s (aten.as_strided.default) {{.*}}into a gap between its elements
# PART: aten.slice_scatter.default(%y
# ROOT: %[[Y:.*]] : f32[4, 3] = aten.neg.default(%y)
# ROOT: %[[Z:.*]] : f32[4, 2][3, 1]{offset=1} = aten.slice.Tensor(%[[Y]], 1, 1, 3)
# ROOT: %[[N:.*]] : f32[4, 2][3, 1]{offset=1} = aten._neg_view.default(%[[Z]])
# ROOT: aten.as_strided.default(%[[N]], [1], [1], 9)
# ELEMENTS: aten.as_strided_scatter.default(%{{.*}}, [2], [4], 0)
# ELEMENT-NOT: aten.neg_
# ELEMENT: aten.copy_.default(%x
graph(%x : f32[2, 2][4, 1], %y : f32[4, 3]) {
  %z = aten.slice.Tensor(%y, 1, 1, 3)
  %n = aten._neg_view.default(%z)
  %s = aten.as_strided.default(OPERAND, [1], [1], AT)
  %w = aten.neg_.default(WRITTEN)
  %t = aten.neg.default(%s)
  return (%t,)
}
