// Sets the values of calls, with their names, types and metadata.
#include "fx/importers/onnx/writer_internal.h"
#include "fx/ir/graph/meta.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::onnx {

Type promoted_as(TypeTable& types, Type type) {
  if (!type.is_tensor() || !type.has_rank() || type.rank() == 0) return type;
  const Dim one = 1;
  return types.tensor(
      {.dtype = type.dtype(), .sizes = absl::MakeConstSpan(&one, 1), .device = type.device()});
}

DType dtype_of_value(Type type) {
  switch (type.kind()) {
    case TypeKind::kTensor:
      return type.dtype();
    case TypeKind::kInt:
      return DType::kInt64;
    case TypeKind::kFloat:
      return DType::kFloat64;
    case TypeKind::kBool:
      return DType::kBool;
    default:
      return DType::kUndefined;
  }
}

bool Writer::is_emitted(std::string_view name) const {
  for (size_t i = nodes_->size(); i-- > begin_;)
    for (const std::string_view output : (*nodes_)[i].outputs)
      if (output == name) return true;
  return false;
}

/// Renames a value that the current call has emitted.
Value Writer::named(const Value& value, std::string_view name) {
  for (size_t i = begin_; i < nodes_->size(); ++i) {
    NodeProto& node = (*nodes_)[i];
    for (std::string_view& input : node.inputs)
      if (input == value.name) input = name;
    for (std::string_view& output : node.outputs)
      if (output == value.name) output = name;
  }
  return {.name = name, .dtype = value.dtype};
}

void Writer::set_result(const Node& node, const Value& value) {
  if (failed()) return;
  const DType target_dtype = dtype_of_value(node.type());
  Value result = value;
  if (target_dtype != DType::kUndefined && target_dtype != value.dtype)
    result = cast(value, target_dtype);
  if (failed()) return;
  if (is_emitted(result.name)) {
    result = named(result, model_.keep(name_of(node)));
    if (options_.metadata)
      proto_->values.push_back(value_info(result.name, node.type(), result.dtype));
  }
  set_value(node, {.kind = NodeValue::kTensor, .value = result, .type = node.type()});
}

void Writer::set_results(const Node& node, absl::Span<const Value> given) {
  if (failed()) return;
  std::vector<Value> values(given.begin(), given.end());
  const Type type = node.type();
  const bool has_types =
      (type.is_tuple() || type.is_list()) && type.items().size() == values.size();
  NodeValue all{.kind = NodeValue::kItems};
  for (size_t i = 0; i < values.size(); ++i) {
    NodeValue& item = all.items.emplace_back();
    if (!values[i]) {
      item.kind = NodeValue::kNone;
      continue;
    }
    const Type item_type = has_types ? type.items()[i] : Type();
    const DType target_dtype = dtype_of_value(item_type);
    Value value = target_dtype == DType::kUndefined ? values[i] : cast(values[i], target_dtype);
    // The same value may be multiple results.
    const bool is_named = std::ranges::any_of(
        all.items, [&](const NodeValue& before) { return before.value.name == value.name; });
    if (!is_named && is_emitted(value.name)) {
      const std::string_view old_name = value.name;
      value = named(value, model_.keep(fmt::format("{}:{}", name_of(node), i)));
      for (Value& other : values)
        if (other.name == old_name) other.name = value.name;
      if (options_.metadata && item_type)
        proto_->values.push_back(value_info(value.name, item_type, value.dtype));
    }
    item.kind = NodeValue::kTensor;
    item.value = value;
    item.type = item_type;
  }
  if (!failed()) set_value(node, std::move(all));
}

/// Names the nodes that the writer added for a call after its module and its name.
void Writer::describe_nodes(const Node& node, size_t begin) {
  const std::optional<std::string_view> module = node.meta().get(meta::kModule);
  const std::optional<std::string_view> trace = node.meta().get(meta::kStackTrace);
  if (begin == nodes_->size()) return;
  const std::string_view name = model_.keep(
      module && !module->empty() ? fmt::format("{}/{}", *module, name_of(node)) : name_of(node));
  for (size_t i = begin; i < nodes_->size(); ++i) {
    NodeProto& proto = (*nodes_)[i];
    const size_t number = i - begin;
    proto.name = number == 0 ? name : model_.keep(fmt::format("{}/{}", name, number));
    if (!options_.metadata) continue;
    if (trace && number == 0) proto.doc = model_.keep(*trace);
    if (module && !module->empty()) proto.metadata.emplace_back("module", *module);
  }
}

}  // namespace fx::onnx
