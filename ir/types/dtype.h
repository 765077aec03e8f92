// Element types, layouts, memory formats and devices of tensors: torch's own lists, names and
// numbers, without torch.
//
// The numeric values are those of torch 2.13's C++ enums (c10::ScalarType, Layout, MemoryFormat,
// DeviceType), so that conversion to libtorch is a cast; a test compares all values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fx {

/// The element type of a tensor. kUndefined: unknown.
enum class DType : uint8_t {
  kUInt8 = 0,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex32,
  kComplex64,
  kComplex128,
  kBool,
  kQInt8,
  kQUInt8,
  kQInt32,
  kBFloat16,
  kQUInt4x2,
  kQUInt2x4,
  kBits1x8,
  kBits2x4,
  kBits4x2,
  kBits8,
  kBits16,
  kFloat8E5M2,
  kFloat8E4M3FN,
  kFloat8E5M2FNUZ,
  kFloat8E4M3FNUZ,
  kUInt16,
  kUInt32,
  kUInt64,
  kUInt1,
  kUInt2,
  kUInt3,
  kUInt4,
  kUInt5,
  kUInt6,
  kUInt7,
  kInt1,
  kInt2,
  kInt3,
  kInt4,
  kInt5,
  kInt6,
  kInt7,
  kFloat8E8M0FNU,
  kFloat4E2M1FNx2,
  kUndefined,
};
/// The number of DTypes, without kUndefined.
inline constexpr int kNumDTypes = static_cast<int>(DType::kUndefined);

/// torch's name without "torch.": "float32". "undefined" for kUndefined.
std::string_view dtype_name(DType dtype);
/// The short form of torch.fx's listings: "f32", "bf16", "b8". Types without a short form there
/// (qint8, uint4, ...) have a similar one: "qi8", "u4". "tensor" for kUndefined.
std::string_view dtype_abbreviation(DType dtype);
/// Bytes of one element in memory; 0 for kUndefined. Types smaller than a byte need one byte.
int64_t dtype_item_size(DType dtype);
/// The DType with this name or alias ("float32", "float", "torch.float32"); nullopt if none
/// matches.
std::optional<DType> dtype_from_name(std::string_view name);
/// The DType with PyTorch's number of it, which is its value here; nullopt if none matches.
/// TorchScript graphs contain such numbers.
constexpr std::optional<DType> dtype_from_number(int64_t number) {
  return number >= 0 && number < kNumDTypes ? std::optional(static_cast<DType>(number))
                                            : std::nullopt;
}
/// The DType with this short form; nullopt if none matches.
std::optional<DType> dtype_from_abbreviation(std::string_view abbreviation);

/// True for float16 ... float64, bfloat16 and the 8- and 4-bit floats; not for complex numbers.
bool is_floating_point(DType dtype);
bool is_complex(DType dtype);
/// True for signed and unsigned integers; not for bool, quantized types and bits.
bool is_integral(DType dtype);
bool is_quantized(DType dtype);
/// True for types that can represent negative values.
bool is_signed(DType dtype);
/// torch.can_cast: true if a result of dtype `from` may be written to a tensor of dtype `to`, that
/// is, unless `to` is of a lower category (complex, floating point, integer, bool).
bool can_cast(DType from, DType to);

enum class Layout : uint8_t {
  kStrided = 0,
  kSparseCoo,
  kSparseCsr,
  kMkldnn,
  kSparseCsc,
  kSparseBsr,
  kSparseBsc,
  kJagged,
};
inline constexpr int kNumLayouts = 8;

/// torch's name without "torch.": "strided", "sparse_coo", "_mkldnn".
std::string_view layout_name(Layout layout);
std::optional<Layout> layout_from_name(std::string_view name);

enum class MemoryFormat : uint8_t {
  kContiguous = 0,
  kPreserve,
  kChannelsLast,
  kChannelsLast3d,
};
inline constexpr int kNumMemoryFormats = 4;

/// torch's name without "torch.": "contiguous_format", "channels_last".
std::string_view memory_format_name(MemoryFormat format);
std::optional<MemoryFormat> memory_format_from_name(std::string_view name);
/// The MemoryFormat with PyTorch's number of it; nullopt if none matches.
constexpr std::optional<MemoryFormat> memory_format_from_number(int64_t number) {
  return number >= 0 && number < kNumMemoryFormats
             ? std::optional(static_cast<MemoryFormat>(number))
             : std::nullopt;
}

enum class DeviceType : uint16_t {
  kCpu = 0,
  kCuda,
  kMkldnn,
  kOpengl,
  kOpencl,
  kIdeep,
  kHip,
  kFpga,
  kMaia,
  kXla,
  kVulkan,
  kMetal,
  kXpu,
  kMps,
  kMeta,
  kHpu,
  kVe,
  kLazy,
  kIpu,
  kMtia,
  kPrivateUse1,
};
inline constexpr int kNumDeviceTypes = 21;

/// "cpu", "cuda", "meta", "privateuseone", ...
std::string_view device_type_name(DeviceType type);
std::optional<DeviceType> device_type_from_name(std::string_view name);

/// The device of a tensor. An `index` of -1 means the current device of that type.
struct Device {
  DeviceType type = DeviceType::kCpu;
  int16_t index = -1;

  friend bool operator==(Device, Device) = default;
};

/// torch's text: "cpu", "cuda:0".
std::string device_name(Device device);
/// Reads torch's text; nullopt if it is not a device or the index is not 0...127.
std::optional<Device> device_from_name(std::string_view name);

}  // namespace fx

template <>
struct std::hash<fx::Device> {
  size_t operator()(fx::Device d) const noexcept {
    return static_cast<size_t>(d.type) << 16 | static_cast<uint16_t>(d.index);
  }
};
