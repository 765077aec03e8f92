// Shared by the reader and the writer of safetensors files.
#pragma once

#include "fx/ir/types/dtype.h"

#include <array>
#include <string>
#include <string_view>

namespace fx::safetensors {

inline constexpr std::string_view kMetadataKey = "__metadata__";

struct NamedDType {
  std::string_view name;
  DType dtype;
};
/// The dtypes in the order in which the format's own writer sorts them, from small to large.
inline constexpr std::array<NamedDType, 19> kDTypes = {{{"BOOL", DType::kBool},
                                                        {"U8", DType::kUInt8},
                                                        {"I8", DType::kInt8},
                                                        {"F8_E5M2", DType::kFloat8E5M2},
                                                        {"F8_E4M3", DType::kFloat8E4M3FN},
                                                        {"F8_E8M0", DType::kFloat8E8M0FNU},
                                                        {"F8_E4M3FNUZ", DType::kFloat8E4M3FNUZ},
                                                        {"F8_E5M2FNUZ", DType::kFloat8E5M2FNUZ},
                                                        {"I16", DType::kInt16},
                                                        {"U16", DType::kUInt16},
                                                        {"F16", DType::kFloat16},
                                                        {"BF16", DType::kBFloat16},
                                                        {"I32", DType::kInt32},
                                                        {"U32", DType::kUInt32},
                                                        {"F32", DType::kFloat32},
                                                        {"C64", DType::kComplex64},
                                                        {"F64", DType::kFloat64},
                                                        {"I64", DType::kInt64},
                                                        {"U64", DType::kUInt64}}};

/// Returns a name from a file in quotes, for messages; a long name is truncated.
std::string in_quotes(std::string_view name);

}  // namespace fx::safetensors
