# An out= with unknown sizes may be resized. If it is an input, the caller would see the new size,
# but a copy to the input would keep the old one.
# RUN: not fxcpp opt --passes functionalize %s 2>&1 | FileCheck %s

# CHECK: functionalize: node add (aten.add.out) may resize x, which has unknown sizes, and is a view, has views or is an input: specify its type
graph(%x : f32[*], %y : f32[6]) {
  %add : f32[6] = aten.add.out(%y, %y, out=%x)
  return %add
}
