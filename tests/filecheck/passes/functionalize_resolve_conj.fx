# RUN: fxcpp opt %s --passes functionalize,functionalize --check-changed | FileCheck %s
# resolve_conj and resolve_neg return their operand itself, unless it is a conjugated or negated
# view.

# CHECK-LABEL: graph(
graph(%x : c64[4]) {
  # CHECK-NEXT: %s : c64[4] = aten.sin.default(%x)
  # CHECK-NEXT: %[[ADD:.*]] : c64[4] = aten.add.Tensor(%s, 1)
  # CHECK-NEXT: %[[NEG:.*]] : c64[4] = aten.neg.default(%[[ADD]])
  # CHECK-NEXT: return (%[[NEG]], %[[NEG]])
  %s : c64[4] = aten.sin.default(%x)
  %r : c64[4] = aten.resolve_conj.default(%s)
  %w : c64[4] = aten.add_.Tensor(%r, 1)
  %n : c64[4] = aten.resolve_neg.default(%w)
  %v : c64[4] = aten.neg_.default(%n)
  return (%s, %v)
}
