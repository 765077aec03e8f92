// Converts calls without a row: getitem, sizes and writes at the end of a graph.
#include "fx/importers/onnx/writer_internal.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/symbolic/number_functions.h"

#include "fmt/format.h"

#include <cstdint>
#include <optional>

namespace fx::onnx {

Writer::Handler Writer::special_handler(std::string_view name) {
  struct HandlerRow {
    std::string_view name;
    Handler handler;
  };
  static constexpr HandlerRow kRows[] = {
      {"operator.getitem", &Writer::write_getitem},
      {"aten.copy_.default", &Writer::write_copy_back},
      {"aten.sym_size.int", &Writer::write_sym_size},
      {"aten.sym_numel.default", &Writer::write_sym_size},
      {"aten.sym_stride.int", &Writer::write_layout_query},
      {"aten.sym_storage_offset.default", &Writer::write_layout_query},
      {"aten.item.default", &Writer::write_item},
      {"aten._local_scalar_dense.default", &Writer::write_item},
      {"aten._assert_async.default", &Writer::write_nothing},
      {"aten._assert_async.msg", &Writer::write_nothing},
      {"aten._assert_scalar.default", &Writer::write_nothing},
      {"aten._assert_tensor_metadata.default", &Writer::write_nothing},
      {"aten.sym_constrain_range_for_size.default", &Writer::write_nothing},
      {"aten.sym_constrain_range.default", &Writer::write_nothing},
      {"torch._check", &Writer::write_nothing},
      {"torch._check_is_size", &Writer::write_nothing},
      {"higher_order.cond", &Writer::write_cond},
      {"higher_order.while_loop", &Writer::write_while_loop},
      {"higher_order.while_loop_stack_output", &Writer::write_while_loop},
      {"higher_order.scan", &Writer::write_scan},
      {"higher_order.invoke_subgraph", &Writer::write_graph_call},
      {"higher_order.wrap", &Writer::write_graph_call},
      {"higher_order.wrap_activation_checkpoint", &Writer::write_graph_call},
      {"higher_order.tag_activation_checkpoint", &Writer::write_graph_call},
      {"higher_order.wrap_with_set_grad_enabled", &Writer::write_graph_call},
      {"higher_order.wrap_with_autocast", &Writer::write_graph_call},
  };
  for (const HandlerRow& row : kRows)
    if (row.name == name) return row.handler;
  if (find_number_function(name) != nullptr) return &Writer::write_number_call;
  return nullptr;
}

void Writer::write_unsupported(const Node& node) {
  const ops::OpInfo* info = node.function().op();
  if (info == nullptr || info->is_function()) {
    return fail(
        fmt::format("{} cannot be expressed in ONNX; replace it with ATen operators, or register a "
                    "custom operator for it (OnnxOptions::custom_ops)",
                    node.target()));
  }
  fail(fmt::format("{} cannot be expressed in ONNX", node.target()));
}

/// Drops the program's assertions, which ONNX cannot express.
void Writer::write_nothing(const Node& node) { set_value(node, {.kind = NodeValue::kNone}); }

/// Converts getitem, which selects an item of a call with multiple results or of a list.
void Writer::write_getitem(const Node& node) {
  const std::optional<int64_t> selected = constant_item(node);
  if (!selected)
    return fail(
        "getitem must select an item of a call with multiple results or of a list by a constant "
        "index");
  const Node& from = *node.arg(0).as_node();
  const NodeValue& value = value_of(from);
  if (value.kind != NodeValue::kItems) {
    return fail(
        fmt::format("{} does not have multiple results; replace an item of a tensor with an "
                    "operator (lower_to_aten)",
                    from.name()));
  }
  const auto count = static_cast<int64_t>(value.items.size());
  const int64_t index = *selected < 0 ? *selected + count : *selected;
  if (index < 0 || index >= count) {
    return fail(absl::StatusCode::kInvalidArgument,
                fmt::format("{} has {}", from.name(), pluralize(count, "result")));
  }
  NodeValue item = value.items[static_cast<size_t>(index)];
  set_value(node, std::move(item));
}

/// Records the new value of an input, which the model returns as an additional output. After
/// functionalize, a graph has no other writes.
void Writer::write_copy_back(const Node& node) {
  const Node* target = node.num_args() >= 2 ? node.arg(0).node() : nullptr;
  const Node* source = target != nullptr ? node.arg(1).node() : nullptr;
  const bool is_input = target != nullptr && frame_->outer == nullptr &&
                        (target->is_placeholder() || target->op() == Opcode::kGetAttr) &&
                        source != nullptr;
  if (!is_input) return fail("it writes to its arguments, but ONNX values are immutable");
  Value value = value_of(*source).value;
  const Type type = target->type();
  if (type.is_tensor()) {
    value = cast(value, type.dtype());
    const Type given = source->type();
    if (given.is_tensor() && type.has_rank() && given.rank() != type.rank())
      value = emit("Expand", {value, sizes(type.sizes())}, {}, value.dtype);
  }
  if (failed()) return;
  updates_.push_back({target, value});
  set_value(node, {.kind = NodeValue::kTensor, .value = value});
}

void Writer::write_sym_size(const Node& node) {
  const Node* from = node.num_args() > 0 ? node.arg(0).node() : nullptr;
  if (from == nullptr) return fail("its operand must be a node");
  const Value value = value_of(*from).value;
  if (!value) return fail("its operand must be a tensor");
  if (node.target() == "aten.sym_numel.default")
    return set_result(node, emit("Size", {value}, {}, DType::kInt64));
  const bool has_dim = node.num_args() == 2 && node.arg(1).is_int();
  if (!has_dim) return fail("its dimension must be a constant");
  const int64_t dim = node.arg(1).as_int();
  const Value shape = emit("Shape", {value}, {}, DType::kInt64);
  set_result(node, emit("Gather", {shape, scalar_int(dim, DType::kInt64)}, {}, DType::kInt64));
}

/// Converts calls that return strides and offsets, which ONNX values do not have, to the constants
/// in their types.
void Writer::write_layout_query(const Node& node) {
  const Type result = node.type();
  if (result.kind() == TypeKind::kInt && result.is_constant())
    return set_result(node, scalar_int(result.int_value(), DType::kInt64));
  fail("ONNX values have no strides or storage offset; its type must be a constant");
}

/// Converts item(), which returns the number in a tensor with one element.
void Writer::write_item(const Node& node) {
  const Node* from = node.num_args() == 1 ? node.arg(0).node() : nullptr;
  const Value value = from != nullptr ? value_of(*from).value : Value();
  if (!value) return fail("its operand must be a tensor");
  const DType dtype = is_floating_point(value.dtype) ? DType::kFloat64
                      : value.dtype == DType::kBool  ? DType::kBool
                                                     : DType::kInt64;
  if (is_complex(value.dtype)) return fail("complex numbers are not supported");
  const Value number = cast(value, dtype);
  set_result(node, emit("Reshape", {number, ints({})}, {}, dtype));
}

}  // namespace fx::onnx
