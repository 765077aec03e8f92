# RUN: fxcpp opt %s --passes normalize_args --check-changed | FileCheck %s --check-prefix=ARGS
# RUN: fxcpp opt %s --passes 'normalize_args{only_kwargs}' --check-changed | FileCheck %s --check-prefix=KWARGS
# RUN: fxcpp opt %s --passes methods_to_functions --check-changed | FileCheck %s --check-prefix=FUNCTIONS
# RUN: fxcpp opt %s --passes normalize_operators --check-changed | FileCheck %s --check-prefix=OPERATORS
# RUN: fxcpp opt %s --passes 'normalize_operators{torch}' --check-changed | FileCheck %s --check-prefix=TORCH
# RUN: fxcpp opt %s --passes 'replace_targets{from=aten.add.Tensor,to=aten.sub.Tensor}' --check-changed | FileCheck %s --check-prefix=REPLACE
# parity: E9 E10 P34 D3d
graph(%x : f32[2], %y, %n : int) {
  # ARGS:    %a = aten.add.Tensor(%x, %y, alpha=1) !{seq=1}
  # KWARGS:  %a = aten.add.Tensor(self=%x, other=%y, alpha=1) !{seq=1}
  # REPLACE: %a = aten.sub.Tensor(%x, %y) !{seq=1}
  %a = aten.add.Tensor(%x, %y) !{seq=1}
  # ARGS: %b = aten.sum.dim_IntList(%a, [0], False, dtype=None)
  %b = aten.sum.dim_IntList(dim=[0], self=%a)
  # Must not change: a call that does not match its schema; an unknown function.
  # ARGS: %c = user.function(%a, k=1)
  %c = user.function(%a, k=1)
  # The first argument of these operators is not the method's receiver.
  # FUNCTIONS: torch.where(%w1, %a, %b)
  # FUNCTIONS: torch.where(%w1, %a, other=%b)
  # FUNCTIONS: torch.polygamma(2, %a)
  %w1 = aten.gt.Scalar(%a, 0)
  %w2 = call_method where(%a, %w1, %b)
  %w3 = call_method where(%a, condition=%w1, other=%b)
  %w4 = call_method polygamma(%a, 2)
  # FUNCTIONS: %[[D:.*]] = torch.relu(%b)
  # FUNCTIONS: %[[E:.*]] = torch.add(%[[D]], %x, alpha=2)
  # FUNCTIONS: %[[P:.*]] = torch.permute(%[[E]], (1, 0))
  # FUNCTIONS: %f = call_method size(%[[P]])
  # FUNCTIONS: %g = call_method unknown(%[[E]])
  # FUNCTIONS: %h = call_method bit_length(%n)
  # FUNCTIONS: %h2 = call_method numel(%f)
  %d = call_method relu(%b)
  %e = call_method add(%d, %x, alpha=2)
  %e2 = call_method permute(%e, 1, 0)
  %f = call_method size(%e2)
  %g = call_method unknown(%e)
  %h = call_method bit_length(%n)
  %h2 = call_method numel(%f)
  # torch.fx would drop alpha.
  # OPERATORS: %i = operator.add(%x, %y)
  # OPERATORS: %j = torch.add(%x, %y, alpha=2)
  # OPERATORS: %k = operator.truediv(%x, 2)
  # OPERATORS: %l = torch.div(%x, 2, rounding_mode="floor")
  # OPERATORS: %m = operator.neg(%x)
  %i = torch.add(%x, %y)
  %j = torch.add(%x, %y, alpha=2)
  %k = torch.div(%x, 2)
  %l = torch.div(%x, 2, rounding_mode="floor")
  %m = torch.neg(%x)
  # Must not change: numbers are not tensors, and unknown values may not be tensors.
  # TORCH: %o = torch.mul(%x, 2)
  # TORCH: %p = operator.mul(%n, 2)
  # TORCH: %q = operator.mul(%y, 2)
  # TORCH: %r = torch.matmul(%x, %y)
  # TORCH: %s = operator.lt(%y, %x)
  # TORCH: %t = operator.eq(%x, None)
  # TORCH: %u = torch.mul(%n, %x)
  # TORCH: %v = torch.lt(%x, 2)
  %o = operator.mul(%x, 2)
  %p = operator.mul(%n, 2)
  %q = operator.mul(%y, 2)
  %r = operator.matmul(%x, %y)
  %s = operator.lt(%y, %x)
  %t = operator.eq(%x, None)
  %u = operator.mul(%n, %x)
  %v = operator.lt(%x, 2)
  return (%c, %f, %g, %h, %h2, %i, %j, %k, %l, %m, %o, %p, %q, %r, %s, %t, %u, %v)
}
