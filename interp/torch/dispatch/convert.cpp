#include "fx/interp/torch/dispatch/convert.h"

#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include <ATen/ScalarOps.h>
#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

namespace fx {
namespace {

static_assert(static_cast<int>(at::ScalarType::Undefined) == static_cast<int>(DType::kUndefined));
static_assert(static_cast<int>(at::Layout::NumOptions) == kNumLayouts);
static_assert(static_cast<int>(at::MemoryFormat::NumOptions) == kNumMemoryFormats);
static_assert(static_cast<int>(at::DeviceType::COMPILE_TIME_MAX_DEVICE_TYPES) == kNumDeviceTypes);

constexpr std::pair<at::QScheme, std::string_view> kQSchemes[] = {
    {at::QScheme::PER_TENSOR_AFFINE, "torch.per_tensor_affine"},
    {at::QScheme::PER_CHANNEL_AFFINE, "torch.per_channel_affine"},
    {at::QScheme::PER_TENSOR_SYMMETRIC, "torch.per_tensor_symmetric"},
    {at::QScheme::PER_CHANNEL_SYMMETRIC, "torch.per_channel_symmetric"},
    {at::QScheme::PER_CHANNEL_AFFINE_FLOAT_QPARAMS, "torch.per_channel_affine_float_qparams"},
};

absl::Status cannot_convert(const Argument& argument, std::string_view expected) {
  return absl::InvalidArgumentError(
      fmt::format("a {} cannot be passed as {}", argument_kind_name(argument.kind()), expected));
}

ArgumentCode::Base base_of(const c10::Type& type) {
  switch (type.kind()) {
    case c10::TypeKind::TensorType:
      return ArgumentCode::kTensor;
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      return ArgumentCode::kInt;
    case c10::TypeKind::FloatType:
    case c10::TypeKind::SymFloatType:
      return ArgumentCode::kFloat;
    case c10::TypeKind::BoolType:
    case c10::TypeKind::SymBoolType:
      return ArgumentCode::kBool;
    case c10::TypeKind::NumberType:
    case c10::TypeKind::ComplexType:
      return ArgumentCode::kNumber;
    case c10::TypeKind::StringType:
      return ArgumentCode::kString;
    case c10::TypeKind::ScalarTypeType:
      return ArgumentCode::kDType;
    case c10::TypeKind::LayoutType:
      return ArgumentCode::kLayout;
    case c10::TypeKind::MemoryFormatType:
      return ArgumentCode::kMemoryFormat;
    case c10::TypeKind::QSchemeType:
      return ArgumentCode::kQScheme;
    case c10::TypeKind::DeviceObjType:
      return ArgumentCode::kDevice;
    default:
      return ArgumentCode::kOther;
  }
}

/// Returns the element type of an Optional and sets `optional`, or returns other types unchanged.
const c10::Type* strip_optional(const c10::Type* type, bool& optional) {
  if (type->kind() != c10::TypeKind::OptionalType) return type;
  optional = true;
  return type->castRaw<c10::OptionalType>()->getElementType().get();
}

absl::StatusOr<Argument> from_int(int64_t value, ArgumentCode code) {
  switch (code.base) {
    case ArgumentCode::kDType:
      return Argument(from_torch(static_cast<at::ScalarType>(value)));
    case ArgumentCode::kLayout:
      return Argument(from_torch(static_cast<at::Layout>(value)));
    case ArgumentCode::kMemoryFormat:
      return Argument(from_torch(static_cast<at::MemoryFormat>(value)));
    case ArgumentCode::kQScheme:
      for (const auto& [scheme, name] : kQSchemes) {
        if (static_cast<int64_t>(scheme) == value) return Argument::object(name);
      }
      return absl::UnimplementedError(fmt::format("unknown quantization scheme {}", value));
    default:
      return Argument(value);
  }
}

absl::StatusOr<c10::IValue> number_ivalue(const Argument& argument) {
  switch (argument.kind()) {
    case ArgumentKind::kBool:
      return c10::IValue(argument.as_bool());
    case ArgumentKind::kInt:
      return c10::IValue(argument.as_int());
    case ArgumentKind::kFloat:
      return c10::IValue(argument.as_float());
    case ArgumentKind::kComplex:
      return c10::IValue(c10::complex<double>(argument.as_complex()));
    default:
      return cannot_convert(argument, "a number");
  }
}

/// Converts a number for a tensor parameter to a wrapped number, that is, a tensor with low
/// priority in type promotion.
absl::StatusOr<c10::IValue> wrapped_number(const Argument& argument) {
  FX_ASSIGN_OR_RETURN(const c10::IValue number, number_ivalue(argument));
  return c10::IValue(number_tensor(number.toScalar()));
}

/// Returns the value of an enumerator or a device.
absl::StatusOr<c10::IValue> enumerator_ivalue(const Argument& argument, ArgumentCode::Base base) {
  const ArgumentKind kind = argument.kind();
  switch (base) {
    case ArgumentCode::kDType:
      if (kind == ArgumentKind::kDType) return c10::IValue(to_torch(argument.as_dtype()));
      return cannot_convert(argument, "a dtype");
    case ArgumentCode::kLayout:
      if (kind == ArgumentKind::kLayout) return c10::IValue(to_torch(argument.as_layout()));
      return cannot_convert(argument, "a layout");
    case ArgumentCode::kMemoryFormat:
      if (kind == ArgumentKind::kMemoryFormat)
        return c10::IValue(to_torch(argument.as_memory_format()));
      return cannot_convert(argument, "a memory format");
    case ArgumentCode::kDevice:
      if (kind == ArgumentKind::kDevice) return c10::IValue(to_torch(argument.as_device()));
      return cannot_convert(argument, "a device");
    case ArgumentCode::kQScheme:
      for (const auto& [scheme, name] : kQSchemes) {
        if (kind == ArgumentKind::kObject && argument.as_string() == name)
          return c10::IValue(static_cast<int64_t>(scheme));
      }
      return cannot_convert(argument, "a quantization scheme");
    default:
      return absl::UnimplementedError(
          fmt::format("a {} cannot be passed to this argument", argument_kind_name(kind)));
  }
}

absl::StatusOr<c10::IValue> leaf_ivalue(const Argument& argument, ArgumentCode code) {
  const ArgumentKind kind = argument.kind();
  switch (code.base) {
    case ArgumentCode::kTensor:
      return wrapped_number(argument);
    case ArgumentCode::kNumber:
      return number_ivalue(argument);
    case ArgumentCode::kInt:
      if (kind == ArgumentKind::kInt) return c10::IValue(argument.as_int());
      if (kind == ArgumentKind::kBool) return c10::IValue(int64_t{argument.as_bool()});
      return cannot_convert(argument, "an int");
    case ArgumentCode::kFloat:
      if (kind == ArgumentKind::kFloat) return c10::IValue(argument.as_float());
      if (kind == ArgumentKind::kInt) return c10::IValue(static_cast<double>(argument.as_int()));
      return cannot_convert(argument, "a float");
    case ArgumentCode::kBool:
      if (kind == ArgumentKind::kBool) return c10::IValue(argument.as_bool());
      return cannot_convert(argument, "a bool");
    case ArgumentCode::kString:
      if (kind == ArgumentKind::kString) return c10::IValue(std::string(argument.as_string()));
      return cannot_convert(argument, "a string");
    default:
      return enumerator_ivalue(argument, code.base);
  }
}

template <class T, class Get>
c10::IValue typed_list(const std::vector<c10::IValue>& items, Get get) {
  c10::List<T> list;
  list.reserve(items.size());
  for (const c10::IValue& item : items) list.push_back(get(item));
  return c10::IValue(std::move(list));
}

}  // namespace

ArgumentCode argument_code(const c10::Argument& argument) {
  ArgumentCode code;
  const c10::Type* type = strip_optional(argument.real_type().get(), code.optional);
  if (type->kind() == c10::TypeKind::ListType) {
    code.list = true;
    type =
        strip_optional(type->castRaw<c10::ListType>()->getElementType().get(), code.optional_items);
    if (type->kind() == c10::TypeKind::ListType) type = c10::AnyType::get().get();
    code.repeat = argument.N().value_or(0);
  }
  code.base = base_of(*type);
  return code;
}

absl::StatusOr<Argument> from_ivalue(const c10::IValue& value, ArgumentCode code) {
  if (value.isNone()) return Argument();
  if (value.isBool()) return Argument(value.toBool());
  if (value.isInt()) return from_int(value.toInt(), code);
  if (value.isDouble()) return Argument(value.toDouble());
  if (value.isComplexDouble()) {
    const c10::complex<double> number = value.toComplexDouble();
    return Argument(std::complex<double>(number.real(), number.imag()));
  }
  if (value.isString()) return Argument(std::string_view(value.toStringView()));
  if (value.isDevice()) return Argument(from_torch(value.toDevice()));
  if (value.isIntList() && code.base == ArgumentCode::kInt) {
    absl::InlinedVector<int64_t, 8> integers;
    for (const c10::IValue& item : value.toListRef()) integers.push_back(item.toInt());
    return Argument::ints(integers);
  }
  if (value.isSymInt()) {
    if (const std::optional<int64_t> number = value.toSymInt().maybe_as_int())
      return Argument(*number);
    return absl::UnimplementedError("libtorch's symbolic sizes are not supported");
  }
  if (value.isList()) {
    absl::InlinedVector<Argument, 4> items;
    for (const c10::IValue& item : value.toListRef()) {
      FX_ASSIGN_OR_RETURN(Argument argument, from_ivalue(item, code));
      items.push_back(std::move(argument));
    }
    return Argument::list(items);
  }
  return absl::UnimplementedError(
      fmt::format("a {} cannot be represented in a graph", value.tagKind()));
}

absl::StatusOr<c10::IValue> to_ivalue(const Argument& argument, ArgumentCode code) {
  if (argument.is_none() && (code.optional || code.base == ArgumentCode::kTensor)) {
    // For a tensor parameter that is not optional, None becomes an undefined tensor.
    return code.base == ArgumentCode::kTensor && !code.optional ? c10::IValue(at::Tensor())
                                                                : c10::IValue();
  }
  if (!code.list) return leaf_ivalue(argument, code);
  std::vector<c10::IValue> items;
  if (argument.is_list() || argument.is_tuple()) {
    for (size_t i = 0; i < argument.size(); ++i) {
      ArgumentCode item = code;
      item.list = false;
      item.optional = code.optional_items;
      FX_ASSIGN_OR_RETURN(c10::IValue value, to_ivalue(argument[i], item));
      items.push_back(std::move(value));
    }
  } else {
    if (code.repeat == 0) return cannot_convert(argument, "a list");
    FX_ASSIGN_OR_RETURN(const c10::IValue value, leaf_ivalue(argument, code));
    items.assign(static_cast<size_t>(code.repeat), value);
  }
  return list_ivalue(std::move(items), code);
}

absl::StatusOr<c10::IValue> list_ivalue(std::vector<c10::IValue> items, ArgumentCode code) {
  switch (code.base) {
    case ArgumentCode::kTensor:
      if (code.optional_items) {
        return typed_list<std::optional<at::Tensor>>(
            items, [](const c10::IValue& v) { return v.toOptional<at::Tensor>(); });
      }
      return typed_list<at::Tensor>(items, [](const c10::IValue& v) { return v.toTensor(); });
    case ArgumentCode::kInt:
    case ArgumentCode::kDType:
    case ArgumentCode::kLayout:
    case ArgumentCode::kMemoryFormat:
    case ArgumentCode::kQScheme:
      return typed_list<int64_t>(items, [](const c10::IValue& v) { return v.toInt(); });
    case ArgumentCode::kFloat:
      return typed_list<double>(items, [](const c10::IValue& v) { return v.toDouble(); });
    case ArgumentCode::kBool:
      return typed_list<bool>(items, [](const c10::IValue& v) { return v.toBool(); });
    case ArgumentCode::kNumber:
      return typed_list<at::Scalar>(items, [](const c10::IValue& v) { return v.toScalar(); });
    case ArgumentCode::kString:
      return typed_list<std::string>(items, [](const c10::IValue& v) { return v.toStringRef(); });
    case ArgumentCode::kDevice:
      return typed_list<at::Device>(items, [](const c10::IValue& v) { return v.toDevice(); });
    case ArgumentCode::kOther:
      break;
  }
  return absl::UnimplementedError("a list cannot be passed to this argument");
}

Type type_of(TypeTable& types, const at::Tensor& tensor, bool requires_grad) {
  const DimVector sizes(tensor.sizes().begin(), tensor.sizes().end());
  DimVector strides;
  TensorSpec spec{.dtype = from_torch(tensor.scalar_type()),
                  .sizes = sizes,
                  .layout = from_torch(tensor.layout()),
                  .device = from_torch(tensor.device()),
                  .requires_grad = requires_grad};
  if (tensor.layout() == at::kStrided) {
    strides.assign(tensor.strides().begin(), tensor.strides().end());
    spec.strides = strides;
    spec.offset = tensor.storage_offset();
  }
  return types.tensor(spec);
}

Type type_of(TypeTable& types, const at::Tensor& tensor) {
  return type_of(types, tensor, tensor.requires_grad());
}

at::Tensor number_tensor(const c10::Scalar& number) {
  at::Tensor tensor = c10::scalar_to_tensor(number);
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

c10::ArrayRef<c10::IValue> items_of(const c10::IValue& value) {
  if (value.isList()) return value.toListRef();
  if (!value.isTuple()) return {};
  const auto& elements = value.toTupleRef().elements();
  return c10::ArrayRef<c10::IValue>(elements.begin(), elements.size());
}

Type type_of_value(TypeTable& types, const c10::IValue& value) {
  if (value.isNone()) return types.none();
  if (value.isTensor())
    return value.toTensor().defined() ? type_of(types, value.toTensor()) : types.none();
  if (value.isBool()) return types.boolean(value.toBool());
  if (value.isInt()) return types.integer(value.toInt());
  if (value.isDouble()) return types.floating(value.toDouble());
  if (value.isComplexDouble()) {
    const c10::complex<double> number = value.toComplexDouble();
    return types.complex({number.real(), number.imag()});
  }
  if (value.isString()) return types.string(value.toStringRef());
  if (value.isTuple() || value.isList()) {
    std::vector<Type> items;
    for (const c10::IValue& item : items_of(value)) items.push_back(type_of_value(types, item));
    return value.isTuple() ? types.tuple(items) : types.list(items);
  }
  if (value.isGenericDict()) {
    std::vector<std::pair<Symbol, Type>> entries;
    for (const auto& entry : value.toGenericDict()) {
      if (!entry.key().isString()) return Type();
      entries.emplace_back(types.symbols().intern(entry.key().toStringRef()),
                           type_of_value(types, entry.value()));
    }
    return types.map(entries);
  }
  return Type();
}

}  // namespace fx
