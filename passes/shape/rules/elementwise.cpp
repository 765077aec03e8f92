// Promotion, broadcasting and TensorIterator's strides: see elementwise_internal.h.
#include "fx/ir/graph/context.h"
#include "fx/passes/shape/propagation_internal.h"
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {

// ---------------------------------------------------------------- dtypes

bool is_integer_or_bool(DType dtype) { return is_integral(dtype) || dtype == DType::kBool; }
DType float_of(DType dtype) { return is_integer_or_bool(dtype) ? DType::kFloat32 : dtype; }

DType real_of(DType dtype) {
  switch (dtype) {
    case DType::kComplex32:
      return DType::kFloat16;
    case DType::kComplex64:
      return DType::kFloat32;
    case DType::kComplex128:
      return DType::kFloat64;
    default:
      return dtype;
  }
}

DType complex_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
    case DType::kComplex32:
      return DType::kComplex32;
    case DType::kFloat64:
    case DType::kComplex128:
      return DType::kComplex128;
    default:
      return DType::kComplex64;
  }
}

DType sum_dtype(DType dtype) { return is_integer_or_bool(dtype) ? DType::kInt64 : dtype; }

namespace {

bool is_plain_integer(DType d) { return d <= DType::kInt64; }
bool is_wide_unsigned(DType d) {
  return d == DType::kUInt16 || d == DType::kUInt32 || d == DType::kUInt64;
}
bool is_plain_float(DType d) {
  return d == DType::kFloat16 || d == DType::kBFloat16 || d == DType::kFloat32 ||
         d == DType::kFloat64;
}

DType promote_floats(DType a, DType b) {
  if (a == b) return a;
  if (a == DType::kFloat64 || b == DType::kFloat64) return DType::kFloat64;
  return DType::kFloat32;  // includes float16 with bfloat16
}

}  // namespace

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (a == DType::kUndefined || b == DType::kUndefined) return DType::kUndefined;
  if (is_complex(a) || is_complex(b)) {
    if (!is_complex(a)) std::swap(a, b);
    if (is_integer_or_bool(b)) return a;
    const DType real = is_complex(b) ? real_of(b) : b;
    if (!is_plain_float(real)) return DType::kUndefined;
    // float16 is the real type of complex32; bfloat16 has no complex type.
    return complex_of(promote_floats(real_of(a), real));
  }
  if (is_floating_point(a) || is_floating_point(b)) {
    if (!is_floating_point(a)) std::swap(a, b);
    if (is_integer_or_bool(b)) return a;
    return is_plain_float(a) && is_plain_float(b) ? promote_floats(a, b) : DType::kUndefined;
  }
  if (a == DType::kBool) return is_integral(b) ? b : DType::kUndefined;
  if (b == DType::kBool) return is_integral(a) ? a : DType::kUndefined;
  if (is_wide_unsigned(a) || is_wide_unsigned(b)) return DType::kUndefined;
  if (!is_plain_integer(a) || !is_plain_integer(b)) return DType::kUndefined;
  // uint8 with int8 promotes to int16; otherwise the wider dtype can represent both.
  const DType wider = std::max(a, b);
  return std::min(a, b) == DType::kUInt8 && wider == DType::kInt8 ? DType::kInt16 : wider;
}

DType Promotion::join(DType a, DType b) { return a == DType::kUndefined ? b : promote(a, b); }

DType Promotion::result() const {
  // Equivalent to combine_categories of result_type: `lower` counts only if its category is higher.
  const auto combine = [](DType higher, DType lower) {
    if (higher == DType::kUndefined) return lower;
    if (lower == DType::kUndefined || is_complex(higher)) return higher;
    if (is_floating_point(higher)) return is_complex(lower) ? complex_of(higher) : higher;
    if (higher == DType::kBool || is_floating_point(lower) || is_complex(lower))
      return promote(higher, lower);
    return higher;
  };
  if (zero_ == DType::kUndefined && number_ == DType::kUndefined) return dim_;
  return combine(dim_, combine(zero_, number_));
}

// ---------------------------------------------------------------- sizes

int wrap_dim(TypeCall& call, int64_t dim, int rank) {
  const int64_t count = std::max(rank, 1);
  if (dim < -count || dim >= count) {
    call.fail(fmt::format("dimension {} is out of range for a tensor of rank {}", dim, rank));
    return -1;
  }
  return static_cast<int>(dim < 0 ? dim + count : dim);
}

int sized_dim(TypeCall& call, int64_t dim, int rank) {
  if (rank > 0) return wrap_dim(call, dim, rank);
  call.fail(fmt::format("dimension {} does not exist: the tensor has no dimensions", dim));
  return -1;
}

absl::InlinedVector<bool, 8> dim_set(TypeCall& call, absl::Span<const int64_t> dims, int rank,
                                     bool empty_is_all) {
  absl::InlinedVector<bool, 8> flags(index(std::max(rank, 1)), dims.empty() && empty_is_all);
  for (int64_t dim : dims) {
    const int d = wrap_dim(call, dim, rank);
    if (d < 0) return flags;
    if (flags[index(d)]) {
      call.fail(fmt::format("dimension {} appears multiple times in the list of dims", d));
      return flags;
    }
    flags[index(d)] = true;
  }
  return flags;
}

bool broadcast(TypeCall& call, DimVector& sizes, absl::Span<const Dim> other) {
  if (other.size() > sizes.size()) sizes.insert(sizes.begin(), other.size() - sizes.size(), Dim(1));
  const size_t shift = sizes.size() - other.size();
  for (size_t i = 0; i < other.size(); ++i) {
    Dim& size = sizes[shift + i];
    const Dim& b = other[i];
    if (size == b || same_value(size, b)) continue;
    // Tests only sizes that can be 1, to avoid unnecessary guards.
    if (b.is_int() && b.value() == 1) continue;
    if (size.is_int() && size.value() == 1) {
      size = b;
      continue;
    }
    if (b.is_symbolic() && size.is_symbolic()) {
      if (call.guard_equal(size, b)) continue;
      if (call.is_one(b)) continue;
      if (call.is_one(size)) {
        size = b;
        continue;
      }
    } else if (call.guard_equal(size, b)) {
      if (b.is_int()) size = b;  // uses the simpler expression
      continue;
    }
    call.fail(fmt::format("the sizes {} and {} of dimension {} do not broadcast", to_string(size),
                          to_string(b), shift + i));
    return false;
  }
  return true;
}

bool same_sizes(TypeCall& call, absl::Span<const Dim> a, absl::Span<const Dim> b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!call.guard_equal(a[i], b[i])) return false;
  return true;
}

// ---------------------------------------------------------------- strides

namespace {

using Strides = absl::Span<const Dim>;

/// Returns -1, 0 or 1 for the order of two strides. Assumes that a symbolic stride is greater than
/// a constant stride and that two symbolic strides ascend, unless the ranges exclude that.
int compare(TypeCall& call, const Dim& a, const Dim& b) {
  if (a.is_int() && b.is_int()) return a.value() < b.value() ? -1 : a.value() > b.value();
  if (same_value(a, b)) return 0;
  // A stride that depends on data is 0 only if the tensor has no elements.
  if (a == Dim(1) && depends_on_data(b)) return -1;
  if (b == Dim(1) && depends_on_data(a)) return 1;
  if (b.is_int()) return call.guard_less_equal(b + 1, a) ? 1 : -1;
  return call.guard_less_equal(a, b) ? -1 : 1;
}

/// True if the strides may be equal although compare() returned `result`.
bool may_be_equal(TypeCall& call, const Dim& a, const Dim& b, int result) {
  if (result == 0 || (a.is_int() && b.is_int())) return result == 0;
  return (result < 0 ? call.known_less_equal(a + 1, b) : call.known_less_equal(b + 1, a)) != true;
}

/// Returns whether a < b. Assumes that symbolic strides ascend and differ, unless the ranges
/// exclude that.
bool is_less(TypeCall& call, const Dim& a, const Dim& b) {
  const int result = compare(call, a, b);
  return result < 0 && !(may_be_equal(call, a, b, result) && call.is_value(a, b));
}

/// Like compare(), for the strides of two dimensions of these sizes. Assumes that the strides
/// differ, unless one of the sizes is 1 whenever they are equal: the order is then irrelevant.
int compare_strides(TypeCall& call, const Dim& a, const Dim& b, const Dim& size_a,
                    const Dim& size_b) {
  const int result = compare(call, a, b);
  const bool is_known = result == 0 || !may_be_equal(call, a, b, result);
  if (!is_known && !is_one_where_equal(call, a, b, size_a, size_b) && call.is_value(a, b)) return 0;
  return result;
}

/// Returns the dimensions from the innermost to the outermost, as
/// TensorIterator::reorder_dimensions sorts them. Each item of `operands` contains one stride for
/// each size; 0 for a broadcast dimension.
absl::InlinedVector<int, 8> iteration_order(TypeCall& call, absl::Span<const Dim> sizes,
                                            absl::Span<const Strides> operands) {
  const int rank = static_cast<int>(sizes.size());
  absl::InlinedVector<int, 8> order(sizes.size());
  for (int i = 0; i < rank; ++i) order[index(i)] = rank - 1 - i;
  const auto should_swap = [&](int dim0, int dim1) {
    for (Strides strides : operands) {
      const Dim& stride0 = strides[index(dim0)];
      const Dim& stride1 = strides[index(dim1)];
      if (stride0 == Dim(0) || stride1 == Dim(0))
        continue;  // broadcast: does not determine the order
      const Dim &size0 = sizes[index(dim0)], &size1 = sizes[index(dim1)];
      if (const int c = compare_strides(call, stride0, stride1, size0, size1); c != 0) return c;
      // 1 is greater than a symbolic size only if the size is 0. The result is then empty, and its
      // order does not matter.
      if (size0 == Dim(1) && size1.is_symbolic()) continue;
      if (!same_value(size0, size1) && !call.guard_less_equal(size0, size1)) return 1;
    }
    return 0;
  };
  for (int i = 1; i < rank; ++i) {
    int dim1 = i;
    for (int dim0 = i - 1; dim0 >= 0; --dim0) {
      const int comparison = should_swap(order[index(dim0)], order[index(dim1)]);
      if (comparison > 0) {
        std::swap(order[index(dim0)], order[index(dim1)]);
        dim1 = dim0;
      } else if (comparison < 0) {
        break;
      }
    }
  }
  return order;
}

DimVector dense_strides(absl::Span<const Dim> sizes, absl::Span<const int> order) {
  DimVector strides(sizes.size());
  Dim next = 1;
  for (int dim : order) {
    strides[index(dim)] = next;
    next *= sizes[index(dim)];
  }
  return strides;
}

bool is_row_major(absl::Span<const int> order) {
  for (size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<int>(order.size() - 1 - i)) return false;
  return true;
}

bool all_contiguous(absl::Span<const Type> operands, MemoryFormat format) {
  for (Type t : operands)
    if (t && !is_contiguous(t, format)) return false;
  return true;
}

}  // namespace

Type elementwise(TypeCall& call, DType dtype, absl::Span<const Type> operands) {
  if (dtype == DType::kUndefined)
    return call.fail("the dtypes of the operands cannot be promoted to a common dtype");
  // Handles the usual cases first: row-major tensors of the same sizes, and 0-dimensional tensors.
  Type first;
  bool same = true, has_scalars = false, row_major = true;
  for (Type t : operands) {
    if (!t) continue;
    if (t.rank() == 0) {
      has_scalars = true;
      continue;
    }
    if (!first) first = t;
    same = same && (t == first || t.sizes() == first.sizes());
    row_major = row_major && t.has_default_strides();
  }
  if (!first) {
    if (!has_scalars) return call.fail("at least one operand must be a tensor");
    return call.result(dtype, absl::Span<const Dim>());
  }
  // TensorIterator orders dimensions by size if their strides are equal, as those of empty tensors.
  const absl::Span<const Dim> all = first.sizes();
  const bool is_sorted = has_scalars && std::ranges::count(all, Dim(0)) > 0;
  if (same && row_major && !is_sorted) {
    if (first.dtype() == dtype && first.offset() == Dim(0) && !first.requires_grad() &&
        first.device() == call.device())
      return first;
    return call.result(dtype, first.sizes(), first.strides());
  }
  DimVector sizes = to_vector(first.sizes());
  if (!same) {
    for (Type t : operands) {
      if (!t || t == first) continue;
      if (!broadcast(call, sizes, t.sizes())) return Type();
    }
  }
  if (same && !has_scalars) {
    if (all_contiguous(operands, MemoryFormat::kContiguous)) return call.result(dtype, sizes);
    if (all_contiguous(operands, MemoryFormat::kChannelsLast))
      return call.result(dtype, sizes, strides_of(sizes, MemoryFormat::kChannelsLast));
    bool have_equal_strides = true;
    for (Type t : operands)
      if (t)
        have_equal_strides =
            have_equal_strides && is_non_overlapping_and_dense(t) && t.strides() == first.strides();
    if (have_equal_strides) return call.result(dtype, sizes, first.strides());
  }
  // A symbolic size may be known to be 1: Min(1, n + 1).
  const auto is_broadcast = [&](const Dim& from, const Dim& to) {
    if (to == Dim(1)) return false;
    if (from.is_int()) return from == Dim(1);
    return !same_value(from, to) && call.known_less_equal(from, Dim(1)).value_or(false);
  };
  absl::InlinedVector<DimVector, 4> expanded;
  for (Type t : operands) {
    if (!t) continue;
    DimVector strides(sizes.size(), Dim(0));
    const size_t shift = sizes.size() - t.sizes().size();
    for (size_t i = 0; i < t.sizes().size(); ++i)
      strides[shift + i] = is_broadcast(t.sizes()[i], sizes[shift + i]) ? Dim(0) : t.strides()[i];
    expanded.push_back(std::move(strides));
  }
  const absl::InlinedVector<Strides, 4> spans(expanded.begin(), expanded.end());
  const auto order = iteration_order(call, sizes, spans);
  if (is_row_major(order)) return call.result(dtype, sizes);
  return call.result(dtype, sizes, dense_strides(sizes, order));
}

Type operand_as(TypeCall& call, Type tensor, DType dtype) {
  // Only copies of tensors with gaps or overlaps have different strides.
  if (!tensor || tensor.dtype() == dtype || tensor.has_default_strides() ||
      tensor.device().type != DeviceType::kCpu || is_non_overlapping_and_dense(tensor))
    return tensor;
  return like(call, tensor, dtype);
}

Type promoted_elementwise(TypeCall& call, DType dtype, DType common,
                          absl::Span<const Type> operands) {
  if (common == DType::kUndefined)
    return call.fail("the dtypes of the operands cannot be promoted to a common dtype");
  absl::InlinedVector<Type, 4> converted(operands.begin(), operands.end());
  for (Type& operand : converted) operand = operand_as(call, operand, common);
  return elementwise(call, dtype, converted);
}

DimVector iterated_strides(TypeCall& call, absl::Span<const Dim> sizes,
                           absl::Span<const Strides> operands) {
  const auto order = iteration_order(call, sizes, operands);
  return is_row_major(order) ? contiguous_strides(sizes) : dense_strides(sizes, order);
}

DimVector order_preserving_strides(TypeCall& call, absl::Span<const Dim> sizes,
                                   absl::Span<const Dim> strides) {
  // infer_dense_strides (aten/src/ATen/ExpandUtils.cpp) sorts the dimensions of one tensor in the
  // same way.
  const Strides operands[] = {strides};
  return dense_strides(sizes, iteration_order(call, sizes, operands));
}

DimVector like_strides(TypeCall& call, Type tensor, MemoryFormat format) {
  if (format != MemoryFormat::kPreserve) return strides_of(tensor.sizes(), format);
  if (tensor.has_default_strides() || is_non_overlapping_and_dense(tensor))
    return to_vector(tensor.strides());
  return order_preserving_strides(call, tensor.sizes(), tensor.strides());
}

Type dense_copy(TypeCall& call, Type tensor) {
  TensorSpec spec = tensor.spec();
  const DimVector strides = like_strides(call, tensor, MemoryFormat::kPreserve);
  spec.strides = strides;
  spec.offset = Dim(0);
  return call.types().tensor(spec);
}

Type like(TypeCall& call, Type tensor, DType dtype, MemoryFormat format) {
  if (format == MemoryFormat::kPreserve && tensor.has_default_strides()) {
    if (tensor.dtype() == dtype && tensor.offset() == Dim(0) && !tensor.requires_grad() &&
        tensor.device() == call.device())
      return tensor;
    return call.result(dtype, tensor.sizes(), tensor.strides());
  }
  if (format == MemoryFormat::kChannelsLast && tensor.rank() != 4)
    return call.fail(
        fmt::format("channels_last requires a tensor of rank 4, not {}", tensor.rank()));
  if (format == MemoryFormat::kChannelsLast3d && tensor.rank() != 5)
    return call.fail(
        fmt::format("channels_last_3d requires a tensor of rank 5, not {}", tensor.rank()));
  return call.result(dtype, tensor.sizes(), like_strides(call, tensor, format));
}

namespace {

/// Equivalent to is_channels_last_strides: true if the strides ascend in the order of the format.
/// Handles equal strides and broadcasting like PyTorch.
bool has_strides_of(TypeCall& call, Type t, absl::Span<const int> order) {
  Dim min_stride = 0;
  bool is_one_element = true;  // until a size within a batch item is known to be greater than 1
  if (t.strides()[1] == Dim(0)) return false;
  for (int d : order) {
    const Dim& size = t.sizes()[index(d)];
    const Dim& stride = t.strides()[index(d)];
    if (size == Dim(0)) return false;
    if (is_less(call, stride, min_stride)) return false;
    // N111 tensors are ambiguous; they are treated as contiguous.
    if (d == 0 && is_one_element && call.is_value(min_stride, t.strides()[1])) return false;
    is_one_element = is_one_element && !(size.is_int() && size.value() > 1);
    min_stride = stride;
    min_stride = min_stride * size;
  }
  return true;
}

}  // namespace

MemoryFormat suggested_format(TypeCall& call, Type tensor) {
  // The last stride of a row-major tensor, 1, is less than the stride of the channels times their
  // number, unless all strides are 1.
  if (tensor.has_default_strides()) return MemoryFormat::kContiguous;
  if (tensor.rank() == 4) {
    static constexpr int kOrder[] = {1, 3, 2, 0};
    if (has_strides_of(call, tensor, kOrder)) return MemoryFormat::kChannelsLast;
  }
  if (tensor.rank() == 5) {
    static constexpr int kOrder[] = {1, 4, 3, 2, 0};
    if (has_strides_of(call, tensor, kOrder)) return MemoryFormat::kChannelsLast3d;
  }
  return MemoryFormat::kContiguous;
}

Type view_of(TypeCall& call, Type tensor, absl::Span<const Dim> sizes,
             absl::Span<const Dim> strides, const Dim& offset) {
  for (const Dim& size : sizes)
    if (size.is_int() && size.value() < 0)
      return call.fail(fmt::format("the view would have a negative size, {}", size.value()));
  const Type type = call.types().tensor({.dtype = tensor.dtype(),
                                         .sizes = sizes,
                                         .strides = strides,
                                         .offset = offset,
                                         .device = tensor.device()});
  if (!type) call.fail("the sizes of the view overflow");
  return type;
}

}  // namespace fx::shape
