// Facts about sizes and strides: see strides.h.
#include "fx/ir/types/strides.h"

#include <algorithm>
#include <iterator>

namespace fx {
namespace {

/// Dimensions from the innermost to the outermost; empty if the rank does not support the format.
absl::InlinedVector<size_t, 6> order_of(size_t rank, MemoryFormat format) {
  if (format == MemoryFormat::kChannelsLast) {
    if (rank != 4) return {};
    return {1, 3, 2, 0};
  }
  if (format == MemoryFormat::kChannelsLast3d) {
    if (rank != 5) return {};
    return {1, 4, 3, 2, 0};
  }
  absl::InlinedVector<size_t, 6> order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  return order;
}

Dim at_least_one(const Dim& size) {
  return size.is_int() ? Dim(std::max<int64_t>(size.value(), 1)) : size;
}

bool is_one(const Dim& dim) { return dim.is_int() && dim.value() == 1; }
bool has_no_elements(absl::Span<const Dim> sizes) {
  return std::any_of(sizes.begin(), sizes.end(),
                     [](const Dim& d) { return d.is_int() && d.value() == 0; });
}

/// The expected stride of the next outer dimension. torch keeps Max(1, size) if a symbolic size is
/// not known to be positive; both forms are row-major.
struct Expected {
  Dim plain = 1;
  Dim guarded = 1;

  bool matches(const Dim& stride) const {
    if (stride.is_int() && plain.is_int() && guarded.is_int())
      return stride == plain || stride == guarded;
    return same_value(stride, plain) || same_value(stride, guarded);
  }
  void step_over(const Dim& size) {
    const bool are_equal = size.is_int() && guarded == plain;
    plain *= at_least_one(size);
    guarded = are_equal ? plain : guarded * max(size, 1);
  }
};

}  // namespace

DimVector contiguous_strides(absl::Span<const Dim> sizes) {
  DimVector strides(sizes.size());
  size_t i = sizes.size();
  int64_t product = 1;  // of the leading integers
  while (i > 0) {
    strides[--i] = product;
    if (i == 0) return strides;
    if (!sizes[i].is_int() ||
        __builtin_mul_overflow(product, std::max<int64_t>(sizes[i].value(), 1), &product))
      break;
  }
  Dim stride = i < sizes.size() ? strides[i] : Dim(1);
  while (i > 0) {
    stride *= at_least_one(sizes[i]);
    strides[--i] = stride;
  }
  return strides;
}

DimVector strides_of(absl::Span<const Dim> sizes, MemoryFormat format) {
  const auto order = order_of(sizes.size(), format);
  if (order.empty()) return contiguous_strides(sizes);
  DimVector strides(sizes.size());
  Dim stride = 1;
  for (size_t dim : order) {
    strides[dim] = stride;
    stride *= at_least_one(sizes[dim]);
  }
  return strides;
}

bool is_contiguous(Type tensor, MemoryFormat format) {
  if (!tensor.is_tensor() || !tensor.has_strides()) return false;
  const absl::Span<const Dim> sizes = tensor.sizes();
  const auto order = order_of(sizes.size(), format);
  if (order.size() != sizes.size()) return false;
  const bool row_major = format == MemoryFormat::kContiguous || format == MemoryFormat::kPreserve;
  if (row_major && has_no_elements(sizes)) return true;
  Expected expected;
  for (size_t dim : order) {
    if (is_one(sizes[dim])) continue;
    if (!expected.matches(tensor.strides()[dim])) return false;
    expected.step_over(sizes[dim]);
  }
  return true;
}

bool are_non_overlapping_and_dense(absl::Span<const Dim> sizes, absl::Span<const Dim> strides) {
  if (has_no_elements(sizes)) return true;
  absl::InlinedVector<size_t, 6> left;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!is_one(sizes[i])) left.push_back(i);
  // In a dense tensor, exactly one dimension extends the memory covered by the previous ones.
  // Most tensors are nearly row-major, so the search starts at the last dimension.
  Expected expected;
  while (!left.empty()) {
    size_t next = left.size();
    while (next > 0 && !expected.matches(strides[left[next - 1]])) --next;
    if (next == 0) return false;
    expected.step_over(sizes[left[next - 1]]);
    left.erase(left.begin() + static_cast<ptrdiff_t>(next - 1));
  }
  return true;
}

Type without_strides_and_offset(TypeTable& types, Type tensor) {
  TensorSpec spec = tensor.spec();
  spec.strides = StrideSpec::unknown();
  spec.offset = Dim(0);
  return types.tensor(spec);
}

Dim numel(absl::Span<const Dim> sizes) {
  if (has_no_elements(sizes)) return 0;
  Dim count = 1;
  for (const Dim& size : sizes) count *= size;
  return count;
}

}  // namespace fx
