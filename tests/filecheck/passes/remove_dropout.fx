# RUN: fxcpp opt %s --passes remove_dropout --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'remove_dropout{training=false}' --check-changed | FileCheck %s --check-prefix=EVAL
# parity: E2
graph(%x) {
  # CHECK-NOT: dropout.default
  # CHECK-NOT: dropout2d
  # EVAL:     %a = aten.dropout.default(%x, 0.5, True)
  # EVAL-NOT: %b
  # EVAL:     %c = torch.nn.functional.dropout2d(%a, 0.5)
  # EVAL-NOT: %d
  # EVAL:     %e = aten.native_dropout.default(%c, 0.5, True)
  %a = aten.dropout.default(%x, 0.5, True)
  %b = aten.dropout.default(%a, 0.5, False)
  %c = torch.nn.functional.dropout2d(%b, 0.5)
  %d = torch.nn.functional.dropout(%c, training=False)
  %e = aten.native_dropout.default(%d, 0.5, True)
  %f = operator.getitem(%e, 0)
  # native_dropout returns a new tensor, so a copy keeps the result separate from the input.
  # CHECK: %[[COPY:.*]] = aten.clone.default(%x)
  # Must not change: the mask has a user; the call writes to its argument.
  # CHECK: %g = aten.native_dropout.default(%[[COPY]], 0.5, True)
  # CHECK: %i = aten.dropout_.default(%x, 0.5, True)
  # Must not change: %k is both results of the call, not the first one.
  # CHECK: %j = aten.native_dropout.default(%i, 0.5, False)
  # CHECK: %k = operator.getitem([%j, %x], 0)
  # CHECK: return (%[[COPY]], %h, %i, %k)
  %g = aten.native_dropout.default(%f, 0.5, True)
  %h = operator.getitem(%g, 1)
  %i = aten.dropout_.default(%x, 0.5, True)
  %j = aten.native_dropout.default(%i, 0.5, False)
  %k = operator.getitem([%j, %x], 0)
  return (%f, %h, %i, %k)
}
