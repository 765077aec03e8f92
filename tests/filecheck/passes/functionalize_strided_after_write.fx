# RUN: not fxcpp opt %s --passes functionalize 2>&1 | FileCheck %s
# %s reads an element of the storage that is not an element of %x. A new value of %x does not have
# it, so the pass cannot create %s again after the write.
# CHECK: node s (aten.as_strided.default){{.*}}extends beyond the tensor that was written
graph(%x : f32[2]{offset=1}) {
  %s : f32[3] = aten.as_strided.default(%x, [3], [1], 0)
  %v : f32[3] = aten.alias.default(%s)
  %w : f32[2]{offset=1} = aten.neg_.default(%x)
  %y : f32[3] = aten.relu.default(%v)
  return %y
}
