// Writes arguments of nodes: see graph_writer_internal.h. The value determines the kind of an
// Argument. The kind of an empty list depends on the operator's schema, as in
// GraphModuleSerializer.serialize_input (torch/_export/serde/serialize.py).
#include "fx/importers/pt2/schema/codes_internal.h"
#include "fx/importers/pt2/write/graph_writer_internal.h"
#include "fx/interp/input_constants.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "absl/algorithm/container.h"
#include "fmt/format.h"

#include <array>
#include <complex>
#include <optional>
#include <vector>

namespace fx::pt2 {
namespace {

using ops::SchemaTypeKind;

/// Returns the text for a function in an argument.
std::string function_target(Target function) {
  const bool is_torch_ops =
      is_operator_overload(function.name()) || function.name().starts_with("higher_order.");
  return is_torch_ops ? fmt::format("torch.ops.{}", function.name()) : std::string(function.name());
}

template <class Code>
absl::Status code_argument(JsonWriter& json, std::string_view kind, const std::optional<Code>& code,
                           std::string_view name) {
  if (!code)
    return absl::UnimplementedError(
        fmt::format("{} is not supported by torch.export's schema", name));
  json.union_of(kind, *code);
  return absl::OkStatus();
}

/// Repeats a single number n times for a parameter of type `int[n]`. Python passes n numbers, and
/// consumers such as torch.onnx.export rely on this.
Argument repeat_to_list_size(const Argument& value, const ops::SchemaType* type) {
  if (type == nullptr || value.size() != 1 || !type->without_optional().is_list()) return value;
  const int32_t count = type->without_optional().list_size().value_or(1);
  const bool is_number = value[0].is_int() || value[0].is_float() || value[0].is_bool() ||
                         (value[0].is_node() && !value[0].node()->type().is_tensor());
  if (!is_number || count <= 1) return value;
  return Argument::list(std::vector<Argument>(static_cast<size_t>(count), value[0]));
}

}  // namespace

Argument GraphWriter::without_constants(const Argument& value) const {
  return map_nodes(value, [this](Node* node) {
    const Node& definition = resolved(*node);
    const bool is_literal = definition.is_placeholder() || definition.type().is_none();
    if (is_literal) {
      if (const std::optional<Argument> constant = constant_of(definition.type())) return *constant;
    }
    return Argument(node);
  });
}

absl::Status GraphWriter::argument(JsonWriter& json, const Argument& given,
                                   const ops::SchemaType* type) {
  const Argument value = given.contains_node() ? without_constants(given) : given;
  switch (value.kind()) {
    case ArgumentKind::kNode:
      return this->value(json, *value.node());
    case ArgumentKind::kList:
    case ArgumentKind::kTuple:
    case ArgumentKind::kStruct:
      return list(json, value, type);
    case ArgumentKind::kDict:
      json.begin_union("as_string_to_argument");
      json.begin_object();
      for (size_t i = 0; i < value.size(); ++i) {
        if (!value.key(i).is_string())
          return absl::UnimplementedError("the keys of a dict must be strings");
        json.key(value.key(i).as_string());
        FX_RETURN_IF_ERROR(argument(json, value[i], nullptr));
      }
      json.end_object();
      json.end_object();
      return absl::OkStatus();
    default:
      return literal(json, value);
  }
}

absl::Status GraphWriter::literal(JsonWriter& json, const Argument& value) {
  const auto text = [&json](std::string_view kind, std::string_view content) {
    json.begin_union(kind);
    json.text(content);
    json.end_object();
    return absl::OkStatus();
  };
  switch (value.kind()) {
    case ArgumentKind::kNone:
      json.begin_union("as_none");
      json.boolean(true);
      json.end_object();
      return absl::OkStatus();
    case ArgumentKind::kBool:
      json.begin_union("as_bool");
      json.boolean(value.as_bool());
      json.end_object();
      return absl::OkStatus();
    case ArgumentKind::kInt:
      json.union_of("as_int", value.as_int());
      return absl::OkStatus();
    case ArgumentKind::kFloat:
      json.begin_union("as_float");
      json.floating(value.as_float());
      json.end_object();
      return absl::OkStatus();
    case ArgumentKind::kComplex:
      json.begin_union("as_complex");
      json.begin_object();
      json.key("real");
      json.floating(value.as_complex().real());
      json.key("imag");
      json.floating(value.as_complex().imag());
      json.end_object();
      json.end_object();
      return absl::OkStatus();
    case ArgumentKind::kString:
      return text("as_string", value.as_string());
    case ArgumentKind::kDType:
      return code_argument(json, "as_scalar_type", code_of(value.as_dtype()),
                           dtype_name(value.as_dtype()));
    case ArgumentKind::kLayout:
      return code_argument(json, "as_layout", code_of(value.as_layout()),
                           layout_name(value.as_layout()));
    case ArgumentKind::kMemoryFormat:
      return code_argument(json, "as_memory_format", code_of(value.as_memory_format()),
                           memory_format_name(value.as_memory_format()));
    case ArgumentKind::kDevice:
      json.begin_union("as_device");
      session_.values.device(json, value.as_device());
      json.end_object();
      return absl::OkStatus();
    case ArgumentKind::kFunction:
      return text("as_operator", function_target(value.as_function()));
    case ArgumentKind::kGraph:
      return nested_graph(json, graph_.subgraph_name(value.as_graph()),
                          graph_.subgraph(value.as_graph()));
    case ArgumentKind::kSymbolic:
      return absl::UnimplementedError(
          fmt::format("the size {} must be the value of a node; compute it with nodes "
                      "(aten.sym_size.int, operator.add, ...)",
                      to_string(value.as_symbolic())));
    default:
      return absl::UnimplementedError(fmt::format("operators do not accept a value of kind {}",
                                                  argument_kind_name(value.kind())));
  }
}

absl::Status GraphWriter::nested_graph(JsonWriter& json, std::string_view name,
                                       const Graph& graph) {
  if (depth_ + 1 >= kMaxGraphDepth) {
    return absl::InvalidArgumentError(
        fmt::format("graphs are nested more than {} levels deep", kMaxGraphDepth));
  }
  GraphWriter writer(session_, graph, nullptr, depth_ + 1);
  absl::StatusOr<std::string> record = writer.write();
  if (!record.ok()) return with_context(record.status(), fmt::format("graph {}", name));
  json.begin_union("as_graph");
  json.begin_object();
  json.key("name");
  json.text(name);
  json.key("graph");
  json.raw(*record);
  json.end_object();
  json.end_object();
  return absl::OkStatus();
}

absl::Status GraphWriter::value(JsonWriter& json, const Node& given) {
  const Node& node = resolved(given);
  if (node.op() == Opcode::kGetAttr) {
    if (const Graph* const graph = graph_.find_subgraph(node.target()))
      return nested_graph(json, node.target(), *graph);
    if (plan_ == nullptr) {
      return absl::UnimplementedError(
          fmt::format("{} must not refer to a tensor of the module in a nested graph; pass the "
                      "tensor as an operand",
                      describe_node(node)));
    }
  }
  const Type type = node.type();
  switch (type.kind()) {
    case TypeKind::kTensor:
      json.named("as_tensor", "name", names_.at(&node));
      return absl::OkStatus();
    case TypeKind::kInt:
      json.named("as_sym_int", "as_name", names_.at(&node));
      return absl::OkStatus();
    case TypeKind::kFloat:
      json.named("as_sym_float", "as_name", names_.at(&node));
      return absl::OkStatus();
    case TypeKind::kBool:
      json.named("as_sym_bool", "as_name", names_.at(&node));
      return absl::OkStatus();
    case TypeKind::kList:
    case TypeKind::kTuple: {
      const auto names = element_names_.find(&node);
      const bool is_tensors =
          absl::c_all_of(type.items(), [](Type item) { return item.is_tensor(); });
      if (names == element_names_.end() || !is_tensors) break;
      json.begin_union("as_tensors");
      json.begin_list();
      for (const std::string& name : names->second) {
        json.begin_union("name");
        json.text(name);
        json.end_object();
      }
      json.end_list();
      json.end_object();
      return absl::OkStatus();
    }
    case TypeKind::kUnknown:
      return absl::FailedPreconditionError(
          fmt::format("the type of {} is unknown; infer types (propagate_types, `fxcpp shape`)",
                      describe_node(node)));
    default:
      break;
  }
  return absl::UnimplementedError(
      fmt::format("{} of type {} cannot be an operand", describe_node(node), to_string(type)));
}

GraphWriter::ItemKind GraphWriter::item_kind(const Argument& item) const {
  switch (item.kind()) {
    case ArgumentKind::kBool:
      return ItemKind::kBool;
    case ArgumentKind::kInt:
      return ItemKind::kInt;
    case ArgumentKind::kFloat:
      return ItemKind::kFloat;
    case ArgumentKind::kString:
      return ItemKind::kString;
    case ArgumentKind::kNone:
      return ItemKind::kNone;
    case ArgumentKind::kList:
    case ArgumentKind::kTuple:
      return ItemKind::kList;
    case ArgumentKind::kNode:
      switch (resolved(*item.node()).type().kind()) {
        case TypeKind::kInt:
          return ItemKind::kSymInt;
        case TypeKind::kFloat:
          return ItemKind::kSymFloat;
        case TypeKind::kBool:
          return ItemKind::kSymBool;
        case TypeKind::kTensor:
          return ItemKind::kTensor;
        default:
          return ItemKind::kOther;
      }
    default:
      return ItemKind::kOther;
  }
}

absl::Status GraphWriter::empty_list(JsonWriter& json, const ops::SchemaType* type) {
  std::string_view kind = "as_tensors";
  if (type != nullptr) {
    switch (type->innermost().kind()) {
      case SchemaTypeKind::kBool:
      case SchemaTypeKind::kSymBool:
        kind = "as_bools";
        break;
      case SchemaTypeKind::kInt:
      case SchemaTypeKind::kSymInt:
        kind = "as_ints";
        break;
      case SchemaTypeKind::kFloat:
      case SchemaTypeKind::kSymFloat:
        kind = "as_floats";
        break;
      case SchemaTypeKind::kString:
        kind = "as_strings";
        break;
      case SchemaTypeKind::kTensor:
        break;
      default:
        return absl::UnimplementedError(
            fmt::format("a parameter of type {} cannot be an empty list", ops::to_string(*type)));
    }
  }
  json.begin_union(kind);
  json.begin_list();
  json.end_list();
  json.end_object();
  return absl::OkStatus();
}

/// Writes a list of numbers, some of which are values of nodes.
absl::Status GraphWriter::number_list(JsonWriter& json, const Argument& value, ItemKind kind) {
  const bool is_int = kind == ItemKind::kSymInt, is_float = kind == ItemKind::kSymFloat;
  json.begin_union(is_int ? "as_sym_ints" : is_float ? "as_sym_floats" : "as_sym_bools");
  json.begin_list();
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i].is_node()) {
      json.begin_union("as_name");
      json.text(names_.at(&resolved(*value[i].node())));
    } else {
      json.begin_union(is_int ? "as_int" : is_float ? "as_float" : "as_bool");
      json.plain(value[i]);
    }
    json.end_object();
  }
  json.end_list();
  json.end_object();
  return absl::OkStatus();
}

absl::Status GraphWriter::item_name(JsonWriter& json, const Argument& value,
                                    std::string_view field) {
  const Node& node = resolved(*value.node());
  if (node.op() == Opcode::kGetAttr && plan_ == nullptr) return this->value(json, node);
  if (!field.empty()) json.begin_union(field);
  json.begin_union("name");
  json.text(names_.at(&node));
  json.end_object();
  if (!field.empty()) json.end_object();
  return absl::OkStatus();
}

absl::Status GraphWriter::list(JsonWriter& json, const Argument& given,
                               const ops::SchemaType* type) {
  if (given.size() == 0) return empty_list(json, type);
  const Argument value = repeat_to_list_size(given, type);
  std::vector<ItemKind> kinds;
  kinds.reserve(value.size());
  for (size_t i = 0; i < value.size(); ++i) kinds.push_back(item_kind(value[i]));
  const auto all_are = [&kinds](std::initializer_list<ItemKind> allowed) {
    return absl::c_all_of(kinds,
                          [&](ItemKind kind) { return absl::c_linear_search(allowed, kind); });
  };
  using enum ItemKind;
  struct Form {
    ItemKind kind;
    std::string_view name;
  };
  constexpr std::array<Form, 4> kConstants = {
      {{kBool, "as_bools"}, {kInt, "as_ints"}, {kFloat, "as_floats"}, {kString, "as_strings"}}};
  for (const auto& [kind, name] : kConstants) {
    if (!all_are({kind})) continue;
    json.begin_union(name);
    json.plain(value);
    json.end_object();
    return absl::OkStatus();
  }
  if (all_are({kInt, kSymInt})) return number_list(json, value, kSymInt);
  if (all_are({kFloat, kSymFloat})) return number_list(json, value, kSymFloat);
  if (all_are({kBool, kSymBool})) return number_list(json, value, kSymBool);
  const bool is_tensors = all_are({kTensor});
  if (is_tensors || all_are({kTensor, kNone})) {
    json.begin_union(is_tensors ? "as_tensors" : "as_optional_tensors");
    json.begin_list();
    for (size_t i = 0; i < value.size(); ++i) {
      if (value[i].is_none()) {
        FX_RETURN_IF_ERROR(literal(json, value[i]));
      } else {
        FX_RETURN_IF_ERROR(item_name(json, value[i], is_tensors ? "" : "as_tensor"));
      }
    }
    json.end_list();
    json.end_object();
    return absl::OkStatus();
  }
  if (all_are({kList})) return list_of_lists(json, value);
  std::string shown;
  for (size_t i = 0; i < value.size(); ++i) {
    if (kinds[i] == kOther && value[i].is_node())
      FX_RETURN_IF_ERROR(this->value(json, *value[i].node()));
    if (kinds[i] == kOther && !value[i].is_node()) FX_RETURN_IF_ERROR(literal(json, value[i]));
    shown += fmt::format("{}{}", i == 0 ? "" : ", ", argument_kind_name(value[i].kind()));
  }
  return absl::UnimplementedError(
      fmt::format("the items of a list must have the same kind, not [{}]", shown));
}

absl::Status GraphWriter::list_of_lists(JsonWriter& json, const Argument& value) {
  const auto all_are = [&](ItemKind kind) {
    for (size_t i = 0; i < value.size(); ++i)
      for (size_t k = 0; k < value[i].size(); ++k)
        if (item_kind(value[i][k]) != kind) return false;
    return true;
  };
  const bool is_ints = all_are(ItemKind::kInt), is_floats = all_are(ItemKind::kFloat);
  if (is_ints || is_floats) {
    json.begin_union(is_ints ? "as_int_lists" : "as_float_lists");
    json.plain(value);
    json.end_object();
    return absl::OkStatus();
  }
  if (!all_are(ItemKind::kTensor)) {
    return absl::UnimplementedError("a list of lists must contain tensors, integers or floats");
  }
  json.begin_union("as_nested_tensors");
  json.begin_list();
  for (size_t i = 0; i < value.size(); ++i) {
    json.begin_list();
    for (size_t k = 0; k < value[i].size(); ++k)
      FX_RETURN_IF_ERROR(item_name(json, value[i][k], ""));
    json.end_list();
  }
  json.end_list();
  json.end_object();
  return absl::OkStatus();
}

}  // namespace fx::pt2
