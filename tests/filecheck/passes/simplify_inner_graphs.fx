# RUN: fxcpp opt %s --passes simplify --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes simplify,simplify --check-changed | FileCheck %s
# What a call shares memory with depends on the graph that it runs, so inner graphs come first
# (1085020937): torch.clone may return a view of anything.
graph(%x : f64[4], %n) {
  # CHECK: %sin : f64[4] = aten.sin.default(%x)
  # CHECK-NEXT: return [%part, %sin]
  graph @part_0(%x : f64[4], %n) {
    %part = call_method abs(%n)
    %sin : f64[4] = aten.sin.default(%x)
    %clone : f64[4] = torch.clone(%sin)
    return [%part, %clone]
  }
  %w = higher_order.wrap(@part_0, %x, %n)
  %0 = operator.getitem(%w, 0)
  %1 = operator.getitem(%w, 1)
  # CHECK: %c : f64[4] = aten.contiguous.default(%1)
  # CHECK-NEXT: return (%0, %c)
  %c : f64[4] = aten.contiguous.default(%1)
  %neg : f64[4] = aten.neg.default(%c)
  %neg_1 : f64[4] = aten.neg.default(%neg)
  return (%0, %neg_1)
}
