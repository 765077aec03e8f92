# An inferred module is the module of the call or contains it.
# RUN: fxcpp opt %s --passes infer_modules --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes infer_modules,infer_modules --check-changed | FileCheck %s
graph(%embed : f32[9, 4] !{input={"kind": "parameter", "target": "net.embed.weight"}},
      %q0 : f32[4] !{input={"kind": "parameter", "target": "net.layers.0.attention.scale"}},
      %n0 : f32[4] !{input={"kind": "parameter", "target": "net.layers.0.norm.scale"}},
      %q1 : f32[4] !{input={"kind": "parameter", "target": "net.layers.1.attention.scale"}},
      %n1 : f32[4] !{input={"kind": "parameter", "target": "net.layers.1.norm.scale"}},
      %cell : f32[4] !{input={"kind": "parameter", "target": "net.rnn.cell.scale"}},
      %a : f32[4] !{input={"kind": "parameter", "target": "net.head.a.scale"}},
      %b : f32[4] !{input={"kind": "parameter", "target": "net.head.b.scale"}},
      %out : f32[4, 4] !{input={"kind": "parameter", "target": "net.out.weight"}},
      %tokens : i64[2, 3]) {
  # CHECK: aten.embedding.default{{.*}}module="net.embed"
  %x = aten.embedding.default(%embed, %tokens) !{region="fw"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.layers.0.attention"
  %x1 = aten.mul.Tensor(%x, %q0) !{region="fw"}
  # CHECK: aten.tanh.default{{.*}}module="net.layers.0"
  %x2 = aten.tanh.default(%x1) !{region="fw"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.layers.0.norm"
  %x3 = aten.mul.Tensor(%x2, %n0) !{region="fw"}
  # This call is the last one of layer 0 or the first one of layer 1: a guard in its attention.
  # CHECK: aten.equal.default{{.*}}module="net"
  %guard = aten.equal.default(%x3, %x3) !{region="fw"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.layers.1.attention"
  %x4 = aten.mul.Tensor(%x3, %q1) !{region="fw"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.layers.1.norm"
  %x5 = aten.mul.Tensor(%x4, %n1) !{region="fw"}
  # Another call of net.rnn.cell, in a loop in net.rnn or in a second call to net.rnn.
  # CHECK: aten.mul.Tensor{{.*}}module="net.rnn.cell"
  %h1 = aten.mul.Tensor(%x5, %cell) !{region="fw"}
  # CHECK: aten.sigmoid.default{{.*}}module="net"
  %h2 = aten.sigmoid.default(%h1) !{region="fw"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.rnn.cell"
  %h3 = aten.mul.Tensor(%h2, %cell) !{region="fw"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.head.a"
  %y1 = aten.mul.Tensor(%h3, %a) !{region="fw"}
  # CHECK: aten.exp.default{{.*}}module="net.head"
  %y2 = aten.exp.default(%y1) !{region="fw"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.head.b"
  %y3 = aten.mul.Tensor(%y2, %b) !{region="fw"}
  # Between two calls of net.head.
  # CHECK: aten.neg.default{{.*}}module="net"
  %y4 = aten.neg.default(%y3) !{region="fw"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.head.a"
  %y5 = aten.mul.Tensor(%y4, %a) !{region="fw"}
  # CHECK: aten.exp.default{{.*}}module="net.head"
  %y6 = aten.exp.default(%y5) !{region="fw"}
  # CHECK: aten.mul.Tensor{{.*}}module="net.head.b"
  %y7 = aten.mul.Tensor(%y6, %b) !{region="fw"}
  # The output matrix is tied to the embedding, but its use is not a call of the embedding, even if
  # the capture records it as one.
  # CHECK: aten.t.default(%embed) !{region="fw", module="net"}
  %t = aten.t.default(%embed) !{region="fw", module="net.embed"}
  # CHECK: aten.matmul.default{{.*}}module="net"
  %z = aten.matmul.default(%y7, %t) !{region="fw", seq=1, module="net.embed"}
  # A second function between the calls of one module, as with kept operators, belongs to the
  # module.
  # CHECK: aten.t.default{{.*}}module="net.out"
  %t1 = aten.t.default(%out) !{region="fw", module="net.out"}
  # CHECK: aten.linear.default{{.*}}module="net.out"
  %z1 = aten.linear.default(%y7, %out) !{region="fw", module="net.out"}
  # A sum of parameters of two modules belongs to neither.
  # CHECK: aten.add.Tensor(%a, %b) !{region="fw"}
  %penalty = aten.add.Tensor(%a, %b) !{region="fw"}
  # CHECK: aten.neg.default(%z){{.*}}module="net"
  %back = aten.neg.default(%z) !{region="bw", seq=1, module="net.embed"}
  # The optimizer updates the parameters of the modules.
  # CHECK: aten.mul_.Tensor{{.*}}module="net.embed"
  %step = aten.mul_.Tensor(%embed, 2) !{region="fw", module="net.embed"}
  return [%back, %z1, %t1, %step, %z, %guard, %penalty]
}
