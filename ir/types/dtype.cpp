// Names of element types, layouts, memory formats and devices: see dtype.h.
#include "fx/ir/types/dtype.h"

#include <array>
#include <charconv>
#include <iterator>

namespace fx {
namespace {

enum class Family : uint8_t { kNone, kUnsigned, kSigned, kFloat, kComplex, kQuantized, kBits };

struct DTypeRow {
  std::string_view name;
  std::string_view abbreviation;
  uint8_t item_size;
  Family family;
};

// The rows are in the order of DType.
constexpr DTypeRow kDTypes[] = {
    {"uint8", "u8", 1, Family::kUnsigned},
    {"int8", "i8", 1, Family::kSigned},
    {"int16", "i16", 2, Family::kSigned},
    {"int32", "i32", 4, Family::kSigned},
    {"int64", "i64", 8, Family::kSigned},
    {"float16", "f16", 2, Family::kFloat},
    {"float32", "f32", 4, Family::kFloat},
    {"float64", "f64", 8, Family::kFloat},
    {"complex32", "c32", 4, Family::kComplex},
    {"complex64", "c64", 8, Family::kComplex},
    {"complex128", "c128", 16, Family::kComplex},
    {"bool", "b8", 1, Family::kNone},
    {"qint8", "qi8", 1, Family::kQuantized},
    {"quint8", "qu8", 1, Family::kQuantized},
    {"qint32", "qi32", 4, Family::kQuantized},
    {"bfloat16", "bf16", 2, Family::kFloat},
    {"quint4x2", "qu4x2", 1, Family::kQuantized},
    {"quint2x4", "qu2x4", 1, Family::kQuantized},
    {"bits1x8", "b1x8", 1, Family::kBits},
    {"bits2x4", "b2x4", 1, Family::kBits},
    {"bits4x2", "b4x2", 1, Family::kBits},
    {"bits8", "b8x1", 1, Family::kBits},
    {"bits16", "b16x1", 2, Family::kBits},
    {"float8_e5m2", "f8e5m2", 1, Family::kFloat},
    {"float8_e4m3fn", "f8e4m3fn", 1, Family::kFloat},
    {"float8_e5m2fnuz", "f8e5m2fnuz", 1, Family::kFloat},
    {"float8_e4m3fnuz", "f8e4m3fnuz", 1, Family::kFloat},
    {"uint16", "u16", 2, Family::kUnsigned},
    {"uint32", "u32", 4, Family::kUnsigned},
    {"uint64", "u64", 8, Family::kUnsigned},
    {"uint1", "u1", 1, Family::kUnsigned},
    {"uint2", "u2", 1, Family::kUnsigned},
    {"uint3", "u3", 1, Family::kUnsigned},
    {"uint4", "u4", 1, Family::kUnsigned},
    {"uint5", "u5", 1, Family::kUnsigned},
    {"uint6", "u6", 1, Family::kUnsigned},
    {"uint7", "u7", 1, Family::kUnsigned},
    {"int1", "i1", 1, Family::kSigned},
    {"int2", "i2", 1, Family::kSigned},
    {"int3", "i3", 1, Family::kSigned},
    {"int4", "i4", 1, Family::kSigned},
    {"int5", "i5", 1, Family::kSigned},
    {"int6", "i6", 1, Family::kSigned},
    {"int7", "i7", 1, Family::kSigned},
    {"float8_e8m0fnu", "f8e8m0fnu", 1, Family::kFloat},
    {"float4_e2m1fn_x2", "f4e2m1fnx2", 1, Family::kFloat},
    {"undefined", "tensor", 0, Family::kNone},
};
static_assert(std::size(kDTypes) == kNumDTypes + 1);

struct DTypeAlias {
  std::string_view name;
  DType dtype;
};
constexpr DTypeAlias kAliases[] = {
    {"float", DType::kFloat32},   {"double", DType::kFloat64},   {"half", DType::kFloat16},
    {"int", DType::kInt32},       {"long", DType::kInt64},       {"short", DType::kInt16},
    {"chalf", DType::kComplex32}, {"cfloat", DType::kComplex64}, {"cdouble", DType::kComplex128},
};

constexpr std::string_view kLayouts[] = {"strided",    "sparse_coo", "sparse_csr", "_mkldnn",
                                         "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged"};
static_assert(std::size(kLayouts) == kNumLayouts);

constexpr std::string_view kMemoryFormats[] = {"contiguous_format", "preserve_format",
                                               "channels_last", "channels_last_3d"};
static_assert(std::size(kMemoryFormats) == kNumMemoryFormats);

constexpr std::string_view kDeviceTypes[] = {
    "cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
    "fpga", "maia", "xla",    "vulkan", "metal",  "xpu",   "mps",
    "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia",  "privateuseone"};
static_assert(std::size(kDeviceTypes) == kNumDeviceTypes);

const DTypeRow& row(DType dtype) { return kDTypes[static_cast<size_t>(dtype)]; }

template <typename Enum, size_t n>
std::optional<Enum> find_name(const std::string_view (&names)[n], std::string_view name) {
  for (size_t i = 0; i < n; ++i)
    if (names[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

std::string_view without_torch(std::string_view name) {
  constexpr std::string_view kPrefix = "torch.";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  return name;
}

}  // namespace

std::string_view dtype_name(DType dtype) { return row(dtype).name; }
std::string_view dtype_abbreviation(DType dtype) { return row(dtype).abbreviation; }
int64_t dtype_item_size(DType dtype) { return row(dtype).item_size; }

std::optional<DType> dtype_from_name(std::string_view name) {
  name = without_torch(name);
  for (size_t i = 0; i < kNumDTypes; ++i)
    if (kDTypes[i].name == name) return static_cast<DType>(i);
  for (const DTypeAlias& alias : kAliases)
    if (alias.name == name) return alias.dtype;
  return std::nullopt;
}

std::optional<DType> dtype_from_abbreviation(std::string_view abbreviation) {
  for (size_t i = 0; i <= kNumDTypes; ++i)
    if (kDTypes[i].abbreviation == abbreviation) return static_cast<DType>(i);
  return std::nullopt;
}

bool is_floating_point(DType dtype) { return row(dtype).family == Family::kFloat; }
bool is_complex(DType dtype) { return row(dtype).family == Family::kComplex; }
bool is_integral(DType dtype) {
  return row(dtype).family == Family::kSigned || row(dtype).family == Family::kUnsigned;
}
bool is_quantized(DType dtype) { return row(dtype).family == Family::kQuantized; }
bool can_cast(DType from, DType to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating_point(from) && (is_integral(to) || to == DType::kBool)) return false;
  return from == DType::kBool || to != DType::kBool;
}
bool is_signed(DType dtype) {
  switch (row(dtype).family) {
    case Family::kSigned:
    case Family::kComplex:
      return true;
    case Family::kFloat:
      return dtype != DType::kFloat8E8M0FNU;  // it has only an exponent
    case Family::kQuantized:
      return dtype == DType::kQInt8 || dtype == DType::kQInt32;
    default:
      return false;
  }
}

std::string_view layout_name(Layout layout) { return kLayouts[static_cast<size_t>(layout)]; }
std::optional<Layout> layout_from_name(std::string_view name) {
  return find_name<Layout>(kLayouts, without_torch(name));
}

std::string_view memory_format_name(MemoryFormat format) {
  return kMemoryFormats[static_cast<size_t>(format)];
}
std::optional<MemoryFormat> memory_format_from_name(std::string_view name) {
  return find_name<MemoryFormat>(kMemoryFormats, without_torch(name));
}

std::string_view device_type_name(DeviceType type) {
  return kDeviceTypes[static_cast<size_t>(type)];
}
std::optional<DeviceType> device_type_from_name(std::string_view name) {
  return find_name<DeviceType>(kDeviceTypes, name);
}

std::string device_name(Device device) {
  std::string text(device_type_name(device.type));
  if (device.index >= 0) text.append(":").append(std::to_string(device.index));
  return text;
}

std::optional<Device> device_from_name(std::string_view name) {
  const size_t colon = name.find(':');
  const std::optional<DeviceType> type = device_type_from_name(name.substr(0, colon));
  if (!type) return std::nullopt;
  if (colon == std::string_view::npos) return Device{*type, -1};
  const std::string_view digits = name.substr(colon + 1);
  int16_t index = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, index);
  const bool spelled_well = !digits.empty() && (digits == "0" || digits[0] != '0');
  if (error != std::errc() || stop != end || !spelled_well || index < 0 || index > 127)
    return std::nullopt;
  return Device{*type, index};
}

}  // namespace fx
