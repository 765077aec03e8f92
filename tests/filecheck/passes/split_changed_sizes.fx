# The type of a node is the type of its value when the node ran. If a part receives or returns a
# tensor whose sizes a call changes in place, the type in the other part is unknown.
# RUN: fxcpp opt %s --passes 'partition{allow_single_node,ops=aten.add.out}' --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'split_for_backend{ops=aten.add.out}' --check-changed | FileCheck %s
# CHECK: {{^}}  %{{[a-z_0-9]+}} = call_module
# CHECK: (%x : f32[3, 2], %o) {
graph(%x : f32[3, 2], %o : f32[4]) {
  %w : f32[3, 2] = aten.add.out(%x, %x, out=%o)
  %n : f32[3, 2] = aten.neg.default(%o)
  return (%w, %n)
}
