// interp/torch/compare.h - how far two tensors are apart: what replays are judged by.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace fx {

struct TensorDifference {
  /// What differs about them besides their elements: "dtype", "sizes", "strides", ...; "" for
  /// nothing.
  std::string form;
  /// All bytes of all elements are the same: NaNs too, and 0.0 is not -0.0.
  bool bit_equal = false;
  /// The largest absolute difference of two elements; infinite where one of them is NaN. 0 when
  /// bit_equal, or when the form differs.
  double max_abs = 0;
};

/// Compares dtype, device, layout, sizes and elements; not how they lie in memory. Two undefined
/// tensors are equal.
TensorDifference compare_tensors(const at::Tensor& a, const at::Tensor& b);

/// "bit-equal", "max |difference| 1.2e-07", "sizes differ".
std::string to_string(const TensorDifference& difference);

}  // namespace fx
