# RUN: fxcpp opt %s --passes infer_modules --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes infer_modules,infer_modules --check-changed | FileCheck %s
graph(%w : f32[8, 4] !{input={"kind": "parameter", "target": "net.fc.weight"}},
      %c0 : f32[8] !{input={"kind": "parameter", "target": "net.layers.0.weight"}},
      %c2 : f32[8] !{input={"kind": "parameter", "target": "net.layers.2.weight"}},
      %last : f32[8] !{input={"kind": "parameter", "target": "net.out.weight"}},
      %x : f32[2, 4]) {
  # A call between two calls of a module belongs to it, and so does a function of its parameters.
  # CHECK: aten.t.default{{.*}}module="net.fc"
  %t = aten.t.default(%w) !{region="fw"}
  # CHECK: aten.view.default{{.*}}module="net.fc"
  %view = aten.view.default(%x, [2, 4]) !{region="fw"}
  # CHECK: aten.mm.default{{.*}}module="net.fc"
  %mm = aten.mm.default(%view, %t) !{region="fw", seq=0}
  # The last part of a matrix product.
  # CHECK: aten._unsafe_view.default{{.*}}module="net.fc"
  %unsafe = aten._unsafe_view.default(%mm, [2, 8]) !{region="fw"}
  # Between the modules net.fc and net.layers.0.
  # CHECK: aten.neg.default{{.*}}module="net"
  %neg = aten.neg.default(%unsafe) !{region="fw"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.layers.0"
  %a = aten.mul.Tensor(%neg, %c0) !{region="fw", seq=1}
  # A list of layers is never called. A call between its layers may be part of one of them, or of a
  # layer without parameters, or of the module that contains the list.
  # CHECK: aten.relu.default{{.*}}module="net"
  %relu = aten.relu.default(%a) !{region="fw", seq=2}
  # CHECK: aten.mul.Tensor{{.*}}module="net.layers.2"
  %b = aten.mul.Tensor(%relu, %c2) !{region="fw"}
  # CHECK: aten.relu.default{{.*}}module="net"
  %relu_1 = aten.relu.default(%b) !{region="fw"}
  # CHECK: aten.sum.default{{.*}}module="net"
  %sum = aten.sum.default(%b) !{region="fw"}
  # Must not change: a recorded module, unless the inferred one is inside it.
  # CHECK: aten.exp.default{{.*}}module="net.head"
  %exp = aten.exp.default(%relu_1) !{region="fw", module="net.head"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.head"
  %tied = aten.mul.Tensor(%exp, %c0) !{region="fw", module="net.head"}
  # CHECK: aten.add.Tensor{{.*}}module="net.out"
  %y = aten.add.Tensor(%tied, %last) !{region="fw", module="net"}
  # Backward calls belong to the modules of their forward calls.
  # CHECK: aten.threshold_backward.default{{.*}}module="net"
  %g = aten.threshold_backward.default(%y, %relu, 0) !{region="bw", seq=2}
  # CHECK: aten.mul.Tensor{{.*}}module="net.layers.0"
  %h = aten.mul.Tensor(%g, %neg) !{region="bw", seq=1}
  # CHECK: aten.neg.default(%h) !{region="bw"}
  %unknown = aten.neg.default(%h) !{region="bw"}
  return [%sum, %unknown]
}
