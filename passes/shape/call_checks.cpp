// Checks that hold for calls of every operator: see call_checks_internal.h.
#include "fx/ir/types/type.h"
#include "fx/passes/shape/call_checks_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace fx::shape {

/// For each dtype of the first tensor the dtypes that another argument may have.
struct DTypePairs {
  std::array<uint16_t, 10> accepted;
};

/// An argument that may not have every dtype, by its number in the operator's schema.
struct DTypeArgument {
  uint16_t argument;
  uint16_t pairs;  ///< in kDTypePairs
};

struct DTypeRow {
  std::string_view op;
  uint16_t first_accepted;  ///< dtypes of the first tensor, the others being like it
  uint16_t not_on_meta;     ///< arguments that may not be on meta while the others are on the CPU
  uint16_t begin;           ///< in kDTypeArguments
  uint16_t count;
};

namespace {

#include "fx/passes/shape/generated/dtype_rules.inc"

constexpr int kNoBit = -1;

/// The bit of a dtype in the sets of the table, or kNoBit: the table says nothing of it.
constexpr int bit_of(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return 0;
    case DType::kUInt8:
      return 1;
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
      return 2;
    case DType::kInt64:
      return 3;
    case DType::kFloat16:
      return 4;
    case DType::kBFloat16:
      return 5;
    case DType::kFloat32:
      return 6;
    case DType::kFloat64:
      return 7;
    case DType::kComplex64:
      return 8;
    case DType::kComplex128:
      return 9;
    default:
      return kNoBit;
  }
}

/// The first tensor of an argument: the argument, or the first tensor of a list. Null: none.
Type first_tensor(const TypeCall& call, size_t slot) {
  const TypeArgument& value = call.argument(static_cast<int>(slot));
  if (value.type().is_tensor() || value.number_dtype() != DType::kUndefined) return value.type();
  for (size_t i = 0; i < value.size(); ++i)
    if (const Type item = value[i].type(); item.is_tensor()) return item;
  return Type();
}

/// Calls f(type) for each tensor of an argument, until it returns false.
template <typename F>
bool all_tensors(const TypeCall& call, size_t slot, F f) {
  const TypeArgument& value = call.argument(static_cast<int>(slot));
  if (value.type().is_tensor()) return f(value.type());
  if (!value.is_sequence()) return true;
  const size_t count = value.size();
  for (size_t i = 0; i < count; ++i)
    if (const Type item = value[i].type(); item.is_tensor() && !f(item)) return false;
  return true;
}

bool is_tensor_class(const BoundTypeRule::Formal& formal) {
  return formal.argument_class != BoundTypeRule::ArgumentClass::kOther;
}

/// Operators that copy between devices, read only the sizes of an operand, or take an operand on
/// the CPU beside others on another device.
constexpr std::string_view kSeveralDevices[] = {
    "aten._copy_from",
    "aten._copy_from_and_resize",
    "aten._ctc_loss",
    "aten._ctc_loss_backward",
    "aten._cudnn_rnn",
    "aten._foreach_copy",
    "aten._foreach_copy_",
    "aten._index_put_impl",
    "aten._index_put_impl_",
    "aten._pack_padded_sequence",
    "aten._pack_padded_sequence_backward",
    "aten._pad_packed_sequence",
    "aten._thnn_fused_lstm_cell",
    "aten._unsafe_index",
    "aten._unsafe_index_put",
    "aten.copy",
    "aten.copy_",
    "aten.ctc_loss",
    "aten.data",
    "aten.expand_as",
    "aten.gru",
    "aten.index",
    "aten.index_put",
    "aten.index_put_",
    "aten.lstm",
    "aten.miopen_rnn",
    "aten.reshape_as",
    "aten.resize_as",
    "aten.resize_as_",
    "aten.rnn_relu",
    "aten.rnn_tanh",
    "aten.set",
    "aten.set_",
    "aten.set_data",
    "aten.slice_scatter",
    "aten.tensor_split",
    "aten.to",
    "aten.type_as",
    "aten.view_as",
};
static_assert(std::ranges::is_sorted(kSeveralDevices));

}  // namespace

const DTypeRow* find_dtype_row(const ops::OpInfo& op) {
  const auto* const row = std::ranges::lower_bound(kDTypeRows, op.name(), {}, &DTypeRow::op);
  return row != std::end(kDTypeRows) && row->op == op.name() ? row : nullptr;
}

bool needs_one_device(const ops::OpInfo& op) {
  const std::string_view name = op.name();
  return name.starts_with("aten.") &&
         !std::ranges::binary_search(kSeveralDevices, name.substr(0, name.rfind('.')));
}

bool can_cast(DType from, DType to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating_point(from) && (is_integral(to) || to == DType::kBool)) return false;
  return from == DType::kBool || to != DType::kBool;
}

namespace {

[[gnu::cold, gnu::noinline]] bool wrong_dtype(TypeCall& call, std::string_view argument,
                                              DType dtype) {
  call.fail(fmt::format("argument {} cannot be of dtype {}", argument, dtype_name(dtype)));
  return false;
}

[[gnu::cold, gnu::noinline]] bool wrong_pair(TypeCall& call, std::string_view argument, DType dtype,
                                             std::string_view first, DType first_dtype) {
  call.fail(fmt::format("argument {} cannot be of dtype {} where {} is of dtype {}", argument,
                        dtype_name(dtype), first, dtype_name(first_dtype)));
  return false;
}

}  // namespace

bool check_dtypes(const BoundTypeRule& rule, TypeCall& call) {
  const DTypeRow& row = *rule.dtype_row;
  const BoundTypeRule::Formal* first = nullptr;
  Type first_type;
  for (const BoundTypeRule::Formal& formal : rule.formals) {
    if (!is_tensor_class(formal)) continue;
    first_type = first_tensor(call, formal.slot);
    if (!first_type && !call.is_number(static_cast<int>(formal.slot))) continue;
    first = &formal;
    break;
  }
  // A number in the place of the first tensor is promoted as no tensor is.
  if (!first || !first_type.is_tensor()) return true;
  const int first_bit = bit_of(first_type.dtype());
  if (first_bit == kNoBit) return true;
  if ((row.first_accepted >> first_bit & 1) == 0)
    return wrong_dtype(call, first->name, first_type.dtype());
  for (size_t i = row.begin; i < size_t{row.begin} + row.count; ++i) {
    const DTypeArgument& entry = kDTypeArguments[i];
    const BoundTypeRule::Formal& formal = rule.formals[entry.argument];
    if (&formal == first) continue;
    const uint16_t accepted = kDTypePairs[entry.pairs].accepted[static_cast<size_t>(first_bit)];
    const bool ok = all_tensors(call, formal.slot, [&](Type type) {
      const int bit = bit_of(type.dtype());
      if (bit == kNoBit || (accepted >> bit & 1) != 0) return true;
      return wrong_pair(call, formal.name, type.dtype(), first->name, first_type.dtype());
    });
    if (!ok) return false;
  }
  return true;
}

bool check_devices(const BoundTypeRule& rule, TypeCall& call) {
  // Meta and the CPU: ATen's meta kernels decide, which do not all check.
  Device device = {};
  std::string_view name;
  bool found = false, meta = false, cpu = false, other = false;
  for (const BoundTypeRule::Formal& formal : rule.formals) {
    if (!is_tensor_class(formal)) continue;
    all_tensors(call, formal.slot, [&](Type type) {
      const DeviceType kind = type.device().type;
      meta = meta || kind == DeviceType::kMeta;
      cpu = cpu || kind == DeviceType::kCpu;
      other = other || (kind != DeviceType::kMeta && kind != DeviceType::kCpu);
      return true;
    });
  }
  if (!other) {
    if (!meta || !cpu || !rule.dtype_row) return true;
    for (size_t i = 0; i < rule.formals.size() && i < 16; ++i) {
      const BoundTypeRule::Formal& formal = rule.formals[i];
      if (!is_tensor_class(formal) || (rule.dtype_row->not_on_meta >> i & 1) == 0) continue;
      const bool ok = all_tensors(
          call, formal.slot, [&](Type type) { return type.device().type != DeviceType::kMeta; });
      if (ok) continue;
      call.fail(fmt::format("argument {} is on the device meta, others are on cpu", formal.name));
      return false;
    }
    return true;
  }
  if (!rule.needs_one_device) return true;
  for (const BoundTypeRule::Formal& formal : rule.formals) {
    if (!is_tensor_class(formal)) continue;
    const bool ok = all_tensors(call, formal.slot, [&](Type type) {
      // A tensor of rank 0 on the CPU counts as a number.
      if (type.rank() == 0 && type.device().type == DeviceType::kCpu) return true;
      if (!found) {
        found = true;
        device = type.device();
        name = formal.name;
        return true;
      }
      if (type.device() == device) return true;
      call.fail(fmt::format("argument {} is on the device {}, argument {} on {}", name,
                            device_name(device), formal.name, device_name(type.device())));
      return false;
    });
    if (!ok) return false;
  }
  return true;
}

}  // namespace fx::shape
