# The number of elements of a torch.Size is the product of its items.
# RUN: fxcpp shape %s | FileCheck %s
graph(%x : f32[2, 3], %y : f32[s0, 3], %z : f32[]) {
  %size = call_method size(%x)
  # CHECK: {{^}}n : int(6)
  %n = call_method numel(%size)
  %shape = builtins.getattr(%y, "shape")
  # CHECK: {{^}}m : SymInt(3*s0)
  %m = call_method numel(%shape)
  %none = call_method size(%z)
  # CHECK: {{^}}one : int(1)
  %one = call_method numel(%none)
  # CHECK: {{^}}zeros : f32[3*s0]
  %zeros = torch.zeros(%m)
  # CHECK: {{^}}total : int(6)
  %total = call_method numel(%x)
  return (%n, %zeros, %one, %total)
}
