# RUN: fxcpp opt %s --passes 'normalize_args{only_kwargs}' | FileCheck %s
# Arguments that have no name in Python stay positional: the receiver of a method, and all arguments
# of some functions.

# CHECK: %a = torch.Tensor.__pow__(%v, 2)
# CHECK: %b = torch.Tensor.relu(%v)
# CHECK: %c = torch.polygamma(n=1, input=%v)
# CHECK: %d = torch.sym_sum([1, 2])
# CHECK: %e = torch.is_tensor(%v)
# CHECK: %f = torch.Tensor.polygamma(%v, 1)
# CHECK: %g = torch.Tensor.copy_(%v, %w, False)
# CHECK: %h = torch.spmm(input=%w, mat2=%w)
graph(%v : f32[4], %w) {
  %a = torch.Tensor.__pow__(%v, 2)
  %b = torch.Tensor.relu(%v)
  %c = torch.polygamma(1, %v)
  %d = torch.sym_sum([1, 2])
  %e = torch.is_tensor(%v)
  %f = torch.Tensor.polygamma(%v, 1)
  %g = torch.Tensor.copy_(%v, %w)
  %h = torch.spmm(%w, %w)
  return (%a, %b, %c, %d, %e, %f, %g, %h)
}
