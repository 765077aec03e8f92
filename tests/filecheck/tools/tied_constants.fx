# A tensor with multiple names is stored under the first name; the metadata of the data file has the others.
# RUN: cp %s %t.fx
# RUN: python3 -c "import json, struct, sys; h = json.dumps({'__metadata__': {'b': 'a'}, 'a': {'dtype': 'F32', 'shape': [2, 3], 'data_offsets': [0, 24]}}).encode(); open(sys.argv[1], 'wb').write(struct.pack('<Q', len(h)) + h + struct.pack('<6f', *range(6)))" %t.safetensors
# RUN: fxcpp convert %t.fx -o %t.text.fx
# RUN: fxcpp convert %t.text.fx -o %t.binary.fxb
# RUN: fxcpp convert %t.binary.fxb -o %t.pt2
# RUN: fxcpp convert %t.pt2 -o %t.module.json
# RUN: FileCheck %s < %t.module.json
# CHECK: "a":{"t":"float32","shape":[2,3],"stride":[1,2]
# CHECK: "b":{"same":"a"
graph(%x : f32[2, 3]) {
  %a : f32[2, 3][1, 2] = get_attr a
  %b : f32[2, 3][1, 2] = get_attr b
  %add_ : f32[2, 3][1, 2] = aten.add_.Tensor(%a, %x)
  %mul : f32[2, 3] = aten.mul.Tensor(%x, %b)
  return %mul
}
