#include "fx/importers/onnx/writer_internal.h"
#include "fx/interp/data_name.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/passes/analysis/module_tree.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/strings/ascii.h"
#include "fmt/format.h"

#include <algorithm>

namespace fx::onnx {

Writer::Writer(const Graph& graph, const OnnxOptions& options, ModelProto& model)
    : graph_(graph),
      options_(options),
      model_(model),
      proto_(&model.graph),
      nodes_(&model.graph.nodes) {
  all_values_.emplace_back();
}

void Writer::fail(absl::StatusCode code, std::string_view why) {
  if (!failed()) failure_ = absl::Status(code, absl::string_view(why.data(), why.size()));
}

void Writer::add_error(const Node& node) {
  errors_.push_back(node_error(node, failure_));
  failure_ = absl::OkStatus();
  set_value(node, {.kind = NodeValue::kError});
}

absl::Status Writer::all_errors() const {
  if (errors_.empty()) return absl::OkStatus();
  if (errors_.size() == 1) return errors_.front();
  std::string text =
      fmt::format("{} cannot be converted to ONNX:", pluralize(errors_.size(), "call"));
  for (const absl::Status& error : errors_) {
    text += '\n';
    text += std::string(error.message());
  }
  return absl::Status(errors_.front().code(), text);
}

// ---------------------------------------------------------------- values

void Writer::set_value(const Node& node, NodeValue value) {
  frame_->values[node] = static_cast<uint32_t>(all_values_.size());
  all_values_.push_back(std::move(value));
}

const NodeValue& Writer::value_of(const Node& node) { return all_values_[frame_->values[node]]; }

namespace {

/// Returns true if the name is valid for a value: non-empty, UTF-8, and without the separators used
/// in names that the writer creates.
bool is_value_name(std::string_view name) {
  if (name.empty() || name.find_first_of("/:") != name.npos) return false;
  for (size_t i = 0; i < name.size();) {
    uint32_t code = 0;
    const size_t length = absl::ascii_isascii(static_cast<unsigned char>(name[i]))
                              ? 1
                              : text::utf8_length(name.substr(i), &code);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace

std::string Writer::name_of(const Node& node) const {
  const std::string name = node.name();
  if (is_value_name(name)) return frame_->prefix + name;
  std::string& replaced = replaced_names_[&node];
  if (replaced.empty()) {
    for (const char c : name)
      replaced += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
    do {
      replaced += '_';
    } while (node.graph().find_node(replaced) != nullptr || !taken_names_.insert(replaced).second);
  }
  return frame_->prefix + replaced;
}

/// Returns a name that differs from the names of all nodes of the graph.
std::string_view Writer::unique_name() {
  const fmt::format_int number(counter_++);
  std::string name = node_ != nullptr ? name_of(*node_) : std::string("size");
  name += '/';
  name.append(number.data(), number.size());
  return model_.keep(name);
}

ValueInfoProto Writer::value_info(std::string_view name, Type type, DType dtype) const {
  ValueInfoProto info{.name = name, .type = data_type(dtype)};
  if (!type.is_tensor()) {
    info.has_rank = type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kBool;
    return info;
  }
  info.has_rank = type.has_rank();
  for (const Dim& size : type.sizes()) {
    info.dims.push_back(size.is_int() ? Dimension{.value = size.value()}
                                      : Dimension{.name = model_.keep(to_string(size))});
  }
  return info;
}

// ---------------------------------------------------------------- operators

namespace {

void append_attributes(NodeProto& node, absl::Span<const Attribute> attributes, ModelProto& model) {
  node.attributes.reserve(attributes.size());
  for (const Attribute& attribute : attributes) {
    AttributeProto& proto = node.attributes.emplace_back();
    proto.name = node.domain.empty() ? attribute.name : model.keep(attribute.name);
    switch (attribute.kind) {
      case Attribute::kInt:
        proto.value = attribute.number;
        break;
      case Attribute::kReal:
        proto.value = static_cast<float>(attribute.real);
        break;
      case Attribute::kText:
        proto.value = std::string(attribute.text);
        break;
      case Attribute::kInts:
        proto.value = attribute.ints;
        break;
    }
  }
}

}  // namespace

std::vector<Value> Writer::emit_several(std::string_view op_type, absl::Span<const Value> inputs,
                                        absl::Span<const Attribute> attributes,
                                        absl::Span<const DType> results, std::string_view domain) {
  if (failed()) return std::vector<Value>(results.size());
  NodeProto& node = nodes_->emplace_back();
  node.op_type = op_type;
  node.domain = domain;
  for (const Value& input : inputs) node.inputs.push_back(input.name);
  while (!node.inputs.empty() && node.inputs.back().empty()) node.inputs.pop_back();
  append_attributes(node, attributes, model_);
  std::vector<Value> values;
  values.reserve(results.size());
  for (const DType dtype : results) {
    // An omitted output.
    values.push_back(
        {.name = dtype == DType::kUndefined ? std::string_view() : unique_name(), .dtype = dtype});
    node.outputs.push_back(values.back().name);
  }
  return values;
}

Value Writer::emit(std::string_view op_type, absl::Span<const Value> inputs,
                   absl::Span<const Attribute> attributes, DType result, std::string_view domain) {
  if (failed()) return {};
  return emit_several(op_type, inputs, attributes, {result}, domain)[0];
}

Value Writer::cast(const Value& value, DType dtype) {
  if (failed() || value.dtype == dtype) return value;
  if (data_type(dtype) == DataType::kUndefined || is_complex(dtype) || is_complex(value.dtype)) {
    fail(fmt::format("ONNX cannot convert {} to {}", dtype_name(value.dtype), dtype_name(dtype)));
    return {};
  }
  return emit("Cast", {value}, {{"to", static_cast<int64_t>(data_type(dtype))}}, dtype);
}

// ---------------------------------------------------------------- nodes

void Writer::write_graph(Frame& frame) {
  for (const Node& node : frame.graph.nodes()) {
    if (node.is_output()) return;
    write_node(node);
  }
}

bool Writer::has_failed_operand(const Node& node) {
  bool found = false;
  node.for_each_input(
      [&](const Node* input) { found |= value_of(*input).kind == NodeValue::kError; });
  return found;
}

void Writer::write_node(const Node& node) {
  if (has_failed_operand(node)) return set_value(node, {.kind = NodeValue::kError});
  node_ = &node;
  const size_t begin = begin_ = nodes_->size();
  switch (node.op()) {
    case Opcode::kPlaceholder:
      write_placeholder(node);
      break;
    case Opcode::kGetAttr:
      write_get_attr(node);
      break;
    case Opcode::kCallFunction:
      write_function(node);
      break;
    case Opcode::kCallMethod:
    case Opcode::kCallModule:
      check(check_calls_function(node));
      break;
    case Opcode::kOutput:
      break;
  }
  if (failed()) return add_error(node);
  describe_nodes(node, begin);
}

std::string Writer::initializer_name(std::string_view base) {
  std::string name(base);
  if (name.empty() || name.find('/') != std::string::npos || name.find(':') != std::string::npos ||
      graph_.find_node(name) != nullptr)
    name = fmt::format("{}/{}", name, counter_++);
  return name;
}

Value Writer::initializer(const Node& node, std::string_view name, const Tensor& tensor,
                          Type type) {
  bool fits = type.is_tensor() && type.dtype() == tensor.dtype() && type.has_rank() &&
              tensor.has_shape() && type.sizes().size() == tensor.sizes().size();
  for (size_t i = 0; fits && i < tensor.sizes().size(); ++i)
    fits = type.sizes()[i].is_symbolic() || type.sizes()[i].value() == tensor.sizes()[i];
  if (!fits) {
    fail(absl::StatusCode::kInvalidArgument,
         fmt::format("the tensor of {} has type {}, but the type of the node is {}", node.name(),
                     to_string(tensor.type(graph_.context().types())), to_string(type)));
    return {};
  }
  if (data_type(tensor.dtype()) == DataType::kUndefined) {
    fail(fmt::format("{} tensors are not supported", dtype_name(tensor.dtype())));
    return {};
  }
  if (!tensor.has_host_data()) {
    fail(absl::StatusCode::kFailedPrecondition,
         fmt::format("the data of \"{}\" must be on the CPU, not on {}", name,
                     device_name(tensor.device())));
    return {};
  }
  absl::StatusOr<Tensor> contiguous = tensor.contiguous();
  if (!contiguous.ok()) {
    fail(contiguous.status().code(), std::string(contiguous.status().message()));
    return {};
  }
  TensorProto& proto = model_.graph.initializers.emplace_back();
  proto.name = initializer_name(name);
  proto.type = data_type(tensor.dtype());
  proto.dims.assign(tensor.sizes().begin(), tensor.sizes().end());
  proto.tensor = *std::move(contiguous);
  return {.name = model_.keep(proto.name), .dtype = tensor.dtype()};
}

/// Returns the constant value of a number type, or an empty value if the type is not a constant.
Value Writer::constant_of(Type type) {
  switch (type.kind()) {
    case TypeKind::kInt:
      return type.is_constant() ? scalar_int(type.int_value(), DType::kInt64) : Value();
    case TypeKind::kFloat:
      return type.is_constant() ? scalar_real(type.float_value(), DType::kFloat64) : Value();
    case TypeKind::kBool:
      return type.is_constant() ? scalar_int(type.bool_value() ? 1 : 0, DType::kBool) : Value();
    default:
      return {};
  }
}

void Writer::write_placeholder(const Node& node) {
  if (frame_->outer != nullptr) {
    if (frame_->next_input >= frame_->inputs.size())
      return fail(absl::StatusCode::kInvalidArgument,
                  "the call has fewer operands than its graph has inputs");
    return set_value(node, frame_->inputs[frame_->next_input++]);
  }
  if (node.target().starts_with('*')) return fail("a variable number of inputs is not supported");
  const Type type = node.type();
  if (type.is_none()) return set_value(node, {.kind = NodeValue::kNone});
  const Value constant = constant_of(type);
  if (constant)
    return set_value(node, {.kind = NodeValue::kTensor, .value = constant, .type = type});
  const std::string data = data_name(node);
  const bool is_weight = !input_fact(node, "target").empty();
  const bool may_embed = options_.weights && options_.tensors && is_weight;
  const Tensor* tensor = may_embed ? options_.tensors->find(data) : nullptr;
  if (tensor != nullptr) {
    const Value value = initializer(node, data, *tensor, type);
    if (!failed()) set_value(node, {.kind = NodeValue::kTensor, .value = value, .type = type});
    return;
  }
  const DType dtype = dtype_of_value(type);
  if (dtype == DType::kUndefined) {
    if (!node.has_uses()) return set_value(node, {.kind = NodeValue::kNone});
    return fail(absl::StatusCode::kFailedPrecondition,
                "its type is unknown; set it with `fxcpp emit --input NAME=TYPE`");
  }
  if (data_type(dtype) == DataType::kUndefined || is_complex(dtype))
    return fail(fmt::format("{} inputs are not supported", dtype_name(dtype)));
  const std::string_view name = model_.keep(name_of(node));
  ValueInfoProto info = value_info(name, type, dtype);
  if (options_.metadata && data != name) info.doc = model_.keep(data);
  proto_->inputs.push_back(std::move(info));
  set_value(node,
            {.kind = NodeValue::kTensor, .value = {.name = name, .dtype = dtype}, .type = type});
}

void Writer::write_get_attr(const Node& node) {
  if (const Graph* graph = frame_->graph.find_subgraph(node.target()))
    return set_value(node, {.kind = NodeValue::kGraph, .graph = graph});
  const auto [found, is_new] = attributes_.try_emplace(std::string(node.target()));
  if (is_new) {
    const Module* root = options_.root ? options_.root : graph_.owning_module();
    const Tensor* given = options_.tensors ? options_.tensors->find(node.target()) : nullptr;
    Tensor tensor = given != nullptr ? *given : Tensor();
    if (!tensor.defined() && root != nullptr) tensor = root->find_tensor(node.target());
    Type type = node.type();
    if (!type && tensor.defined()) type = tensor.type(graph_.context().types());
    Value value;
    if (options_.weights && tensor.defined() && tensor.has_data()) {
      value = initializer(node, node.target(), tensor, type);
    } else if (!type.is_tensor() || type.dtype() == DType::kUndefined) {
      fail(absl::StatusCode::kFailedPrecondition,
           fmt::format(
               "the type of {} is unknown; pass the tensor in OnnxOptions::tensors or set the type",
               node.target()));
    } else {
      value = {.name = model_.keep(initializer_name(node.target())), .dtype = type.dtype()};
      model_.graph.inputs.push_back(value_info(value.name, type, type.dtype()));
    }
    if (failed()) {
      attributes_.erase(std::string(node.target()));
      return;
    }
    found->second = value;
  }
  set_value(node, {.kind = NodeValue::kTensor, .value = found->second, .type = node.type()});
}

// ---------------------------------------------------------------- calls

const Writer::Callee& Writer::callee(const Node& node) {
  const auto [found, is_new] = callees_.try_emplace(node.function().data());
  Callee& target = found->second;
  if (!is_new) return target;
  for (const OnnxCustomOp& custom : options_.custom_ops)
    if (custom.op == node.target()) target.custom = &custom;
  if (target.custom == nullptr) target.handler = special_handler(node.target());
  if (target.custom == nullptr && target.handler == nullptr) target.row = find_row(node.target());
  const bool has_form =
      target.custom != nullptr || target.handler != nullptr || target.row != nullptr;
  if (!has_form) target.handler = &Writer::write_unsupported;
  return target;
}

void Writer::write_function(const Node& node) {
  const Callee target = callee(node);
  if (target.handler != nullptr) return (this->*target.handler)(node);
  const ops::OpInfo* info = node.function().op();
  if (info == nullptr)
    return fail(fmt::format("{} has no schema; register the operator with Context::add_operator",
                            node.target()));
  if (effects(node).has(ops::Effect::kWritesArguments))
    return fail("it writes to its arguments, but ONNX values are immutable");
  const CallArguments arguments = CallArguments::of(node);
  const BindProblem problem =
      bind_arguments(info->schema(), arguments, CallStyle::kOperator, bound_);
  if (!problem.ok()) {
    return fail(
        absl::StatusCode::kInvalidArgument,
        std::string(bind_error(info->name(), problem, info->schema(), arguments).message()));
  }
  // Rows rely on the conditions that type functions check, and on the types of the results.
  const absl::StatusOr<Type> type = infer_type(node);
  if (absl::IsInvalidArgument(type.status()))
    return fail(absl::StatusCode::kInvalidArgument, std::string(check_call(node).message()));
  if (type.ok() && have_different_ranks(node.type(), *type)) {
    return fail(absl::StatusCode::kInvalidArgument,
                fmt::format("its type is {}, but its operands determine {}: propagate types again",
                            to_string(node.type()), to_string(*type)));
  }
  if (target.custom != nullptr) return write_custom(node, *target.custom);
  write_row(node, *target.row);
}

bool Writer::check_accepted(const Node& node, const Row& row) {
  if ((row.accepts & kUnchecked) != 0) return true;
  const Node* first = nullptr;
  node.for_each_input([&](const Node* input) {
    if (first == nullptr && value_of(*input).kind == NodeValue::kTensor) first = input;
  });
  if (first == nullptr) return true;
  const DType dtype = value_of(*first).value.dtype;
  // Operators that only move elements accept all ONNX number types.
  if (!row.computes && is_floating_point(dtype) && data_type(dtype) != DataType::kUndefined)
    return true;
  const bool accepted = is_floating_point(dtype) && dtype_item_size(dtype) > 1
                            ? (row.accepts & kFloats) != 0
                        : is_integral(dtype)    ? (row.accepts & kInts) != 0
                        : dtype == DType::kBool ? (row.accepts & kBools) != 0
                                                : false;
  if (!accepted) fail(fmt::format("{} tensors are not supported", dtype_name(dtype)));
  return accepted;
}

void Writer::write_row(const Node& node, const Row& row) {
  if (!check_accepted(node, row)) return;
  RowCall call(*this, node, row, bound_);
  row.convert(call);
  if (!failed() && frame_->values[node] == 0)
    fail(absl::StatusCode::kInternal, "its row returns no value");
}

void Writer::write_outputs(const Node& output) {
  for (const ValueInfoProto& input : proto_->inputs) given_names_.emplace(input.name);
  for (const TensorProto& tensor : proto_->initializers) given_names_.insert(tensor.name);
  node_ = &output;
  begin_ = nodes_->size();
  if (output.num_args() > 0) {
    std::vector<NodeValue> values;
    if (!collect(output.arg(0), values)) return;
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].kind == NodeValue::kTensor)
        write_output(values[i].value, values[i].type, fmt::format("out.{}", i));
    }
  }
  for (const Update& update : updates_) {
    if (failed()) return;
    write_output(update.value, update.node->type(),
                 fmt::format("the new value of {}", update.node->is_placeholder()
                                                        ? data_name(*update.node)
                                                        : std::string(update.node->target())));
  }
  std::erase_if(proto_->values, [&](const ValueInfoProto& value) {
    return output_names_.contains(std::string(value.name));
  });
}

/// Adds an output of the model. Each output must be a distinct value that a node computes.
void Writer::write_output(const Value& value, Type type, std::string_view doc) {
  Value result = value;
  if (given_names_.contains(std::string(value.name)) ||
      output_names_.contains(std::string(value.name))) {
    result = emit("Identity", {value}, {}, value.dtype);
    nodes_->back().name = result.name;
  }
  output_names_.emplace(result.name);
  ValueInfoProto info = value_info(result.name, type, result.dtype);
  info.doc = model_.keep(doc);
  proto_->outputs.push_back(std::move(info));
}

absl::Status Writer::write() {
  const Node* output = graph_.output_node();
  if (output == nullptr) return absl::FailedPreconditionError("the graph must return a value");
  Frame frame(graph_, "", nullptr);
  root_frame_ = frame_ = &frame;
  write_graph(frame);
  if (errors_.empty()) write_outputs(*output);
  if (failed()) errors_.push_back(node_error(*output, failure_));
  FX_RETURN_IF_ERROR(all_errors());
  std::deque<NodeProto>& nodes = model_.graph.nodes;
  nodes.insert(nodes.begin(), std::make_move_iterator(head_.begin()),
               std::make_move_iterator(head_.end()));
  return absl::OkStatus();
}

}  // namespace fx::onnx
