// Compares the types of nodes with the values that libtorch computes for them.
#pragma once

#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/types/type.h"

#include "absl/status/statusor.h"
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace fx::testing {

/// Returns whether a tensor has the facts that the type states. Strides and offsets of empty tensors
/// address no element and are not compared; nor are symbolic sizes.
inline bool has_type(const at::Tensor& tensor, Type type) {
  if (type.dtype() != DType::kUndefined && type.dtype() != from_torch(tensor.scalar_type()))
    return false;
  if (type.layout() != from_torch(tensor.layout())) return false;
  if (!type.has_rank()) return true;
  if (type.rank() != tensor.dim()) return false;
  for (int i = 0; i < type.rank(); ++i) {
    if (type.size(i).is_int() && type.size(i).value() != tensor.size(i)) return false;
    if (tensor.numel() == 0 || !type.has_strides()) continue;
    if (type.stride(i).is_int() && type.stride(i).value() != tensor.stride(i)) return false;
  }
  const bool knows_offset = type.has_strides() && type.offset().is_int() && tensor.numel() > 0;
  return !knows_offset || type.offset().value() == tensor.storage_offset();
}

/// Returns the stated and the actual type of a value if they differ; else "".
inline std::string type_error(TypeTable& types, const c10::IValue& value, Type type) {  // NOLINT
  if (!type) return "";
  const auto error = [&] {
    return fmt::format("{}, which is {}", to_string(type), to_string(type_of_value(types, value)));
  };
  if (type.is_tensor()) {
    const bool fits =
        value.isTensor() && value.toTensor().defined() &&
        (value.toTensor().layout() != at::kStrided || has_type(value.toTensor(), type));
    return fits ? "" : error();
  }
  if (type.is_list() || type.is_tuple()) {
    const c10::ArrayRef<c10::IValue> items = items_of(value);
    if (items.size() != type.items().size()) return error();
    for (size_t i = 0; i < items.size(); ++i)
      if (std::string what = type_error(types, items[i], type.items()[i]); !what.empty())
        return what;
    return "";
  }
  bool fits = true;
  switch (type.kind()) {
    case TypeKind::kInt:
      fits = value.isInt() && (!type.is_constant() || type.int_value() == value.toInt());
      break;
    case TypeKind::kBool:
      fits = value.isBool() && (!type.is_constant() || type.bool_value() == value.toBool());
      break;
    case TypeKind::kFloat:
      fits = value.isDouble();
      break;
    default:
      break;
  }
  return fits ? "" : error();
}

/// Runs a graph, and finds the first node whose value does not have the node's type when the node has
/// run. Nested graphs and called modules are included.
class TypeChecker : public TorchInterpreter {
 public:
  using TorchInterpreter::TorchInterpreter;

  absl::StatusOr<c10::IValue> run_node(Node& node) override {
    absl::StatusOr<c10::IValue> value = TorchInterpreter::run_node(node);
    if (!value.ok() || !error_.empty() || node.is_output()) return value;
    const std::string what = type_error(node.context().types(), *value, node.type());
    if (!what.empty())
      error_ = fmt::format("%{} ({}) has the type {}", node.name(), node.target(), what);
    return value;
  }
  /// "" if there is none.
  const std::string& error() const { return error_; }

 private:
  std::string error_;
};

}  // namespace fx::testing
