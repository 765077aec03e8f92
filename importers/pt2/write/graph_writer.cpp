// Writes the names, inputs and outputs of a graph: see graph_writer_internal.h.
#include "fx/importers/pt2/write/graph_writer_internal.h"
#include "fx/interp/input_constants.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/text_tokens.h"

#include "fmt/format.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace fx::pt2 {
namespace {

/// Converts a name to a valid Python identifier that torch.fx does not change.
std::string legal_name(std::string_view name) {
  std::string legal(name);
  for (char& c : legal)
    if (!text::is_class(c, text::kNameChar)) c = '_';
  if (legal.empty() || text::is_class(legal[0], text::kDigit)) legal.insert(legal.begin(), '_');
  return legal;
}

bool has_elements(Type type) { return type.is_tuple() || type.is_list(); }

}  // namespace

std::string GraphWriter::unused_name(const std::string& base) {
  std::string name = base;
  for (int i = 1; !used_.insert(name).second; ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

const Node& GraphWriter::resolved(const Node& node) const {
  if (plan_ != nullptr) {
    if (const auto it = plan_->same.find(&node); it != plan_->same.end()) return *it->second;
  }
  const auto it = same_.find(&node);
  return it == same_.end() ? node : *it->second;
}

/// Records a getitem node as the name of an element of a call's result, if it is one. Other getitem
/// nodes are written as calls. Does nothing for other nodes.
absl::Status GraphWriter::name_element(const Node& getitem) {
  const std::optional<int64_t> item = constant_item(getitem);
  if (!item) return absl::OkStatus();
  const Node& call = resolved(*getitem.arg(0).node());
  if (!has_elements(call.type()) || call.is_placeholder()) return absl::OkStatus();
  const auto size = static_cast<int64_t>(call.type().items().size());
  const int64_t index = *item < 0 ? *item + size : *item;
  if (index < 0 || index >= size) {
    return absl::InvalidArgumentError(fmt::format("{}: index {} is out of range for {}",
                                                  describe_node(getitem), *item,
                                                  pluralize(size, "value")));
  }
  std::vector<const Node*>& elements = elements_[&call];
  elements.resize(static_cast<size_t>(size), nullptr);
  const Node*& element = elements[static_cast<size_t>(index)];
  if (element == nullptr) {
    element = &getitem;
  } else {
    same_.emplace(&getitem, element);
  }
  return absl::OkStatus();
}

absl::Status GraphWriter::name_values() {
  std::vector<const Node*> illegal;
  for (const Node& node : graph_.nodes()) {
    std::string name = node.name();
    if (legal_name(name) != name || !used_.insert(name).second) {
      illegal.push_back(&node);
    } else {
      names_.emplace(&node, std::move(name));
    }
    FX_RETURN_IF_ERROR(name_element(node));
  }
  for (const Node* node : illegal) names_.emplace(node, unused_name(legal_name(node->name())));
  return absl::OkStatus();
}

Type GraphWriter::with_expression(Type type) {
  const bool is_known = type.kind() != TypeKind::kInt && type.kind() != TypeKind::kBool;
  if (is_known || type.is_constant() || type.is_symbolic()) return type;
  return session_.values.unknown_number(type.kind());
}

absl::Status GraphWriter::define(JsonWriter& json, const std::string& name, Type type) {
  type = with_expression(type);
  switch (type.kind()) {
    case TypeKind::kTensor:
      tensors_.key(name);
      FX_RETURN_IF_ERROR(session_.values.tensor(tensors_, type));
      json.named("as_tensor", "name", name);
      return absl::OkStatus();
    case TypeKind::kInt:
      integers_.key(name);
      session_.values.number(integers_, type);
      json.named("as_sym_int", "as_name", name);
      return absl::OkStatus();
    case TypeKind::kFloat:
    case TypeKind::kBool: {
      const bool is_float = type.kind() == TypeKind::kFloat;
      if (!type.is_constant() && !type.is_symbolic()) {
        return absl::FailedPreconditionError(
            fmt::format("a value of type {} must have a known expression; infer types "
                        "(propagate_types, `fxcpp shape`)",
                        to_string(type)));
      }
      JsonWriter& values = is_float ? floats_ : bools_;
      values.key(name);
      session_.values.number(values, type);
      json.named(is_float ? "as_sym_float" : "as_sym_bool", "as_name", name);
      return absl::OkStatus();
    }
    case TypeKind::kNone:
      json.begin_union("as_none");
      json.boolean(true);
      json.end_object();
      return absl::OkStatus();
    case TypeKind::kUnknown:
      return absl::FailedPreconditionError(
          "its type is unknown; infer types (propagate_types, `fxcpp shape`), or set the types of "
          "inputs (--input 'x=f32[2, 3]')");
    default:
      return absl::UnimplementedError(
          fmt::format("a value of type {} is not supported here", to_string(type)));
  }
}

absl::Status GraphWriter::write_input(const Node& node) {
  const std::string& name = names_.at(&node);
  const Type type = node.type();
  if (const std::optional<Argument> constant = constant_of(type)) {
    if (plan_ == nullptr)
      return absl::UnimplementedError("an input of a nested graph must not be a constant");
    return literal(inputs_, *constant);
  }
  if (type.kind() == TypeKind::kFloat || type.kind() == TypeKind::kBool) {
    return absl::UnimplementedError(
        fmt::format("an input of type {} is not supported by torch.export; pass a tensor, or "
                    "replace the input with a constant (specialize)",
                    to_string(type)));
  }
  if (type.kind() == TypeKind::kInt && !type.is_symbolic()) {
    return absl::FailedPreconditionError(
        fmt::format("an integer input must have a symbol (--input '{}=SymInt(s0)')", node.name()));
  }
  return define(inputs_, name, type);
}

absl::Status GraphWriter::write_inputs() {
  inputs_.begin_list();
  const auto write_one = [this](const Node& node) {
    return with_context(write_input(node), describe_node(node));
  };
  if (plan_ != nullptr) {
    for (const PlannedInput& input : plan_->inputs) FX_RETURN_IF_ERROR(write_one(*input.node));
  } else {
    for (const Node& node : graph_.nodes())
      if (node.is_placeholder()) FX_RETURN_IF_ERROR(write_one(node));
  }
  inputs_.end_list();
  return absl::OkStatus();
}

absl::Status GraphWriter::write_outputs() {
  outputs_.begin_list();
  if (plan_ != nullptr) {
    for (const PlannedOutput& output : plan_->outputs)
      FX_RETURN_IF_ERROR(argument(outputs_, output.value, nullptr));
  } else {
    const Argument result(graph_.output_node()->arg(0));
    if (!is_aggregate(result.kind())) {
      FX_RETURN_IF_ERROR(argument(outputs_, result, nullptr));
    } else if (result.is_tuple() || result.is_list()) {
      for (size_t i = 0; i < result.size(); ++i)
        FX_RETURN_IF_ERROR(argument(outputs_, result[i], nullptr));
    } else {
      return absl::UnimplementedError("a nested graph must return a value or a tuple of values");
    }
  }
  outputs_.end_list();
  return absl::OkStatus();
}

std::string GraphWriter::record(bool is_single) {
  JsonWriter json;
  json.begin_object();
  const auto add = [&json](std::string_view key, JsonWriter& value) {
    json.key(key);
    json.raw(value.str());
  };
  add("inputs", inputs_);
  add("outputs", outputs_);
  add("nodes", nodes_);
  add("tensor_values", tensors_);
  add("sym_int_values", integers_);
  add("sym_bool_values", bools_);
  json.key("is_single_tensor_return");
  json.boolean(is_single);
  json.key("custom_obj_values");
  json.begin_object();
  json.end_object();
  add("sym_float_values", floats_);
  json.end_object();
  return json.take();
}

absl::StatusOr<std::string> GraphWriter::write() {
  const Node* const output = graph_.output_node();
  if (output == nullptr) return absl::InvalidArgumentError("the graph has no output");
  JsonWriter* const maps[] = {&tensors_, &integers_, &floats_, &bools_};
  for (JsonWriter* const map : maps) map->begin_object();
  FX_RETURN_IF_ERROR(name_values());
  FX_RETURN_IF_ERROR(write_inputs());
  nodes_.begin_list();
  for (const Node& node : graph_.nodes()) {
    const bool is_omitted = plan_ != nullptr && plan_->omitted.contains(&node);
    if (!node.is_call() || is_omitted) continue;
    FX_RETURN_IF_ERROR(with_context(write_call(node), describe_node(node)));
  }
  nodes_.end_list();
  FX_RETURN_IF_ERROR(with_context(write_outputs(), describe_node(*output)));
  for (JsonWriter* const map : maps) map->end_object();
  JsonWriter* const all[] = {&inputs_,   &outputs_, &nodes_, &tensors_,
                             &integers_, &floats_,  &bools_};
  for (const JsonWriter* const json : all) FX_RETURN_IF_ERROR(json->status());
  const bool is_single = plan_ == nullptr && !is_aggregate(output->arg(0).kind());
  if (is_single && !output->arg(0).is_node())
    return absl::UnimplementedError(
        "a nested graph must not return a constant; return a tuple with the constant");
  return record(is_single);
}

}  // namespace fx::pt2
