# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,lower_to_aten | FileCheck %s --check-prefix=LOWERED
# Slices of lists have the items that Python selects: negative bounds count from the end, and bounds
# outside the list are clamped.
graph(%x : f32[5, 2]) {
  %parts = torch.split(%x, [1, 2, 2])
  # CHECK: %last : [f32[2, 2]{{.*}}, f32[2, 2]{{.*}}]
  %last = operator.getitem(%parts, slice(-2, None, None))
  # CHECK: %ends : [f32[1, 2]{{.*}}, f32[2, 2]{{.*}}]
  %ends = operator.getitem(%parts, slice(-9, 9, 2))
  # CHECK: %none : []
  %none = operator.getitem(%parts, slice(2, 1, None))
  # LOWERED: aten.add.Tensor(%x, 3)
  %literal = operator.getitem([1, 2, 3], slice(-1, None, 9223372036854775807))
  %item = operator.getitem(%literal, 0)
  %b = torch.add(%x, %item)
  return (%last, %ends, %none, %b)
}
