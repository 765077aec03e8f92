# faults/15-overlapping-inputs, 24-input-offset: inputs that share memory or have a storage offset.

graph(%x : f32[2, 3]{offset=4}) {
  %s = aten.as_strided.default(%x, [3], [1], 4)
  %w = aten.add_.Tensor(%s, 100)
  return (%x, %s)
}
graph(%x : f32[2, 3][1, 2]{offset=3}) {
  %s = aten.as_strided.default(%x, [2], [2], 5)
  %w = aten.neg_.default(%s)
  %t = aten.t.default(%x)
  return (%x, %t)
}
# pipeline: propagate_types,functionalize
graph(%x : f32[2, 3][6, 2]{offset=1}) {
  %s = aten.select.int(%x, 1, 1)
  %w = aten.add_.Tensor(%s, 100)
  %v = aten.flatten.using_ints(%x)
  %u = aten.mul_.Tensor(%v, 2)
  return (%x, %v)
}
# pipeline: propagate_types,functionalize
graph(%x : f32[5, 4] !{shared_memory=0}, %y : f32[3, 4]{offset=8} !{shared_memory=0}) {
  %a = aten.mul_.Tensor(%x, 3)
  %b = aten.select.int(%y, 0, 0)
  %c = aten.clone.default(%b)
  return %c
}
# pipeline: propagate_types,functionalize
graph(%w : f32[2, 3] !{shared_memory=0}, %row : f32[3] !{shared_memory=0}, %x : f32[3]) {
  %a = aten.add_.Tensor(%row, %x)
  %b = aten.mv.default(%w, %x)
  return %b
}
# pipeline: propagate_types,functionalize
graph(%w : f32[2, 3] !{shared_memory=0}, %wt : f32[3, 2][1, 3] !{shared_memory=0}, %x : f32[3]) {
  %a = aten.add_.Tensor(%w, 1)
  %b = aten.matmul.default(%x, %wt)
  return %b
}
# Two overlapping parts of one storage, neither of which covers it; both are only read.
# pipeline: propagate_types,functionalize
graph(%a : f32[4] !{shared_memory=0}, %b : f32[4]{offset=2} !{shared_memory=0}, %x : f32[4]) {
  %y = aten.add.Tensor(%a, %b)
  %w = aten.neg_.default(%x)
  return (%y, %x)
}
# Two parts that do not overlap, one of which is written; an input that covers its storage; two groups.
graph(%a : f32[2] !{shared_memory=0}, %b : f32[2]{offset=2} !{shared_memory=0}, %c : f32[4] !{shared_memory=0}, %d : f32[3] !{shared_memory=1}, %e : f32[3] !{shared_memory=1}) {
  %y = aten.neg_.default(%a)
  %w = aten.add_.Tensor(%d, 1)
  %z = aten.cat.default([%b, %c, %e])
  return (%z, %b, %e)
}
# A column and its matrix: equal calls read the matrix before and after the column is written.
# pipeline: eliminate_common_subexpressions,simplify,reinplace
graph(%a : f32[3, 4] !{shared_memory=0}, %b : f32[3][4]{offset=1} !{shared_memory=0}) {
  %y = aten.sin.default(%a)
  %w = aten.zero_.default(%b)
  %z = aten.sin.default(%a)
  %u = aten.mul.Tensor(%a, 1)
  return (%y, %z, %u)
}
