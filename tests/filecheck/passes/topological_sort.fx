# RUN: fxcpp opt %s --passes topological_sort --check-changed | FileCheck %s --check-prefix=STABLE
# RUN: fxcpp opt %s --passes 'topological_sort{breadth_first}' --check-changed | FileCheck %s

# Nodes that are in order are not moved.
# STABLE:      %a = aten.relu.default(%x)
# STABLE-NEXT: %b = aten.neg.default(%a)
# STABLE-NEXT: %c = aten.sin.default(%x)

# Breadth first: nodes are ordered by their distance from the inputs. Must not move: calls after a
# write.
# CHECK:      %a = aten.relu.default(%x)
# CHECK-NEXT: %c = aten.sin.default(%x)
# CHECK-NEXT: %b = aten.neg.default(%a)
# CHECK-NEXT: %w = aten.add_.Tensor(%x, 1)
# CHECK-NEXT: %d = aten.cos.default(%x)
graph(%x) {
  %a = aten.relu.default(%x)
  %b = aten.neg.default(%a)
  %c = aten.sin.default(%x)
  %w = aten.add_.Tensor(%x, 1)
  %d = aten.cos.default(%x)
  return (%b, %c, %d)
}
