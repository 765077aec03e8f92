// Reads and writes single elements of tensors, including small floating-point formats.
#include "fx/ir/module/tensor_element_internal.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace fx::internal {
namespace {

/// The representation of values greater than the largest number of a small format.
enum class Specials : uint8_t {
  kIeee,      // infinity, then NaNs
  kOneNan,    // E4M3FN: all ones is NaN; the largest number replaces infinity
  kMinusZero  // FNUZ: the code of minus zero is the only NaN, and replaces infinity
};

struct SmallFloat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

constexpr SmallFloat kHalf = {5, 10, 15, Specials::kIeee};
constexpr SmallFloat kBFloat = {8, 7, 127, Specials::kIeee};

/// The format of a floating-point type with fewer than 32 bits; null for other types.
const SmallFloat* small_float(DType dtype) {
  static constexpr SmallFloat kE5M2 = {5, 2, 15, Specials::kIeee};
  static constexpr SmallFloat kE5M2Fnuz = {5, 2, 16, Specials::kMinusZero};
  static constexpr SmallFloat kE4M3Fn = {4, 3, 7, Specials::kOneNan};
  static constexpr SmallFloat kE4M3Fnuz = {4, 3, 8, Specials::kMinusZero};
  switch (dtype) {
    case DType::kFloat16:
      return &kHalf;
    case DType::kBFloat16:
      return &kBFloat;
    case DType::kFloat8E5M2:
      return &kE5M2;
    case DType::kFloat8E5M2FNUZ:
      return &kE5M2Fnuz;
    case DType::kFloat8E4M3FN:
      return &kE4M3Fn;
    case DType::kFloat8E4M3FNUZ:
      return &kE4M3Fnuz;
    default:
      return nullptr;
  }
}

double decode(const SmallFloat& format, uint32_t code) {
  const uint32_t mantissa_mask = (1u << format.mantissa_bits) - 1;
  const uint32_t exponent_mask = (1u << format.exponent_bits) - 1;
  const uint32_t sign_bit = 1u << (format.mantissa_bits + format.exponent_bits);
  const uint32_t mantissa = code & mantissa_mask;
  const uint32_t exponent = code >> format.mantissa_bits & exponent_mask;
  const double sign = code & sign_bit ? -1.0 : 1.0;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  switch (format.specials) {
    case Specials::kIeee:
      if (exponent == exponent_mask)
        return mantissa ? nan : sign * std::numeric_limits<double>::infinity();
      break;
    case Specials::kOneNan:
      if (exponent == exponent_mask && mantissa == mantissa_mask) return nan;
      break;
    case Specials::kMinusZero:
      if (code == sign_bit) return nan;
      break;
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - format.bias - format.mantissa_bits);
  return sign * std::ldexp(mantissa | (mantissa_mask + 1),
                           static_cast<int>(exponent) - format.bias - format.mantissa_bits);
}

/// Rounds to nearest, ties to even. Values greater than the largest number become infinity or its
/// replacement (Specials).
uint32_t encode(const SmallFloat& format, float value) {
  const uint32_t sign_bit = 1u << (format.mantissa_bits + format.exponent_bits);
  const uint32_t sign = std::signbit(value) ? sign_bit : 0;
  const uint32_t all_ones = sign_bit - 1;
  uint32_t infinity = 0;  // the code of infinity, or of numbers that are too large
  uint32_t nan = 0;
  switch (format.specials) {
    case Specials::kIeee:
      infinity = all_ones & ~((1u << format.mantissa_bits) - 1);
      nan = infinity | 1u << (format.mantissa_bits - 1);
      break;
    case Specials::kOneNan:
      infinity = all_ones - 1;
      nan = all_ones;
      break;
    case Specials::kMinusZero:
      infinity = sign_bit;
      nan = sign_bit;
      break;
  }
  if (std::isnan(value)) return sign | nan;
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return format.specials == Specials::kMinusZero ? 0 : sign;
  int exponent = 0;
  std::frexp(value, &exponent);  // 2^(exponent - 1) <= |value| < 2^exponent
  // The unit is the value of the last mantissa bit. Subnormal numbers have the unit of the smallest
  // normal number.
  const int unit = std::max(exponent - 1, 1 - format.bias) - format.mantissa_bits;
  const auto units = static_cast<uint64_t>(
      std::nearbyint(std::ldexp(std::abs(static_cast<double>(value)), -unit)));
  // The exponent precedes the mantissa in the code, so that rounding up carries into the exponent.
  const int first = unit + format.mantissa_bits + format.bias - 1;
  const uint64_t code = (static_cast<uint64_t>(first) << format.mantissa_bits) + units;
  if (code == 0 && format.specials == Specials::kMinusZero) return 0;
  const uint64_t largest = format.specials == Specials::kIeee     ? infinity - 1
                           : format.specials == Specials::kOneNan ? all_ones - 1
                                                                  : all_ones;
  return code > largest ? sign | infinity : sign | static_cast<uint32_t>(code);
}

/// float8_e8m0fnu: a power of two and no sign.
double decode_e8m0(uint8_t code) {
  return code == 0xff ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, code - 127);
}

uint8_t encode_e8m0(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  uint32_t exponent = bits >> 23 & 0xff;
  if (exponent == 0xff) return 0xff;
  const uint32_t mantissa = bits & 0x7fffff;
  // Round to nearest, ties up, except to the smallest code: its ties round down.
  if (mantissa > 0x400000 || (mantissa == 0x400000 && exponent > 0)) ++exponent;
  return static_cast<uint8_t>(exponent);
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void save(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

void save_small(const SmallFloat& format, double value, std::byte* to) {
  const uint32_t code = encode(format, static_cast<float>(value));
  if (format.exponent_bits + format.mantissa_bits == 15)
    save(to, static_cast<uint16_t>(code));
  else
    save(to, static_cast<uint8_t>(code));
}

absl::Status invalid_element(DType dtype, const Argument& value) {
  std::string text;
  append_element(value, text);
  return absl::InvalidArgumentError(
      fmt::format("{} cannot be represented as {}", text, dtype_name(dtype)));
}

template <class T>
absl::Status write_int(DType dtype, const Argument& value, std::byte* to) {
  int64_t number = 0;
  if (value.is_bool()) {
    number = value.as_bool();
  } else if (value.is_int()) {
    number = value.as_int();
  } else if (value.kind() == ArgumentKind::kObject && std::is_same_v<T, uint64_t>) {
    const std::string_view digits = value.as_string();
    uint64_t large = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), large);
    if (error != std::errc() || end != digits.data() + digits.size())
      return invalid_element(dtype, value);
    save(to, large);
    return absl::OkStatus();
  } else {
    return invalid_element(dtype, value);
  }
  if (!std::in_range<T>(number)) return invalid_element(dtype, value);
  save(to, static_cast<T>(number));
  return absl::OkStatus();
}

absl::StatusOr<double> real_part(DType dtype, const Argument& value) {
  switch (value.kind()) {
    case ArgumentKind::kBool:
      return value.as_bool() ? 1.0 : 0.0;
    case ArgumentKind::kInt:
      return static_cast<double>(value.as_int());
    case ArgumentKind::kFloat:
      return value.as_float();
    default:
      return invalid_element(dtype, value);
  }
}

absl::Status write_complex(DType dtype, const Argument& value, std::byte* to) {
  std::complex<double> number;
  if (value.kind() == ArgumentKind::kComplex) {
    number = value.as_complex();
  } else {
    FX_ASSIGN_OR_RETURN(const double real, real_part(dtype, value));
    number = real;
  }
  if (dtype == DType::kComplex128) {
    save(to, number);
  } else if (dtype == DType::kComplex64) {
    save(to, std::complex<float>(number));
  } else {
    save_small(kHalf, number.real(), to);
    save_small(kHalf, number.imag(), to + 2);
  }
  return absl::OkStatus();
}

void append_float(double value, std::string& out) {
  if (std::isnan(value)) {
    out += "nan";
  } else if (std::isinf(value)) {
    out += value < 0 ? "-inf" : "inf";
  } else {
    const std::string text = fmt::format("{}", value);
    out += text;
    if (text.find_first_of(".e") == std::string::npos) out += ".0";
  }
}

}  // namespace

Argument read_element(DType dtype, const std::byte* from) {
  switch (dtype) {
    case DType::kBool:
      return load<uint8_t>(from) != 0;
    case DType::kUInt8:
      return load<uint8_t>(from);
    case DType::kUInt16:
      return load<uint16_t>(from);
    case DType::kUInt32:
      return load<uint32_t>(from);
    case DType::kUInt64: {
      const auto value = load<uint64_t>(from);
      if (std::in_range<int64_t>(value)) return static_cast<int64_t>(value);
      return Argument::object(fmt::format("{}", value));
    }
    case DType::kInt8:
      return static_cast<int64_t>(load<int8_t>(from));
    case DType::kInt16:
      return load<int16_t>(from);
    case DType::kInt32:
      return load<int32_t>(from);
    case DType::kInt64:
      return load<int64_t>(from);
    case DType::kFloat32:
      return static_cast<double>(load<float>(from));
    case DType::kFloat64:
      return load<double>(from);
    case DType::kFloat16:
    case DType::kBFloat16:
      return decode(*small_float(dtype), load<uint16_t>(from));
    case DType::kFloat8E5M2:
    case DType::kFloat8E4M3FN:
    case DType::kFloat8E5M2FNUZ:
    case DType::kFloat8E4M3FNUZ:
      return decode(*small_float(dtype), load<uint8_t>(from));
    case DType::kFloat8E8M0FNU:
      return decode_e8m0(load<uint8_t>(from));
    case DType::kComplex32:
      return std::complex<double>(decode(kHalf, load<uint16_t>(from)),
                                  decode(kHalf, load<uint16_t>(from + 2)));
    case DType::kComplex64:
      return std::complex<double>(load<std::complex<float>>(from));
    case DType::kComplex128:
      return load<std::complex<double>>(from);
    default:
      return Argument::none();
  }
}

absl::Status write_element(DType dtype, const Argument& value, std::byte* to) {
  switch (dtype) {
    case DType::kBool:
      if (!value.is_bool() && !(value.is_int() && (value.as_int() == 0 || value.as_int() == 1)))
        return invalid_element(dtype, value);
      save(to, static_cast<uint8_t>(value.is_bool() ? value.as_bool() : value.as_int() != 0));
      return absl::OkStatus();
    case DType::kUInt8:
      return write_int<uint8_t>(dtype, value, to);
    case DType::kUInt16:
      return write_int<uint16_t>(dtype, value, to);
    case DType::kUInt32:
      return write_int<uint32_t>(dtype, value, to);
    case DType::kUInt64:
      return write_int<uint64_t>(dtype, value, to);
    case DType::kInt8:
      return write_int<int8_t>(dtype, value, to);
    case DType::kInt16:
      return write_int<int16_t>(dtype, value, to);
    case DType::kInt32:
      return write_int<int32_t>(dtype, value, to);
    case DType::kInt64:
      return write_int<int64_t>(dtype, value, to);
    case DType::kComplex32:
    case DType::kComplex64:
    case DType::kComplex128:
      return write_complex(dtype, value, to);
    default:
      break;
  }
  const SmallFloat* format = small_float(dtype);
  if (!format && dtype != DType::kFloat32 && dtype != DType::kFloat64 &&
      dtype != DType::kFloat8E8M0FNU) {
    return absl::InvalidArgumentError(
        fmt::format("elements of type {} cannot be created from numbers", dtype_name(dtype)));
  }
  FX_ASSIGN_OR_RETURN(const double number, real_part(dtype, value));
  if (dtype == DType::kFloat64)
    save(to, number);
  else if (dtype == DType::kFloat32)
    save(to, static_cast<float>(number));
  else if (dtype == DType::kFloat8E8M0FNU)
    save(to, encode_e8m0(static_cast<float>(number)));
  else
    save_small(*format, number, to);
  return absl::OkStatus();
}

void append_element(const Argument& value, std::string& out) {
  switch (value.kind()) {
    case ArgumentKind::kBool:
      out += value.as_bool() ? "True" : "False";
      return;
    case ArgumentKind::kInt:
      out += fmt::format("{}", value.as_int());
      return;
    case ArgumentKind::kFloat:
      append_float(value.as_float(), out);
      return;
    case ArgumentKind::kComplex: {
      const std::complex<double> number = value.as_complex();
      out += '(';
      append_float(number.real(), out);
      if (!std::signbit(number.imag()) || std::isnan(number.imag())) out += '+';
      append_float(number.imag(), out);
      out += "j)";
      return;
    }
    case ArgumentKind::kString:
    case ArgumentKind::kObject:
      out += value.as_string();
      return;
    default:
      out += '?';
  }
}

}  // namespace fx::internal
