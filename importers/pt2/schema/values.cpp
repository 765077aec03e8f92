// Reads sizes, symbolic numbers and tensor types: see values_internal.h.
#include "fx/importers/pt2/schema/codes_internal.h"
#include "fx/importers/pt2/schema/srepr_internal.h"
#include "fx/importers/pt2/schema/values_internal.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <limits>
#include <optional>
#include <utility>

namespace fx::pt2 {
namespace {

enum TensorMetaField { kDType, kSizes, kRequiresGrad, kDevice, kStrides, kStorageOffset, kLayout };
constexpr JsonField kTensorMeta[] = {{"dtype"},   {"sizes"},          {"requires_grad"}, {"device"},
                                     {"strides"}, {"storage_offset"}, {"layout"}};

enum DeviceField { kType, kIndex };
constexpr JsonField kDeviceFields[] = {{"type"}, {"index", false}};

enum SymExprField { kExprStr, kHint };
constexpr JsonField kSymExprFields[] = {{"expr_str"}, {"hint", false}};

absl::StatusOr<DType> read_dtype(Json value) {
  FX_ASSIGN_OR_RETURN(const int64_t code, json_int(value, "dtype"));
  const std::optional<DType> dtype = dtype_from_code(code);
  if (!dtype)
    return absl::InvalidArgumentError(fmt::format("dtype: the dtype code {} is unknown", code));
  return *dtype;
}

absl::StatusOr<Layout> read_layout(Json value) {
  FX_ASSIGN_OR_RETURN(const int64_t code, json_int(value, "layout"));
  const std::optional<Layout> layout = layout_from_code(code);
  if (!layout)
    return absl::InvalidArgumentError(fmt::format("layout: the layout code {} is unknown", code));
  return *layout;
}

absl::Status check_rank(size_t sizes, size_t strides) {
  if (sizes > kMaxRank) {
    return absl::InvalidArgumentError(
        fmt::format("sizes: a tensor must have at most {} dimensions", kMaxRank));
  }
  if (sizes != strides) {
    return absl::InvalidArgumentError(
        fmt::format("sizes and strides: there are {} sizes, but {} strides", sizes, strides));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> constant_size(const Dim& dim, std::string_view field) {
  if (dim.is_int()) return dim.value();
  return absl::InvalidArgumentError(
      fmt::format("{}: expected a number, not the expression {}", field, to_string(dim)));
}

}  // namespace

absl::StatusOr<SymExpr> ValueReader::expression(Json expr_str) {
  FX_ASSIGN_OR_RETURN(const std::string_view text, json_string(expr_str, "expr_str"));
  if (const auto it = expressions_.find(text); it != expressions_.end()) return it->second;
  FX_ASSIGN_OR_RETURN(const SymExpr result, parse_srepr(context_.exprs(), text));
  expressions_.emplace(text, result);
  return result;
}

absl::StatusOr<SymExpr> ValueReader::symbolic(Json as_expr) {
  FX_ASSIGN_OR_RETURN(const auto record,
                      JsonRecord<kSymExprFields>::read(as_expr, "SymExpr", notes_));
  FX_ASSIGN_OR_RETURN(const SymExpr result, expression(record[kExprStr]));
  if (result.is_symbol() && record.has(kHint)) {
    FX_ASSIGN_OR_RETURN(const JsonUnion hint, json_union(record[kHint], "hint"));
    if (hint.kind == "as_int") {
      FX_ASSIGN_OR_RETURN(const int64_t value, json_int(hint.value, "hint"));
      hints_.emplace(result.name(), value);
    }
  }
  return result;
}

absl::StatusOr<Dim> ValueReader::size(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const JsonUnion size, json_union(value, field));
  if (size.kind == "as_int") {
    FX_ASSIGN_OR_RETURN(const int64_t number, json_int(size.value, field));
    return Dim(number);
  }
  if (size.kind == "as_expr") {
    absl::StatusOr<SymExpr> expr = symbolic(size.value);
    if (!expr.ok()) return with_context(expr.status(), field);
    return Dim(*expr);
  }
  return absl::InvalidArgumentError(
      fmt::format("{}: the kind \"{}\" is unknown", field, size.kind));
}

absl::StatusOr<Device> ValueReader::device(Json value) {
  FX_ASSIGN_OR_RETURN(const auto record, JsonRecord<kDeviceFields>::read(value, "device", notes_));
  FX_ASSIGN_OR_RETURN(const std::string_view name, json_string(record[kType], "device"));
  const std::optional<DeviceType> type = device_type_from_name(name);
  if (!type)
    return absl::InvalidArgumentError(fmt::format("device: the type \"{}\" is unknown", name));
  Device device{.type = *type};
  if (record.has(kIndex)) {
    FX_ASSIGN_OR_RETURN(const int64_t index, json_int(record[kIndex], "device index"));
    if (index < 0 || index > std::numeric_limits<decltype(device.index)>::max())
      return absl::InvalidArgumentError(fmt::format("device: the index {} is out of range", index));
    device.index = static_cast<decltype(device.index)>(index);
  }
  return device;
}

absl::StatusOr<Type> ValueReader::tensor(Json value) {
  FX_ASSIGN_OR_RETURN(const auto record,
                      JsonRecord<kTensorMeta>::read(value, "TensorMeta", notes_));
  TensorSpec spec;
  FX_ASSIGN_OR_RETURN(spec.dtype, read_dtype(record[kDType]));
  FX_ASSIGN_OR_RETURN(spec.layout, read_layout(record[kLayout]));
  FX_ASSIGN_OR_RETURN(spec.device, device(record[kDevice]));
  FX_ASSIGN_OR_RETURN(spec.requires_grad, json_bool(record[kRequiresGrad], "requires_grad"));
  FX_ASSIGN_OR_RETURN(spec.offset, size(record[kStorageOffset], "storage_offset"));
  FX_ASSIGN_OR_RETURN(const JsonList size_list, json_list(record[kSizes], "sizes"));
  FX_ASSIGN_OR_RETURN(const JsonList stride_list, json_list(record[kStrides], "strides"));
  DimVector sizes, strides;
  for (const Json item : size_list) {
    FX_ASSIGN_OR_RETURN(const Dim dim, size(item, "sizes"));
    if (dim.is_int() && dim.value() < 0)
      return absl::InvalidArgumentError(fmt::format("sizes: {} is negative", dim.value()));
    sizes.push_back(dim);
  }
  for (const Json item : stride_list) {
    FX_ASSIGN_OR_RETURN(const Dim dim, size(item, "strides"));
    strides.push_back(dim);
  }
  // Other layouts have no strides. Ignore strides in the file.
  const bool is_strided = spec.layout == Layout::kStrided;
  FX_RETURN_IF_ERROR(check_rank(sizes.size(), is_strided ? strides.size() : sizes.size()));
  spec.sizes = sizes;
  if (is_strided) spec.strides = strides;
  return context_.types().tensor(spec);
}

absl::StatusOr<TensorLayout> ValueReader::read_tensor_layout(Json value) {
  FX_ASSIGN_OR_RETURN(const auto record,
                      JsonRecord<kTensorMeta>::read(value, "TensorMeta", notes_));
  TensorLayout tensor_layout;
  FX_ASSIGN_OR_RETURN(tensor_layout.dtype, read_dtype(record[kDType]));
  FX_ASSIGN_OR_RETURN(tensor_layout.layout, read_layout(record[kLayout]));
  FX_ASSIGN_OR_RETURN(tensor_layout.requires_grad,
                      json_bool(record[kRequiresGrad], "requires_grad"));
  FX_ASSIGN_OR_RETURN(const Dim offset, size(record[kStorageOffset], "storage_offset"));
  FX_ASSIGN_OR_RETURN(tensor_layout.offset, constant_size(offset, "storage_offset"));
  const auto read_numbers = [&](TensorMetaField i, std::string_view field,
                                std::vector<int64_t>& numbers) -> absl::Status {
    FX_ASSIGN_OR_RETURN(const JsonList list, json_list(record[i], field));
    for (const Json item : list) {
      FX_ASSIGN_OR_RETURN(const Dim dim, size(item, field));
      FX_ASSIGN_OR_RETURN(const int64_t number, constant_size(dim, field));
      if (number < 0)
        return absl::InvalidArgumentError(fmt::format("{}: {} is negative", field, number));
      numbers.push_back(number);
    }
    return absl::OkStatus();
  };
  FX_RETURN_IF_ERROR(read_numbers(kSizes, "sizes", tensor_layout.sizes));
  FX_RETURN_IF_ERROR(read_numbers(kStrides, "strides", tensor_layout.strides));
  FX_RETURN_IF_ERROR(check_rank(tensor_layout.sizes.size(), tensor_layout.strides.size()));
  return tensor_layout;
}

absl::StatusOr<Type> ValueReader::number(Json value, std::string_view literal) {
  TypeTable& types = context_.types();
  FX_ASSIGN_OR_RETURN(const JsonUnion number, json_union(value, literal));
  if (number.kind == "as_expr") {
    FX_ASSIGN_OR_RETURN(const SymExpr expr, symbolic(number.value));
    if (literal == "as_int") return types.integer(expr);
    return literal == "as_float" ? types.floating(expr) : types.boolean(expr);
  }
  if (number.kind != literal) {
    return absl::InvalidArgumentError(
        fmt::format("expected \"{}\" or \"as_expr\", not \"{}\"", literal, number.kind));
  }
  if (literal == "as_int") {
    FX_ASSIGN_OR_RETURN(const int64_t constant, json_int(number.value, literal));
    return types.integer(constant);
  }
  if (literal == "as_float") {
    FX_ASSIGN_OR_RETURN(const double constant, json_float(number.value, literal));
    return types.floating(constant);
  }
  FX_ASSIGN_OR_RETURN(const bool constant, json_bool(number.value, literal));
  return types.boolean(constant);
}

}  // namespace fx::pt2
