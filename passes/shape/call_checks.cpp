// Checks and results that apply to calls to every operator: see call_checks_internal.h, and
// TypeBinder::for_lazy_views.
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/lazy_views.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/strides.h"
#include "fx/ir/types/type.h"
#include "fx/passes/shape/call_checks_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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

bool check_overlap(TypeCall& call, Type written) {
  if (!written.has_strides() || written.device().type == DeviceType::kMeta) return true;
  bool is_expanded = false;
  const auto sizes = written.sizes(), strides = written.strides();
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!sizes[d].is_int() || sizes[d] == Dim(0)) return true;  // may have no elements
    is_expanded |= sizes[d] != Dim(1) && strides[d] == Dim(0);
  }
  if (!is_expanded) return true;
  call.fail(
      fmt::format("more than one element of the written tensor {} refers to a single memory "
                  "location; clone() the tensor before the write",
                  to_string(written)));
  return false;
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

namespace fx {
namespace {

/// The parts of a type that differ in a dense copy, and that may determine the type of a result.
enum class CopyDifferences : uint8_t { kStrides, kStridesAndOffset };

/// True if a dense copy of the tensor differs from it.
bool copy_differs(Type tensor, CopyDifferences differences) {
  if (!tensor.is_tensor() || !is_known_tensor(tensor)) return false;
  if (differences == CopyDifferences::kStridesAndOffset && tensor.offset() != Dim(0)) return true;
  return !tensor.has_default_strides() && !is_non_overlapping_and_dense(tensor);
}

bool may_be_lazy(ArgumentRef value, const LazyOperands& lazy) {
  const Node* const node = value.node();
  return node != nullptr && may_be_lazy_view(*node, lazy.is_lazy_input);
}

/// Returns `a` without the strides and the offsets of tensors that differ from those of `b`.
Type common_strides(TypeTable& types, Type a, Type b) {  // NOLINT(misc-no-recursion): types nest
  if (a == b) return a;
  if (a.is_tensor()) {
    TensorSpec spec = a.spec();
    if (a.has_rank()) spec.strides = StrideSpec::unknown();
    spec.offset = Dim(0);
    return types.tensor(spec);
  }
  if (!a.is_tuple() && !a.is_list()) return a;
  std::vector<Type> items;
  for (size_t i = 0; i < a.items().size(); ++i)
    items.push_back(
        common_strides(types, a.items()[i], i < b.items().size() ? b.items()[i] : Type()));
  return types.with_items(a, items);
}

/// An operand of a call: a tensor or a list of tensors.
struct LazyOperand {
  size_t slot;
  TypeArgument argument;
  Type tensor;
};

/// Returns the type of a list whose lazy views are replaced with copies; null if it may contain
/// none. Nullopt if the list also contains items other than tensors.
std::optional<Type> copied_list(TypeCall& call, ArgumentRef list, CopyDifferences differences,
                                const LazyOperands& lazy) {
  std::vector<Type> items;
  bool any = false, all = true;
  for (size_t i = 0; i < list.size(); ++i) {
    const Type item = TypeArgument(list[i]).type();
    all = all && item.is_tensor();
    const bool is_copied = copy_differs(item, differences) && may_be_lazy(list[i], lazy);
    any = any || is_copied;
    items.push_back(is_copied ? shape::dense_copy(call, item) : item);
  }
  if (!any) return Type();
  return all ? std::optional(call.types().list(items)) : std::nullopt;
}

/// Returns the type of an operand whose lazy views are replaced with copies; null if it may contain
/// none. Nullopt if the strides of the result are unknown.
std::optional<Type> copied_operand(TypeCall& call, Type tensor, ArgumentRef value,
                                   CopyDifferences differences, const LazyOperands& lazy) {
  if (tensor.is_tensor())
    return may_be_lazy(value, lazy) ? shape::dense_copy(call, tensor) : Type();
  if (value.is_list() || value.is_tuple()) return copied_list(call, value, differences, lazy);
  return may_be_lazy(value, lazy) ? std::nullopt : std::optional(Type());
}

/// True if a dense copy of the tensor, or of an item of the list, differs from it.
bool operand_differs(const TypeArgument& operand, Type tensor, CopyDifferences differences) {
  if (tensor.is_tensor()) return copy_differs(tensor, differences);
  bool differs = false;
  for (size_t i = 0; operand.is_sequence() && i < operand.size(); ++i)
    differs = differs || copy_differs(operand[i].type(), differences);
  return differs;
}

/// True for calls that return a dense copy of a lazy view, and any other tensor unchanged.
bool resolves_lazy_views(const ops::OpInfo& op) {
  return op.name() == "aten.resolve_conj.default" || op.name() == "aten.resolve_neg.default";
}

}  // namespace

Type TypeBinder::for_lazy_views(const BoundTypeRule& rule, TypeCall& call, const Node& node,
                                Type result, LazyOperands& lazy) {
  if (resolves_lazy_views(*rule.op)) {
    if (!copy_differs(result, CopyDifferences::kStridesAndOffset)) return result;
    lazy.may_matter = true;
    const std::optional<ArgumentRef> value = passed_argument(node, *rule.op, 0);
    const bool is_copied = value && may_be_lazy(*value, lazy);
    return is_copied ? common_strides(call.types(), result, Type()) : result;
  }
  // Views are applied to the lazy view itself, and writes do not change strides.
  const bool is_view = !call.aliases_.empty() || rule.form == TypeForm::kCopy;
  if (is_view || rule.form == TypeForm::kInPlace || !rule.function) return result;
  // A copy that keeps the strides and the offset of its operand (copy, scatters) has an offset.
  const auto differences =
      has_offset(result) ? CopyDifferences::kStridesAndOffset : CopyDifferences::kStrides;
  const auto unknown_strides = [&] { return common_strides(call.types(), result, Type()); };
  constexpr size_t kMaxCopies = 3;
  absl::InlinedVector<LazyOperand, kMaxCopies> copies, originals;
  for (size_t i = 0; i < rule.formals.size(); ++i) {
    const BoundTypeRule::Formal& formal = rule.formals[i];
    if (!formal.has_tensors() || call.is_number(formal.slot)) continue;
    const TypeArgument argument = call.arguments_[formal.slot];
    const Type tensor = call.tensors_[formal.slot];
    if (!operand_differs(argument, tensor, differences)) continue;
    lazy.may_matter = true;
    const std::optional<ArgumentRef> value = passed_argument(node, *rule.op, static_cast<int>(i));
    if (!value) continue;
    const std::optional<Type> copy = copied_operand(call, tensor, *value, differences, lazy);
    if (!copy) return unknown_strides();
    if (!*copy) continue;
    originals.push_back({formal.slot, argument, tensor});
    copies.push_back({formal.slot, TypeArgument(*copy), copy->is_tensor() ? *copy : Type()});
  }
  if (copies.empty()) return result;
  if (copies.size() > kMaxCopies || call.created_symbol_) return unknown_strides();
  const Type meta_result = call.meta_result_;
  const auto set_operands = [&](unsigned copied) {  // one bit for each operand that is a copy
    for (size_t i = 0; i < copies.size(); ++i) {
      const LazyOperand& operand = (copied >> i & 1) != 0 ? copies[i] : originals[i];
      call.arguments_[operand.slot] = operand.argument;
      call.tensors_[operand.slot] = operand.tensor;
    }
  };
  for (unsigned subset = 1; subset < 1U << copies.size(); ++subset) {
    set_operands(subset);
    const Type other = rule.function(call);
    const bool is_known = !call.failed_ && !call.unknown_;
    result = common_strides(call.types(), result, is_known ? other : Type());
    call.failed_ = call.unknown_ = false;
  }
  set_operands(0);
  call.aliases_.clear();
  call.reason_.clear();
  call.meta_result_ = meta_result;
  return result;
}

}  // namespace fx
