# slice_scatter copies the entire storage of its operand, and as_strided reads beyond the elements.
# REQUIRES: torch
# RUN: cp %s %t.fx
# RUN: python3 -c "import json, struct, sys; h = json.dumps({'c': {'dtype': 'F32', 'shape': [4], 'data_offsets': [0, 16]}}).encode(); open(sys.argv[1], 'wb').write(struct.pack('<Q', len(h)) + h + struct.pack('<4f', *range(4)))" %t.safetensors
# RUN: fxcpp opt %t.fx --passes fold_constants -o %t.folded.json
# RUN: fxcpp print %t.folded.json | FileCheck %s
# CHECK: %part : f32[2] = aten.slice.Tensor(%c, 0, 0, 2)
# CHECK: : f32[2] = get_attr _folded_0
graph(%x : f32[1]) {
  %c : f32[4] = get_attr c
  %part : f32[2] = aten.slice.Tensor(%c, 0, 0, 2)
  %copy : f32[2] = aten.slice_scatter.default(%part, %x, 0, 0, 1)
  %all : f32[4] = aten.as_strided.default(%copy, [4], [1])
  %other : f32[2] = aten.slice.Tensor(%c, 0, 2, 4)
  %doubled : f32[2] = aten.mul.Tensor(%other, 2)
  %sum : f32[2] = aten.slice_scatter.default(%doubled, %x, 0, 0, 1)
  return (%all, %sum)
}
