# RUN: fxcpp opt %s --input 'x=f32[5]' --passes propagate_types | FileCheck %s
# The recorded metadata of a value does not describe a value of another type.

# CHECK: %x : f32[5] !{seq=1}
# CHECK: %y : f32[5] = aten.neg.default(%x) !{seq=2}{{$}}
# CHECK: %z : f32[3] = aten.ones.default([3]) !{tensor_meta=type(f32[3])}
graph(%x : f32[3] !{seq=1, tensor_meta=type(f32[3])}) {
  %y : f32[3] = aten.neg.default(%x) !{seq=2, tensor_meta=type(f32[3])}
  %z : f32[3] = aten.ones.default([3]) !{tensor_meta=type(f32[3])}
  return (%y, %z)
}
