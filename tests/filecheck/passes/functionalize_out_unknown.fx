# An out= with unknown sizes may be resized. If it is an input, the caller would see the new size,
# but a copy to the input would keep the old one.
# RUN: not fxcpp opt --passes functionalize %s 2>&1 | FileCheck %s

# CHECK: functionalize: node add (aten.add.out) may resize x, which is a view or an input of unknown sizes: specify its type
graph(%x : f32[*], %y : f32[6]) {
  %add : f32[6] = aten.add.out(%y, %y, out=%x)
  return %add
}
