# REQUIRES: torch
# When an operand becomes a constant, the call to the nested graph gets a type. The type shows that
# its results are new tensors, so the call is folded too, and a second run changes nothing.
# Constants that become unused are removed.
# RUN: fxcpp opt %s --passes fold_constants --check-changed -o %t.fx && FileCheck %s < %t.fx
# RUN: fxcpp opt %s --passes fold_constants,fold_constants --check-changed | FileCheck %s
# RUN: fxcpp state %t.safetensors | FileCheck %s --check-prefix=STATE
# CHECK-NOT: higher_order
# CHECK-DAG: %[[S:.*]] : f64[2] = get_attr _folded_0
# CHECK-DAG: %[[C:.*]] : f64[2] = get_attr _folded_1
# CHECK-DAG: %[[D:.*]] : f64[2] = aten.clone.default(%[[C]])
# CHECK-DAG: %[[Z:.*]] = aten.add.Tensor(%x, %[[S]])
# CHECK: return (%[[D]], %[[Z]])
# STATE-COUNT-2: _folded_
# STATE-NOT: _folded_
graph(%x : f64[2]) {
  graph @part(%a : tensor[2]) {
    %c = aten.neg.default(%a)
    return [%c]
  }
  %ones : f64[2] = aten.ones.default([2], dtype=torch.float64)
  %s : f64[*] = aten.sub.Tensor(%ones, 3)
  %run = higher_order.wrap(@part, %s)
  %y = operator.getitem(%run, 0)
  %z = aten.add.Tensor(%x, %s)
  return (%y, %z)
}
