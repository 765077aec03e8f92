# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# The types of methods of results of nested graphs change like those of functions: the sum is new memory (1108074525).
# CHECK: %d : bf16[3, 1] = call_method detach(%g)
# CHECK-NEXT: %e : bf16[3, 1] = call_method view_as(%d, %g)
# CHECK-NEXT: %f : bf16[3, 1] = aten.detach.default(%e)
graph(%y : b8[], %z : bf16[4]{offset=1}) {
  graph @p(%s : bf16[3]{offset=2}) {
    %u : bf16[3, 1]{offset=2} = aten.unfold.default(%s, 0, 1, 1)
    return [%u]
  }
  %s : bf16[3]{offset=2} = aten.slice.Tensor(%z, 0, 1, 9223372036854775807)
  %a : bf16[3]{offset=2} = aten.add_.Tensor(%s, 1.5)
  %c = higher_order.cond(%y, @p, @p, [%s])
  %g = operator.getitem(%c, 0)
  %d : bf16[3, 1]{offset=2} = call_method detach(%g)
  %e : bf16[3, 1]{offset=2} = call_method view_as(%d, %g)
  %f : bf16[3, 1]{offset=2} = aten.detach.default(%e)
  return (%d, %e, %f)
}
