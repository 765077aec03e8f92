# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# Later steps of a scan receive the results of earlier steps, whose types may differ from that of the
# first value if the sequence has no type.
graph(%n : i64[], %row : f32[3]{offset=3}, %xs) {
  # CHECK: %r : tensor[*],
  graph @step(%i, %r, %x) {
    %next = aten.add.Tensor(%i, 1)
    %y = aten.clone.default(%x)
    return (%next, %y)
  }
  %scan = higher_order.scan(@step, [%n, %row], [%xs], [])
  return (%scan,)
}
