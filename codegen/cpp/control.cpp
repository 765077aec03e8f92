// Emits nested graphs and modules as methods of the class, which are called from C++ control flow.
#include "fx/codegen/cpp/emitter_internal.h"
#include "fx/codegen/cpp/lowered_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/tracer/nn/layer_graph.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"

#include <memory>
#include <utility>
#include <vector>

namespace fx::cpp {
namespace {

constexpr int kMaxDepth = 64;

/// Returns the expression of a nested graph's result as a list. A single tensor becomes a list with
/// one item.
std::string as_list(const std::string& expression, Value& value) {
  if (value.kind != ValueKind::kTensor) return expression;
  value = {ValueKind::kTensors};
  return "std::vector<at::Tensor>{" + expression + "}";
}

/// Returns a GraphModule itself, or the graph of a torch.nn layer, which `created` then owns.
absl::StatusOr<const GraphModule*> module_graph(Context& context, const Module* module,
                                                std::string_view path,
                                                std::unique_ptr<GraphModule>& created) {
  if (module == nullptr)
    return absl::NotFoundError(
        fmt::format("the module {} is missing; read the graph together with its modules", path));
  if (const GraphModule* graph = module->as_graph_module()) return graph;
  absl::StatusOr<std::unique_ptr<GraphModule>> layer = layer_graph(context, *module);
  if (absl::IsNotFound(layer.status())) {
    return absl::NotFoundError(fmt::format("the code of {}, a {}, is not available; trace into it",
                                           path, module->class_name()));
  }
  FX_RETURN_IF_ERROR(layer.status());
  created = *std::move(layer);
  return created.get();
}

}  // namespace

const Graph* Emitter::nested_graph(const Node& node, size_t arg) const {
  if (arg >= node.num_args()) return nullptr;
  const ArgumentRef value = node.arg(arg);
  if (value.kind() == ArgumentKind::kGraph) return &graph_.subgraph(value.as_graph());
  const Node* source = value.node();
  return source && source->op() == Opcode::kGetAttr ? graph_of(*source) : nullptr;
}

const Graph* Emitter::graph_of(const Node& get_attr) const {
  if (const Graph* graph = graph_.find_subgraph(get_attr.target())) return graph;
  const Module* root = shared_.options().root;
  const Module* module = root ? root->find_module(path_ + std::string(get_attr.target())) : nullptr;
  const GraphModule* graph = module ? module->as_graph_module() : nullptr;
  return graph ? &graph->graph() : nullptr;
}

bool Emitter::emit_nested(const Node& node, const Graph& graph, absl::Span<const Value> inputs,
                          std::string& method, Value& result) {
  std::string_view name;
  for (size_t i = 0; i < graph_.num_subgraphs(); ++i)
    if (&graph_.subgraph(i) == &graph) name = graph_.subgraph_name(i);
  node.for_each_input([&](const Node* input) {  // or a module in a get_attr node
    if (name.empty() && input->op() == Opcode::kGetAttr &&
        values_[*input].kind == ValueKind::kGraph && graph_of(*input) == &graph)
      name = input->target();
  });
  NestedMethod nested;
  if (!emit_method(
          {&graph, &graph, nullptr, absl::StrCat(path_, std::string(name), "."), name, name},
          inputs, nested))
    return false;
  method = nested.name;
  result = nested.returned;
  return true;
}

bool Emitter::emit_method(const MethodSource& source, absl::Span<const Value> inputs,
                          NestedMethod& method) {
  if (const NestedMethod* known = shared_.find_method(source.key, source.path, inputs)) {
    method = *known;
    return true;
  }
  if (shared_.depth >= kMaxDepth) {
    fail("graphs and modules are nested too deeply");
    return false;
  }
  LoweredGraph copy;
  if (shared_.lower) {
    absl::StatusOr<LoweredGraph> lowered_graph = lowered(*source.graph, source.root);
    if (!lowered_graph.ok()) {
      fail(std::string(lowered_graph.status().message()));
      return false;
    }
    copy = *std::move(lowered_graph);
  }
  ++shared_.depth;
  Emitter nested(shared_, copy.graph ? *copy.graph : *source.graph, source.path,
                 copy.graph ? &copy : nullptr);
  const absl::Status status = nested.emit(inputs);
  --shared_.depth;
  if (!status.ok()) {
    if (status_.ok()) status_ = status;
    return false;
  }
  if (nested.parameters.size() != inputs.size()) {
    fail(fmt::format("{} has {}, but the call passes {}", source.label,
                     pluralize(nested.parameters.size(), "input"), inputs.size()));
    return false;
  }
  method = {
      shared_.method(source.name), nested.returned, source.path, {inputs.begin(), inputs.end()}};
  append_function(shared_.structs[shared_.structs.current].methods, method.name, nested);
  shared_.add_method(source.key, method);
  if (copy.graph) shared_.lowered_graphs.push_back(std::move(copy.graph));
  return true;
}

bool Emitter::append_operands(std::string& out, ArgumentRef list, std::vector<Value>& values) {
  if (!list.is_list() && !list.is_tuple()) {
    fail("its operands must be a list or a tuple");
    return false;
  }
  for (size_t i = 0; i < list.size(); ++i) {
    if (!values.empty()) out += ", ";
    values.push_back(append_value(out, list[i]));
  }
  return status_.ok();
}

/// Emits with_effects(token, operator, ...), which calls the operator and returns (token,
/// results...). The token orders effects in a graph; statements are always ordered.
void Emitter::emit_with_effects(const Node& node) {
  const bool is_valid = node.num_args() >= 2 && node.arg(1).kind() == ArgumentKind::kFunction;
  const Operator* op = is_valid ? shared_.operators.find(node.arg(1).as_function().op()) : nullptr;
  if (op == nullptr) return fail("its second argument must be an operator");
  std::string token, call;
  Value result;
  const Value token_value = append_value(token, node.arg(0));
  if (!bind(node, *op, 2) || !append_call(call, result, node, *op)) return;
  std::vector<Value> items{token_value};
  if (result.kind == ValueKind::kNone) {
    absl::StrAppend(&body, "    ", call, ";\n");
    call = "at::Tensor()";
    result = {ValueKind::kTensor};
  }
  if (result.kind == ValueKind::kTuple) {
    items.insert(items.end(), result.items->begin(), result.items->end());
    call = absl::StrCat("std::tuple_cat(std::make_tuple(", token, "), ", call, ")");
  } else {
    items.push_back(result);
    call = absl::StrCat("std::make_tuple(", token, ", ", call, ")");
  }
  emit_statement(node, shared_.types.tuple(std::move(items)), call);
}

/// Emits the method of the graph in argument `arg` of the node. Returns false after fail().
bool Emitter::emit_nested_argument(const Node& node, size_t arg, absl::Span<const Value> inputs,
                                   std::string& method, Value& result) {
  const Graph* graph = nested_graph(node, arg);
  if (graph == nullptr) {
    fail(
        fmt::format("argument {} of {} must be a graph", arg, std::string(node.function().name())));
    return false;
  }
  return emit_nested(node, *graph, inputs, method, result);
}

/// Returns the text of a condition.
std::string Emitter::truth(const std::string& text, Value value) {
  if (value.kind == ValueKind::kTensor) return text + ".item<bool>()";
  if (value.kind == ValueKind::kTensors) return text + ".at(0).item<bool>()";
  if (value.kind != ValueKind::kBool) fail("a condition must be a bool or a one-element tensor");
  return text;
}

void Emitter::emit_cond(const Node& node) {
  std::string condition, operands;
  const Value kind = append_value(condition, node.arg(0));
  condition = truth(condition, kind);
  std::vector<Value> inputs;
  if (node.num_args() > 3 && !append_operands(operands, node.arg(3), inputs)) return;
  std::string texts[2];
  Value values[2];
  for (size_t i = 0; i < 2; ++i) {
    std::string method;
    if (!emit_nested_argument(node, i + 1, inputs, method, values[i])) return;
    texts[i] = as_list(absl::StrCat("this->", method, "(", operands, ")"), values[i]);
  }
  if (!(values[0] == values[1])) return fail("its branches return values of different types");
  emit_statement(node, values[0], absl::StrCat(condition, " ? ", texts[0], " : ", texts[1]));
}

/// Emits while_loop, or while_loop_stack_output, which returns the results of all iterations.
void Emitter::emit_while_loop(const Node& node) {
  const bool is_stacked = node.function().name() == "higher_order.while_loop_stack_output";
  std::string start, extra_operands;
  std::vector<Value> inputs, extra;
  if (!append_operands(start, node.arg(2), inputs)) return;
  if (node.num_args() > 3 && !append_operands(extra_operands, node.arg(3), extra)) return;
  const Value carried = shared_.types.aggregate(inputs);
  if (is_stacked && carried.kind != ValueKind::kTensors)
    return fail("while_loop_stack_output must carry tensors");
  std::string self, operands, copies;
  if (is_stacked) {
    self = "fxcpp_values";
  } else {
    append_name(self, node);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string item = carried.kind == ValueKind::kTensors
                                 ? absl::StrCat(self, ".at(", i, ")")
                                 : item_of(carried, self, i);
    absl::StrAppend(&operands, i > 0 ? ", " : "", item);
    absl::StrAppend(&copies, i > 0 ? ", " : "", item,
                    inputs[i].kind == ValueKind::kTensor ? ".clone()" : "");
  }
  if (!extra_operands.empty())
    absl::StrAppend(&operands, operands.empty() ? "" : ", ", extra_operands);
  std::vector<Value> all = inputs;
  all.insert(all.end(), extra.begin(), extra.end());
  std::string test, step;
  Value test_value, step_value;
  if (!emit_nested_argument(node, 0, all, test, test_value)) return;
  if (!emit_nested_argument(node, 1, all, step, step_value)) return;
  const std::string step_text =
      as_list(absl::StrCat("this->", step, "(", operands, ")"), step_value);
  if (!(step_value == carried))
    return fail("the results of the loop's body must have the same types as the carried values");
  const std::string condition = truth(absl::StrCat("this->", test, "(", operands, ")"), test_value);
  if (is_stacked) {
    include("ATen/ops/stack.h");
    shared_.uses_stacked_loop = true;
    constexpr const char* kStart = "[&](const std::vector<at::Tensor>& fxcpp_values) { return ";
    return emit_statement(node, carried,
                          absl::StrCat("fxcpp::stacked_loop({", start, "}, ", kStart, condition,
                                       "; }, ", kStart, step_text, "; })"));
  }
  values_[node] = carried;
  body += "    ";
  append_type(body, carried);
  // A loop that runs zero times returns copies, as in eager mode.
  absl::StrAppend(&body, " ", self, " = {", start, "};\n    if (!", condition, ") { ", self, " = {",
                  copies, "}; } else { do ", self, " = ", step_text, "; while (", condition,
                  "); }");
  emit_end(node);
}

void Emitter::emit_scan(const Node& node) {
  std::string start, sequences, extra_operands;
  std::vector<Value> carried, sequence_values, extra;
  if (!append_operands(start, node.arg(1), carried)) return;
  if (!append_operands(sequences, node.arg(2), sequence_values)) return;
  if (node.num_args() > 3 && !append_operands(extra_operands, node.arg(3), extra)) return;
  std::vector<Value> all = carried;
  all.insert(all.end(), sequence_values.begin(), sequence_values.end());
  if (shared_.types.aggregate(all).kind != ValueKind::kTensors || sequence_values.empty())
    return fail("a scan must carry tensors and iterate over at least one tensor");
  all.insert(all.end(), extra.begin(), extra.end());
  std::string step;
  Value step_value;
  if (!emit_nested_argument(node, 0, all, step, step_value)) return;
  std::string operands;
  for (size_t i = 0; i < carried.size() + sequence_values.size(); ++i)
    absl::StrAppend(&operands, i > 0 ? ", " : "", "fxcpp_values.at(", i, ")");
  if (!extra_operands.empty()) absl::StrAppend(&operands, ", ", extra_operands);
  const std::string text = as_list(absl::StrCat("this->", step, "(", operands, ")"), step_value);
  if (step_value.kind != ValueKind::kTensors) return fail("the body of a scan must return tensors");
  include("ATen/ops/select.h");
  include("ATen/ops/stack.h");
  shared_.uses_scan = true;
  emit_statement(
      node, {ValueKind::kTensors},
      absl::StrCat("fxcpp::scan({", start, "}, {", sequences,
                   "}, [&](const std::vector<at::Tensor>& fxcpp_values) { return ", text, "; })"));
}

bool Emitter::emit_control(const Node& node, std::string_view name) {
  if (!name.starts_with("higher_order.")) return false;
  const auto is = [&](std::string_view base_name) {
    return name.substr(name.find('.') + 1) == base_name && node.num_args() >= 3;
  };
  if (name == "higher_order.with_effects") {
    emit_with_effects(node);
  } else if (is("cond")) {
    emit_cond(node);
  } else if (is("while_loop") || is("while_loop_stack_output")) {
    emit_while_loop(node);
  } else if (is("scan")) {
    emit_scan(node);
  } else {
    const absl::StatusOr<std::optional<GraphCall>> call = graph_call(node);
    if (!call.ok()) {
      fail(std::string(call.status().message()));
    } else if (*call) {
      emit_graph_call(node, **call);
    } else {
      fail(fmt::format("{} cannot be expressed in C++", std::string(name)));
    }
  }
  return true;
}

/// Emits a call to the method of a nested graph, with the modes that the call sets (gradients,
/// autocast).
void Emitter::emit_graph_call(const Node& node, const GraphCall& call) {
  std::string operands, method;
  std::vector<Value> inputs;
  for (size_t i = call.first_operand; i < node.num_args(); ++i) {
    if (!inputs.empty()) operands += ", ";
    inputs.push_back(append_value(operands, node.arg(i)));
  }
  const Graph* graph = nested_graph(node, call.graph);
  if (graph == nullptr) return fail(fmt::format("its argument {} must be a graph", call.graph));
  Value result;
  if (!emit_nested(node, *graph, inputs, method, result)) return;
  std::string guards;
  if (call.grad) {
    include("ATen/core/grad_mode.h");
    guards += fmt::format("const at::AutoGradMode fxcpp_grad({}); ", *call.grad);
  }
  if (const auto& autocast = call.autocast) {
    shared_.uses_autocast = true;
    guards += fmt::format("const fxcpp::Autocast fxcpp_autocast(at::Device(\"{}\").type(), ",
                          device_type_name(autocast->device));
    if (autocast->dtype) {
      append_dtype(guards, *autocast->dtype);
    } else {
      guards += "std::nullopt";
    }
    guards += fmt::format(", {}, {}); ", autocast->enabled,
                          autocast->cache ? (*autocast->cache ? "true" : "false") : "std::nullopt");
  }
  const std::string text = absl::StrCat("this->", method, "(", operands, ")");
  emit_statement(node, result,
                 guards.empty() ? text : absl::StrCat("[&] { ", guards, "return ", text, "; }()"));
}

// ---------------------------------------------------------------- modules

/// Appends the arguments of a call to a module, and returns their types. Moves values without
/// later uses, so that the module frees them after their last use.
std::vector<Value> Emitter::append_module_operands(std::string& operands, const Node& node) {
  std::vector<Value> inputs;
  for (size_t i = 0; i < node.num_args(); ++i) {
    if (i > 0) operands += ", ";
    std::string operand;
    inputs.push_back(append_value(operand, node.arg(i)));
    const Node* input = node.arg(i).node();
    int count = 0;
    node.for_each_input([&](const Node* other) { count += other == input ? 1 : 0; });
    const bool moved =
        count == 1 && inputs.back().kind == ValueKind::kTensor && is_last_use(*input, node);
    absl::StrAppend(&operands, moved ? "std::move(" : "", operand, moved ? ")" : "");
  }
  return inputs;
}

void Emitter::emit_module(const Node& node) {
  const Module* root = shared_.options().root;
  const std::string path = path_ + std::string(node.target());
  const Module* source = root ? root->find_module(path) : nullptr;
  std::unique_ptr<GraphModule> layer;
  const absl::StatusOr<const GraphModule*> module =
      module_graph(graph_.context(), source, path, layer);
  if (!module.ok()) return fail(std::string(module.status().message()));
  if (node.num_kwargs() != 0)
    return fail("keyword arguments of a module cannot be expressed in C++");
  std::string operands;
  const std::vector<Value> inputs = append_module_operands(operands, node);
  // The method belongs to the module's struct if the current struct contains that struct, and
  // otherwise to the current struct.
  Structs& structs = shared_.structs;
  const uint32_t caller_struct = structs.current;
  const uint32_t module_struct = structs.at(path);
  const bool is_nested = structs.contains(caller_struct, module_struct);
  if (is_nested) structs.current = module_struct;
  NestedMethod method;
  const std::string_view name = structs.nested() && is_nested ? "forward" : std::string_view(path);
  const bool is_emitted =
      emit_method({source, &(*module)->graph(), *module, path + ".", path, name}, inputs, method);
  structs.current = caller_struct;
  if (layer) shared_.layers.push_back(std::move(layer));
  if (!is_emitted) return;
  const std::string object =
      structs.access(is_nested ? module_struct : caller_struct, caller_struct);
  emit_statement(node, method.returned, absl::StrCat(object, method.name, "(", operands, ")"));
}

}  // namespace fx::cpp
