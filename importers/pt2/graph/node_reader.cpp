// Reads the nodes of a graph: see graph_reader_internal.h.
//
// The file contains only calls. A call with multiple results, or with a list of tensors as its
// result, becomes a call and a getitem node for each named result, as in PyTorch's loader.
#include "fx/importers/pt2/graph/graph_reader_internal.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/registry.h"
#include "fx/ir/ops/schema.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

namespace fx::pt2 {
namespace {

struct NodeFields {
  enum { kTarget, kInputs, kOutputs, kMetadata, kIsSingle, kName };
};
constexpr JsonField kNodeFields[] = {
    {"target"},     {"inputs"}, {"outputs"}, {"metadata"}, {"is_hop_single_tensor_return", false},
    {"name", false}};

struct InputFields {
  enum { kName, kArg, kKind };
};
constexpr JsonField kInputFields[] = {{"name"}, {"arg"}, {"kind", false}};

constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";
constexpr int64_t kPositional = 1;
constexpr int64_t kKeyword = 2;

/// Returns the name of a result that is a tensor, an object or a symbol; empty for a constant.
absl::StatusOr<std::string_view> result_name(const JsonUnion& result) {
  const bool is_symbol =
      result.kind == "as_sym_int" || result.kind == "as_sym_float" || result.kind == "as_sym_bool";
  if (!is_symbol && result.kind != "as_tensor" && result.kind != "as_custom_obj")
    return std::string_view();
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(result.value, result.kind));
  Json name;
  if (object.at_key(is_symbol ? "as_name" : "name").get(name) != simdjson::SUCCESS) {
    if (is_symbol) return std::string_view();
    return absl::InvalidArgumentError("a result has no name");
  }
  FX_ASSIGN_OR_RETURN(const std::string_view text, json_string(name, "name"));
  if (text.empty()) return absl::InvalidArgumentError("a result has an empty name");
  return text;
}

/// Returns torch.fx's name for a call: "add" for "aten.add.Tensor", "getitem" for
/// "operator.getitem".
std::string_view base_name(std::string_view function) {
  if (is_operator_overload(function)) function = function.substr(0, function.rfind('.'));
  const std::string_view base = function.substr(function.rfind('.') + 1);
  return base.empty() ? "call" : base;
}

}  // namespace

struct GraphReader::NodeRecord {
  std::string_view target;
  std::string_view name;  ///< empty if the file has no name
  Json inputs;
  std::vector<JsonUnion> results;
  NodeMetadata metadata;
  bool is_higher_order = false;
  bool is_single = true;  ///< for higher-order operators: one tensor, not a tuple of one
  Target function;
};

std::string function_name(std::string_view target) {
  constexpr std::string_view kOps = "torch.ops.", kOperator = "_operator.";
  if (target.starts_with(kOps)) return std::string(target.substr(kOps.size()));
  if (target.starts_with(kOperator)) return std::string(target.substr(1));
  return std::string(target);
}

absl::Status GraphReader::read_node(Json json) {
  using F = NodeFields;
  FX_ASSIGN_OR_RETURN(const auto record, JsonRecord<kNodeFields>::read(json, "Node", notes()));
  NodeRecord node;
  FX_ASSIGN_OR_RETURN(node.target, json_string(record[F::kTarget], "target"));
  if (record.has(F::kName)) {
    FX_ASSIGN_OR_RETURN(node.name, json_string(record[F::kName], "name"));
  }
  const auto read = [&]() -> absl::Status {
    if (node.target.empty()) return absl::InvalidArgumentError("the target is empty");
    node.is_higher_order = node.target.starts_with(kHigherOrder);
    if (record.has(F::kIsSingle)) {
      FX_ASSIGN_OR_RETURN(node.is_single,
                          json_bool(record[F::kIsSingle], "is_hop_single_tensor_return"));
    }
    node.function = context().function(function_name(node.target));
    node.inputs = record[F::kInputs];
    FX_ASSIGN_OR_RETURN(const JsonList results, json_list(record[F::kOutputs], "outputs"));
    for (const Json result : results) {
      FX_ASSIGN_OR_RETURN(const JsonUnion form, json_union(result, "outputs"));
      node.results.push_back(form);
    }
    FX_ASSIGN_OR_RETURN(node.metadata, session_.metadata.read(record[F::kMetadata]));
    return read_call(node);
  };
  absl::Status status = read();
  if (status.ok()) return status;
  return with_context(
      status,
      fmt::format("node {} ({})", node.name.empty() ? "without name" : node.name.substr(0, 200),
                  node.target.substr(0, 200)));
}

absl::StatusOr<Node*> GraphReader::create_call(Target function, absl::Span<const Argument> args,
                                               absl::Span<const Kwarg> kwargs,
                                               std::string_view name, const NodeRecord& node) {
  const std::string created_name =
      name.empty() ? unused_name(base_name(function.name())) : std::string();
  NodeOptions options;
  options.exact_name = split_name(context().symbols(), name.empty() ? created_name : name);
  FX_ASSIGN_OR_RETURN(Node* const call,
                      graph_.create_node(Opcode::kCallFunction, function, args, kwargs, options));
  node.metadata.set_on(*call);
  return call;
}

absl::Status GraphReader::read_call(const NodeRecord& node) {
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  FX_RETURN_IF_ERROR(read_inputs(node, args, kwargs));
  const std::vector<JsonUnion>& results = node.results;
  TypeTable& types = context().types();
  if (results.size() == 1 && !(node.is_higher_order && !node.is_single)) {
    FX_ASSIGN_OR_RETURN(const std::string_view name, result_name(results[0]));
    if (!name.empty()) {
      FX_ASSIGN_OR_RETURN(const Type type, type_of(name));
      FX_ASSIGN_OR_RETURN(Node* const call, create_call(node.function, args, kwargs, name, node));
      call->set_type(type);
      return define(name, call);
    }
  }
  FX_ASSIGN_OR_RETURN(Node* const call, create_call(node.function, args, kwargs, node.name, node));
  if (results.empty() || (results.size() == 1 && results[0].kind == "as_none")) {
    call->set_type(types.none());
    return absl::OkStatus();
  }
  std::vector<Type> items;
  if (results.size() == 1 && results[0].kind == "as_tensors" && !node.is_higher_order) {
    FX_ASSIGN_OR_RETURN(const JsonList list, json_list(results[0].value, "as_tensors"));
    std::vector<JsonUnion> elements;
    for (const Json item : list) elements.push_back({"as_tensor", item});
    FX_RETURN_IF_ERROR(read_elements(node, *call, elements, items));
    call->set_type(types.list(items));
    return absl::OkStatus();
  }
  FX_RETURN_IF_ERROR(read_elements(node, *call, results, items));
  call->set_type(types.tuple(items));
  return absl::OkStatus();
}

absl::Status GraphReader::read_elements(const NodeRecord& node, Node& call,
                                        absl::Span<const JsonUnion> results,
                                        std::vector<Type>& types) {
  const Target getitem = context().function("operator.getitem");
  for (size_t i = 0; i < results.size(); ++i) {
    const JsonUnion& result = results[i];
    const std::vector<Argument> args = {Argument(call), Argument(static_cast<int64_t>(i))};
    if (result.kind == "as_tensors") {
      FX_ASSIGN_OR_RETURN(const JsonList list, json_list(result.value, result.kind));
      std::vector<JsonUnion> elements;
      for (const Json item : list) elements.push_back({"as_tensor", item});
      FX_ASSIGN_OR_RETURN(Node* const item, create_call(getitem, args, {}, {}, node));
      std::vector<Type> items;
      FX_RETURN_IF_ERROR(read_elements(node, *item, elements, items));
      item->set_type(context().types().list(items));
      types.push_back(item->type());
      continue;
    }
    FX_ASSIGN_OR_RETURN(const std::string_view name, result_name(result));
    if (name.empty()) {  // None, or a constant
      FX_ASSIGN_OR_RETURN(const Argument constant, argument_of(result, "outputs"));
      TypeTable& table = context().types();
      types.push_back(constant.is_none()  ? table.none()
                      : constant.is_int() ? table.integer(constant.as_int())
                                          : Type());
      if (!constant.is_none()) continue;
      // PyTorch's loader creates a node with this name.
      FX_ASSIGN_OR_RETURN(Node* const item,
                          create_call(getitem, args, {}, unused_name("as_none"), node));
      item->set_type(table.none());
      continue;
    }
    FX_ASSIGN_OR_RETURN(const Type type, type_of(name));
    FX_ASSIGN_OR_RETURN(Node* const item, create_call(getitem, args, {}, name, node));
    item->set_type(type);
    FX_RETURN_IF_ERROR(define(name, item));
    types.push_back(type);
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> GraphReader::is_positional(const NodeRecord& node, Json input_kind,
                                                bool has_kind, std::string_view name) const {
  int64_t kind = 0;
  if (has_kind) {
    FX_ASSIGN_OR_RETURN(kind, json_int(input_kind, "kind"));
  }
  if (kind == kPositional || kind == kKeyword) return kind == kPositional;
  if (kind != 0) return absl::InvalidArgumentError(fmt::format("the kind {} is unknown", kind));
  // Older files do not contain the kind. Arguments that the schema requires, and that may be
  // positional, are positional.
  if (name.empty()) return true;
  const ops::OpInfo* op = node.function.op();
  if (op == nullptr) return false;
  const int index = op->schema().find_argument(name);
  if (index < 0) return false;
  const ops::SchemaArgument& argument = op->schema().arguments()[static_cast<size_t>(index)];
  return !argument.kwarg_only && !argument.default_value;
}

absl::Status GraphReader::read_inputs(const NodeRecord& node, std::vector<Argument>& args,
                                      std::vector<Kwarg>& kwargs) {
  FX_ASSIGN_OR_RETURN(const JsonList inputs, json_list(node.inputs, "inputs"));
  for (const Json input : inputs) {
    FX_ASSIGN_OR_RETURN(const auto record,
                        JsonRecord<kInputFields>::read(input, "NamedArgument", notes()));
    FX_ASSIGN_OR_RETURN(const std::string_view name,
                        json_string(record[InputFields::kName], "name"));
    const std::string field = name.empty() ? fmt::format("argument {}", args.size() + kwargs.size())
                                           : fmt::format("argument {}", name.substr(0, 200));
    FX_ASSIGN_OR_RETURN(Argument value, argument(record[InputFields::kArg], field));
    const bool has_kind = record.has(InputFields::kKind);
    FX_ASSIGN_OR_RETURN(
        const bool positional,
        is_positional(node, has_kind ? record[InputFields::kKind] : Json(), has_kind, name));
    if (!positional) {
      kwargs.emplace_back(name, std::move(value));
    } else if (!kwargs.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("positional argument {} follows a keyword argument", field));
    } else {
      args.push_back(std::move(value));
    }
  }
  return absl::OkStatus();
}

}  // namespace fx::pt2
