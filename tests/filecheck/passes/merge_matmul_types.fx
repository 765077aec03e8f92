# RUN: fxcpp opt %s --passes merge_matmul -o %t.fx
# RUN: FileCheck %s --input-file %t.fx
# RUN: fxcpp shape %t.fx --compare
# faults/60-stale-types: a part of the merged product has an offset in its storage, and so do its
# views. A result of the graph is in separate memory.

# CHECK-LABEL: graph(
graph(%x : f32[4, 8], %a : f32[3, 4], %b : f32[3, 4], %c : f32[2, 4]) {
  # CHECK: %[[SPLIT:.*]] : {{.*}} = aten.split_with_sizes.default(%{{.*}}, [3, 3, 2])
  # CHECK: %[[P:.*]] : f32[3, 8] = operator.getitem(%[[SPLIT]], 0)
  # CHECK-NEXT: %[[R:.*]] : f32[3, 8] = aten.clone.default(%[[P]])
  # CHECK: %[[Q:.*]] : f32[3, 8]{offset=24} = operator.getitem(%[[SPLIT]], 1)
  # CHECK: %[[S:.*]] : f32[2, 8]{offset=48} = operator.getitem(%[[SPLIT]], 2)
  # CHECK: %t : f32[8, 3][1, 8]{offset=24} = aten.t.default(%[[Q]])
  # CHECK-NEXT: %row : f32[8]{offset=48} = aten.select.int(%[[S]], 0, 0)
  # CHECK-NEXT: %u : f32[4]{offset=48} = aten.slice.Tensor(%row, 0, 0, 4)
  # CHECK-NEXT: %e : f32[8, 3][1, 8] = aten.exp.default(%t)
  # CHECK-NEXT: %f : f32[4] = aten.exp.default(%u)
  # CHECK-NEXT: return (%[[R]], %e, %f)
  %p : f32[3, 8] = aten.mm.default(%a, %x)
  %q : f32[3, 8] = aten.mm.default(%b, %x)
  %s : f32[2, 8] = aten.mm.default(%c, %x)
  %t : f32[8, 3][1, 8] = aten.t.default(%q)
  %row : f32[8] = aten.select.int(%s, 0, 0)
  %u : f32[4] = aten.slice.Tensor(%row, 0, 0, 4)
  %e : f32[8, 3][1, 8] = aten.exp.default(%t)
  %f : f32[4] = aten.exp.default(%u)
  return (%p, %e, %f)
}
