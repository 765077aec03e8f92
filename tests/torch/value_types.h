// Compares the types of nodes with the values that libtorch computes for them.
#pragma once

#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/symbolic/dim.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/status/statusor.h"
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

namespace fx::testing {

/// Returns whether a number equals the one in the type. True if the latter is unknown or depends on
/// symbols without a value.
inline bool is_stated(const Dim& stated, int64_t number, const SymBindings& symbols) {
  if (stated.is_int()) return stated.value() == number;
  if (!stated.is_symbolic() || symbols.empty()) return true;
  const absl::StatusOr<int64_t> value = eval_int(stated.expr(), symbols);
  return !value.ok() || *value == number;
}

/// Returns whether a tensor has the properties that the type specifies. Strides and offsets of
/// empty tensors do not matter, so they are not compared; nor are sizes that depend on symbols
/// without a value.
inline bool has_type(const at::Tensor& tensor, Type type, const SymBindings& symbols) {
  if (type.dtype() != DType::kUndefined && type.dtype() != from_torch(tensor.scalar_type()))
    return false;
  if (type.layout() != from_torch(tensor.layout())) return false;
  if (!type.has_rank()) return true;
  if (type.rank() != tensor.dim()) return false;
  for (int i = 0; i < type.rank(); ++i) {
    if (!is_stated(type.size(i), tensor.size(i), symbols)) return false;
    if (tensor.numel() == 0 || !type.has_strides()) continue;
    // With symbols, a symbolic size of 1 may change the strides of dimensions of size 1.
    if (!symbols.empty() && tensor.size(i) < 2) continue;
    if (!is_stated(type.stride(i), tensor.stride(i), symbols)) return false;
  }
  return !type.has_strides() || tensor.numel() == 0 ||
         is_stated(type.offset(), tensor.storage_offset(), symbols);
}

/// Returns the specified and the actual type of a value if they differ; otherwise "".
inline std::string type_error(TypeTable& types, const c10::IValue& value, Type type,  // NOLINT
                              const SymBindings& symbols) {
  if (!type) return "";
  const auto error = [&] {
    return fmt::format("{}, but its value has type {}", to_string(type),
                       to_string(type_of_value(types, value)));
  };
  if (type.is_tensor()) {
    const bool matches =
        value.isTensor() && value.toTensor().defined() &&
        (value.toTensor().layout() != at::kStrided || has_type(value.toTensor(), type, symbols));
    return matches ? "" : error();
  }
  if (type.is_list() || type.is_tuple()) {
    const c10::ArrayRef<c10::IValue> items = items_of(value);
    if (items.size() != type.items().size()) return error();
    for (size_t i = 0; i < items.size(); ++i)
      if (std::string what = type_error(types, items[i], type.items()[i], symbols); !what.empty())
        return what;
    return "";
  }
  bool matches = true;
  switch (type.kind()) {
    case TypeKind::kInt:
      matches = value.isInt() && (!type.is_constant() || type.int_value() == value.toInt()) &&
                (!type.is_symbolic() || is_stated(Dim(type.expr()), value.toInt(), symbols));
      break;
    case TypeKind::kBool:
      matches = value.isBool() && (!type.is_constant() || type.bool_value() == value.toBool());
      break;
    case TypeKind::kFloat:
      matches = value.isDouble();
      break;
    default:
      break;
  }
  return matches ? "" : error();
}

/// Runs a graph, and finds the first node whose value does not match the node's type after the node
/// runs. Includes nested graphs and called modules.
class TypeChecker : public TorchInterpreter {
 public:
  using TorchInterpreter::TorchInterpreter;

  absl::StatusOr<c10::IValue> run_node(Node& node) override {
    absl::StatusOr<c10::IValue> value = TorchInterpreter::run_node(node);
    if (!value.ok() || !error_.empty() || node.is_output()) return value;
    const std::string what = type_error(node.context().types(), *value, node.type(), symbols_);
    if (!what.empty())
      error_ = fmt::format("%{} ({}) has type {}", node.name(), node.target(), what);
    return value;
  }
  /// Sets values of symbols, so that sizes with these symbols are compared.
  void set_symbols(SymBindings symbols) { symbols_ = std::move(symbols); }
  /// Returns the error, or "".
  const std::string& error() const { return error_; }

 private:
  std::string error_;
  SymBindings symbols_;
};

}  // namespace fx::testing
