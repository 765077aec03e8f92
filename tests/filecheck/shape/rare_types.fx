# RUN: fxcpp shape %s | FileCheck %s
# Types that were once incorrect or missing. The expected types are libtorch 2.13's.

# CHECK-DAG: quantile{{.*}}f32[2, 4, 5][1, 10, 2]
# CHECK-DAG: kept{{.*}}f32[2, 4, 1, 5][1, 10, 10, 2]
# CHECK-DAG: poisson{{.*}}f32[3, 4]
# CHECK-DAG: diff{{.*}}i64[0, 4]
# CHECK-DAG: near{{.*}}f32[2, 3, 2, 2, 2]
# CHECK-DAG: split{{.*}}i64
graph(%x : f32[4, 3, 5], %q : f32[2], %i : i64[3, 4], %g : f32[2, 3, 4, 4, 4][192, 1, 48, 12, 3], %at : i64[2], %w : f32[10, 4], %o : i64[2], %n : i64[5]) {
  %quantile = aten.quantile.default(%x, %q, 1)
  %kept = aten.quantile.default(%x, %q, 1, True)
  %poisson = aten.poisson_nll_loss.default(%i, %i, True, False, 1e-08, 0)
  %diff = aten.diff.default(%i, 7, 0)
  %near = aten.upsample_nearest3d_backward.default(%g, [4, 4, 4], [2, 3, 2, 2, 2])
  %unique = aten._unique2.default(%i, True, False, True)
  %bag = aten.embedding_bag.padding_idx(%w, %n, %o, False, 0, False, None, True, 3)
  %split = aten.tensor_split.tensor_indices_or_sections(%i, %at, 0)
  return (%quantile, %kept, %poisson, %diff, %near, %unique, %bag, %split)
}
