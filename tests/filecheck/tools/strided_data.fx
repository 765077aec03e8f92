# Data files are row-major. A tensor that is read from one has the strides of its type.
# RUN: cp %s %t.fx
# RUN: python3 -c "import json, struct, sys; h = json.dumps({'w': {'dtype': 'F32', 'shape': [2, 3], 'data_offsets': [0, 24]}}).encode(); open(sys.argv[1], 'wb').write(struct.pack('<Q', len(h)) + h + struct.pack('<6f', *range(6)))" %t.safetensors
# RUN: fxcpp convert %t.fx -o %t.pt2
# RUN: fxcpp convert %t.pt2 -o %t.from_text.json
# RUN: FileCheck %s < %t.from_text.json
# RUN: fxcpp convert %t.from_text.json -o %t.again.pt2
# RUN: fxcpp convert %t.again.pt2 -o %t.from_json.json
# RUN: FileCheck %s < %t.from_json.json
# CHECK: "w":{"t":"float32","shape":[2,3],"stride":[1,2]
graph(%x : f32[2, 3]) {
  %w : f32[2, 3][1, 2] = get_attr w
  %add : f32[2, 3] = aten.add.Tensor(%x, %w)
  return %add
}
