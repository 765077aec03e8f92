# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# RUN: not fxcpp opt %s --passes "lower_to_aten{strict}" 2>&1 | FileCheck %s --check-prefix=STRICT
# `x[...] = value` removes leading dimensions of size 1 of the value and expands it. copy_ alone rejects a value with
# other sizes that overlaps the target (1016110902).
graph(%i : i64[2], %t : tensor[3], %x : f32[*], %y : f32[*], %z : f32[4, s0], %w : f32[1, 1, s0], %u : f32[s1, 4, s0], %v : f32[s0], %n : f32[]) {
  # CHECK: operator.setitem(%t, %i, 2)
  # STRICT: node number (operator.setitem): a number cannot be written to a tensor of unknown dtype
  %number = operator.setitem(%t, %i, 2)
  # CHECK-NEXT: operator.setitem(%x, ..., %v)
  # STRICT: node a (operator.setitem): the rank of the tensor that is written to is unknown: propagate types first
  %a = operator.setitem(%x, ..., %v)
  # CHECK-NEXT: operator.setitem(%z, ..., %y)
  # STRICT: node b (operator.setitem): the rank of y is unknown: propagate types first
  %b = operator.setitem(%z, ..., %y)
  # CHECK-NEXT: operator.setitem(%z, ..., %u)
  # STRICT: node c (operator.setitem): u has more dimensions than the tensor that is written to, and size 0 is unknown
  %c = operator.setitem(%z, ..., %u)
  # CHECK-NEXT: %[[D:.*]] : f32[4, s0][0, 1] = aten.expand_as.default(%v, %z)
  # CHECK-NEXT: aten.copy_.default(%z, %[[D]])
  %d = operator.setitem(%z, ..., %v)
  # CHECK-NEXT: %[[ROW:.*]] : f32[s0]{offset=s0} = aten.select.int(%z, 0, 1)
  # CHECK-NEXT: %[[E:.*]] : f32[1, s0] = aten.select.int(%w, 0, 0)
  # CHECK-NEXT: %[[F:.*]] : f32[s0] = aten.select.int(%[[E]], 0, 0)
  # CHECK-NEXT: aten.copy_.default(%[[ROW]], %[[F]])
  %e = operator.setitem(%z, 1, %w)
  # CHECK-NEXT: %[[OTHER:.*]] : f32[s0]{{.*}} = aten.select.int(%z, 0, 2)
  # CHECK-NEXT: aten.copy_.default(%[[OTHER]], %v)
  %f = operator.setitem(%z, 2, %v)
  # A tensor without dimensions fills a target that has some, but is copied to one that has none (1103061813).
  # CHECK-NEXT: operator.setitem(%x, ..., %n)
  # STRICT: node g (operator.setitem): the rank of the tensor that is written to is unknown: propagate types first
  %g = operator.setitem(%x, ..., %n)
  # CHECK-NEXT: aten.fill_.Tensor(%z, %n)
  %h = operator.setitem(%z, ..., %n)
  return ()
}
