#include "fx/codegen/mlir/text_internal.h"
#include "fx/codegen/mlir/writer_internal.h"
#include "fx/interp/data_name.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/module_tree.h"

#include "fmt/format.h"

#include <utility>

namespace fx::mlir {
namespace {

constexpr int64_t kAlignment = 64;  // alignment of the bytes of a literal

Type type_of_default(TypeTable& types, ArgumentRef value) {
  if (value.is_bool()) return types.boolean();
  if (value.is_int()) return types.integer();
  if (value.is_float()) return types.floating();
  if (value.is_none()) return types.none();
  return Type();
}

/// Returns the type of a tensor's attribute: `tensor<2x3xf32>`.
std::string literal_type(const Tensor& tensor, std::string_view element) {
  std::string text = "tensor<";
  for (const int64_t size : tensor.sizes()) append(text, size, "x");
  return text_of(text, element, ">");
}

}  // namespace

Writer::Writer(const Graph& graph, const MlirOptions& options)
    : graph_(graph), options_(options), env_(graph.context()) {
  env_.set_ranges_of(graph);
  all_values_.emplace_back();  // number 0: none
}

void Writer::fail(absl::StatusCode code, std::string_view why) {
  if (failed()) return;
  status_ = absl::Status(code, absl::string_view(why.data(), why.size()));
  if (node_ != nullptr) status_ = node_error(*node_, status_);
}

const ValueType* Writer::type_of(Type type) {
  const absl::StatusOr<const ValueType*> found = types_.of(type);
  if (found.ok()) return *found;
  fail(found.status().code(), std::string(found.status().message()));
  return types_.unknown_tensor();
}

// ---------------------------------------------------------------- text

std::string_view Writer::fresh(std::string_view stem) {
  return keep(text_of("%", stem, ".", counter_++));
}

std::string_view Writer::name_of(const Node& node) {
  std::string name = text_of("%", frame_->prefix);
  append_value_name(name, node.name());
  return keep(name);
}

/// Writes `  %x:2 = torch.op %a, %b : ta, tb -> t1, t2`. An operator that the dialect does not have
/// is written as `torch.operator "torch.op"(%a, %b) : (ta, tb) -> (t1, t2)`.
void Writer::write_op(std::string_view result, std::string_view op, bool registered,
                      absl::Span<const Value> operands, absl::Span<const ValueType* const> results,
                      std::string_view arrow) {
  begin_line();
  std::string& out = body();
  if (!results.empty()) {
    out += result;
    if (results.size() > 1) append(out, ":", results.size());
    out += " = ";
  }
  if (registered) {
    out += op;
    if (!operands.empty()) out += ' ';
  } else {
    append(out, "torch.operator \"", op, "\"(");  // operator names need no escapes
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) out += ", ";
    out += operands[i].name;
  }
  if (!registered) out += ") : (";
  if (registered && !operands.empty()) out += " : ";
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) out += ", ";
    out += operands[i].type->text;
  }
  if (!registered) out += ')';
  if (!results.empty() || !registered) out += arrow;
  const bool in_brackets = !registered && results.size() != 1;
  if (in_brackets) out += '(';
  for (size_t i = 0; i < results.size(); ++i) {
    if (i > 0) out += ", ";
    out += results[i]->text;
  }
  if (in_brackets) out += ')';
  end_line();
}

Value Writer::write_simple(std::string_view stem, std::string_view op,
                           absl::Span<const Value> operands, const ValueType* result,
                           std::string_view arrow) {
  const Value value{.type = result, .name = fresh(stem), .kind = result->kind};
  write_op(value.name, op, true, operands, {result}, arrow);
  return value;
}

void Writer::append_head(const Value& value, std::string_view op, std::string_view text) {
  append(head_, "    ", value.name, " = ", op, " ", text, "\n");
}

Value Writer::int_constant(int64_t value) {
  Value& constant = ints_[value];
  if (constant.kind == ValueKind::kUnset) {
    constant = {.type = types_.simple(ValueKind::kInt),
                .name = keep(text_of("%int.", value)),
                .kind = ValueKind::kInt};
    append_head(constant, "torch.constant.int", text_of(value));
  }
  return constant;
}

Value Writer::float_constant(double value) {
  Value& constant = floats_[std::bit_cast<uint64_t>(value)];
  if (constant.kind == ValueKind::kUnset) {
    constant = {.type = types_.simple(ValueKind::kFloat),
                .name = fresh("float"),
                .kind = ValueKind::kFloat};
    std::string text;
    append_float(text, value);
    append_head(constant, "torch.constant.float", text);
  }
  return constant;
}

Value Writer::bool_constant(bool value) {
  std::optional<Value>& constant = constants_[value ? 1 : 0];
  if (!constant) {
    constant = {.type = types_.simple(ValueKind::kBool),
                .name = value ? "%bool.true" : "%bool.false",
                .kind = ValueKind::kBool};
    append_head(*constant, "torch.constant.bool", value ? "true" : "false");
  }
  return *constant;
}

Value Writer::none_constant() {
  std::optional<Value>& constant = constants_[2];
  if (!constant) {
    constant = {
        .type = types_.simple(ValueKind::kNone), .name = "%none.0", .kind = ValueKind::kNone};
    append(head_, "    ", constant->name, " = torch.constant.none\n");
  }
  return *constant;
}

Value Writer::text_constant(ValueKind kind, std::string_view op, std::string_view text) {
  std::string quoted;
  append_string(quoted, text);
  Value& constant = texts_[text_of(op, quoted)];
  if (constant.kind == ValueKind::kUnset) {
    constant = {.type = types_.simple(kind), .name = fresh("text"), .kind = kind};
    append_head(constant, op, quoted);
  }
  return constant;
}

// ---------------------------------------------------------------- values

void Writer::set_value(const Node& node, const Value& value) {
  frame_->values[node] = static_cast<uint32_t>(all_values_.size());
  all_values_.push_back(value);
  all_values_.back().node = &node;
}

const Value* Writer::find_value(const Node& node) const {
  const uint32_t index = frame_->values[node];
  return index == 0 ? nullptr : &all_values_[index];
}

Value Writer::value_of(const Node& node) {
  if (const Value* value = find_value(node)) return *value;
  fail(fmt::format("{} is not available here", node.name()));
  return {};
}

Value Writer::argument(const Node& node, std::string name, std::string_view value_name, Type type) {
  const ValueType* value_type = type_of(type);
  const Value value{.type = value_type, .name = value_name, .kind = value_type->kind};
  if (!parameters_.empty()) parameters_ += ", ";
  append(parameters_, value_name, ": ", value_type->text);
  if (options_.locations) Locations::append_use(parameters_, locations_.of_name(name));
  code_.arguments.push_back({std::move(name), &node});
  return value;
}

/// Writes the bytes of a tensor as an attribute. Bools are written as in torch-mlir: as bytes,
/// which are then converted.
Value Writer::literal(const Tensor& tensor, Type type) {
  bool has_type = type.is_tensor() && type.dtype() == tensor.dtype() && type.has_rank() &&
                  type.sizes().size() == tensor.sizes().size();
  for (size_t i = 0; has_type && i < tensor.sizes().size(); ++i)
    has_type = type.sizes()[i].is_symbolic() || type.sizes()[i].value() == tensor.sizes()[i];
  if (!has_type || is_quantized(tensor.dtype())) {
    fail(absl::StatusCode::kInvalidArgument,
         fmt::format("its tensor {} does not have the node's type, {}",
                     to_string(tensor.type(graph_.context().types())), to_string(type)));
    return {};
  }
  if (!tensor.has_host_data()) {
    fail(absl::StatusCode::kFailedPrecondition, "its tensor has no data on the CPU");
    return {};
  }
  const absl::StatusOr<Tensor> whole = tensor.contiguous();
  if (!whole.ok()) {
    fail(whole.status().code(), std::string(whole.status().message()));
    return {};
  }
  const bool is_bool = tensor.dtype() == DType::kBool;
  const DType dtype = is_bool ? DType::kUInt8 : tensor.dtype();
  const std::string attribute = literal_type(tensor, element_type(dtype));
  const absl::Span<const std::byte> raw = whole->bytes();
  const std::string_view bytes(reinterpret_cast<const char*>(raw.data()), raw.size());
  const ValueType* const value_type = type_of(tensor.type(graph_.context().types()));
  const ValueType* const stored =
      is_bool ? type_of(graph_.context().types().tensor(
                    {.dtype = DType::kUInt8,
                     .sizes = DimVector(tensor.sizes().begin(), tensor.sizes().end())}))
              : value_type;
  Value value{.type = stored, .name = fresh("literal"), .kind = ValueKind::kTensor};
  std::string text;
  if (tensor.num_elements() == 0) {
    text = "dense<>";
  } else if (tensor.num_elements() == 1) {
    text = "dense<\"0x";
    append_hex(text, bytes);
    text += "\">";
  } else {
    const std::string key = text_of("literal_", counter_);
    text = text_of("dense_resource<", key, ">");
    append(resources_, resources_.empty() ? "" : ",\n", "      ", key, ": \"0x");
    const auto alignment = static_cast<uint32_t>(kAlignment);
    append_hex(resources_, {reinterpret_cast<const char*>(&alignment), sizeof(alignment)});
    append_hex(resources_, bytes);
    resources_ += '"';
  }
  append(head_, "    ", value.name, " = torch.vtensor.literal(", text, " : ", attribute,
         ") : ", stored->text, "\n");
  if (is_bool) {
    const Value number = int_constant(static_cast<int64_t>(DType::kBool));
    const Value bytes_value = value;
    value = {.type = value_type, .name = fresh("literal"), .kind = ValueKind::kTensor};
    append(head_, "    ", value.name, " = torch.prims.convert_element_type ", bytes_value.name,
           ", ", number.name, " : ", stored->text, ", ", number.type->text, " -> ",
           value_type->text, "\n");
  }
  return value;
}

// ---------------------------------------------------------------- nodes

void Writer::write_graph(Frame& frame) {
  for (const Node& node : frame.graph.nodes()) {
    if (failed() || node.is_output()) return;
    write_node(node);
  }
}

void Writer::write_node(const Node& node) {
  node_ = &node;
  location_ = options_.locations ? locations_.of(node) : 0;
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
  const Value* value = failed() ? nullptr : find_value(node);
  if (value == nullptr) return;
  if (options_.symbolic_shapes && value->kind == ValueKind::kTensor)
    write_symbolic_shape(*value, node.type());
  if (node.op() == Opcode::kCallFunction) write_guard(node, *value);
}

void Writer::write_placeholder(const Node& node) {
  if (frame_->outer != nullptr) {
    if (frame_->next_input >= frame_->inputs.size()) {
      return fail(absl::StatusCode::kInvalidArgument, "the call passes too few operands");
    }
    set_value(node, frame_->inputs[frame_->next_input++]);
    return;
  }
  if (node.target().starts_with('*')) return fail("a variable number of inputs is not supported");
  Type type = node.type();
  if (!type && node.num_args() > 0) type = type_of_default(graph_.context().types(), node.arg(0));
  // As in torch-mlir's importer, a constant string of the program is not a function argument.
  if (type.kind() == TypeKind::kString && type.is_constant())
    return set_value(node,
                     text_constant(ValueKind::kString, "torch.constant.str", type.string_value()));
  std::string name = data_name(node);
  // Data files also contain the program's inputs, which remain arguments.
  const bool is_weight = !input_fact(node, "target").empty();
  const Tensor* tensor = options_.literals && is_weight ? options_.literals->find(name) : nullptr;
  set_value(node, tensor ? literal(*tensor, type) : argument(node, name, name_of(node), type));
}

void Writer::write_get_attr(const Node& node) {
  if (const Graph* graph = frame_->graph.find_subgraph(node.target())) {
    set_value(node, {.kind = ValueKind::kGraph, .graph = graph});
    return;
  }
  const Module* root = options_.root ? options_.root : graph_.owning_module();
  const auto [found, is_new] = attributes_.try_emplace(std::string(node.target()));
  if (is_new) {
    const Tensor attribute_tensor = root ? root->find_tensor(node.target()) : Tensor();
    Type type = node.type();
    if (!type && attribute_tensor.defined()) type = attribute_tensor.type(graph_.context().types());
    if (!type.is_tensor()) {
      return fail(fmt::format("the type of {} is unknown; pass the tensor or specify its type",
                              node.target()));
    }
    const Tensor* tensor = options_.literals ? options_.literals->find(node.target()) : nullptr;
    if (tensor != nullptr) {
      found->second = literal(*tensor, type);
    } else {
      std::string name = "%attr.";
      append_value_name(name, node.target());
      found->second = argument(node, std::string(node.target()), keep(name), type);
    }
  }
  set_value(node, found->second);
}

void Writer::write_function(const Node& node) {
  const Callee& what = callee(node);
  if (failed()) return;
  if (what.handler != nullptr) {
    (this->*what.handler)(node);
  } else {
    write_operator(node, *what.op);
  }
}

void Writer::collect_results(ArgumentRef result, std::vector<Value>& results) {
  if (failed()) return;
  if (is_aggregate(result.kind())) {
    if (result.kind() == ArgumentKind::kSlice || result.kind() == ArgumentKind::kRange)
      return fail(fmt::format("a {} cannot be returned", argument_kind_name(result.kind())));
    for (size_t i = 0; i < result.size(); ++i) collect_results(result[i], results);
    return;
  }
  const Node* node = result.node();
  const Value value = node != nullptr ? value_of(*node) : constant(result);
  if (value.kind == ValueKind::kGraph) return fail("a graph cannot be returned");
  if (value.kind != ValueKind::kItems) {
    results.push_back(value);
    return;
  }
  for (const Value& item : value.span()) {
    if (item.kind == ValueKind::kItems) return fail("results are nested too deeply to be returned");
    results.push_back(item);
  }
}

void Writer::write_output(const Node& node, absl::Span<const Value> results) {
  node_ = &node;
  location_ = options_.locations ? locations_.of(node) : 0;
  begin_line();
  body() += "return";
  for (size_t i = 0; i < results.size(); ++i) append(body(), i > 0 ? ", " : " ", results[i].name);
  for (size_t i = 0; i < results.size(); ++i)
    append(body(), i > 0 ? ", " : " : ", results[i].type->text);
  end_line();
}

// ---------------------------------------------------------------- the module

std::string Writer::module_text(absl::Span<const Value> results) const {
  std::string out = "module {\n  func.func ";
  append_symbol_name(out, options_.function_name.empty() ? "main" : options_.function_name);
  append(out, "(", parameters_, ")");
  if (!results.empty()) {
    out += " -> ";
    if (results.size() > 1) out += '(';
    for (size_t i = 0; i < results.size(); ++i)
      append(out, i > 0 ? ", " : "", results[i].type->text);
    if (results.size() > 1) out += ')';
  }
  append(out, " {\n", head_, text_, "  }\n}\n", locations_.definitions());
  if (!resources_.empty()) {
    append(out, "{-#\n  dialect_resources: {\n    builtin: {\n", resources_, "\n    }\n  }\n#-}\n");
  }
  return out;
}

absl::StatusOr<MlirCode> Writer::write() {
  const Node* output = graph_.output_node();
  if (output == nullptr) return absl::FailedPreconditionError("the graph must return a value");
  // The approximate number of bytes for each node.
  text_.reserve(graph_.size() * 200);
  Frame frame(graph_, "", nullptr);
  root_frame_ = frame_ = &frame;
  write_graph(frame);
  node_ = output;
  std::vector<Value> all, results;
  if (output->num_args() > 0) collect_results(output->arg(0), all);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == ValueKind::kNone) continue;
    results.push_back(all[i]);
    code_.results.push_back(i);
  }
  if (!failed()) write_output(*output, results);
  FX_RETURN_IF_ERROR(status_);
  code_.source = module_text(results);
  return std::move(code_);
}

}  // namespace fx::mlir
