#include "fx/interp/torch/compare.h"

#include "fx/interp/torch/dispatch/dispatcher.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cstring>
#include <limits>

namespace fx {
namespace {

/// True for a negated view of bools. PyTorch can create such a view, but not compute its elements.
bool is_negative_bool(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kBool && tensor.is_neg();
}

std::string form_difference(const at::Tensor& a, const at::Tensor& b) {
  if (a.defined() != b.defined()) return "one value is None";
  if (a.scalar_type() != b.scalar_type()) return "dtype";
  if (a.device() != b.device()) return "device";
  if (a.layout() != b.layout()) return "layout";
  if (a.sizes() != b.sizes()) return "sizes";
  if (is_negative_bool(a) != is_negative_bool(b)) return "negative bit of a bool";
  return "";
}

/// Returns the elements as a contiguous tensor on the CPU, with conjugate and negative bits
/// resolved. Returns the stored elements of a negated view of bools.
at::Tensor plain(const at::Tensor& tensor) {
  const at::Tensor stored = is_negative_bool(tensor) ? at::_neg_view(tensor) : tensor;
  return stored.detach().to_dense().to(at::kCPU).resolve_conj().resolve_neg().contiguous();
}

/// Returns the largest number; infinity if the tensor contains a NaN.
double largest_of(const at::Tensor& numbers) {
  const double largest = numbers.max().item<double>();
  return largest == largest ? largest : std::numeric_limits<double>::infinity();
}

double largest_difference(const at::Tensor& a, const at::Tensor& b) {
  if (a.is_complex()) {
    // The difference of two infinite parts is NaN, so parts are compared separately.
    const at::Tensor x = at::view_as_real(a.to(at::kComplexDouble));
    const at::Tensor y = at::view_as_real(b.to(at::kComplexDouble));
    const at::Tensor is_equal = x.eq(y).logical_or(x.isnan().logical_and(y.isnan()));
    return largest_of(x.sub(y).masked_fill(is_equal, 0).norm(2, -1));
  }
  const at::Tensor x = a.to(at::kDouble), y = b.to(at::kDouble);
  at::Tensor difference = x.sub(y).abs();
  at::Tensor is_equal = x.eq(y);
  if (at::isIntegralType(a.scalar_type(), /*includeBool=*/true)) {
    // Doubles cannot represent all integers.
    is_equal = a.to(at::kLong).eq(b.to(at::kLong));
    difference = difference.clamp_min(1);
  } else {
    is_equal = is_equal.logical_or(x.isnan().logical_and(y.isnan()));
  }
  return largest_of(difference.masked_fill(is_equal, 0));
}

}  // namespace

TensorDifference compare_tensors(const at::Tensor& a, const at::Tensor& b) {
  TensorDifference result;
  if (!a.defined() && !b.defined()) {
    result.bit_equal = true;
    return result;
  }
  result.form = form_difference(a, b);
  if (!result.form.empty()) return result;
  const KernelScope scope;
  const at::Tensor x = plain(a), y = plain(b);
  result.bit_equal = x.nbytes() == 0 || std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()) == 0;
  if (!result.bit_equal) result.max_abs = largest_difference(x, y);
  return result;
}

std::string to_string(const TensorDifference& difference) {
  if (difference.bit_equal) return "bit-equal";
  if (!difference.form.empty()) return fmt::format("different: {}", difference.form);
  return fmt::format("max |difference| {:g}", difference.max_abs);
}

}  // namespace fx
