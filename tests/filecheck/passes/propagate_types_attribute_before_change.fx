# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# An attribute that is read before a call changes the sizes of the tensor.
graph(%x : f32[3, 4]) {
  %c = aten.clone.default(%x)
  %t = builtins.getattr(%c, "T")
  %s = builtins.getattr(%c, "shape")
  %d = builtins.getattr(%c, "dtype")
  %a = call_method unsqueeze_(%c, 0)
  # CHECK: %m : f32[3] = torch.sum(%t, 0)
  %m = torch.sum(%t, 0)
  # CHECK: %z : f64[3, 4] = torch.zeros(%s, dtype=torch.float64)
  %z = torch.zeros(%s, dtype=torch.float64)
  # CHECK: %y : f32[5] = torch.zeros(5, dtype=%d)
  %y = torch.zeros(5, dtype=%d)
  # CHECK: %n : f32[1, 3, 4] = torch.neg(%c)
  %n = torch.neg(%c)
  return (%m, %z, %y, %n)
}
