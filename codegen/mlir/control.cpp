// Writes nested graphs as regions of torch.prim.If and torch.prim.Loop, or inlines them where they
// are called.
#include "fx/codegen/mlir/text_internal.h"
#include "fx/codegen/mlir/writer_internal.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"

#include "fmt/format.h"

#include <limits>

namespace fx::mlir {

const Graph* Writer::nested_graph(const Node& node, size_t arg) {
  const Graph* graph = nullptr;
  if (arg < node.num_args()) {
    const ArgumentRef value = node.arg(arg);
    if (value.kind() == ArgumentKind::kGraph) graph = &frame_->graph.subgraph(value.as_graph());
    const Value* known = value.is_node() ? find_value(*value.as_node()) : nullptr;
    if (known != nullptr) graph = known->graph;
  }
  if (graph == nullptr)
    fail(absl::StatusCode::kInvalidArgument, fmt::format("argument {} must be a graph", arg));
  return graph;
}

/// Writes the nodes of a nested graph and collects its results.
bool Writer::nested_results(const Node& call, const Graph& graph, absl::Span<const Value> inputs,
                            std::vector<Value>& results) {
  check(check_graph_call(graph, inputs.size(), depth_));
  if (failed()) return false;
  const Node* output = graph.output_node();
  Frame nested(graph, text_of("r", counter_++, "."), frame_);
  nested.inputs = inputs;
  frame_ = &nested;
  ++depth_;
  write_graph(nested);
  if (!failed()) {
    node_ = output;
    collect_results(output->arg(0), results);
  }
  --depth_;
  frame_ = nested.outer;
  node_ = &call;
  location_ = options_.locations ? locations_.of(call) : 0;
  return !failed();
}

/// Collects the operands in a list or tuple.
bool Writer::flatten(ArgumentRef operands, std::vector<Value>& values) {
  if (!operands.is_list() && !operands.is_tuple()) {
    fail(absl::StatusCode::kInvalidArgument, "its operands must be a list or a tuple");
    return false;
  }
  collect_results(operands, values);
  return !failed();
}

bool Writer::result_types(const Node& node, std::vector<const ValueType*>& types) {
  const Type type = node.type();
  if (!type) {
    fail("its type is unknown; infer types first (fxcpp shape)");
    return false;
  }
  if (type.is_tuple() || type.is_list()) {
    for (const Type item : type.items()) types.push_back(type_of(item));
  } else {
    types.push_back(type_of(type));
  }
  return !failed();
}

/// Casts a tensor to a different static type. One of the two types may be less specific.
Value Writer::converted(const Value& value, const ValueType* type) {
  if (value.type == type) return value;
  if (value.kind != ValueKind::kTensor || type->kind != ValueKind::kTensor) {
    fail(fmt::format("a value of type {} cannot be cast to {}", value.type->text, type->text));
    return {};
  }
  return write_simple("cast", "torch.tensor_static_info_cast", {value}, type, " to ");
}

Value Writer::condition(const Value& value) {
  if (value.kind == ValueKind::kTensor)
    return write_simple("bool", "torch.aten.Bool.Tensor", {value}, types_.simple(ValueKind::kBool));
  if (value.kind == ValueKind::kBool || value.kind == ValueKind::kInt ||
      value.kind == ValueKind::kFloat)
    return as_bool(value);
  fail("its condition must be a tensor or a number");
  return {};
}

void Writer::append_types(absl::Span<const Value> values) {
  for (size_t i = 0; i < values.size(); ++i)
    append(body(), i > 0 ? ", " : "", values[i].type->text);
}

void Writer::append_names(absl::Span<const Value> values) {
  for (size_t i = 0; i < values.size(); ++i) append(body(), i > 0 ? ", " : "", values[i].name);
}

/// Wraps the results of one node as multiple values, even if there is only one.
Value Writer::items(std::string_view name, absl::Span<const ValueType* const> types) {
  if (types.size() != 1) return several(name, types);
  items_.push_back(std::make_unique<Value[]>(1));
  items_.back()[0] = {.type = types[0], .name = name, .kind = types[0]->kind};
  return {.items = items_.back().get(), .num_items = 1, .kind = ValueKind::kItems};
}

void Writer::set_results(const Node& node, std::string_view name,
                         absl::Span<const ValueType* const> types) {
  const bool is_list = node.type().is_tuple() || node.type().is_list();
  set_value(node, is_list ? items(name, types) : several(name, types));
}

/// Begins the line of an operation with this number of results. Returns the name of the results.
std::string_view Writer::begin_results(const Node& node, size_t count) {
  const std::string_view name = name_of(node);
  begin_line();
  if (count == 0) return name;
  body() += name;
  if (count > 1) append(body(), ":", count);
  body() += " = ";
  return name;
}

void Writer::write_cond(const Node& node) {
  if (node.num_args() < 3)
    return fail(absl::StatusCode::kInvalidArgument, "it must have two branches");
  const Value test = condition(number(node.arg(0)));
  std::vector<Value> inputs;
  if (failed() || (node.num_args() > 3 && !flatten(node.arg(3), inputs))) return;
  std::vector<const ValueType*> types;
  if (!result_types(node, types)) return;
  const std::string_view name = begin_results(node, types.size());
  append(body(), "torch.prim.If ", test.name, " -> (");
  for (size_t i = 0; i < types.size(); ++i) append(body(), i > 0 ? ", " : "", types[i]->text);
  body() += ") {\n";
  for (size_t branch = 1; branch <= 2; ++branch) {
    const Graph* graph = nested_graph(node, branch);
    std::vector<Value> results;
    indent_ += 2;
    if (failed() || !nested_results(node, *graph, inputs, results)) return;
    if (results.size() != types.size())
      return fail("a branch must return as many values as the call");
    for (size_t i = 0; i < results.size() && !failed(); ++i)
      results[i] = converted(results[i], types[i]);
    if (failed()) return;
    begin_line();
    body() += "torch.prim.If.yield";
    if (!results.empty()) body() += ' ';
    append_names(results);
    if (!results.empty()) body() += " : ";
    append_types(results);
    end_line();
    indent_ -= 2;
    begin_line();
    if (branch == 1) body() += "} else {\n";
  }
  body() += '}';
  end_line();
  set_results(node, name, types);
}

void Writer::write_while_loop(const Node& node) {
  if (node.num_args() < 3) return fail(absl::StatusCode::kInvalidArgument, "it must have operands");
  std::vector<Value> carried, extra;
  if (!flatten(node.arg(2), carried)) return;
  if (node.num_args() > 3 && !flatten(node.arg(3), extra)) return;
  std::vector<const ValueType*> types;
  if (!result_types(node, types)) return;
  if (types.size() != carried.size()) return fail("it must carry as many values as it returns");
  for (size_t i = 0; i < carried.size() && !failed(); ++i)
    carried[i] = converted(carried[i], types[i]);
  const Graph* const test = nested_graph(node, 0);
  const Graph* const step = failed() ? nullptr : nested_graph(node, 1);
  if (failed()) return;
  // Writes the condition that is tested before an iteration.
  const auto test_of = [&](absl::Span<const Value> values) {
    std::vector<Value> inputs(values.begin(), values.end()), results;
    inputs.insert(inputs.end(), extra.begin(), extra.end());
    if (!nested_results(node, *test, inputs, results)) return Value();
    if (results.size() != 1) fail("its condition must return one value");
    return failed() ? Value() : condition(results[0]);
  };
  const Value first = test_of(carried);
  if (failed()) return;
  const Value limit = int_constant(std::numeric_limits<int64_t>::max());
  write_loop(node, limit, first, carried, types,
             [&](const Value&, absl::Span<const Value> values, std::vector<Value>& results) {
               std::vector<Value> inputs(values.begin(), values.end());
               inputs.insert(inputs.end(), extra.begin(), extra.end());
               if (!nested_results(node, *step, inputs, results)) return Value();
               if (results.size() != types.size())
                 fail("its body must return as many values as the call");
               for (size_t i = 0; i < results.size() && !failed(); ++i)
                 results[i] = converted(results[i], types[i]);
               return failed() ? Value() : test_of(results);
             });
}

/// Writes a loop of at most `limit` iterations whose carried values are the results of the node.
/// `step` writes the body: it sets the next values, and returns whether another iteration follows.
void Writer::write_loop(const Node& node, const Value& limit, const Value& first,
                        absl::Span<const Value> carried, absl::Span<const ValueType* const> types,
                        LoopStep step) {
  const std::string_view name = begin_results(node, types.size());
  append(body(), "torch.prim.Loop ", limit.name, ", ", first.name, ", init(");
  append_names(carried);
  body() += ") {\n";
  begin_line();
  const ValueType* const number = types_.simple(ValueKind::kInt);
  const Value count{.type = number, .name = fresh("count"), .kind = ValueKind::kInt};
  append(body(), "^bb0(", count.name, ": !torch.int");
  std::vector<Value> inside, results;
  inside.reserve(types.size());
  for (const ValueType* type : types) {
    inside.push_back({.type = type, .name = fresh("carried"), .kind = type->kind});
    append(body(), ", ", inside.back().name, ": ", type->text);
  }
  body() += "):\n";
  indent_ += 2;
  const Value next = step(count, inside, results);
  if (failed()) return;
  begin_line();
  append(body(), "torch.prim.Loop.condition ", next.name, ", iter(");
  append_names(results);
  if (!results.empty()) body() += " : ";
  append_types(results);
  body() += ')';
  end_line();
  indent_ -= 2;
  begin_line();
  body() += "} : (!torch.int, !torch.bool";
  for (const ValueType* type : types) append(body(), ", ", type->text);
  body() += ") -> (";
  for (size_t i = 0; i < types.size(); ++i) append(body(), i > 0 ? ", " : "", types[i]->text);
  body() += ')';
  end_line();
  set_results(node, name, types);
}

/// Returns the types of the sequences' slices, which lack the first dimension.
std::vector<const ValueType*> Writer::slice_types(absl::Span<const Value> sequences) {
  std::vector<const ValueType*> slices;
  slices.reserve(sequences.size());
  for (const Value& sequence : sequences) {
    const Type type = sequence.node == nullptr ? Type() : sequence.node->type();
    if (!type.is_tensor() || !type.has_rank() || type.rank() == 0) {
      fail("its sequences must be tensors of known rank, which must be at least 1");
      return {};
    }
    slices.push_back(type_of(graph_.context().types().tensor(
        {.dtype = type.dtype(),
         .sizes = DimVector(type.sizes().begin() + 1, type.sizes().end())})));
  }
  return slices;
}

/// Writes a tensor of zeros for the rows of all steps.
Value Writer::write_rows(Type rows, const ValueType* type) {
  if (!rows.is_tensor() || !rows.has_rank() || rows.dtype() == DType::kUndefined) {
    fail("its results must be tensors of known rank and dtype");
    return {};
  }
  const Value sizes = sizes_operand(rows.sizes());
  if (failed()) return {};
  const Value none = none_constant();
  const Value dtype = int_constant(static_cast<int64_t>(rows.dtype()));
  return write_simple("rows", "torch.aten.zeros", {sizes, dtype, none, none, none}, type);
}

/// scan(step, states, sequences, additional inputs) becomes a loop that carries the states and the
/// rows of all steps; each step writes one row. map_impl is a scan without states.
void Writer::write_scan(const Node& node) {
  const size_t first = node.target() == "higher_order.map_impl" ? 1 : 2;
  if (node.num_args() <= first)
    return fail(absl::StatusCode::kInvalidArgument, "it must have operands");
  std::vector<Value> carried, sequences, extra;
  if (first == 2 && !flatten(node.arg(1), carried)) return;
  if (!flatten(node.arg(first), sequences)) return;
  if (node.num_args() > first + 1 && !flatten(node.arg(first + 1), extra)) return;
  std::vector<const ValueType*> types;
  if (!result_types(node, types)) return;
  const size_t num_states = carried.size();
  if (sequences.empty() || types.size() < num_states)
    return fail(absl::StatusCode::kInvalidArgument, "it must have sequences and return its states");
  for (size_t i = 0; i < num_states && !failed(); ++i) carried[i] = converted(carried[i], types[i]);
  const std::vector<const ValueType*> slices = slice_types(sequences);
  if (failed()) return;
  const Graph* const graph = nested_graph(node, 0);
  if (failed()) return;
  for (size_t i = num_states; i < types.size(); ++i) {
    carried.push_back(write_rows(node.type().items()[i], types[i]));
    if (failed()) return;
  }
  const Value limit = size_value(sequences[0].node->type().size(0));
  if (failed()) return;
  write_loop(node, limit, bool_constant(true), carried, types,
             [&](const Value& count, absl::Span<const Value> values, std::vector<Value>& results) {
               const Value dim = int_constant(0);
               std::vector<Value> inputs(values.begin(),
                                         values.begin() + static_cast<int64_t>(num_states));
               for (size_t i = 0; i < sequences.size(); ++i)
                 inputs.push_back(write_simple("row", "torch.aten.select.int",
                                               {sequences[i], dim, count}, slices[i]));
               inputs.insert(inputs.end(), extra.begin(), extra.end());
               if (!nested_results(node, *graph, inputs, results)) return Value();
               if (results.size() != types.size())
                 fail("its body must return as many values as the call");
               for (size_t i = 0; i < results.size() && !failed(); ++i) {
                 const bool is_state = i < num_states;
                 if (!is_state && results[i].kind != ValueKind::kTensor)
                   fail("its rows must be tensors");
                 if (failed()) break;
                 results[i] = is_state
                                  ? converted(results[i], types[i])
                                  : write_simple("rows", "torch.aten.select_scatter",
                                                 {values[i], results[i], dim, count}, types[i]);
               }
               return bool_constant(true);
             });
}

/// Writes a call that runs one graph once, by inlining its nodes.
void Writer::write_graph_call(const Node& node) {
  const absl::StatusOr<GraphCall> call = inlined_graph_call(node);
  if (!call.ok()) return check(call.status());
  const Graph* graph = nested_graph(node, call->graph);
  std::vector<Value> inputs, results;
  for (size_t i = call->first_operand; i < node.num_args() && !failed(); ++i)
    collect_results(node.arg(i), inputs);
  if (failed() || !nested_results(node, *graph, inputs, results)) return;
  const ArgumentRef returned = graph->output_node()->arg(0);
  if (!is_aggregate(returned.kind()) && results.size() == 1) return set_value(node, results[0]);
  items_.push_back(std::make_unique<Value[]>(results.size()));
  std::ranges::copy(results, items_.back().get());
  set_value(node, {.items = items_.back().get(),
                   .num_items = static_cast<uint32_t>(results.size()),
                   .kind = ValueKind::kItems});
}

/// with_effects(token, operator, ...) calls the operator and returns (token, results...). The token
/// orders effects in a graph; in MLIR, operations with effects are always ordered.
void Writer::write_with_effects(const Node& node) {
  const bool is_valid = node.num_args() >= 2 && node.arg(1).kind() == ArgumentKind::kFunction;
  const ops::OpInfo* info = is_valid ? node.arg(1).as_function().op() : nullptr;
  if (info == nullptr || info->is_function())
    return fail(absl::StatusCode::kInvalidArgument, "its second argument must be an operator");
  const Type type = node.type();
  Type result_type;  // of the operator: the results after the token
  if ((type.is_tuple() || type.is_list()) && type.items().size() == 2)
    result_type = type.items()[1];
  if (info->schema().returns().size() > 1)
    return fail("an operator with effects and multiple results is not supported");
  const Value result = call(node, operator_of(*info), 2, result_type);
  if (failed()) return;
  items_.push_back(std::make_unique<Value[]>(2));
  items_.back()[0] = none_constant();
  items_.back()[1] = result.kind == ValueKind::kUnset ? none_constant() : result;
  set_value(node, {.items = items_.back().get(), .num_items = 2, .kind = ValueKind::kItems});
}

}  // namespace fx::mlir
