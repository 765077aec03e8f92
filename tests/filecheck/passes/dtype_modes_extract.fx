# The end of an autocast region does not end a change of the default dtype inside the region.
# RUN: not fxcpp opt %s --passes 'extract_subgraph{outputs=o}' 2>&1 | FileCheck %s
# CHECK: the dtype of %o depends on %d (torch.set_default_dtype)
graph(%x : f32[2]) {
  %e = torch.amp.autocast_mode._enter_autocast("cpu", torch.bfloat16, True, True)
  %d = torch.set_default_dtype(torch.float64)
  %q = torch.amp.autocast_mode._exit_autocast(%e)
  %o = aten.ones.default([2])
  return %o
}
