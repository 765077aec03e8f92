# The results of a call with multiple results are different tensors, so a nested graph that returns
# them returns new memory. The items of a list may share memory: unsafe_split returns views of one
# new tensor.
# RUN: fxcpp opt %s --passes functionalize --check-changed | FileCheck %s
# RUN: sed "s/@items,/@parts,/; s/c : (f32.1, 3., i64/c : (f32[1, 3], f32/" %s > %t.fx
# RUN: not fxcpp opt %t.fx --passes functionalize 2>&1 | FileCheck %s --check-prefix=PARTS
# PARTS: writes to node g (operator.getitem), a result of node c (higher_order.invoke_subgraph), which may share memory with an operand or with another result
graph(%x : f32[2, 3]) {
  graph @items(%a : f32[2, 3]) {
    %top : (f32[1, 3], i64[1, 3]) = aten.topk.default(%a, 1, 0)
    %v : f32[1, 3] = operator.getitem(%top, 0)
    %i : i64[1, 3] = operator.getitem(%top, 1)
    return (%v, %i)
  }
  graph @parts(%a : f32[2, 3]) {
    %both : [f32[1, 3], f32[1, 3]{offset=3}] = aten.unsafe_split.Tensor(%a, 1)
    %v : f32[1, 3] = operator.getitem(%both, 0)
    %i : f32[1, 3]{offset=3} = operator.getitem(%both, 1)
    return (%v, %i)
  }
  %c : (f32[1, 3], i64[1, 3]) = higher_order.invoke_subgraph(@items, "body", %x)
  %g : f32[1, 3] = operator.getitem(%c, 0)
  %h = operator.getitem(%c, 1)
  # CHECK: %add{{.*}} = aten.add.Tensor(%g, 1)
  %w : f32[1, 3] = aten.add_.Tensor(%g, 1)
  # CHECK: return (%add, %add, %h)
  return (%w, %g, %h)
}
