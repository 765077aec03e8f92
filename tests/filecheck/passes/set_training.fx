# RUN: fxcpp opt %s --passes set_training --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes set_training,set_training,propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'set_training{on}' | FileCheck %s --check-prefix=ON
# RUN: fxcpp opt %s --passes 'set_training,set_training{on}' | FileCheck %s --check-prefix=ON
# RUN: not fxcpp opt %s --passes 'set_training{strict}' 2>&1 | FileCheck %s --check-prefix=STRICT

# STRICT: pass 1, set_training{strict=true}: no_stats (aten.batch_norm.default): it has no running statistics
graph(%x : f32[2, 3, 4, 4], %w : f32[3], %b : f32[3], %mean : f32[3], %var : f32[3], %grad : f32[2, 3, 4, 4], %h) {
  # CHECK: %drop : f32[2, 3, 4, 4] = aten.dropout.default(%x, 0.5, False)
  # ON: %drop : f32[2, 3, 4, 4] = aten.dropout.default(%x, 0.5, True)
  %drop : f32[2, 3, 4, 4] = aten.dropout.default(%x, 0.5, True)
  # The gradient of dropout is scaled by 1 / (1 - p).
  # CHECK-NEXT: aten.native_dropout.default(%drop, 0.75, False)
  # CHECK: aten.native_dropout_backward.default(%grad, %mask, 1.0)
  # ON: aten.native_dropout.default(%drop, 0.75, True)
  # ON: aten.native_dropout_backward.default(%grad, %mask, 4.0)
  %native : (f32[2, 3, 4, 4], b8[2, 3, 4, 4]) = aten.native_dropout.default(%drop, 0.75, True)
  %dropped : f32[2, 3, 4, 4] = operator.getitem(%native, 0)
  %mask : b8[2, 3, 4, 4] = operator.getitem(%native, 1)
  %dropout_backward : f32[2, 3, 4, 4] = aten.native_dropout_backward.default(%grad, %mask, 4.0)
  # Batch norm uses its running statistics; the saved statistics have different sizes.
  # CHECK: %bn : (f32[2, 3, 4, 4], f32[0], f32[0], f32[3], f32[3]) = aten._native_batch_norm_legit_functional.default(%dropped, %w, %b, %mean, %var, False, 0.1, 1e-05)
  # CHECK: %saved : f32[0] = operator.getitem(%bn, 1)
  # CHECK: aten.native_batch_norm_backward.default({{.*}}, False, 1e-05, [True, True, True])
  # ON: %saved : f32[3] = operator.getitem(%bn, 1)
  # ON: aten.native_batch_norm_backward.default({{.*}}, True, 1e-05, [True, True, True])
  %bn : (f32[2, 3, 4, 4], f32[3], f32[3], f32[3], f32[3]) = aten._native_batch_norm_legit_functional.default(%dropped, %w, %b, %mean, %var, True, 0.1, 1e-05)
  %out : f32[2, 3, 4, 4] = operator.getitem(%bn, 0)
  %saved : f32[3] = operator.getitem(%bn, 1)
  %rstd : f32[3] = operator.getitem(%bn, 2)
  %bn_backward : (f32[2, 3, 4, 4], f32[3], f32[3]) = aten.native_batch_norm_backward.default(%grad, %dropped, %w, %mean, %var, %saved, %rstd, True, 1e-05, [True, True, True])
  %bn_grad : f32[2, 3, 4, 4] = operator.getitem(%bn_backward, 0)
  # CHECK: aten._native_batch_norm_legit_no_training.default(%out, %w, %b, %mean, %var, 0.1, 1e-05)
  # ON: %inference : (f32[2, 3, 4, 4], f32[3], f32[3]) = aten._native_batch_norm_legit.default(%out, %w, %b, %mean, %var, True, 0.1, 1e-05)
  %inference : (f32[2, 3, 4, 4], f32[0], f32[0]) = aten._native_batch_norm_legit_no_training.default(%out, %w, %b, %mean, %var, 0.1, 1e-05)
  %next : f32[2, 3, 4, 4] = operator.getitem(%inference, 0)
  # CHECK: torch.nn.functional.dropout(%next, p=0.5, training=False)
  %functional = torch.nn.functional.dropout(%next, p=0.5, training=True)
  # All calls with a training flag in their schema: torch functions, in-place operators,
  # recurrent layers.
  # CHECK: %python : f32[2, 3, 4, 4] = torch.batch_norm(%x, %w, %b, %mean, %var, False, 0.1, 1e-05, False)
  # ON: %python : f32[2, 3, 4, 4] = torch.batch_norm(%x, %w, %b, %mean, %var, True, 0.1, 1e-05, False)
  %python : f32[2, 3, 4, 4] = torch.batch_norm(%x, %w, %b, %mean, %var, True, 0.1, 1e-05, False)
  # CHECK: %in_place : f32[2, 3, 4, 4] = aten.dropout_.default(%python, p=0.5, train=False)
  # ON: %in_place : f32[2, 3, 4, 4] = aten.dropout_.default(%python, p=0.5, train=True)
  %in_place : f32[2, 3, 4, 4] = aten.dropout_.default(%python, p=0.5, train=True)
  # CHECK: %lstm = aten.lstm.input(%in_place, [%h, %h], [%h], False, 2, 0.5, False, False, True)
  # ON: %lstm = aten.lstm.input(%in_place, [%h, %h], [%h], False, 2, 0.5, True, False, True)
  %lstm = aten.lstm.input(%in_place, [%h, %h], [%h], False, 2, 0.5, True, False, True)
  # Must not change: calls without running statistics; other layers.
  # CHECK: %no_stats : f32[2, 3, 4, 4] = aten.batch_norm.default(%next, %w, %b, None, None, True, 0.1, 1e-05, False)
  # CHECK: %relu : f32[2, 3, 4, 4] = aten.relu.default(%no_stats)
  %no_stats : f32[2, 3, 4, 4] = aten.batch_norm.default(%next, %w, %b, None, None, True, 0.1, 1e-05, False)
  %relu : f32[2, 3, 4, 4] = aten.relu.default(%no_stats)
  return (%relu, %functional, %dropout_backward, %bn_grad, %lstm)
}
