# RUN: fxcpp opt %s --passes 'partition{ops="aten.relu.default aten.neg.default"}' --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes 'partition{ops="aten.relu.default aten.neg.default",only_connected},inline_calls' --check-changed | FileCheck %s --check-prefix=BACK
# RUN: fxcpp opt %s --passes 'split_module{key=seq}' --check-changed | FileCheck %s --check-prefix=SPLIT
# RUN: fxcpp opt %s --passes 'extract_subgraph{inputs="b",outputs="d"}' --check-changed | FileCheck %s --check-prefix=PART
# RUN: fxcpp opt %s --passes 'partition{ops="aten.relu.default aten.neg.default"}' -o %t.json
# RUN: fxcpp opt %t.json --passes inline_calls | FileCheck %s --check-prefix=FILED
# RUN: fxcpp opt %s --passes 'partition{ops="aten.sin.default aten.cos.default"}' --check-changed | FileCheck %s --check-prefix=STAYS
# RUN: not fxcpp opt %s --passes 'partition{ops=aten.relu.default,allow_single_node}' -o %t.fxb 2>&1 | FileCheck %s --check-prefix=ONE
# RUN: not fxcpp opt %s --passes 'extract_subgraph{inputs=z,outputs=d}' 2>&1 | FileCheck %s --check-prefix=NODE

# A path from one supported call through an unsupported call to another supported call keeps the
# two supported calls in separate parts.
# CHECK:      graph(%x) {
# CHECK-NEXT:   %fused_1 = call_module fused_1(%x)
# CHECK-NEXT:   %u = aten.sin.default(%fused_1)
# CHECK-NEXT:   %fused_0 = call_module fused_0(%u)
# CHECK-NEXT:   return (%fused_0, %fused_1)
# CHECK:      graph @fused_0(
# CHECK:        %c = aten.relu.default(%u)
# CHECK-NEXT:   %d = aten.neg.default(%c)
# CHECK:      graph @fused_1(%x) {

# Must not change: a single supported call.
# STAYS:      %b = aten.neg.default(%a)
# STAYS-NEXT: %u = aten.sin.default(%b)
# STAYS-NEXT: %c = aten.relu.default(%u)

# FILED-NOT: call_module
# FILED:     return (%d{{.*}}, %b{{.*}})
# ONE: this format contains one graph, and the modules that it calls would be lost (fused_{{.*}}); use .json or .safetensors, or --graph-only

# BACK-NOT: call_module
# BACK:     return (%d_1, %b_1)

# SPLIT: %submod_1 = call_module submod_1(%x)
# SPLIT: %submod_2 = call_module submod_2(%submod_1)
# SPLIT: return (%submod_2, %submod_1)

# PART:      graph(
# PART-NEXT:   %b !{seq=1},
# PART-NEXT: ) {
# PART-NEXT:   %u = aten.sin.default(%b)
# PART-NEXT:   %c
# PART-NEXT:   %d
# PART-NEXT:   return %d
# NODE: extract_subgraph{inputs=z,outputs=d}: unknown node z
graph(%x) {
  %a = aten.relu.default(%x) !{seq=1}
  %b = aten.neg.default(%a) !{seq=1}
  %u = aten.sin.default(%b) !{seq=2}
  %c = aten.relu.default(%u) !{seq=2}
  %d = aten.neg.default(%c) !{seq=2}
  return (%d, %b)
}
