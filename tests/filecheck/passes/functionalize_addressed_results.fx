# The result of a nested graph is a part of written memory, or the written memory itself. A call
# outside of the graph, or the next step of a loop, addresses its storage by position: a new value of a
# part would be at a different position. One result and call at a time:
# RUN: sed 's/RESULT/%%part/; s/CALL/aten.as_strided.default(%%r, [1], [1], 1)/; s/AT/%%c/' %s > %t.1 && not fxcpp opt --passes propagate_types,functionalize %t.1 2>&1 | FileCheck --check-prefix=PART %s
# RUN: sed 's/RESULT/%%part/; s/CALL/aten.neg.default(%%r)/; s/AT/%%c/' %s > %t.2 && fxcpp opt --passes propagate_types,functionalize %t.2 | FileCheck --check-prefix=UNUSED %s
# RUN: sed 's/RESULT/%%e/; s/CALL/aten.as_strided.default(%%r, [1], [1], 1)/; s/AT/%%c/' %s > %t.3 && fxcpp opt --passes propagate_types,functionalize %t.3 | FileCheck --check-prefix=WHOLE %s
# RUN: sed 's/RESULT/%%e/; s/CALL/aten.as_strided.default(%%r, [1], [1], 8)/; s/AT/%%c/' %s > %t.4 && not fxcpp opt --passes functionalize %t.4 2>&1 | FileCheck --check-prefix=BEYOND %s
# RUN: sed 's/RESULT/%%e/; s/CALL/aten.neg.default(%%r)/; s/AT/%%a/' %s > %t.5 && not fxcpp opt --passes propagate_types,functionalize %t.5 2>&1 | FileCheck --check-prefix=STEP %s
# RUN: sed 's/RESULT/%%e/; s/CALL/aten.neg.default(%%r)/; s/AT/%%b/' %s > %t.6 && not fxcpp opt --passes propagate_types,functionalize %t.6 2>&1 | FileCheck --check-prefix=STEP %s
# RUN: sed 's/RESULT/%%e/; s/CALL/aten.neg.default(%%r)/; s/AT/%%c/' %s > %t.7 && fxcpp opt --passes propagate_types,functionalize %t.7 | FileCheck --check-prefix=UNUSED %s
# PART: node part {{.*}}is written and returned, and a call outside of its graph or in the next step of a loop addresses its storage by position
# BEYOND: node e {{.*}}is written and returned, and a call outside of its graph
# STEP: node part {{.*}}is written and returned, and a call outside of its graph
# UNUSED-NOT: aten.neg_
# WHOLE: aten.select_scatter.default
# WHOLE: aten.as_strided.default(%r, [1], [1], 1)
graph(%n : i64[], %x : f32[4, 2], %z : f32[2], %u : f32[2]) {
  graph @outer(%y : f32[4, 2]) {
    graph @inner(%y : f32[4, 2]) {
      %e : f32[4, 2] = aten.neg.default(%y)
      %part : f32[2]{offset=2} = aten.select.int(%e, 0, 1)
      %w : f32[2]{offset=2} = aten.neg_.default(%part)
      return [RESULT]
    }
    %i = higher_order.wrap(@inner, %y)
    %o = operator.getitem(%i, 0)
    return [%o]
  }
  graph @more(%i, %a, %b, %c) {
    %m = aten.gt.Scalar(%i, 0)
    return [%m]
  }
  graph @step(%i, %a, %b, %c) {
    %j = aten.sub.Tensor(%i, 1)
    %s = aten.as_strided.default(AT, [1], [1], 0)
    %t = aten.clone.default(%s)
    %k = aten.add.Tensor(%c, %t)
    %e = aten.neg.default(%b)
    %f = aten.cat.default([%e, %e])
    %part = aten.slice.Tensor(%f, 0, 2, 4)
    %w = aten.neg_.default(%part)
    return [%j, %b, %part, %k]
  }
  %wrap = higher_order.wrap(@outer, %x)
  %r = operator.getitem(%wrap, 0)
  %call = CALL
  %copy = aten.clone.default(%call)
  %run = higher_order.while_loop(@more, @step, [%n, %z, %z, %u], [])
  %l = operator.getitem(%run, 3)
  return (%copy, %l)
}
