# A nested graph addresses the storage of its input by position (as_strided). After a write to this
# memory, the input may be a new value in a different storage, or at a different position, so that
# the call cannot run (1000719697). One operand at a time:
# RUN: sed 's/VALUE/%%part/' %s > %t.1 && not fxcpp opt --passes propagate_types,functionalize %t.1 2>&1 | FileCheck --check-prefix=PART %s
# RUN: sed 's/VALUE/%%x/' %s > %t.2 && not fxcpp opt --passes propagate_types,functionalize %t.2 2>&1 | FileCheck --check-prefix=MORE %s
# RUN: sed 's/VALUE/%%z/' %s > %t.3 && fxcpp opt --passes propagate_types,functionalize %t.3 | FileCheck --check-prefix=WHOLE %s
# RUN: sed 's/VALUE/%%u/' %s > %t.4 && fxcpp opt --passes propagate_types,functionalize %t.4 | FileCheck --check-prefix=UNWRITTEN %s
# PART: higher_order.wrap{{.*}}runs a graph that addresses the storage of part by position
# MORE: higher_order.wrap{{.*}}runs a graph that addresses the storage of x by position
# WHOLE: %[[N:.*]] : f32[4] = aten.neg.default(%z)
# WHOLE: higher_order.wrap(@view, %[[N]])
# UNWRITTEN: higher_order.wrap(@view, %u)
graph(%x : f32[2]{offset=1}, %y : f32[4, 2], %z : f32[4], %w : f32[6]) {
  graph @view(%a) {
    graph @inner(%b) {
      %s = aten.as_strided.default(%b, [2], [2], 1)
      %c = aten.clone.default(%s)
      return [%c]
    }
    %i = higher_order.wrap(@inner, %a)
    %r = operator.getitem(%i, 0)
    return [%r]
  }
  %part : f32[2]{offset=2} = aten.select.int(%y, 0, 1)
  %u : f32[2]{offset=2} = aten.slice.Tensor(%w, 0, 2, 4)
  %p = aten.neg_.default(%part)
  %q = aten.neg_.default(%x)
  %o = aten.neg_.default(%z)
  %run = higher_order.wrap(@view, VALUE)
  %k = operator.getitem(%run, 0)
  return (%k,)
}
