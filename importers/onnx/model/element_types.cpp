// The element types of ONNX and the dtypes that correspond to them.
#include "fx/importers/onnx/model/model_internal.h"

#include "fmt/format.h"

#include <limits>

namespace fx::onnx {
namespace {

struct ElementTypeRow {
  DataType type;
  DType dtype;
  std::string_view name;
};
constexpr ElementTypeRow kElementTypes[] = {
    {DataType::kFloat, DType::kFloat32, "float"},
    {DataType::kUInt8, DType::kUInt8, "uint8"},
    {DataType::kInt8, DType::kInt8, "int8"},
    {DataType::kUInt16, DType::kUInt16, "uint16"},
    {DataType::kInt16, DType::kInt16, "int16"},
    {DataType::kInt32, DType::kInt32, "int32"},
    {DataType::kInt64, DType::kInt64, "int64"},
    {DataType::kString, DType::kUndefined, "string"},
    {DataType::kBool, DType::kBool, "bool"},
    {DataType::kFloat16, DType::kFloat16, "float16"},
    {DataType::kDouble, DType::kFloat64, "double"},
    {DataType::kUInt32, DType::kUInt32, "uint32"},
    {DataType::kUInt64, DType::kUInt64, "uint64"},
    {DataType::kComplex64, DType::kComplex64, "complex64"},
    {DataType::kComplex128, DType::kComplex128, "complex128"},
    {DataType::kBFloat16, DType::kBFloat16, "bfloat16"},
    {DataType::kFloat8E4M3FN, DType::kFloat8E4M3FN, "float8e4m3fn"},
    {DataType::kFloat8E4M3FNUZ, DType::kFloat8E4M3FNUZ, "float8e4m3fnuz"},
    {DataType::kFloat8E5M2, DType::kFloat8E5M2, "float8e5m2"},
    {DataType::kFloat8E5M2FNUZ, DType::kFloat8E5M2FNUZ, "float8e5m2fnuz"},
    {static_cast<DataType>(21), DType::kUndefined, "uint4"},
    {static_cast<DataType>(22), DType::kUndefined, "int4"},
    {static_cast<DataType>(23), DType::kUndefined, "float4e2m1"},
    {static_cast<DataType>(24), DType::kUndefined, "float8e8m0"},
};

}  // namespace

DataType data_type(DType dtype) {
  for (const ElementTypeRow& row : kElementTypes)
    if (row.dtype == dtype && dtype != DType::kUndefined) return row.type;
  return DataType::kUndefined;
}

DType dtype_of(DataType type) {
  for (const ElementTypeRow& row : kElementTypes)
    if (row.type == type) return row.dtype;
  return DType::kUndefined;
}

std::string data_type_name(DataType type) {
  for (const ElementTypeRow& row : kElementTypes)
    if (row.type == type) return std::string(row.name);
  return fmt::format("type {}", static_cast<int32_t>(type));
}

absl::StatusOr<uint64_t> tensor_bytes(DType dtype, absl::Span<const int64_t> dims) {
  auto size = static_cast<uint64_t>(dtype_item_size(dtype));
  constexpr auto kMaxBytes = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  for (const int64_t dim : dims) {
    if (dim < 0) return absl::InvalidArgumentError(fmt::format("the size {} is negative", dim));
    if (dim != 0 && size > kMaxBytes / static_cast<uint64_t>(dim))
      return absl::InvalidArgumentError("the product of its sizes is too large");
    size *= static_cast<uint64_t>(dim);
  }
  return size;
}

}  // namespace fx::onnx
