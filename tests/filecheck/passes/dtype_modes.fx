# Inside a region of autocast, and after a change of the default dtype, calls have no inferred types, and
# no pass moves them out of the region or replaces them with calls that the mode treats differently.
# RUN: fxcpp opt %s --passes lower_to_aten,simplify,reinplace | FileCheck %s --check-prefix=LOWER
# RUN: fxcpp opt %s --passes 'lower_to_aten,decompose{set=all}' | FileCheck %s --check-prefix=LOWER
# RUN: fxcpp opt %s --passes 'partition{ops="aten.mm.default aten.neg.default"}' | FileCheck %s --check-prefix=PARTITION
# RUN: fxcpp opt %s --passes fold_constants | FileCheck %s --check-prefix=FOLD
# RUN: not fxcpp opt %s --passes 'extract_subgraph{outputs=m}' 2>&1 | FileCheck %s --check-prefix=EXTRACT
# RUN: fxcpp opt %s --passes 'extract_subgraph{outputs=p}' | FileCheck %s --check-prefix=OUTSIDE
# RUN: sed 's/^  %c = call_method float/  %c = aten.addmm_.default(%w, %x, %w)\n  %d = call_method float/' %s >%t.fx
# RUN: not fxcpp opt %t.fx --passes functionalize 2>&1 | FileCheck %s --check-prefix=WRITE
graph(%x : f32[3, 3], %w : f32[3, 3]) {
  %a : f32[3, 3] = aten.neg.default(%x)
  %e = torch.amp.autocast_mode._enter_autocast("cpu", torch.bfloat16, True, True)
  %b = aten.neg.default(%a)
  %m = aten.mm.default(%b, %w)
  %c = call_method float(%m)
  %q = torch.amp.autocast_mode._exit_autocast(%e)
  %n = aten.mm.default(%b, %w)
  %p = aten.mm.default(%a, %w)
  %f = torch.set_default_dtype(torch.float64)
  %o = aten.ones.default([2])
  %z = call_method to(%o, torch.float32)
  return (%c, %n, %p, %z)
}
# LOWER: %m = aten.mm.default(%b, %w)
# LOWER-NEXT: %[[C:.*]] = aten.to.dtype(%m, torch.float32)
# LOWER: %p : f32[3, 3] = aten.mm.default(%a, %w)
# LOWER: %o = aten.ones.default([2])
# LOWER-NEXT: %[[Z:.*]] = aten.to.dtype(%o, torch.float32)
# LOWER-NEXT: return (%[[C]], %n, %p, %[[Z]])

# PARTITION: _enter_autocast
# PARTITION-NEXT: call_module
# PARTITION: _exit_autocast
# PARTITION-NEXT: call_module
# PARTITION: graph @
# PARTITION: %n = aten.mm.default
# PARTITION: graph @
# PARTITION: %b = aten.neg.default
# PARTITION-NEXT: %m = aten.mm.default

# FOLD: _enter_autocast
# FOLD: %o = aten.ones.default([2])

# EXTRACT: the dtype of %b depends on %e (torch.amp.autocast_mode._enter_autocast), which is not part of the subgraph
# OUTSIDE: %a : f32[3, 3] = aten.neg.default(%x)
# OUTSIDE-NEXT: %p = aten.mm.default(%a, %w)

# WRITE: node c (aten.addmm_.default) writes to its arguments in a region with autocast or another default dtype
