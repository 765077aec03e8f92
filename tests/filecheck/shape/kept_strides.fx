# RUN: fxcpp opt %s --passes propagate_types | FileCheck %s
# RUN: sed 's/kron.default(.p, /kron.default(%%d, /' %s > %t && not fxcpp opt %t --passes propagate_types 2>&1 | FileCheck --check-prefix=REJECTED %s
# The strides in eager mode, including those of dimensions of size 1. kron multiplies views; the
# result must have dimensions that can be merged.
# REJECTED: %kron (aten.kron.default): {{.*}} cannot be viewed as [1, 4, 4] without a copy
graph(%a : f32[2, 1, 3][3, 1, 1], %p : f32[1, 2, 2][1, 1, 2], %q : f32[2, 3, 4][1, 2, 6], %s : f32[], %b : f32[1][2], %m : f32[2, 3, 3], %t : f32[4, 1], %d : f32[1, 2, 2], %c : c64[2, 1, 3][3, 1, 1]) {
  # CHECK: %relu6 : f32[2, 1, 3][3, 1, 1]
  %relu6 = aten.relu6.default(%a)
  # CHECK: %hardtanh : f32[2, 1, 3][3, 1, 1]
  %hardtanh = aten.hardtanh.default(%a)
  # CHECK: %nan_to_num : f32[2, 1, 3][3, 1, 1]
  %nan_to_num = aten.nan_to_num.default(%a)
  # CHECK: %deg2rad : f32[2, 1, 3][3, 1, 1]
  %deg2rad = aten.deg2rad.default(%a)
  # CHECK: %isreal : b8[2, 1, 3][3, 1, 1]
  %isreal = aten.isreal.default(%a)
  # CHECK: %abs : f32[2, 1, 3] =
  %abs = aten.abs.default(%a)
  # CHECK: %magnitude : f32[2, 1, 3][3, 1, 1]
  %magnitude = aten.abs.default(%c)
  # CHECK: %absolute : f32[2, 1, 3][3, 1, 1]
  %absolute = aten.absolute.default(%c)
  # CHECK: %rrelu : f32[2, 3, 4] =
  %rrelu = aten.rrelu.default(%q)
  # CHECK: %mse : f32[1, 2, 2] =
  %mse = aten.mse_loss_backward.default(%p, %p, %p, 0)
  # CHECK: %margin : f32[1, 2, 2][1, 1, 2] =
  %margin = aten.soft_margin_loss_backward.default(%d, %p, %p, 0)
  # CHECK: %kron : f32[1, 4, 4][4, 1, 4]
  %kron = aten.kron.default(%p, %p)
  # CHECK: %diff : f32[2, 3, 3][1, 2, 6]
  %diff = aten.diff.default(%q)
  # CHECK: %diff_1 : f32[1, 3, 4][1, 1, 3]
  %diff_1 = aten.diff.default(%q, 1, 0)
  # CHECK: %diff_2 : f32[2, 1, 4][1, 2, 2]
  %diff_2 = aten.diff.default(%q, 2, 1)
  # CHECK: %expand : f32[1, 2, 1][0, 0, 0]
  %expand = aten.expand.default(%s, [1, 2, 1])
  # CHECK: %view : f32[1][2]
  %view = aten.view.default(%b, [-1])
  # CHECK: %nuclear : f32[2] =
  %nuclear = aten.nuclear_norm.default(%m)
  # CHECK: %rank : i64[4, 2]
  %rank = aten.linalg_matrix_rank.tol_tensor(%m, %t)
  return (%relu6, %hardtanh, %nan_to_num, %deg2rad, %isreal, %abs, %magnitude, %absolute, %rrelu, %mse, %margin, %kron, %diff, %diff_1, %diff_2, %expand, %view, %nuclear, %rank)
}
