# The result of contiguous, flatten and reshape is a copy, but a view for n = 1. A copy for every n must
# not replace it where this is observed: here the write to %c also changes %x for n = 1.
# RUN: fxcpp opt %s --passes propagate_types,decompose | FileCheck %s
# RUN: sed 's/contiguous.default(%%t)/reshape.default(%%t, [-1])/' %s > %t.1 && fxcpp opt %t.1 --passes propagate_types,decompose | FileCheck --check-prefix=RESHAPE %s
# RUN: sed 's/contiguous.default(%%t)/flatten.using_ints(%%t)/' %s > %t.2 && fxcpp opt %t.2 --passes propagate_types,decompose | FileCheck --check-prefix=FLATTEN %s
# Not if it is only read, and not if n must be 2 or more.
# RUN: sed 's/add_.Tensor/add.Tensor/' %s > %t.3 && fxcpp opt %t.3 --passes propagate_types,decompose | FileCheck --check-prefix=COPY %s
# RUN: sed 's/"min": 1/"min": 2/' %s > %t.4 && fxcpp opt %t.4 --passes propagate_types,decompose | FileCheck --check-prefix=COPY %s
# A returned result may share memory with an input, or with a different result.
# RUN: sed -e 's/add_.Tensor/add.Tensor/' -e 's/return %%x/return %%c/' %s > %t.5 && fxcpp opt %t.5 --passes propagate_types,decompose | FileCheck %s
# CHECK: %c {{.*}}= aten.contiguous.default(
# RESHAPE: %c {{.*}}= aten.reshape.default(
# FLATTEN: %c {{.*}}= aten.flatten.using_ints(
# COPY: = aten.clone.default({{.*}}, memory_format=torch.contiguous_format)
graph(%x : f32[n, 3]) {
  !symbols = {"n": {"min": 1, "max": 9}}
  %t = aten.t.default(%x)
  %c = aten.contiguous.default(%t)
  %w = aten.add_.Tensor(%c, 1)
  return %x
}
