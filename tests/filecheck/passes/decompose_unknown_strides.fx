# RUN: fxcpp opt %s --passes 'decompose{set=all}' | FileCheck %s
# RUN: not fxcpp opt %s --passes 'decompose{set=all,strict}' 2>&1 | FileCheck %s --check-prefix=STRICT
# The types of the views that a decomposition creates are unknown if the strides of the operand are unknown
# (1019000045).
graph(%x : f32[2, 3][?], %y : f32[3][?], %i : i64[3]) {
  # CHECK: aten.einsum.default("...j->j...", [%x])
  # STRICT: einsum (aten.einsum.default): the type of aten.permute.default cannot be computed
  %einsum = aten.einsum.default("...j->j...", [%x])
  %cross = aten.cross.default(%y, %y)
  %addmv = aten.addmv.default(%y, %x, %y)
  %matmul = aten.matmul.default(%x, %y)
  %index_add = aten.index_add.default(%y, 0, %i, %y)
  return (%einsum, %cross, %addmv, %matmul, %index_add)
}
