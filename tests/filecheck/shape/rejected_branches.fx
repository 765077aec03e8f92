# RUN: not fxcpp shape %s | FileCheck %s
# faults/64-while-body-types: torch.cond merges the results of its branches, and rejects branches
# whose results cannot be merged. Sizes may differ.

# CHECK: sizes : (f32[*],)
# CHECK: error at %two {{.*}}the branches must return the same number of values, not 1 and 2
# CHECK: error at %dtype {{.*}}the branches must return the same types, not f32[3] and f64[3]
# CHECK: error at %rank {{.*}}the branches must return the same types, not f32[3] and f32[1, 3]
# CHECK: error at %strides {{.*}}the branches must return the same types, not f32[2, 3] and f32[2, 3][1, 2]
# CHECK: error at %offset {{.*}}the branches must return the same types
# CHECK: error at %given {{.*}}a graph with 2 inputs receives 1 value
# CHECK: error at %condition {{.*}}the condition must have one element, but is b8[2]
# CHECK-NOT: error
graph(%p : b8[], %one : b8[1], %two_ : b8[2], %number : f32[], %x : f32[3], %m : f32[2, 3]) {
  graph @double(%x : f32[3]) { %k = aten.mul.Tensor(%x, 2) return (%k,) }
  graph @pair(%x : f32[3]) { %k = aten.mul.Tensor(%x, 2) return (%k, %k) }
  graph @wide(%x : f32[3]) { %k = aten.cat.default([%x, %x]) return (%k,) }
  graph @f64(%x : f32[3]) { %k = aten.to.dtype(%x, torch.float64) return (%k,) }
  graph @row(%x : f32[3]) { %k = aten.unsqueeze.default(%x, 0) return (%k,) }
  graph @sum(%x : f32[3], %y : f32[3]) { %k = aten.add.Tensor(%x, %y) return (%k,) }
  graph @last(%x : f32[3]) { %k = aten.cat.default([%x, %x]) %s = aten.slice.Tensor(%k, 0, 3, 6) return (%s,) }
  graph @matrix(%m : f32[2, 3]) { %k = aten.mul.Tensor(%m, 2) return (%k,) }
  graph @turned(%m : f32[2, 3]) { %t = aten.t.default(%m) %c = aten.clone.default(%t, memory_format=torch.contiguous_format) %k = aten.t.default(%c) return (%k,) }
  %sizes = higher_order.cond(%p, @double, @wide, (%x,))
  %two = higher_order.cond(%p, @double, @pair, (%x,))
  %dtype = higher_order.cond(%p, @double, @f64, (%x,))
  %rank = higher_order.cond(%p, @double, @row, (%x,))
  %strides = higher_order.cond(%p, @matrix, @turned, (%m,))
  %offset = higher_order.cond(%p, @double, @last, (%x,))
  %given = higher_order.cond(%p, @double, @sum, (%x,))
  %condition = higher_order.cond(%two_, @double, @double, (%x,))
  %ok = higher_order.cond(%one, @double, @double, (%x,))
  %fine = higher_order.cond(%number, @double, @double, (%x,))
  return (%ok, %fine)
}
