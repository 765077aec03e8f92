#include "fx/interp/torch/input_checks.h"

#include "fx/interp/torch/dispatch/convert.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/text/text.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace fx {
namespace {

/// Returns the offset of a tensor in its storage, in bytes.
int64_t first_byte(const at::Tensor& tensor) {
  return tensor.storage_offset() * static_cast<int64_t>(tensor.itemsize());
}

/// Returns the item of nested lists and tuples at a path of indices, or None if there is no such
/// item.
c10::IValue item_at(c10::IValue value, absl::Span<const size_t> path) {
  for (const size_t i : path) {
    if (!value.isTuple() && !value.isList()) return {};
    const c10::ArrayRef<c10::IValue> items = items_of(value);
    if (i >= items.size()) return {};
    value = c10::IValue(items[i]);
  }
  return value;
}

using Quantity = SizeChecks::Quantity;

/// Returns true if the value equals the constant, and has its kind. NaN equals NaN.
bool equals(const c10::IValue& value, const Argument& constant) {
  switch (constant.kind()) {
    case ArgumentKind::kNone:
      return value.isNone() || (value.isTensor() && !value.toTensor().defined());
    case ArgumentKind::kInt:
      return value.isInt() && value.toInt() == constant.as_int();
    case ArgumentKind::kFloat:
      return value.isDouble() &&
             (value.toDouble() == constant.as_float() ||
              (std::isnan(value.toDouble()) && std::isnan(constant.as_float())));
    case ArgumentKind::kBool:
      return value.isBool() && value.toBool() == constant.as_bool();
    case ArgumentKind::kComplex:
      return value.isComplexDouble() &&
             value.toComplexDouble() == c10::complex<double>(constant.as_complex());
    default:
      return value.isString() && value.toStringView() == constant.as_string();
  }
}

/// Returns a description of a passed value: "5", "a tensor".
std::string describe(const c10::IValue& value) {
  if (value.isNone()) return "None";
  if (value.isTensor()) return "a tensor";
  if (value.isString()) return print(Argument(value.toStringView()));
  const absl::StatusOr<Argument> number = from_ivalue(value, {.base = ArgumentCode::kNumber});
  return number.ok() ? print(*number) : value.tagKind();
}

std::optional<int64_t> number_at(const c10::IValue& value, const SizeChecks::Location& location) {
  if (location.quantity == Quantity::kNumber)
    return value.isInt() ? std::optional<int64_t>(value.toInt()) : std::nullopt;
  if (!value.isTensor() || !value.toTensor().defined()) return std::nullopt;
  const at::Tensor& tensor = value.toTensor();
  if (location.quantity == Quantity::kRank) return tensor.dim();
  const auto dim = static_cast<int64_t>(location.dim);
  if (tensor.layout() != at::kStrided ||
      (location.quantity != Quantity::kOffset && dim >= tensor.dim()))
    return std::nullopt;
  if (location.quantity == Quantity::kSize) return tensor.size(dim);
  return location.quantity == Quantity::kStride ? tensor.stride(dim) : tensor.storage_offset();
}

}  // namespace

InputChecks::InputChecks(const Graph& graph)
    : shared_(required_sharing(graph)), sizes_(graph), constants_(input_constants(graph)) {}

absl::Status InputChecks::check_sizes(absl::Span<const c10::IValue> inputs) const {
  if (sizes_.empty()) return absl::OkStatus();
  return sizes_.check([&](const SizeChecks::Location& location) -> std::optional<int64_t> {
    if (location.input >= inputs.size()) return std::nullopt;
    return number_at(item_at(inputs[location.input], location.path), location);
  });
}

absl::Status InputChecks::check_constants(absl::Span<const c10::IValue> inputs) const {
  for (const auto& [location, constant] : constants_) {
    if (location.input >= inputs.size()) continue;
    const c10::IValue value = item_at(inputs[location.input], location.path);
    if (equals(value, constant)) continue;
    return absl::InvalidArgumentError(fmt::format(
        "{} is {}, but the graph requires {}", location.str(), describe(value), print(constant)));
  }
  return absl::OkStatus();
}

absl::Status InputChecks::check(absl::Span<const c10::IValue> inputs) const {
  if (absl::Status status = check_sizes(inputs); !status.ok()) return status;
  if (absl::Status status = check_constants(inputs); !status.ok()) return status;
  for (const SharedPair& pair : shared_) {
    if (std::max(pair.first, pair.second) >= inputs.size() || !inputs[pair.first].isTensor() ||
        !inputs[pair.second].isTensor())
      continue;
    const at::Tensor &base = inputs[pair.first].toTensor(), &other = inputs[pair.second].toTensor();
    if (!base.has_storage() || !other.has_storage() ||
        !other.storage().is_alias_of(base.storage())) {
      return absl::InvalidArgumentError(
          fmt::format("the inputs %{} and %{} share memory in the graph, and the graph writes to "
                      "memory, but the passed values do not share memory",
                      pair.first_name, pair.second_name));
    }
    const int64_t found = first_byte(other) - first_byte(base);
    if (found != pair.distance.value_or(found)) {
      return absl::InvalidArgumentError(
          fmt::format("the input %{} must begin {} after %{} in their shared memory, but "
                      "the passed value begins {} after it",
                      pair.second_name, pluralize(*pair.distance, "byte"), pair.first_name,
                      pluralize(found, "byte")));
    }
  }
  return absl::OkStatus();
}

}  // namespace fx
