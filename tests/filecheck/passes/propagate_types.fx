# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes propagate_types,propagate_types --check-changed | FileCheck %s
graph @types(%x : f32[n, 3], %w : f64[3], %i : i64[2], %g : f32[2]{grad}) {
  # Sizes, dtypes, strides, tuples, and calls to PyTorch's functions and methods.
  # CHECK:      %mul : f64[n, 3] = aten.mul.Tensor(%x, %w)
  # CHECK-NEXT: %t : f64[3, n{{.*}} = aten.t.default(%mul)
  # CHECK-NEXT: %max : (f64[n], i64[n]) = aten.max.dim(%mul, 1)
  # CHECK-NEXT: %values : f64[n] = operator.getitem(%max, 0)
  # CHECK-NEXT: %index : f32[2, 3] = aten.index.Tensor(%x, [%i])
  # CHECK-NEXT: %size : int(3) = aten.sym_size.int(%x, 1)
  %mul = aten.mul.Tensor(%x, %w)
  %t = aten.t.default(%mul)
  %max = aten.max.dim(%mul, 1)
  %values = operator.getitem(%max, 0)
  %index = aten.index.Tensor(%x, [%i])
  %size = aten.sym_size.int(%x, 1)
  # An incorrect type is corrected.
  # CHECK-NEXT: %relu : f32[n, 3] = aten.relu.default(%x)
  %relu : f32[7] = aten.relu.default(%x)
  # Must not change: requires_grad is not inferred.
  # CHECK-NEXT: %exp : f32[2]{grad} = aten.exp.default(%g)
  # CHECK-NEXT: return (%t, %values, %index, %size, %relu, %exp)
  %exp : f32[2]{grad} = aten.exp.default(%g)
  return (%t, %values, %index, %size, %relu, %exp)
}
