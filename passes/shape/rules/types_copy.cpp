// Type functions for copies, conversions, fills, and operators that write into part of a copy.
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <limits>

namespace fx::shape {
namespace {

MemoryFormat format_or(TypeCall& c, int i, MemoryFormat if_none) {
  return c.memory_format(i).value_or(if_none);
}

Type clone(TypeCall& c) {
  const Type x = c.tensor(0);
  return like(c, x, x.dtype(), format_or(c, 1, MemoryFormat::kPreserve));
}

/// contiguous(self, memory_format): returns the tensor itself if it already has the memory format.
Type contiguous(TypeCall& c) {
  const Type x = c.tensor(0);
  const MemoryFormat format = format_or(c, 1, MemoryFormat::kContiguous);
  if (format == MemoryFormat::kPreserve)
    return c.fail("preserve_format is unsupported by the contiguous operator");
  const std::optional<bool> is_copy = is_copied(c, x, format);
  if (!is_copy) return view_or_copy(c, x, x.sizes());
  if (!*is_copy) {
    c.set_alias(0);
    return x;
  }
  return like(c, x, x.dtype(), format);
}

Type copy_to(TypeCall& c, Type x, DType dtype, Device device, MemoryFormat format) {
  const Type result = like(c, x, dtype, format);
  if (!result || device == c.device()) return result;
  TensorSpec spec = result.spec();
  spec.device = device;
  return c.types().tensor(spec);
}

/// _to_copy(self, dtype, layout, device, pin_memory, non_blocking, memory_format)
Type to_copy(TypeCall& c) {
  const Type x = c.tensor(0);
  return copy_to(c, x, c.dtype_or(1, x.dtype()), c.device_or(3, x.device()),
                 format_or(c, 6, MemoryFormat::kPreserve));
}

/// Returns the type of to(). If nothing changes, the result is the tensor itself.
Type to_type(TypeCall& c, DType dtype, Device device, bool copy, MemoryFormat format) {
  const Type x = c.tensor(0);
  const bool formatted = format == MemoryFormat::kPreserve || suggested_format(c, x) == format;
  if (!copy && dtype == x.dtype() && device == x.device() && formatted) {
    c.set_alias(0);
    return x;
  }
  return copy_to(c, x, dtype, device, format);
}

Type to_dtype(TypeCall& c) {
  return to_type(c, c.dtype_or(1, DType::kFloat32), c.tensor(0).device(), c.boolean(3),
                 format_or(c, 4, MemoryFormat::kPreserve));
}
/// to(self, dtype, layout, device, pin_memory, non_blocking, copy, memory_format)
Type to_dtype_layout(TypeCall& c) {
  const Type x = c.tensor(0);
  return to_type(c, c.dtype_or(1, x.dtype()), c.device_or(3, x.device()), c.boolean(6),
                 format_or(c, 7, MemoryFormat::kPreserve));
}
Type to_device(TypeCall& c) {
  return to_type(c, c.dtype_or(2, c.tensor(0).dtype()), c.device_or(1, c.tensor(0).device()),
                 c.boolean(4), format_or(c, 5, MemoryFormat::kPreserve));
}
Type to_other(TypeCall& c) {
  return to_type(c, c.tensor(1).dtype(), c.tensor(1).device(), c.boolean(3),
                 format_or(c, 4, MemoryFormat::kPreserve));
}
Type type_as(TypeCall& c) {
  return to_type(c, c.tensor(1).dtype(), c.tensor(1).device(), false, MemoryFormat::kPreserve);
}

/// copy_(self, src), fill_(self, value), zero_(self): the result has the type of self.
Type self_type(TypeCall& c) {
  const Type x = c.tensor(0);
  return like(c, x, x.dtype());
}

/// Returns the type of a copy with the same strides and offset, or of like(x) if a stride of 0
/// makes elements overlap.
Type clone_preserve_strides(TypeCall& c, Type x) {
  for (size_t i = 0; i < x.sizes().size(); ++i)
    if (x.strides()[i] == Dim(0) && x.sizes()[i] != Dim(1)) return like(c, x, x.dtype());
  return view_of(c, x, x.sizes(), to_vector(x.strides()), x.offset());
}

bool check_broadcast_into(TypeCall& c, Type into, Type from) {
  DimVector sizes = to_vector(into.sizes());
  if (!broadcast(c, sizes, from.sizes())) return false;
  if (same_sizes(c, sizes, into.sizes())) return true;
  c.fail(fmt::format("{} cannot be broadcast to {}", to_string(from), to_string(into)));
  return false;
}

/// copy(self, src): the functional form of copy_.
Type copy(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!check_broadcast_into(c, x, c.tensor(1))) return Type();
  // The meta kernel returns offset 0. A slice that a step of a loop receives has a symbolic offset;
  // a type in the graph of the step may have been recorded for a different call.
  if (x.offset().is_int() && x.offset() != Dim(0))
    c.set_meta_result(c.result(x.dtype(), x.sizes(), x.strides()));
  return clone_preserve_strides(c, x);
}

Type copy_in_place(TypeCall& c) {
  const Type self = c.tensor(0), source = c.tensor(1);
  c.set_alias(0);
  // A copy of a tensor to itself does nothing.
  if (self != source && !check_overlap(c, self)) return Type();
  return check_broadcast_into(c, self, source) ? self : Type();
}

/// Returns the type of a copy of self in which the source replaces a part of type `part`.
Type scattered(TypeCall& c, Type part) {
  if (!part) return Type();
  const Type source = c.tensor(1);
  if (!same_sizes(c, part.sizes(), source.sizes())) {
    return c.fail(fmt::format("the source {} must have the sizes of the part that it replaces, {}",
                              to_string(source), to_string(part)));
  }
  return clone_preserve_strides(c, c.tensor(0));
}

Type slice_scatter(TypeCall& c) {
  const Dim end = c.dim_or(4, std::numeric_limits<int64_t>::max());
  return scattered(c, slice(c, c.tensor(0), c.integer(2), c.dim_or(3, 0), end, c.dim(5)));
}
Type select_scatter(TypeCall& c) {
  return scattered(c, select(c, c.tensor(0), c.integer(2), c.dim(3)));
}
Type diagonal_scatter(TypeCall& c) { return clone_preserve_strides(c, c.tensor(0)); }
Type as_strided_scatter(TypeCall& c) {
  const DimVector sizes = c.dims(2), strides = c.dims(3);
  if (sizes.size() != strides.size()) return c.fail("size and stride must have the same length");
  if (!same_sizes(c, sizes, c.tensor(1).sizes()))
    return c.fail("the source must have the sizes of argument size");
  if (!check_overlap(c, view_of(c, c.tensor(0), sizes, strides, 0))) return Type();
  return clone_preserve_strides(c, c.tensor(0));
}

/// Gradients of views: zeros of the sizes of the input, into which the kernel writes the gradient.
Type zeros_of_sizes(TypeCall& c) { return c.result(c.tensor(0).dtype(), c.dims(1)); }

/// _assert_tensor_metadata(a, size, stride, dtype)
Type assert_metadata(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!c.is_none(1) && !same_sizes(c, x.sizes(), c.dims(1)))
    return c.fail("tensor sizes mismatch: the sizes must equal argument size");
  if (!c.is_none(3) && c.dtype_or(3, x.dtype()) != x.dtype())
    return c.fail(fmt::format("tensor dtype mismatch: {} instead of {}", dtype_name(x.dtype()),
                              dtype_name(c.dtype_or(3, x.dtype()))));
  return c.none();
}

Type nothing(TypeCall& c) { return c.none(); }

/// True if dropout(input, p, train) and its like may change an element.
bool may_drop(TypeCall& c) {
  if (!c.boolean(2)) return false;
  const Type x = c.tensor(0);
  const bool is_empty = x.is_tensor() && x.has_rank() && std::ranges::count(x.sizes(), Dim(0)) > 0;
  return !is_empty && c.number(1) != 0;
}
/// Kernels that draw a mask accept floats, and masks of channels require a batch and channels. No
/// mask is drawn if p is 1.
bool check_mask(TypeCall& c) {
  const Type x = c.tensor(0);
  if (c.number(1) == 1 || c.failed()) return !c.failed();
  if (!is_floating_point(x.dtype()) && x.dtype() != DType::kUndefined) {
    c.fail_argument(0, "a floating-point tensor");
  } else if (c.op().name().starts_with("aten.feature_") && x.has_rank() && x.rank() < 2) {
    c.fail_argument(0, "a tensor with at least 2 dimensions");
  }
  return !c.failed();
}
/// (input, p, train): returns the input itself if no element can be dropped.
Type dropout(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!may_drop(c)) {
    c.set_alias(0);
    return x;
  }
  if (!check_mask(c)) return Type();
  // The kernel multiplies by a mask, or by 0 if p is 1.
  const Type mask =
      c.number(1) == 1 ? c.result(x.dtype(), absl::Span<const Dim>()) : like(c, x, x.dtype());
  return mask ? elementwise(c, x.dtype(), {x, mask}) : Type();
}

/// Returns the argument itself, for in-place operators that have no functional form, or whose
/// schema names the operand differently, so the forms are not variants of each other
/// (dropout_).
Type argument_itself(TypeCall& c) {
  c.set_alias(0);
  return c.tensor(0);
}
Type dropout_in_place(TypeCall& c) {
  return !may_drop(c) || check_mask(c) ? argument_itself(c) : Type();
}

/// native_dropout(input, p, train): on the CPU, returns an empty input unchanged, with a mask of
/// its dtype.
Type native_dropout(TypeCall& c) {
  const Type x = c.tensor(0);
  const bool is_empty = x.is_tensor() && x.has_rank() && std::ranges::count(x.sizes(), Dim(0)) > 0;
  if (is_empty && x.device().type == DeviceType::kCpu) return c.tuple({x, like(c, x, x.dtype())});
  return c.tuple({like(c, x, x.dtype()), like(c, x, DType::kBool)});
}

/// lift_fresh_copy(self): the copy is contiguous, independent of the strides of self.
Type lift_fresh_copy(TypeCall& c) {
  return like(c, c.tensor(0), c.tensor(0).dtype(), MemoryFormat::kContiguous);
}
Type like_self(TypeCall& c) { return like(c, c.tensor(0), c.tensor(0).dtype()); }

/// TorchScript's conversions: _cast_Float and so on.
template <DType dtype>
Type cast_to(TypeCall& c) {
  return c.tensor(0).dtype() == dtype ? argument_itself(c) : like(c, c.tensor(0), dtype);
}

/// bernoulli(self, p) does not keep the strides.
Type row_major(TypeCall& c) {
  return like(c, c.tensor(0), c.tensor(0).dtype(), MemoryFormat::kContiguous);
}

/// binomial(count, prob), _dirichlet_grad(x, alpha, total): the kernel resizes a row-major tensor of
/// the first operand's sizes if the operands broadcast to other sizes.
template <int operands>
Type row_major_of(TypeCall& c) {
  const Type first = c.tensor(0);
  absl::InlinedVector<Type, operands> all;
  DimVector sizes = to_vector(first.sizes());
  for (int i = 0; i < operands; ++i) {
    all.push_back(c.tensor(i));
    if (!broadcast(c, sizes, all.back().sizes())) return Type();
  }
  return sizes == to_vector(first.sizes()) ? row_major(c) : elementwise(c, first.dtype(), all);
}

Type contiguous_self(TypeCall& c) { return contiguous_like(c, c.tensor(0)); }
Type rrelu_functional(TypeCall& c) {
  return c.tuple(
      {like(c, c.tensor(0), c.tensor(0).dtype()), like(c, c.tensor(1), c.tensor(1).dtype())});
}

/// Returns the type of self after a resize of its storage to `sizes`. Without a memory format, the
/// result is row-major, or self if the sizes do not change.
Type resized_to(TypeCall& c, absl::Span<const Dim> sizes, std::optional<MemoryFormat> format) {
  const Type x = c.tensor(0);
  c.set_alias(0);
  if (!format) {
    if (same_sizes(c, x.sizes(), sizes)) return x;
    return view_of(c, x, sizes, contiguous_strides(sizes), x.offset());
  }
  const size_t rank = *format == MemoryFormat::kChannelsLast     ? 4
                      : *format == MemoryFormat::kChannelsLast3d ? 5
                                                                 : sizes.size();
  if (sizes.size() != rank)
    return c.fail(fmt::format("memory_format requires {} dimensions, not {}", rank, sizes.size()));
  return view_of(c, x, sizes, strides_of(sizes, *format), x.offset());
}
/// resize_(self, size, memory_format)
Type resize(TypeCall& c) {
  const std::optional<MemoryFormat> format = c.memory_format(2);
  if (format == MemoryFormat::kPreserve)
    return c.fail("preserve_format is unsupported by the resize_ operator");
  return resized_to(c, c.dims(1), format);
}
/// resize_as_(self, the_template, memory_format)
Type resize_as(TypeCall& c) {
  std::optional<MemoryFormat> format = c.memory_format(2);
  const Type other = c.tensor(1);
  if (format == MemoryFormat::kPreserve) format = suggested_format(c, other);
  return resized_to(c, other.sizes(), format);
}

Type fake_quantize_mask(TypeCall& c) {
  const Type x = c.tensor(0);
  return c.tuple({like(c, x, x.dtype()), like(c, x, DType::kBool)});
}

constexpr TypeRule kCopyRules[] = {
    {"aten.clone.default", clone},
    {"aten.lift_fresh_copy.default", lift_fresh_copy},
    {"aten.contiguous.default", contiguous},
    {"aten._to_copy.default", to_copy},
    {"aten.to.dtype", to_dtype},
    {"aten.to.dtype_layout", to_dtype_layout},
    {"aten.to.device", to_device},
    {"aten.to.other", to_other},
    {"aten.type_as.default", type_as},
    {"aten.copy.default", copy},
    {"aten.copy_.default", copy_in_place},
    {"aten.fill.Scalar", self_type},
    {"aten.fill.Tensor", self_type},
    {"aten.zero.default", self_type},
    {"aten.slice_scatter.default", slice_scatter},
    {"aten.select_scatter.default", select_scatter},
    {"aten.diagonal_scatter.default", diagonal_scatter},
    {"aten.as_strided_scatter.default", as_strided_scatter},
    {"aten.slice_backward.default", zeros_of_sizes},
    {"aten.select_backward.default", zeros_of_sizes},
    {"aten.diagonal_backward.default", zeros_of_sizes},
    {"aten.unfold_backward.default", zeros_of_sizes},
    {"aten._assert_tensor_metadata.default", assert_metadata},
    {"aten._assert_scalar.default", nothing},
    {"aten._assert_async.default", nothing},
    {"aten._assert_async.msg", nothing},
    {"aten._linalg_check_errors.default", nothing},
    {"aten.dropout.default", dropout},
    {"aten.alpha_dropout.default", dropout},
    {"aten.feature_alpha_dropout.default", dropout},
    {"aten.feature_dropout.default", dropout},
    {"aten.dropout_.default", dropout_in_place},
    {"aten.alpha_dropout_.default", dropout_in_place},
    {"aten.feature_alpha_dropout_.default", dropout_in_place},
    {"aten.feature_dropout_.default", dropout_in_place},
    {"aten.fill_diagonal_.default", argument_itself},
    {"aten.requires_grad_.default", argument_itself},
    {"aten._amp_update_scale_.default", argument_itself},
    {"aten._cast_Byte.default", cast_to<DType::kUInt8>},
    {"aten._cast_Char.default", cast_to<DType::kInt8>},
    {"aten._cast_Short.default", cast_to<DType::kInt16>},
    {"aten._cast_Int.default", cast_to<DType::kInt32>},
    {"aten._cast_Long.default", cast_to<DType::kInt64>},
    {"aten._cast_Half.default", cast_to<DType::kFloat16>},
    {"aten._cast_Float.default", cast_to<DType::kFloat32>},
    {"aten._cast_Double.default", cast_to<DType::kFloat64>},
    {"aten.native_dropout.default", native_dropout},
    {"aten.bernoulli.default", row_major},
    {"aten.poisson.default", row_major},
    {"aten.binomial.default", row_major_of<2>},
    {"aten._standard_gamma.default", row_major},
    {"aten._standard_gamma_grad.default", row_major_of<2>},
    {"aten._sample_dirichlet.default", row_major},
    {"aten._dirichlet_grad.default", row_major_of<3>},
    {"aten.bernoulli.p", row_major},
    {"aten.bernoulli.Tensor", like_self},
    {"aten.normal_functional.default", like_self},
    {"aten.uniform.default", like_self},
    {"aten.exponential.default", like_self},
    {"aten.random.default", like_self},
    {"aten.random.from", like_self},
    {"aten.random.to", like_self},
    {"aten.geometric.default", like_self},
    {"aten.cauchy.default", like_self},
    {"aten.log_normal.default", like_self},
    {"aten.rrelu_with_noise_functional.default", rrelu_functional},
    {"aten.rrelu_with_noise.default", contiguous_self},
    {"aten.resize_.default", resize},
    {"aten.resize_as_.default", resize_as},
    {"aten.fake_quantize_per_tensor_affine.default", like_self},
    {"aten.fake_quantize_per_channel_affine.default", like_self},
    {"aten.fake_quantize_per_tensor_affine_cachemask.default", fake_quantize_mask},
    {"aten.fake_quantize_per_channel_affine_cachemask.default", fake_quantize_mask},
};

}  // namespace

absl::Span<const TypeRule> copy_rules() { return kCopyRules; }

}  // namespace fx::shape
