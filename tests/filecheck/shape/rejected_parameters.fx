# RUN: not fxcpp shape %s | FileCheck %s
# Calls that eager mode rejects although the type of the result is known: hyperparameters, strings,
# sizes of gradients, lists (passes/shape/requirements).

# CHECK-NOT: error at %ok
# CHECK-DAG: error at %renorm {{.*}}argument p must be greater than 0
# CHECK-DAG: error at %gelu {{.*}}argument approximate must be one of "none", "tanh"
# CHECK-DAG: error at %scatter {{.*}}argument reduce must be one of
# CHECK-DAG: error at %norm {{.*}}argument weight must be a tensor with sizes [3]
# CHECK-DAG: error at %huber {{.*}}argument delta must be greater than 0
# CHECK-DAG: error at %normal {{.*}}argument std must be at least 0
# CHECK-DAG: error at %draws {{.*}}cannot draw 5 samples from 3 without replacement
# CHECK-DAG: error at %part {{.*}}argument grad_output must be a tensor that broadcasts to sizes [6]
# CHECK-DAG: error at %solve {{.*}}argument pivots must be a tensor with sizes [3]
# CHECK-DAG: error at %fft {{.*}}argument norm must be one of
# CHECK-DAG: error at %strided {{.*}}argument stride must be at least 0
# CHECK-DAG: error at %pooled {{.*}}the gradient f32[1, 6, 3] must have the sizes
# CHECK-DAG: error at %low {{.*}}argument self must be a tensor of rank 2 or more
# CHECK-NOT: error at %ok
graph(%x : f32[6, 3], %i : i64[6, 3], %w : f32[6], %a : f32[3, 3], %p : i32[2], %b : f32[3, 2], %g : f32[5], %img : f32[1, 6, 6], %gi : f32[1, 6, 3]) {
  %renorm = aten.renorm.default(%x, -1, 0, 1.0)
  %gelu = aten.gelu.default(%x, approximate="sigmoid")
  %scatter = aten.scatter_reduce.two(%x, 0, %i, %x, "median")
  %norm = aten.layer_norm.default(%x, [3], %w)
  %huber = aten.huber_loss.default(%x, %x, 1, 0.0)
  %normal = aten.normal_.default(%x, 0.0, -1.0)
  %draws = aten.multinomial.default(%x, 5)
  %part = aten.select_backward.default(%g, [6, 3], 1, 0)
  %solve = aten.linalg_lu_solve.default(%a, %p, %b)
  %fft = aten.fft_rfft.default(%x, norm="half")
  %strided = aten.as_strided.default(%x, [2], [-1])
  %pooled = aten.avg_pool2d_backward.default(%gi, %img, [2, 2], [2, 2], [0, 0], False, True, None)
  %low = aten.tril.default(%w)
  %ok = aten.layer_norm.default(%x, [6, 3], %x)
  return (%renorm, %gelu, %scatter, %norm, %huber, %normal, %draws, %part, %solve, %fft, %strided, %pooled, %low, %ok)
}
