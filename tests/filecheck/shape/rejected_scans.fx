# RUN: not fxcpp opt %s --passes propagate_types 2>&1 | FileCheck %s
# Eager mode rejects a scan without steps.
# CHECK: %scan {{.*}}a scan must have at least one step, but a sequence has no slices
graph(%n : i64[], %xs : f32[0, 3]) {
  graph @step(%i, %x) {
    %next = aten.add.Tensor(%i, 1)
    return (%next,)
  }
  %scan = higher_order.scan(@step, [%n], [%xs], [])
  return %scan
}
