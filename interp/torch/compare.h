// Compares two tensors, to check replays.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace fx {

struct TensorDifference {
  /// The first property, except the elements, that differs: "dtype", "sizes", ...; "" if all are
  /// equal.
  std::string form;
  /// True if the bytes of all elements are equal. NaNs may be equal, and 0.0 differs from -0.0.
  bool bit_equal = false;
  /// The largest absolute difference between corresponding elements; infinite if one of them is NaN
  /// or infinite and the other is not equal. Equal infinities, and two NaNs, differ by 0. 0 if
  /// bit_equal, or if `form` is not empty.
  double max_abs = 0;
};

/// Compares dtype, device, layout, sizes and elements, but not strides. Two undefined tensors are
/// equal.
TensorDifference compare_tensors(const at::Tensor& a, const at::Tensor& b);

/// Returns "bit-equal", "max |difference| 1.2e-07" or "different: sizes".
std::string to_string(const TensorDifference& difference);

}  // namespace fx
