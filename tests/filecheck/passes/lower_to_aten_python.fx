# Calls that only Python's functions accept, and not the operator with their name.
# RUN: fxcpp opt %s --passes lower_to_aten --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s --check-prefix=TYPES
# CHECK-LABEL: graph(
graph(%x : f32[n, 4], %y : f32[n, 4], %image : f32[1, 2, 6, 6], %u) {
  # torch.norm is torch.functional.norm.
  # CHECK: %norm : f32[] = aten.linalg_vector_norm.default(%x, 2.0, None, False, dtype=None)
  # CHECK-NEXT: %named : f32[] = aten.linalg_matrix_norm.str_ord(%x, "nuc", [0, 1], False, dtype=None)
  # CHECK-NEXT: %dot : f32[4, 4] = aten.tensordot.default(%x, %y, [0], [0])
  # TYPES: %norm : f32[] = torch.norm(%x, p="fro")
  # TYPES-NEXT: %named : f32[] = torch.norm(%x, "nuc")
  # TYPES-NEXT: %dot : f32[4, 4] = torch.tensordot
  %norm = torch.norm(%x, p="fro")
  %named = torch.norm(%x, "nuc")
  %dot = torch.tensordot(%x, %y, dims=[[0], [0]])
  # CHECK-NEXT: %sum : f32[4, 4] = aten.einsum.default("...A,...b->Ab", [%x, %y])
  # TYPES-NEXT: %sum : f32[4, 4] = torch.einsum
  %sum = torch.einsum(%x, [..., 0], %y, [..., 27], [0, 27])
  # None means the default of a list that is empty by default.
  # CHECK-NEXT: %pool : f32[1, 2, 4, 4] = aten.avg_pool2d.default(%image, [2, 2], [], [1, 1], True)
  # CHECK-NEXT: %most : f32[] = aten.amax.default(%x)
  # TYPES-NEXT: %pool : f32[1, 2, 4, 4] = torch.nn.functional.avg_pool2d
  # TYPES-NEXT: %most : f32[] = torch.amax(%x, None)
  %pool = torch.nn.functional.avg_pool2d(%image, 2, None, 1, True)
  %most = torch.amax(%x, None)
  # size_average=False selects the sum, and batchmean divides it by the first size.
  # CHECK-NEXT: %total : f32[] = aten.kl_div.default(%x, %y, 2, log_target=False)
  # CHECK-NEXT: %[[S:.*]] : f32[] = aten.kl_div.default(%x, %y, 2, log_target=False)
  # CHECK-NEXT: %[[N:.*]] : SymInt(n) = aten.sym_size.int(%x, 0)
  # CHECK-NEXT: %mean : f32[] = aten.div.Tensor(%[[S]], %[[N]])
  %total = torch.nn.functional.kl_div(%x, %y, False)
  %mean = torch.nn.functional.kl_div(%x, %y, reduction="batchmean")
  # With beta=0, torch calls l1_loss, whose derivative differs for equal elements.
  # CHECK-NEXT: %loss : f32[] = aten.l1_loss.default(%x, %y, 1)
  %loss = torch.nn.functional.smooth_l1_loss(%x, %y, beta=0)
  # Must not change: the rank of `u`, and so its batch, is unknown.
  # CHECK-NEXT: %kept = torch.nn.functional.kl_div(%u, %y, reduction="batchmean")
  # CHECK-NEXT: %dropped = torch.nn.functional.dropout1d(%u)
  %kept = torch.nn.functional.kl_div(%u, %y, reduction="batchmean")
  %dropped = torch.nn.functional.dropout1d(%u)
  return (%norm, %named, %dot, %sum, %pool, %most, %total, %mean, %loss, %kept, %dropped)
}
