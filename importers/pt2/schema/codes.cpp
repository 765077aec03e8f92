#include "fx/importers/pt2/schema/codes_internal.h"

#include <iterator>

namespace fx::pt2 {
namespace {

template <class T>
struct Code {
  int64_t code;
  T value;
};

constexpr Code<DType> kDTypeCodes[] = {
    {1, DType::kUInt8},           {2, DType::kInt8},
    {3, DType::kInt16},           {4, DType::kInt32},
    {5, DType::kInt64},           {6, DType::kFloat16},
    {7, DType::kFloat32},         {8, DType::kFloat64},
    {9, DType::kComplex32},       {10, DType::kComplex64},
    {11, DType::kComplex128},     {12, DType::kBool},
    {13, DType::kBFloat16},       {28, DType::kUInt16},
    {29, DType::kFloat8E4M3FN},   {30, DType::kFloat8E5M2},
    {31, DType::kFloat8E4M3FNUZ}, {32, DType::kFloat8E5M2FNUZ},
    {33, DType::kFloat8E8M0FNU},  {34, DType::kUInt32},
    {35, DType::kUInt64},
};

constexpr Code<Layout> kLayoutCodes[] = {
    {1, Layout::kSparseCoo}, {2, Layout::kSparseCsr}, {3, Layout::kSparseCsc},
    {4, Layout::kSparseBsr}, {5, Layout::kSparseBsc}, {6, Layout::kMkldnn},
    {7, Layout::kStrided},
};

constexpr Code<MemoryFormat> kMemoryFormatCodes[] = {
    {1, MemoryFormat::kContiguous},
    {2, MemoryFormat::kChannelsLast},
    {3, MemoryFormat::kChannelsLast3d},
    {4, MemoryFormat::kPreserve},
};

template <class T, size_t n>
std::optional<T> value_of_code(const Code<T> (&codes)[n], int64_t code) {
  for (const Code<T>& row : codes)
    if (row.code == code) return row.value;
  return std::nullopt;
}

template <class T, size_t n>
std::optional<int64_t> code_of_value(const Code<T> (&codes)[n], T value) {
  for (const Code<T>& row : codes)
    if (row.value == value) return row.code;
  return std::nullopt;
}

}  // namespace

std::optional<DType> dtype_from_code(int64_t code) { return value_of_code(kDTypeCodes, code); }
std::optional<Layout> layout_from_code(int64_t code) { return value_of_code(kLayoutCodes, code); }
std::optional<MemoryFormat> memory_format_from_code(int64_t code) {
  return value_of_code(kMemoryFormatCodes, code);
}

std::optional<int64_t> code_of(DType dtype) { return code_of_value(kDTypeCodes, dtype); }
std::optional<int64_t> code_of(Layout layout) { return code_of_value(kLayoutCodes, layout); }
std::optional<int64_t> code_of(MemoryFormat format) {
  return code_of_value(kMemoryFormatCodes, format);
}

}  // namespace fx::pt2
