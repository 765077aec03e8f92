// Requirements for numbers that kernels convert to the dtype of a tensor: they must be in its
// range.
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fx::shape {
namespace {

struct NumberRange {
  double min;
  double max;
};

template <class T>
constexpr NumberRange range_of_type() {
  return {static_cast<double>(std::numeric_limits<T>::lowest()),
          static_cast<double>(std::numeric_limits<T>::max())};
}

/// Returns the range of the elements of a dtype; of any number for a dtype that is not listed.
NumberRange range_of(DType dtype) {
  constexpr double kMaxFloat16 = 65504, kMaxBFloat16 = 0x1.FEp127;
  switch (dtype) {
    case DType::kBool:
      return {0, 1};
    case DType::kUInt8:
      return range_of_type<uint8_t>();
    case DType::kInt8:
      return range_of_type<int8_t>();
    case DType::kInt16:
      return range_of_type<int16_t>();
    case DType::kInt32:
      return range_of_type<int32_t>();
    case DType::kInt64:
      return range_of_type<int64_t>();
    case DType::kFloat16:
      return {-kMaxFloat16, kMaxFloat16};
    case DType::kBFloat16:
      return {-kMaxBFloat16, kMaxBFloat16};
    case DType::kFloat32:
      return range_of_type<float>();
    default:
      return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
}

/// True if c10::Scalar converts a number to a dtype. An integer may wrap around once in an unsigned
/// dtype. Conversions to bool are not checked.
bool converts(double number, bool is_integer, DType dtype) {
  if (dtype == DType::kBool) return true;
  const bool is_to_integer = is_integral(dtype);
  if (!std::isfinite(number)) return !is_to_integer;
  const NumberRange range = range_of(dtype);
  const double min = is_integer && range.min == 0 ? -range.max : range.min;
  return number >= min && number <= range.max;
}

/// Returns the dtype of the kernel's numbers: those of 16-bit floats are float32.
DType number_dtype_of_kernel(DType dtype) {
  return dtype == DType::kFloat16 || dtype == DType::kBFloat16 ? DType::kFloat32 : dtype;
}

bool is_integer_or_bool(DType dtype) { return is_integral(dtype) || dtype == DType::kBool; }

/// Returns the dtype to which tensors and numbers promote; undefined for tensors of different
/// dtypes and for complex numbers.
DType promoted(const TypeCall& c, std::initializer_list<int> operands) {
  DType tensor = DType::kUndefined;
  bool has_integer = false, has_float = false;
  for (int i : operands) {
    if (c.is_none(i)) continue;
    if (const Type type = c.tensor(i); type.is_tensor()) {
      if (tensor != DType::kUndefined && tensor != type.dtype()) return DType::kUndefined;
      tensor = type.dtype();
      continue;
    }
    const DType number = c.argument(i).number_dtype();
    if (is_complex(number)) return DType::kUndefined;
    has_integer |= number == DType::kInt64;
    has_float |= number == DType::kFloat32;
  }
  if (tensor != DType::kUndefined && !is_integer_or_bool(tensor)) return tensor;
  if (has_float) return DType::kFloat32;
  return has_integer && !is_integral(tensor) ? DType::kInt64 : tensor;
}

/// Requires that a number can be an element of a new or filled tensor. A tensor of rank 0 is filled
/// without a kernel, which rounds 16-bit floats to infinity.
bool fills(TypeCall& c, int i, DType dtype, bool is_scalar) {
  return (is_scalar && number_dtype_of_kernel(dtype) != dtype) || fits_dtype(c, i, dtype);
}

/// full(size, value, dtype)
bool full(TypeCall& c) {
  return fills(c, 1, factory_dtype(c, 2, c.argument(1).number_dtype()), c.list_size(0) == 0);
}
/// full_like(self, value, dtype)
bool full_like(TypeCall& c) {
  return fills(c, 1, factory_dtype(c, 2, c.tensor(0).dtype()), c.tensor(0).rank() == 0);
}
/// new_full(self, size, value, dtype)
bool new_full(TypeCall& c) {
  return fills(c, 2, factory_dtype(c, 3, c.tensor(0).dtype()), c.list_size(1) == 0);
}
/// scalar_tensor(value, dtype)
bool scalar_tensor(TypeCall& c) { return fills(c, 0, factory_dtype(c, 1, DType::kFloat32), true); }
/// fill(self, value)
bool fill(TypeCall& c) { return fills(c, 1, c.tensor(0).dtype(), c.tensor(0).rank() == 0); }

/// Requires that number `i` can be an element of tensor 0.
template <int i>
bool element(TypeCall& c) {
  return fits_dtype(c, i, c.tensor(0).dtype());
}

/// clamp_min(self, min)
bool clamp_one(TypeCall& c) { return fit_promoted_dtype(c, {0, 1}); }

/// pow(self, exponent): negative powers of integers are undefined. Kernels of float32 convert the
/// exponent without a check.
bool pow(TypeCall& c) {
  const DType dtype = promoted(c, {0, 1});
  if (is_integer_or_bool(dtype) && !is_at_least(c, 1, 0)) return false;
  return dtype == DType::kFloat32 || fits_dtype(c, 1, dtype);
}

/// where(condition, self, other): numbers become tensors of rank 0.
bool where(TypeCall& c) {
  const DType dtype = promoted(c, {1, 2});
  return (c.tensor(1).is_tensor() || fills(c, 1, dtype, true)) &&
         (c.tensor(2).is_tensor() || fills(c, 2, dtype, true));
}

/// addcmul(self, a, b, value)
bool scaled_product(TypeCall& c) {
  return fits_dtype(c, 3, number_dtype_of_kernel(promoted(c, {0, 1, 2})));
}

/// threshold(self, threshold, value)
bool threshold(TypeCall& c) {
  const DType dtype = c.tensor(0).dtype();
  return fits_dtype(c, 1, number_dtype_of_kernel(dtype)) && fits_dtype(c, 2, dtype);
}

/// linspace(start, end, steps, dtype)
bool linspace(TypeCall& c) {
  const auto steps = c.argument(2).as_dim();
  if (!steps || !steps->is_int() || steps->value() < 2) return true;
  const DType dtype = factory_dtype(c, 3, DType::kFloat32);
  if (dtype == DType::kBool) {
    c.fail("dtype must not be bool");
    return false;
  }
  return fits_dtype(c, 0, dtype) && fits_dtype(c, 1, dtype);
}

constexpr Requirement kNumberRequirements[] = {
    {"aten.full.default", full},
    {"aten.full_like.default", full_like},
    {"aten.new_full.default", new_full},
    {"aten.scalar_tensor.default", scalar_tensor},
    {"aten.fill.Scalar", fill},
    {"aten.fill_diagonal_.default", element<1>},
    {"aten.masked_fill.Scalar", element<2>},
    {"aten.hardshrink.default", element<1>},
    {"aten.scatter.value", fits_scattered},
    {"aten.clamp_min.default", clamp_one},
    {"aten.clamp_max.default", clamp_one},
    {"aten.pow.Tensor_Scalar", pow},
    {"aten.where.ScalarSelf", where},
    {"aten.where.ScalarOther", where},
    {"aten.where.Scalar", where},
    {"aten.addcmul.default", scaled_product},
    {"aten.addcdiv.default", scaled_product},
    {"aten.threshold.default", threshold},
    {"aten.linspace.default", linspace},
};

}  // namespace

bool fits_dtype(TypeCall& c, int i, DType dtype, NumberUse use) {
  const TypeArgument& value = c.argument(i);
  // Kernels of the meta device do not convert numbers.
  if (dtype == DType::kUndefined || c.device().type == DeviceType::kMeta) return true;
  if (value.number_dtype() == DType::kBool) return true;
  const auto number = value.as_float();
  if (!number) return true;
  const bool is_integer = use != NumberUse::kFloat && value.number_dtype() == DType::kInt64;
  const double converted = use == NumberUse::kNegated ? -*number
                           : use == NumberUse::kTruncated && is_integral(dtype)
                               ? std::trunc(*number)
                               : *number;
  if (converts(converted, is_integer, dtype)) return true;
  c.fail(
      fmt::format("{} cannot be converted to {}: it is out of range", *number, dtype_name(dtype)));
  return false;
}

bool fits_scattered(TypeCall& c) { return numel(c.tensor(2).sizes()) == Dim(0) || element<3>(c); }

bool fit_promoted_dtype(TypeCall& c, std::initializer_list<int> operands) {
  const DType dtype = promoted(c, operands);
  return std::ranges::all_of(operands, [&](int i) { return fits_dtype(c, i, dtype); });
}

bool is_in_range_of(TypeCall& c, int i, DType dtype, double change) {
  const NumberRange range = range_of(dtype);
  const auto number = c.argument(i).as_float();
  if (!number || (*number + change >= range.min && *number + change <= range.max)) return true;
  c.fail(fmt::format("{} is out of the range of {}, which is {} to {}", *number + change,
                     dtype_name(dtype), range.min, range.max));
  return false;
}

DType factory_dtype(TypeCall& c, int options, DType if_none) {
  const auto arguments = c.op().schema().arguments();
  if (arguments.back().is_out()) return c.tensor(c.size() - 1).dtype();
  const auto device = c.argument(options + 2).as_device();
  if (device.value_or(c.device()).type == DeviceType::kMeta) return DType::kUndefined;
  return c.argument(options).as_dtype().value_or(if_none);
}

absl::Span<const Requirement> number_requirements() { return kNumberRequirements; }

}  // namespace fx::shape
