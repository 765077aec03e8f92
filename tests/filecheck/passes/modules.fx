# The option `modules` of passes: only calls in the selected modules change.
# RUN: fxcpp opt %s --passes 'decompose{ops=aten.silu,modules="layer*.act fc"}' --check-changed | FileCheck %s --check-prefix=DECOMPOSE
# RUN: fxcpp opt %s --passes 'decompose{ops=aten.silu,modules=gate}' --check-changed | FileCheck %s --check-prefix=NESTED
# RUN: fxcpp opt %s --passes 'replace_targets{from=aten.silu.default,to=aten.relu.default,modules="layer?"}' | FileCheck %s --check-prefix=REPLACE
# RUN: fxcpp opt %s --passes 'remove_dropout{modules=layer1}' --check-changed | FileCheck %s --check-prefix=DROPOUT
# RUN: fxcpp opt %s --passes 'set_training{modules=layer2}' --check-changed | FileCheck %s --check-prefix=EVAL
# RUN: fxcpp opt %s --passes 'partition{ops="aten.silu.default aten.neg.default",modules="layer1 fc",allow_single_node}' --check-changed | FileCheck %s --check-prefix=PARTITION
# RUN: fxcpp opt %s --passes 'split_for_backend{ops="aten.silu.default aten.neg.default",modules="layer1"}' --check-changed | FileCheck %s --check-prefix=BACKEND
# RUN: fxcpp opt %s --passes 'extract_subgraph{modules="layer*"}' --check-changed | FileCheck %s --check-prefix=EXTRACT
# RUN: fxcpp opt %s --passes 'extract_subgraph{modules=fc}' --check-changed | FileCheck %s --check-prefix=FC
# RUN: fxcpp opt %s --passes 'remove_dropout{modules=*.drop}' --rounds 3 | FileCheck %s --check-prefix=ROUNDS
# RUN: not fxcpp opt %s --passes 'remove_dropout{modules=*.drop},remove_dropout{modules=*.drop}' 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not fxcpp opt %s --passes 'extract_subgraph{modules=fc,outputs=f}' 2>&1 | FileCheck %s --check-prefix=BOTH
# RUN: not fxcpp opt %s --passes 'extract_subgraph{modules=gate.act}' 2>&1 | FileCheck %s --check-prefix=TOPLEVEL
# RUN: not fxcpp opt %s --passes 'remove_dropout{modules=layer3}' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# RUN: not fxcpp opt %s --passes 'decompose{modules="fc layer["}' 2>&1 | FileCheck %s --check-prefix=MALFORMED

# DECOMPOSE:      %s1{{.*}} = aten.mul.Tensor(
# DECOMPOSE:      %s2{{.*}} = aten.mul.Tensor(
# DECOMPOSE:      %s10{{.*}} = aten.silu.default(
# DECOMPOSE:      %f{{.*}} = aten.mul.Tensor(

# NESTED:     graph @body(
# NESTED:     %r{{.*}} = aten.mul.Tensor(
# NESTED:     %s1{{.*}} = aten.silu.default(
# NESTED:     %f{{.*}} = aten.silu.default(

# REPLACE:     %r{{.*}} = aten.silu.default(
# REPLACE:     %s1{{.*}} = aten.relu.default(
# REPLACE:     %s2{{.*}} = aten.relu.default(
# REPLACE:     %s10{{.*}} = aten.silu.default(
# REPLACE:     %f{{.*}} = aten.silu.default(

# DROPOUT:     %s1
# DROPOUT-NOT: %p1
# DROPOUT:     %p2{{.*}} = aten.dropout.default(%s2, 0.5, True)

# A later round may select nothing, but not a later pass.
# ROUNDS:     %p1
# ROUNDS-NOT: %p2
# ROUNDS:     return
# TWICE: remove_dropout{modules=*.drop}: unknown module *.drop; similar names are

# EVAL:        %p1{{.*}} = aten.dropout.default(%s1, 0.5, True)
# EVAL:        %p2{{.*}} = aten.dropout.default(%s2, 0.5, False)

# PARTITION:   call_module fused_1(
# PARTITION:   %s2{{.*}} = aten.silu.default(
# PARTITION:   %s10{{.*}} = aten.silu.default(
# PARTITION:   call_module fused_0(

# BACKEND: call_module _run_on_acc_0(
# BACKEND: call_module _run_on_cpu_1(
# BACKEND-NOT: _run_on_acc_1
# BACKEND-NOT: _run_on_acc_2

# The nodes are those of layer1, layer2 and layer10.
# EXTRACT:      graph(%x : f32[2]) {
# EXTRACT-NOT:  %f
# EXTRACT:      %s10
# EXTRACT-NEXT: return %s10

# The other operand of a call is an input, too.
# FC:      graph(
# FC-NEXT:   %s10 : f32[2]{{.*}},
# FC-NEXT: ) {
# FC-NOT:    %s10 =
# FC:        %f : f32[2] = aten.silu.default(%s10)
# FC-NEXT:   return %f
# BOTH: option modules replaces options inputs and outputs
# TOPLEVEL: unknown module gate.act; similar names are gate,
# UNKNOWN: remove_dropout{modules=layer3}: unknown module layer3; similar names are layer1, layer1.act
# MALFORMED: module pattern layer[: {{.+}}
graph(%x : f32[2]) {
  graph @body(%y : f32[2]) {
    %r : f32[2] = aten.silu.default(%y) !{module="gate.act"}
    return (%r,)
  }
  %s1 : f32[2] = aten.silu.default(%x) !{module="layer1.act"}
  %p1 : f32[2] = aten.dropout.default(%s1, 0.5, True) !{module="layer1"}
  %s2 : f32[2] = aten.silu.default(%p1) !{module="layer2.act"}
  %p2 : f32[2] = aten.dropout.default(%s2, 0.5, True) !{module="layer2.drop"}
  %s10 : f32[2] = aten.silu.default(%p2) !{module="layer10"}
  %f : f32[2] = aten.silu.default(%s10) !{module="fc"}
  %g : (f32[2],) = higher_order.invoke_subgraph(@body, "body", %f) !{module="gate"}
  %out : f32[2] = operator.getitem(%g, 0)
  return %out
}
