// Reads the inputs, outputs and values of a graph: see graph_reader_internal.h.
#include "fx/importers/pt2/graph/graph_reader_internal.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <optional>

namespace fx::pt2 {
namespace {

struct GraphFields {
  enum {
    kInputs,
    kOutputs,
    kNodes,
    kTensorValues,
    kSymIntValues,
    kSymBoolValues,
    kIsSingle,
    kCustomObjects,
    kSymFloatValues
  };
};
constexpr JsonField kGraphFields[] = {{"inputs"},
                                      {"outputs"},
                                      {"nodes"},
                                      {"tensor_values"},
                                      {"sym_int_values"},
                                      {"sym_bool_values"},
                                      {"is_single_tensor_return", false},
                                      {"custom_obj_values", false},
                                      {"sym_float_values", false}};

struct ObjectFields {
  enum { kName, kClass };
};
constexpr JsonField kObjectFields[] = {{"name"}, {"class_fqn"}};

struct NameFields {
  enum { kName };
};
constexpr JsonField kNameFields[] = {{"name"}};

absl::Status bad_value(std::string_view name, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("value {}: {}", name, what));
}

absl::StatusOr<Type> literal_type(TypeTable& types, const Argument& value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
      return types.none();
    case ArgumentKind::kInt:
      return types.integer(value.as_int());
    case ArgumentKind::kFloat:
      return types.floating(value.as_float());
    case ArgumentKind::kBool:
      return types.boolean(value.as_bool());
    case ArgumentKind::kString:
      return types.string(value.as_string());
    default:
      return absl::InvalidArgumentError(
          fmt::format("an input must not be a constant {}", argument_kind_name(value.kind())));
  }
}

}  // namespace

absl::Status GraphReader::read(Json json, const RootPlan* plan) {
  using F = GraphFields;
  FX_ASSIGN_OR_RETURN(const auto record, JsonRecord<kGraphFields>::read(json, "Graph", notes()));
  FX_RETURN_IF_ERROR(read_types(record[F::kTensorValues], "tensor_values", ""));
  FX_RETURN_IF_ERROR(read_types(record[F::kSymIntValues], "sym_int_values", "as_int"));
  FX_RETURN_IF_ERROR(read_types(record[F::kSymBoolValues], "sym_bool_values", "as_bool"));
  if (record.has(F::kSymFloatValues))
    FX_RETURN_IF_ERROR(read_types(record[F::kSymFloatValues], "sym_float_values", "as_float"));
  if (record.has(F::kCustomObjects))
    FX_RETURN_IF_ERROR(read_custom_objects(record[F::kCustomObjects]));
  FX_RETURN_IF_ERROR(read_graph_inputs(record[F::kInputs], plan));
  FX_ASSIGN_OR_RETURN(const JsonList nodes, json_list(record[F::kNodes], "nodes"));
  for (const Json node : nodes) FX_RETURN_IF_ERROR(read_node(node));
  bool is_single = false;
  if (record.has(F::kIsSingle)) {
    FX_ASSIGN_OR_RETURN(is_single, json_bool(record[F::kIsSingle], "is_single_tensor_return"));
  }
  return with_context(read_output(record[F::kOutputs], is_single, plan), "outputs");
}

// Creates the placeholders, then the get_attr nodes of the members that the graph uses.
absl::Status GraphReader::read_graph_inputs(Json json, const RootPlan* plan) {
  FX_ASSIGN_OR_RETURN(const JsonList inputs, json_list(json, "inputs"));
  if (plan != nullptr && plan->inputs.size() != inputs.size()) {
    return absl::InvalidArgumentError(fmt::format("the graph has {}, but the signature has {}",
                                                  pluralize(inputs.size(), "input"),
                                                  plan->inputs.size()));
  }
  for (const bool reads_members : {false, true}) {
    size_t i = 0;
    for (const Json input : inputs) {
      const RootPlan::Input input_plan = plan == nullptr ? RootPlan::Input() : plan->inputs[i];
      if (input_plan.attribute_path.empty() != reads_members)
        FX_RETURN_IF_ERROR(with_context(read_input(input, input_plan), fmt::format("input {}", i)));
      ++i;
    }
  }
  return absl::OkStatus();
}

absl::Status GraphReader::read_types(Json values, std::string_view field,
                                     std::string_view literal) {
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(values, field));
  for (const auto [name, value] : object) {
    absl::StatusOr<Type> type =
        literal.empty() ? session_.values.tensor(value) : session_.values.number(value, literal);
    if (!type.ok()) return with_context(type.status(), fmt::format("{}, {}", field, name));
    if (!types_.emplace(name, *type).second) return bad_value(name, "it has two types");
  }
  return absl::OkStatus();
}

absl::Status GraphReader::read_custom_objects(Json values) {
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(values, "custom_obj_values"));
  for (const auto [name, value] : object) {
    FX_ASSIGN_OR_RETURN(const auto record,
                        JsonRecord<kObjectFields>::read(value, "CustomObjArgument", notes()));
    FX_ASSIGN_OR_RETURN(const std::string_view class_name,
                        json_string(record[ObjectFields::kClass], "class_fqn"));
    if (!types_.emplace(name, context().types().object(class_name)).second)
      return bad_value(name, "it has two types");
  }
  return absl::OkStatus();
}

absl::StatusOr<Type> GraphReader::type_of(std::string_view name) const {
  const auto it = types_.find(name);
  if (it == types_.end()) return bad_value(name, "its type is missing");
  return it->second;
}

absl::Status GraphReader::define(std::string_view name, Node* node) {
  if (nodes_.emplace(name, node).second) return absl::OkStatus();
  return bad_value(name, "it is defined twice");
}

absl::StatusOr<Node*> GraphReader::find(std::string_view name) const {
  const auto it = nodes_.find(name);
  if (it == nodes_.end()) return bad_value(name, "it is used before it is defined");
  return it->second;
}

std::string GraphReader::unused_name(std::string_view base) {
  int& count = num_created_names_[std::string(base)];
  for (;;) {
    std::string name = count == 0 ? std::string(base) : fmt::format("{}_{}", base, count);
    ++count;
    if (!types_.contains(name)) return name;
  }
}

absl::Status GraphReader::read_input(Json input, const RootPlan::Input& plan) {
  FX_ASSIGN_OR_RETURN(const JsonUnion argument, json_union(input, "input"));
  std::string_view name;
  Type type;
  if (argument.kind == "as_tensor") {
    FX_ASSIGN_OR_RETURN(const auto record,
                        JsonRecord<kNameFields>::read(argument.value, "TensorArgument", notes()));
    FX_ASSIGN_OR_RETURN(name, json_string(record[NameFields::kName], "name"));
    FX_ASSIGN_OR_RETURN(type, type_of(name));
  } else if (argument.kind == "as_custom_obj") {
    FX_ASSIGN_OR_RETURN(const auto record, JsonRecord<kObjectFields>::read(
                                               argument.value, "CustomObjArgument", notes()));
    FX_ASSIGN_OR_RETURN(name, json_string(record[ObjectFields::kName], "name"));
    FX_ASSIGN_OR_RETURN(const std::string_view class_name,
                        json_string(record[ObjectFields::kClass], "class_fqn"));
    type = context().types().object(class_name);
  } else if (argument.kind.starts_with("as_sym_")) {
    FX_ASSIGN_OR_RETURN(const JsonUnion symbolic, json_union(argument.value, argument.kind));
    if (symbolic.kind != "as_name") {
      return absl::InvalidArgumentError(fmt::format("expected as_name, not \"{}\"", symbolic.kind));
    }
    FX_ASSIGN_OR_RETURN(name, json_string(symbolic.value, "as_name"));
    FX_ASSIGN_OR_RETURN(type, type_of(name));
  } else {
    FX_ASSIGN_OR_RETURN(const Argument value, argument_of(argument, "input"));
    if (!plan.is_literal) {
      return absl::InvalidArgumentError(fmt::format(
          "it is a constant ({}) in the graph, but not in the signature", argument.kind));
    }
    name = plan.name;
    FX_ASSIGN_OR_RETURN(type, literal_type(context().types(), value));
  }
  if (name.empty()) return absl::InvalidArgumentError("its name is empty");
  if (!plan.name.empty() && plan.name != name) {
    return absl::InvalidArgumentError(
        fmt::format("its name is {} in the graph, but {} in the signature", name, plan.name));
  }
  NodeOptions options{.type = type};
  options.exact_name = split_name(context().symbols(), name);
  const bool is_member = !plan.attribute_path.empty();
  FX_ASSIGN_OR_RETURN(Node* const node,
                      graph_.create_node(is_member ? Opcode::kGetAttr : Opcode::kPlaceholder,
                                         is_member ? plan.attribute_path : name, {}, {}, options));
  return define(name, node);
}

absl::Status GraphReader::read_output(Json json, bool is_single, const RootPlan* plan) {
  FX_ASSIGN_OR_RETURN(const JsonList outputs, json_list(json, "outputs"));
  if (plan != nullptr && plan->outputs.size() != outputs.size()) {
    return absl::InvalidArgumentError(fmt::format("the graph has {}, but the signature has {}",
                                                  pluralize(outputs.size(), "output"),
                                                  plan->outputs.size()));
  }
  std::vector<Argument> items;
  absl::flat_hash_map<const Node*, Node*> copies;  // of written values
  size_t i = 0;
  for (const Json output : outputs) {
    FX_ASSIGN_OR_RETURN(Argument item, argument(output, fmt::format("output {}", i)));
    const RootPlan::Output form = plan == nullptr ? RootPlan::Output() : plan->outputs[i];
    const std::string_view written = form.written_input;
    ++i;
    if (form.is_omitted) continue;
    if (written.empty()) {
      items.push_back(std::move(item));
      continue;
    }
    FX_ASSIGN_OR_RETURN(Node* const destination, find(written));
    FX_ASSIGN_OR_RETURN(
        Node* const copy,
        graph_.create_node(Opcode::kCallFunction, context().function("aten.copy_.default"),
                           {Argument(destination), item}));
    copy->set_type(destination->type());
    if (item.is_node()) copies[item.node()] = copy;
  }
  // Like ExportedProgram.module(), return the tensor that was written instead of a written value.
  for (Argument& item : items)
    if (const auto copy = copies.find(item.node()); copy != copies.end())
      item = Argument(copy->second);
  if (is_single && items.size() != 1) {
    return absl::InvalidArgumentError(fmt::format(
        "is_single_tensor_return requires one value, but the graph returns {}", items.size()));
  }
  const Argument result = is_single ? items[0] : Argument::tuple(items);
  return graph_.create_node(Opcode::kOutput, "output", {result}).status();
}

}  // namespace fx::pt2
