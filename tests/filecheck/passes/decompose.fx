# parity: E18
# RUN: fxcpp opt %s --passes decompose --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes decompose,decompose --check-changed -o %t.fx
# RUN: fxcpp opt %s --passes 'decompose{ops="aten.addmm aten.relu.default"}' | FileCheck %s --check-prefix=NAMED
# RUN: fxcpp opt %s --passes 'decompose{keep="aten.silu aten.split"}' | FileCheck %s --check-prefix=KEEP
# RUN: fxcpp opt %s --passes 'decompose{ops=aten.detach}' | FileCheck %s --check-prefix=DETACH
# RUN: not fxcpp opt %s --passes 'decompose{strict}' 2>&1 | FileCheck %s --check-prefix=STRICT
# RUN: not fxcpp opt %s --passes 'decompose{ops=aten.add}' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# RUN: not fxcpp opt %s --passes 'decompose{set=some}' 2>&1 | FileCheck %s --check-prefix=SET

# STRICT: silu_of_unknown (aten.silu.default): its argument self is of unknown type
# STRICT: dynamic (aten.unbind.int): the size of the dimension to unbind must be known
# UNKNOWN: aten.add has no decomposition;
# SET: set must be core, all, composite or none, not "some"

# CHECK-LABEL: graph(
graph(%x : f32[2, 3], %w : f32[3, 3], %b : f32[3], %image : f32[2, 4, 3, 3][36, 1, 12, 4], %h : f16[4], %u, %s : f32[s0, 3]) {
  # The call keeps its name; the new node is before it.
  # CHECK: %[[SIGMOID:.*]] : f32[2, 3] = aten.sigmoid.default(%x)
  # CHECK-NEXT: %silu : f32[2, 3] = aten.mul.Tensor(%x, %[[SIGMOID]])
  # KEEP: %silu : f32[2, 3] = aten.silu.default(%x)
  # NAMED: %silu : f32[2, 3] = aten.silu.default(%x)
  %silu : f32[2, 3] = aten.silu.default(%x)
  # Two steps: linear is decomposed to addmm, which is a core operator.
  # CHECK-NEXT: %[[T:.*]] : f32[3, 3]{{.}}1, 3] = aten.permute.default(%w, [1, 0])
  # CHECK-NEXT: %fc : f32[2, 3] = aten.addmm.default(%b, %silu, %[[T]])
  %fc : f32[2, 3] = aten.linear.default(%silu, %w, %b)
  # Half precision is computed in float32, as in libtorch's kernels.
  # CHECK-NEXT: %[[WIDE:.*]] : f32[4] = aten._to_copy.default(%h, dtype=torch.float32)
  # CHECK-NEXT: %[[S:.*]] : f32[4] = aten.sigmoid.default(%[[WIDE]])
  # CHECK-NEXT: %[[P:.*]] : f32[4] = aten.mul.Tensor(%[[WIDE]], %[[S]])
  # CHECK-NEXT: %half : f16[4] = aten._to_copy.default(%[[P]], dtype=torch.float16)
  %half : f16[4] = aten.silu.default(%h)
  # The strides are preserved.
  # CHECK: %threshold : f32[2, 4, 3, 3]{{.}}36, 1, 12, 4] = aten.where.self(
  %threshold : f32[2, 4, 3, 3][36, 1, 12, 4] = aten.threshold_backward.default(%image, %image, 0)
  # Multiple results: users of an item use its replacement; unused results are not computed.
  # CHECK-NEXT: %[[LOW:.*]] : f32[2] = aten.amin.default(%x, [1], False)
  # CHECK-NOT: aten.amax
  %minmax : (f32[2], f32[2]) = aten.aminmax.default(%x, dim=1)
  %low : f32[2] = operator.getitem(%minmax, 0)
  # CHECK-NEXT: %parts : {{.*}} = aten.split_with_sizes.default(%x, [2, 1], 1)
  # CHECK-NEXT: %part
  # KEEP: aten.split.Tensor(%x, 2, 1)
  %parts : [f32[2, 2][3, 1], f32[2, 1][3, 1]{offset=2}] = aten.split.Tensor(%x, 2, 1)
  %part : f32[2, 2][3, 1] = operator.getitem(%parts, 0)
  # Must not change unless it is selected: gradients would flow through an alias.
  # CHECK-NEXT: %same : f32[2, 3] = aten.detach.default(%x)
  # DETACH: %same : f32[2, 3] = aten.alias.default(%x)
  %same : f32[2, 3] = aten.detach.default(%x)
  # The graph computes sizes that are not constant.
  # CHECK-NEXT: %[[N:.*]] : SymInt(s0) = aten.sym_size.int(%s, 0)
  # CHECK-NEXT: %grad_like : f32[s0, 3]{{.}}0, 1] = aten.expand.default(%b, [%[[N]], 3])
  %grad_like : f32[s0, 3][0, 1] = aten.expand_as.default(%b, %s)

  # Must not change: core operators, unless they are selected.
  # CHECK-NEXT: %relu : f32[2, 3] = aten.relu.default(%fc)
  # CHECK-NEXT: %addmm : f32[2, 3] = aten.addmm.default(%b, %relu, %w)
  # NAMED-NOT: aten.relu
  # NAMED-NOT: aten.addmm
  # NAMED: %[[MM:.*]] : f32[2, 3] = aten.mm.default(
  # NAMED-NEXT: %addmm : f32[2, 3] = aten.add.Tensor(%[[MM]], %b)
  %relu : f32[2, 3] = aten.relu.default(%fc)
  %addmm : f32[2, 3] = aten.addmm.default(%b, %relu, %w)
  # Must not change: an operand without a type, an unknown number of parts, and a function that is
  # not an operator.
  # CHECK-NEXT: %silu_of_unknown = aten.silu.default(%u)
  # CHECK-NEXT: %dynamic = aten.unbind.int(%s)
  # CHECK-NEXT: %other = torch.nn.functional.silu(%x)
  %silu_of_unknown = aten.silu.default(%u)
  %dynamic = aten.unbind.int(%s)
  %other = torch.nn.functional.silu(%x)
  # CHECK-NEXT: return (%addmm, %half, %threshold, %[[LOW]], %part, %same, %grad_like, %silu_of_unknown, %dynamic, %other)
  return (%addmm, %half, %threshold, %low, %part, %same, %grad_like, %silu_of_unknown, %dynamic, %other)
}
