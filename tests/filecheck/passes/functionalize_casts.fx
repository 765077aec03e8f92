# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# eq_ writes numbers to a float tensor, even if the strides of the new value are unknown, so that
# the type of the functional call cannot be inferred.
graph(%x) {
  # CHECK: %[[EQ:.*]] : b8[3, 2][?] = aten.eq.Scalar(
  # CHECK-NEXT: %[[NUMBERS:[a-z_0-9]+]] = aten._to_copy.default(%[[EQ]], dtype=torch.float32)
  # CHECK-NEXT: aten.select_scatter.default(%{{.*}}, %[[NUMBERS]], 2, 3)
  %parts = aten.unbind.int(%x, 2)
  %part : f32[3, 2][8, 4]{offset=3} = operator.getitem(%parts, 3)
  %zero_ : f32[3, 2][8, 4]{offset=3} = aten.zero_.default(%part)
  %eq_ : f32[3, 2][8, 4]{offset=3} = aten.eq_.Scalar(%part, 0)
  %fill_ : f32[3, 2][8, 4]{offset=3} = aten.fill_.Scalar(%part, 3)
  return %part
}
