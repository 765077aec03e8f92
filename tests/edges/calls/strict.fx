# Operators whose types or errors were incorrect or missing, with similar calls: strides of
# quantiles, losses of integers, high-order differences, embedding bags with padding, gradients of
# tensors in channels-last format, results without an inverse, sections listed in a tensor.
graph(%x : f32[4, 3, 5], %xt : f32[4, 3, 5][1, 20, 4], %q : f32[2], %q0 : f32[], %qd : f64[2], %qq : f32[2, 2], %e : f32[0, 3], %i : i64[3, 4], %b : b8[3, 4], %v : f32[3, 4], %r : i64[1, 4], %z : i64[]) {
  %quantile = aten.quantile.default(%x, %q, 1)
  %kept = aten.quantile.default(%x, %q, 1, True)
  %first = aten.quantile.default(%x, %q, 0)
  %last = aten.quantile.default(%xt, %q, -1)
  %one = aten.quantile.default(%x, %q0, 1)
  %all = aten.quantile.default(%x, %q)
  %all_kept = aten.quantile.default(%x, %q, None, True)
  %scalar = aten.quantile.scalar(%x, 0.5, 1)
  %scalar_kept = aten.quantile.scalar(%xt, 0.5, 2, True)
  %nan = aten.nanquantile.default(%x, %q, 2)
  %lower = aten.quantile.default(%x, %q, 1, False, interpolation="lower")
  %word = aten.quantile.default(%x, %q, 1, False, interpolation="bogus")
  %high = aten.quantile.scalar(%x, 1.5, 1)
  %integers = aten.quantile.default(%i, %q, 1)
  %other_dtype = aten.quantile.default(%x, %qd, 1)
  %matrix = aten.quantile.default(%x, %qq, 1)
  %empty = aten.quantile.default(%e, %q, 0)
  %far = aten.quantile.default(%x, %q, 3)
  %poisson = aten.poisson_nll_loss.default(%i, %i, True, False, 1e-08, 0)
  %poisson_mean = aten.poisson_nll_loss.default(%i, %i, True, False, 1e-08, 1)
  %poisson_log = aten.poisson_nll_loss.default(%i, %i, False, False, 1e-08, 0)
  %poisson_full = aten.poisson_nll_loss.default(%i, %i, True, True, 1e-08, 0)
  %poisson_floats = aten.poisson_nll_loss.default(%v, %i, True, True, 1e-08, 2)
  %poisson_bools = aten.poisson_nll_loss.default(%b, %b, True, False, 1e-08, 0)
  %diff = aten.diff.default(%i, 7, 0)
  %diff_all = aten.diff.default(%i, 3, 0)
  %diff_one = aten.diff.default(%i, 1, -1)
  %diff_none = aten.diff.default(%i, 0, 9)
  %diff_far = aten.diff.default(%i, 1, 2)
  %diff_less = aten.diff.default(%i, -1, 0)
  %diff_bools = aten.diff.default(%b, 5, 1)
  %diff_more = aten.diff.default(%i, 1, 0, %r)
  %diff_both = aten.diff.default(%i, 6, 0, %r, %r)
  %diff_shape = aten.diff.default(%i, 1, 1, %r)
  %diff_number = aten.diff.default(%z, 1, 0)
  %diff_empty = aten.diff.default(%e, 2, 0)
  return %x
}
graph(%w : f32[10, 4], %n : i64[5], %o : i64[2], %s : f32[5], %i : i64[3, 4], %at : i64[2], %at0 : i64[], %atf : f32[2], %at2 : i64[2, 2]) {
  %bag_far = aten.embedding_bag.padding_idx(%w, %n, %o, False, 0, False, None, False, 10)
  %bag_weighted_mean = aten.embedding_bag.padding_idx(%w, %n, %o, False, 1, False, %s, False, 3)
  %unique = aten._unique2.default(%i, True, False, True)
  %unique_all = aten._unique2.default(%i, True, True, True)
  %unique_none = aten._unique2.default(%i, False, False, False)
  %unique_inverse = aten._unique2.default(%i, True, True, False)
  %split = aten.tensor_split.tensor_indices_or_sections(%i, %at, 0)
  %split_one = aten.tensor_split.tensor_indices_or_sections(%i, %at0, 1)
  %split_last = aten.tensor_split.tensor_indices_or_sections(%i, %at, -1)
  %split_floats = aten.tensor_split.tensor_indices_or_sections(%i, %atf, 0)
  %split_matrix = aten.tensor_split.tensor_indices_or_sections(%i, %at2, 0)
  %split_far = aten.tensor_split.tensor_indices_or_sections(%i, %at, 2)
  return %w
}
graph(%g : f32[2, 3, 4, 4, 4][192, 1, 48, 12, 3], %p : f32[2, 3, 4, 4, 4], %s : f32[1, 3, 4, 4, 4], %t : f32[3, 4, 4, 4], %g4 : f32[2, 3, 4, 4][48, 1, 12, 3], %h : f16[2, 3, 4, 4, 4], %i : i64[2, 3, 4, 4, 4]) {
  %near = aten.upsample_nearest3d_backward.default(%g, [4, 4, 4], [2, 3, 2, 2, 2])
  %near_plain = aten.upsample_nearest3d_backward.default(%p, [4, 4, 4], [2, 3, 2, 2, 2])
  %near_scaled = aten.upsample_nearest3d_backward.default(%g, [4, 4, 4], [2, 3, 2, 2, 2], 2.0, 2.0, 2.0)
  %near_batch = aten.upsample_nearest3d_backward.default(%s, [4, 4, 4], [2, 3, 2, 2, 2])
  %near_rank = aten.upsample_nearest3d_backward.default(%t, [4, 4, 4], [2, 3, 2, 2, 2])
  %near_sizes = aten.upsample_nearest3d_backward.default(%g, [4, 4, 5], [2, 3, 2, 2, 2])
  %near_list = aten.upsample_nearest3d_backward.default(%g, [4, 4], [2, 3, 2, 2, 2])
  %near_input = aten.upsample_nearest3d_backward.default(%g, [4, 4, 4], [2, 3, 2, 2])
  %near_half = aten.upsample_nearest3d_backward.default(%h, [4, 4, 4], [2, 3, 2, 2, 2])
  %near_integers = aten.upsample_nearest3d_backward.default(%i, [4, 4, 4], [2, 3, 2, 2, 2])
  %exact = aten._upsample_nearest_exact3d_backward.default(%g, [4, 4, 4], [2, 3, 2, 2, 2])
  %linear = aten.upsample_trilinear3d_backward.default(%g, [4, 4, 4], [2, 3, 2, 2, 2], True)
  %near2 = aten.upsample_nearest2d_backward.default(%g4, [4, 4], [2, 3, 2, 2])
  %bilinear = aten.upsample_bilinear2d_backward.default(%g4, [4, 4], [2, 3, 2, 2], False)
  return %g
}
# Kernels that compare only some sizes with those of the forward operator, and kernels that compare no
# sizes if there is nothing to compute.
graph(%x : f32[2, 3, 6, 6], %g : f32[2, 3, 3, 3], %less : f32[1, 3, 3, 3], %wide : f32[2, 3, 3, 4], %x3 : f32[2, 3, 6, 6, 6], %g3 : f32[2, 3, 3, 3, 3], %less3 : f32[1, 3, 3, 3, 3], %other3 : f32[2, 3, 2, 2, 2], %n : i64[2, 3, 3, 3], %n3 : i64[2, 3, 3, 3, 3], %no3 : i64[2, 3, 2, 2, 2], %channels3 : f32[2, 4, 3, 3, 3]) {
  %avg = aten.avg_pool2d_backward.default(%g, %x, [2, 2], [2, 2], [0, 0], False, True, None)
  %avg_less = aten.avg_pool2d_backward.default(%less, %x, [2, 2], [2, 2], [0, 0], False, True, None)
  %avg_wide = aten.avg_pool2d_backward.default(%wide, %x, [2, 2], [2, 2], [0, 0], False, True, None)
  %avg3 = aten.avg_pool3d_backward.default(%less3, %x3, [2, 2, 2], [2, 2, 2], [0, 0, 0], False, True, None)
  %avg3_other = aten.avg_pool3d_backward.default(%other3, %x3, [2, 2, 2], [2, 2, 2], [0, 0, 0], False, True, None)
  %max = aten.max_pool2d_with_indices_backward.default(%g, %x, [2, 2], [2, 2], [0, 0], [1, 1], False, %n)
  %max_less = aten.max_pool2d_with_indices_backward.default(%less, %x, [2, 2], [2, 2], [0, 0], [1, 1], False, %n)
  %max3 = aten.max_pool3d_with_indices_backward.default(%g3, %x3, [2, 2, 2], [2, 2, 2], [0, 0, 0], [1, 1, 1], False, %n3)
  %max3_other = aten.max_pool3d_with_indices_backward.default(%other3, %x3, [2, 2, 2], [2, 2, 2], [0, 0, 0], [1, 1, 1], False, %no3)
  %max3_indices = aten.max_pool3d_with_indices_backward.default(%g3, %x3, [2, 2, 2], [2, 2, 2], [0, 0, 0], [1, 1, 1], False, %no3)
  %max3_channels = aten.max_pool3d_with_indices_backward.default(%channels3, %x3, [2, 2, 2], [2, 2, 2], [0, 0, 0], [1, 1, 1], False, %n3)
  return %x
}
graph(%v : f32[4], %m : f32[3, 4], %e : f32[0], %b : f32[0, 3, 4], %bd : f64[0, 4, 2], %b1 : f32[2, 3, 0], %b1d : f64[2, 0, 2], %f : f32[2, 3, 4], %fd : f64[2, 4, 2], %o : f32[], %g : f32[2, 3], %g2 : f32[2, 4], %u : f32[4, 3], %ud : f32[2, 3, 2]) {
  %dot = aten.linalg_vecdot.default(%v, %v, dim=5)
  %dot_far = aten.linalg_vecdot.default(%m, %m, dim=5)
  %dot_broadcast = aten.linalg_vecdot.default(%m, %v, dim=0)
  %max = aten.max.unary_out(%e, out=%o)
  %min = aten.min.unary_out(%e, out=%o)
  %max_of_none = aten.max.default(%e)
  %no_matrices = aten.bmm.default(%b, %bd)
  %no_columns = aten.bmm.default(%b1, %b1d)
  %matrices = aten.bmm.default(%f, %fd)
  %unfold = aten.unfold_backward.default(%ud, [4, 3], 0, 2, 2)
  %unfold_overlapping = aten.unfold_backward.default(%ud, [3, 3], 0, 2, 1)
  return %v
}
