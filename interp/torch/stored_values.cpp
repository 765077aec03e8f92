// See stored_values_internal.h.
#include "fx/interp/shared_inputs.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/stored_values_internal.h"
#include "fx/ir/support/pluralize.h"

#include <ATen/Functions.h>
#include <ATen/MemoryOverlap.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <optional>
#include <utility>

namespace fx {
namespace {

/// Returns the element of a tensor as a number of this kind; nullopt if the tensor has multiple
/// elements, or its dtype has values that are not such numbers.
std::optional<c10::IValue> as_number(const at::Tensor& tensor, TypeKind kind) {
  if (tensor.numel() != 1) return std::nullopt;
  const bool is_bool = tensor.scalar_type() == at::kBool;
  switch (kind) {
    case TypeKind::kInt:
      if (!is_bool && at::isIntegralType(tensor.scalar_type(), /*includeBool=*/false))
        return c10::IValue(tensor.item().toLong());
      break;
    case TypeKind::kFloat:
      if (!is_bool && !tensor.is_complex()) return c10::IValue(tensor.item().toDouble());
      break;
    case TypeKind::kBool:
      if (is_bool) return c10::IValue(tensor.item().toBool());
      break;
    case TypeKind::kComplex:
      return c10::IValue(tensor.item().toComplexDouble());
    default:
      break;
  }
  return std::nullopt;
}

}  // namespace

at::Tensor StoredTensorCopier::operator()(const Tensor& stored) {
  const at::Tensor tensor = to_torch(stored);
  c10::Storage& copy = copies_[stored.storage().get()];
  if (!copy) {
    const at::TensorOptions bytes = tensor.options().dtype(at::kByte);
    const auto count = static_cast<int64_t>(tensor.storage().nbytes());
    copy = at::empty({0}, bytes).set_(tensor.storage(), 0, {count}, {1}).clone().storage();
  }
  return at::empty({0}, tensor.options())
      .set_(copy, tensor.storage_offset(), tensor.sizes(), tensor.strides());
}

bool same_bytes(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor x = a.contiguous(), y = b.contiguous();
  return x.nbytes() == y.nbytes() &&
         std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

absl::StatusOr<c10::IValue> convert_stored(const Tensor& stored, Type type,
                                           const SymBindings& symbols, StoredTensorCopier& copier) {
  const at::Tensor tensor = to_torch(stored);
  if (std::optional<c10::IValue> number = as_number(tensor, type.kind())) return *std::move(number);
  const bool is_number = type.kind() == TypeKind::kInt || type.kind() == TypeKind::kFloat ||
                         type.kind() == TypeKind::kBool || type.kind() == TypeKind::kComplex;
  if (is_number || type.kind() == TypeKind::kString) {
    return absl::InvalidArgumentError(fmt::format("it is {} of {}, but the graph requires {}",
                                                  pluralize(tensor.numel(), "element"),
                                                  tensor.dtype().name(), to_string(type)));
  }
  if (!type.is_tensor()) return c10::IValue(copier(stored));
  const bool has_dtype = type.dtype() != DType::kUndefined;
  if (has_dtype && tensor.scalar_type() != to_torch(type.dtype())) {
    return absl::InvalidArgumentError(fmt::format("it has dtype {}, but the graph requires {}",
                                                  tensor.dtype().name(), to_string(type)));
  }
  const absl::StatusOr<Placement> placement = placement_of(type, symbols);
  if (!placement.ok()) return copier(stored);
  if (tensor.sizes() != at::IntArrayRef(placement->sizes)) {
    // InputChecks reports sizes that do not match symbols, with the inputs that determine these.
    if (!placement_of(type).ok()) return copier(stored);
    return absl::InvalidArgumentError(fmt::format("it has sizes {}, but the graph requires {}",
                                                  fmt::join(tensor.sizes(), ", "),
                                                  to_string(type)));
  }
  if (tensor.strides() == at::IntArrayRef(placement->strides) &&
      tensor.storage_offset() == placement->offset)
    return copier(stored);
  at::Tensor placed = with_strides(tensor, placement->strides, placement->offset);
  if (at::has_internal_overlap(placed) != at::MemOverlap::No && !same_bytes(placed, tensor)) {
    return absl::InvalidArgumentError(fmt::format(
        "elements that are at one location in a tensor with strides {} have different values",
        fmt::join(placement->strides, ", ")));
  }
  return c10::IValue(std::move(placed));
}

}  // namespace fx
