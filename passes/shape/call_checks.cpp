// Checks that apply to calls to every operator: see call_checks_internal.h.
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/type.h"
#include "fx/passes/shape/call_checks_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace fx::shape {

namespace {

/// Calls f(type) for each tensor of an argument until it returns false.
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

/// Operators that copy between devices, read only the sizes of an operand, or accept an operand on
/// the CPU together with operands on a different device.
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

bool needs_one_device(const ops::OpInfo& op) {
  const std::string_view name = op.name();
  return name.starts_with("aten.") &&
         !std::ranges::binary_search(kSeveralDevices, name.substr(0, name.rfind('.')));
}

bool check_devices(const BoundTypeRule& rule, TypeCall& call) {
  Device device = {};
  std::string_view name;
  bool found = false, has_accelerator = false;
  for (const BoundTypeRule::Formal& formal : rule.formals) {
    if (!formal.has_tensors()) continue;
    all_tensors(call, formal.slot, [&](Type type) {
      const DeviceType kind = type.device().type;
      has_accelerator = has_accelerator || (kind != DeviceType::kMeta && kind != DeviceType::kCpu);
      return true;
    });
  }
  // Not all of ATen's meta kernels check the devices of their operands; the generated table
  // contains the checks.
  if (!has_accelerator) return check_meta_and_cpu(rule, call);
  if (!rule.needs_one_device) return true;
  for (const BoundTypeRule::Formal& formal : rule.formals) {
    if (!formal.has_tensors()) continue;
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
      call.fail(fmt::format(
          "all tensors must be on the same device: argument {} is on {}, argument {} on {}", name,
          device_name(device), formal.name, device_name(type.device())));
      return false;
    });
    if (!ok) return false;
  }
  return true;
}

}  // namespace fx::shape
