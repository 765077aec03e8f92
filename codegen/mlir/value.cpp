#include "fx/codegen/mlir/text_internal.h"
#include "fx/codegen/mlir/value_internal.h"
#include "fx/ir/support/status.h"

#include "absl/status/status.h"
#include "fmt/format.h"

#include <utility>

namespace fx::mlir {

std::string_view element_type(DType dtype) {
  switch (dtype) {
    case DType::kUInt8:
      return "ui8";
    case DType::kUInt16:
      return "ui16";
    case DType::kUInt32:
      return "ui32";
    case DType::kUInt64:
      return "ui64";
    case DType::kInt8:
      return "si8";
    case DType::kInt16:
      return "si16";
    case DType::kInt32:
      return "si32";
    case DType::kInt64:
      return "si64";
    case DType::kFloat16:
      return "f16";
    case DType::kBFloat16:
      return "bf16";
    case DType::kFloat32:
      return "f32";
    case DType::kFloat64:
      return "f64";
    case DType::kComplex32:
      return "complex<f16>";
    case DType::kComplex64:
      return "complex<f32>";
    case DType::kComplex128:
      return "complex<f64>";
    case DType::kBool:
      return "i1";
    case DType::kQInt8:
      return "!torch.qint8";
    case DType::kQUInt8:
      return "!torch.quint8";
    case DType::kQInt32:
      return "!torch.qint32";
    case DType::kFloat8E5M2:
      return "f8E5M2";
    case DType::kFloat8E4M3FN:
      return "f8E4M3FN";
    case DType::kFloat8E5M2FNUZ:
      return "f8E5M2FNUZ";
    case DType::kFloat8E4M3FNUZ:
      return "f8E4M3FNUZ";
    case DType::kFloat8E8M0FNU:
      return "f8E8M0FNU";
    default:
      return {};
  }
}

ValueTypes::ValueTypes() {
  simple_.resize(static_cast<size_t>(ValueKind::kGraph) + 1);
  const auto set = [&](ValueKind kind, std::string_view text) {
    simple_[static_cast<size_t>(kind)] = {.kind = kind, .text = std::string(text)};
  };
  set(ValueKind::kInt, "!torch.int");
  set(ValueKind::kFloat, "!torch.float");
  set(ValueKind::kBool, "!torch.bool");
  set(ValueKind::kString, "!torch.str");
  set(ValueKind::kDevice, "!torch.Device");
  set(ValueKind::kNone, "!torch.none");
}

const ValueType* ValueTypes::intern(ValueKind kind, std::string text, DType dtype) {
  std::unique_ptr<ValueType>& type = by_text_[text];
  if (!type)
    type = std::make_unique<ValueType>(
        ValueType{.kind = kind, .text = std::move(text), .dtype = dtype});
  return type.get();
}

const ValueType* ValueTypes::list(std::string_view element) {
  return intern(ValueKind::kList, text_of("!torch.list<", element, ">"));
}

const ValueType* ValueTypes::scalar(DType dtype) {
  return intern(ValueKind::kTensor, text_of("!torch.vtensor<[],", element_type(dtype), ">"), dtype);
}

const ValueType* ValueTypes::unknown_tensor() {
  return intern(ValueKind::kTensor, "!torch.vtensor");
}

absl::StatusOr<const ValueType*> ValueTypes::of(Type type) {
  const auto [found, is_new] = known_.try_emplace(type, nullptr);
  if (!is_new && found->second != nullptr) return found->second;
  FX_ASSIGN_OR_RETURN(const ValueType* created, make(type));
  known_[type] = created;
  return created;
}

absl::StatusOr<const ValueType*> ValueTypes::make(Type type) {
  switch (type.kind()) {
    case TypeKind::kTensor:
      break;
    case TypeKind::kInt:
      return simple(ValueKind::kInt);
    case TypeKind::kFloat:
      return simple(ValueKind::kFloat);
    case TypeKind::kBool:
      return simple(ValueKind::kBool);
    case TypeKind::kString:
      return simple(ValueKind::kString);
    case TypeKind::kNone:
    case TypeKind::kToken:  // statements are always ordered
      return simple(ValueKind::kNone);
    case TypeKind::kUnknown:
      return unknown_tensor();
    default:
      return absl::UnimplementedError(
          fmt::format("the type {} cannot be expressed in the torch dialect", to_string(type)));
  }
  if (type.layout() != Layout::kStrided) {
    return absl::UnimplementedError(
        fmt::format("a tensor of layout {} cannot be expressed in the torch dialect",
                    layout_name(type.layout())));
  }
  std::string_view element = "unk";
  if (type.dtype() != DType::kUndefined) element = element_type(type.dtype());
  if (element.empty()) {
    return absl::UnimplementedError(fmt::format(
        "the element type {} cannot be expressed in the torch dialect", dtype_name(type.dtype())));
  }
  std::string text = "!torch.vtensor<";
  if (type.has_rank()) {
    text += '[';
    for (int i = 0; i < type.rank(); ++i) {
      if (i > 0) text += ',';
      const Dim& size = type.sizes()[static_cast<size_t>(i)];
      if (size.is_int()) {
        append(text, size.value());
      } else {
        text += '?';
      }
    }
    text += ']';
  } else {
    text += '*';
  }
  append(text, ",", element, ">");
  return intern(ValueKind::kTensor, std::move(text), type.dtype());
}

}  // namespace fx::mlir
