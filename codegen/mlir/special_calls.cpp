// Writes calls whose form in the torch dialect differs from their schema.
#include "fx/codegen/mlir/text_internal.h"
#include "fx/codegen/mlir/writer_internal.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/pluralize.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <cstdint>
#include <optional>

namespace fx::mlir {

Writer::Handler Writer::special_handler(std::string_view name) {
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static constexpr Row kRows[] = {
      {"operator.getitem", &Writer::write_getitem},
      {"aten.sym_size.int", &Writer::write_sym_size},
      {"aten.sym_size.default", &Writer::write_sym_size},
      {"aten.sym_numel.default", &Writer::write_sym_size},
      {"aten.sym_stride.int", &Writer::write_layout_query},
      {"aten.sym_stride.default", &Writer::write_layout_query},
      {"aten.stride.int", &Writer::write_layout_query},
      {"aten.stride.default", &Writer::write_layout_query},
      {"aten.sym_storage_offset.default", &Writer::write_layout_query},
      {"aten.storage_offset.default", &Writer::write_layout_query},
      {"aten.lift_fresh.default", &Writer::write_lift_fresh},
      {"aten.lift_fresh_copy.default", &Writer::write_lift_fresh_copy},
      {"aten.item.default", &Writer::write_item},
      {"aten._local_scalar_dense.default", &Writer::write_item},
      {"aten.as_strided.default", &Writer::write_as_strided},
      {"aten.as_strided_copy.default", &Writer::write_as_strided},
      {"aten.as_strided_scatter.default", &Writer::write_as_strided},
      {"aten.index.Tensor", &Writer::write_index},
      {"aten.isfinite.default", &Writer::write_isfinite},
      {"aten.upsample_bilinear2d.default", &Writer::write_upsample},
      {"aten.upsample_bilinear2d.vec", &Writer::write_upsample},
      {"aten.upsample_nearest2d.default", &Writer::write_upsample},
      {"aten.upsample_nearest2d.vec", &Writer::write_upsample},
      {"aten._assert_async.default", &Writer::write_assert},
      {"aten._assert_async.msg", &Writer::write_assert},
      {"aten._assert_scalar.default", &Writer::write_assert},
      {"aten._assert_tensor_metadata.default", &Writer::write_nothing},
      {"aten._unsafe_index_put.default", &Writer::write_unsafe_index_put},
      {"aten.squeeze.dims", &Writer::write_squeeze_dims},
      {"aten.equal.default", &Writer::write_equal},
      {"aten._native_batch_norm_legit_no_training.default", &Writer::write_batch_norm},
      {"higher_order.cond", &Writer::write_cond},
      {"higher_order.while_loop", &Writer::write_while_loop},
      {"higher_order.scan", &Writer::write_scan},
      {"higher_order.map_impl", &Writer::write_scan},
      {"higher_order.with_effects", &Writer::write_with_effects},
      {"higher_order.invoke_subgraph", &Writer::write_graph_call},
      {"higher_order.wrap", &Writer::write_graph_call},
      {"higher_order.wrap_activation_checkpoint", &Writer::write_graph_call},
      {"higher_order.tag_activation_checkpoint", &Writer::write_graph_call},
      {"higher_order.wrap_with_set_grad_enabled", &Writer::write_graph_call},
      {"higher_order.wrap_with_autocast", &Writer::write_graph_call},
  };
  for (const Row& row : kRows)
    if (row.name == name) return row.handler;
  return nullptr;
}

void Writer::write_unsupported(const Node& node) {
  if (node.target().starts_with("higher_order."))
    return fail(fmt::format("{} cannot be expressed in the torch dialect", node.target()));
  fail(
      fmt::format("{} must be an ATen operator, or an operator that a library "
                  "registers with its schema",
                  node.target()));
}

void Writer::write_nothing(const Node& node) {
  if (node.has_uses()) set_value(node, none_constant());
}

/// Writes one of multiple results, or an item of a list of known length.
void Writer::write_getitem(const Node& node) {
  const std::optional<int64_t> item = constant_item(node);
  if (!item)
    return fail(
        "getitem must select an item of multiple results or of a list by a constant integer");
  const Node& from = *node.arg(0).as_node();
  Value value = value_of(from);
  if (failed()) return;
  if (value.kind == ValueKind::kList) {
    Value& unpacked = unpacked_[&from];
    if (unpacked.kind == ValueKind::kUnset) unpacked = unpack(from, value);
    if (failed()) return;
    value = unpacked;
  }
  if (value.kind != ValueKind::kItems) {
    return fail(
        fmt::format("{} does not have multiple results; replace an item of a tensor with an "
                    "operator (lower_to_aten)",
                    from.name()));
  }
  const int64_t count = value.num_items;
  const int64_t index = *item < 0 ? *item + count : *item;
  if (index < 0 || index >= count) {
    return fail(absl::StatusCode::kInvalidArgument,
                fmt::format("index {} is out of range: {} has {}", *item, from.name(),
                            pluralize(count, "result")));
  }
  set_value(node, value.span()[static_cast<size_t>(index)]);
}

/// Returns all items of a list. The type of its node determines their number.
Value Writer::unpack(const Node& from, const Value& list) {
  const Type type = from.type();
  if (!type.is_list() && !type.is_tuple()) {
    fail(fmt::format("the type of {} must specify the number of items of the list", from.name()));
    return {};
  }
  std::vector<const ValueType*> types;
  for (const Type item : type.items()) types.push_back(type_of(item));
  if (failed()) return {};
  const std::string_view name = fresh("items");
  write_op(name, "torch.prim.ListUnpack", true, {list}, types);
  return items(name, types);
}

void Writer::write_sym_size(const Node& node) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"aten.sym_size.int", "aten.size.int"},
      {"aten.sym_size.default", "aten.size.default"},
      {"aten.sym_numel.default", "aten.numel.default"},
  };
  for (const auto& [symbolic, plain] : kNames)
    if (node.target() == symbolic) return write_operator(node, operator_of(*ops::find_op(plain)));
}

/// MLIR values have no strides or offsets, so this writes them as constants from the types.
void Writer::write_layout_query(const Node& node) {
  const Type result = node.type();
  if (result.kind() == TypeKind::kInt && result.is_constant())
    return set_value(node, int_constant(result.int_value()));
  fail("MLIR values have no strides and no offset; its type must be a constant integer");
}

void Writer::write_lift_fresh(const Node& node) {
  if (node.num_args() != 1 || !node.arg(0).is_node()) return fail("its operand must be a value");
  const Value value = value_of(*node.arg(0).as_node());
  if (!failed()) set_value(node, value);
}

void Writer::write_lift_fresh_copy(const Node& node) {
  if (node.num_args() != 1 || !node.arg(0).is_node()) return fail("its operand must be a value");
  const Value operands[] = {value_of(*node.arg(0).as_node()), none_constant()};
  if (failed()) return;
  const Value result =
      write_call(node, operator_of(*ops::find_op("aten.clone.default")), operands, node.type());
  if (!failed()) set_value(node, result);
}

/// Converts a one-element tensor to a number.
void Writer::write_item(const Node& node) {
  if (node.num_args() != 1 || !node.arg(0).is_node()) return fail("its operand must be a value");
  const Value value = value_of(*node.arg(0).as_node());
  if (failed()) return;
  if (value.kind != ValueKind::kTensor || value.type->dtype == DType::kUndefined)
    return fail("the element type of its operand is unknown; infer types first (fxcpp shape)");
  const DType dtype = value.type->dtype;
  if (is_complex(dtype)) return fail("complex numbers are not supported by the torch dialect");
  ValueKind kind = ValueKind::kInt;
  std::string_view op = "torch.aten.Int.Tensor";
  if (is_floating_point(dtype)) {
    kind = ValueKind::kFloat;
    op = "torch.aten.Float.Tensor";
  } else if (dtype == DType::kBool) {
    kind = ValueKind::kBool;
    op = "torch.aten.Bool.Tensor";
  }
  const ValueType* const result = types_.simple(kind);
  const std::string_view name = name_of(node);
  write_op(name, op, true, {value}, {result});
  set_value(node, {.type = result, .name = name, .kind = kind});
}

void Writer::write_assert(const Node& node) {
  if (node.num_args() == 0)
    return fail(absl::StatusCode::kInvalidArgument, "it must have a condition");
  const Value value = number(node.arg(0));
  if (failed()) return;
  const Value test = condition(value);
  if (failed()) return;
  const std::optional<Argument> message = node.argument("assert_msg");
  begin_line();
  append(body(), "torch.runtime.assert ", test.name, ", ");
  append_string(body(), message && message->is_string() ? message->as_string()
                                                        : std::string_view("assertion failed"));
  end_line();
  write_nothing(node);
}

/// torch-mlir's _unsafe_index_put accepts only lists without None; its index_put also accepts None.
void Writer::write_unsafe_index_put(const Node& node) {
  const bool is_whole = node.num_args() >= 2 && node.arg(1).is_list();
  for (size_t i = 0; is_whole && i < node.arg(1).size(); ++i)
    if (node.arg(1)[i].is_none())
      return write_operator(node, operator_of(*ops::find_op("aten.index_put.default")));
  write_operator(node, operator_of(*node.function().op()));
}

/// The dialect has prims.squeeze for multiple dimensions, which must all have size 1.
void Writer::write_squeeze_dims(const Node& node) {
  const Operator& op = operator_of(*node.function().op());
  const Node* from = node.num_args() == 2 ? node.arg(0).node() : nullptr;
  const Value* value = from != nullptr ? find_value(*from) : nullptr;
  const Type type = from != nullptr ? from->type() : Type();
  if (value == nullptr || !type.is_tensor() || !type.has_rank() || !node.arg(1).is_list() ||
      !node.type().is_tensor() || !node.type().has_rank())
    return write_operator(node, op);
  Values dims;
  for (size_t i = 0; i < node.arg(1).size(); ++i) {
    const ArgumentRef dim = node.arg(1)[i];
    if (!dim.is_int() || dim.as_int() < -type.rank() || dim.as_int() >= type.rank())
      return write_operator(node, op);
    const Dim& size = type.size(static_cast<int>(dim.as_int()));
    if (size.is_int() && size.value() == 1) dims.push_back(int_constant(dim.as_int()));
  }
  if (type.rank() - static_cast<int>(dims.size()) != node.type().rank())
    return write_operator(node, op);  // symbolic sizes that are 1
  const Value squeezed = *value;
  if (dims.empty()) return set_value(node, squeezed);
  const Value operands[] = {squeezed, list_operand(op.info->schema().arguments()[1].type, dims)};
  const ValueType* const result = type_of(node.type());
  if (failed()) return;
  const std::string_view name = name_of(node);
  write_op(name, "torch.prims.squeeze", true, operands, {result});
  set_value(node, {.type = result, .name = name, .kind = result->kind});
}

/// Writes aten.equal as a comparison of all elements, because the dialect has no such operation.
void Writer::write_equal(const Node& node) {
  const Node* a = node.num_args() == 2 ? node.arg(0).node() : nullptr;
  const Node* b = node.num_args() == 2 ? node.arg(1).node() : nullptr;
  const auto known = [](const Node* n) {
    return n != nullptr && n->type().is_tensor() && n->type().has_rank();
  };
  bool same = known(a) && known(b) && a->type().rank() == b->type().rank();
  for (int i = 0; same && i < a->type().rank(); ++i)
    same = same_value(a->type().size(i), b->type().size(i));
  if (!same) return write_operator(node, operator_of(*node.function().op()));
  const Value operands[] = {value_of(*a), value_of(*b)};
  const ValueType* const each =
      type_of(graph_.context().types().tensor({.dtype = DType::kBool, .sizes = a->type().sizes()}));
  if (failed()) return;
  const Value equal = write_simple("equal", "torch.aten.eq.Tensor", operands, each);
  const Value all = write_simple("equal", "torch.aten.all", {equal}, types_.scalar(DType::kBool));
  const ValueType* const result = types_.simple(ValueKind::kBool);
  const std::string_view name = name_of(node);
  write_op(name, "torch.aten.Bool.Tensor", true, {all}, {result});
  set_value(node, {.type = result, .name = name, .kind = result->kind});
}

/// Asserts that a number has the value that the program read when it was captured (metadata
/// `guard`): the graph is valid only for this value.
void Writer::write_guard(const Node& node, Value value) {
  const Argument* guard = node.meta().find("guard");
  if (guard == nullptr) return;
  Value test;
  if (value.kind == ValueKind::kBool && guard->is_bool()) {
    test =
        guard->as_bool() ? value : write_simple("bool", "torch.aten.__not__", {value}, value.type);
  } else if (value.kind == ValueKind::kInt && guard->is_int()) {
    test = binary("operator.eq", value, int_constant(guard->as_int()));
  } else if (value.kind == ValueKind::kFloat && guard->is_float()) {
    test = binary("operator.eq", value, float_constant(guard->as_float()));
  } else {
    return;
  }
  begin_line();
  append(body(), "torch.runtime.assert ", test.name, ", ");
  append_string(body(),
                fmt::format("the value of {} differs from its value in the capture", node.name()));
  end_line();
}

/// Writes batch_norm in evaluation mode, which has the same first result, but lacks the other two
/// results, which are empty.
void Writer::write_batch_norm(const Node& node) {
  const ops::OpInfo& info = *node.function().op();
  const Type type = node.type();
  bool is_supported = (type.is_tuple() || type.is_list()) && type.items().size() == 3;
  for (size_t i = 1; is_supported && i < 3; ++i) {
    const Type item = type.items()[i];
    is_supported =
        item.is_tensor() && item.has_rank() && item.rank() == 1 && item.size(0) == Dim(0);
  }
  if (!is_supported) return write_operator(node, operator_of(info));
  std::vector<Value> operands;
  const std::span<const ops::SchemaArgument> arguments = info.schema().arguments();
  for (size_t i = 0; i < arguments.size() && !failed(); ++i) {
    const std::optional<ArgumentRef> given = passed_argument(node, info, static_cast<int>(i));
    if (!given) return fail(absl::StatusCode::kInvalidArgument, "all arguments must be passed");
    if (arguments[i].name == "momentum") operands.push_back(bool_constant(false));  // training
    operands.push_back(operand(arguments[i].type, *given, node));
  }
  operands.push_back(bool_constant(false));  // cudnn_enabled
  if (failed()) return;
  const ops::OpInfo& plain = *ops::find_op("aten.batch_norm.default");
  items_.push_back(std::make_unique<Value[]>(3));
  Value* const items = items_.back().get();
  items[0] = write_call(node, operator_of(plain), operands, type.items()[0]);
  for (size_t i = 1; i < 3; ++i) {
    const ValueType* const empty = type_of(type.items()[i]);
    items[i] = {.type = empty, .name = fresh("empty"), .kind = empty->kind};
    append_head(items[i], "torch.vtensor.literal",
                text_of("(dense<> : tensor<0x", element_type(empty->dtype), ">) : ", empty->text));
  }
  if (!failed()) set_value(node, {.items = items, .num_items = 3, .kind = ValueKind::kItems});
}

}  // namespace fx::mlir
