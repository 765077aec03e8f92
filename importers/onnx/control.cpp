// Writes nested graphs: as attributes of If, Loop and Scan, or inlined in place of the call.
#include "fx/importers/onnx/writer_internal.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"

#include "fmt/format.h"

namespace fx::onnx {

const Graph* Writer::nested_graph(const Node& node, size_t arg) {
  const Graph* graph = nullptr;
  if (arg < node.num_args()) {
    const ArgumentRef value = node.arg(arg);
    if (value.kind() == ArgumentKind::kGraph) graph = &frame_->graph.subgraph(value.as_graph());
    if (value.is_node()) graph = value_of(*value.as_node()).graph;
  }
  if (graph == nullptr)
    fail(absl::StatusCode::kInvalidArgument, fmt::format("argument {} must be a graph", arg));
  return graph;
}

/// Appends the values in an argument to `values`. Flattens lists, tuples and calls with multiple
/// results. Returns false on error.
bool Writer::collect(ArgumentRef operands, std::vector<NodeValue>& values) {
  if (failed()) return false;
  if (is_aggregate(operands.kind())) {
    if (operands.kind() == ArgumentKind::kSlice || operands.kind() == ArgumentKind::kRange) {
      fail(fmt::format("an argument of kind {} cannot be expressed in ONNX",
                       argument_kind_name(operands.kind())));
      return false;
    }
    for (size_t i = 0; i < operands.size(); ++i) collect(operands[i], values);
    return !failed();
  }
  if (operands.is_none()) {
    values.push_back({.kind = NodeValue::kNone});
    return true;
  }
  if (!operands.is_node()) {
    const Value constant = number(operands);
    Type type = graph_.context().types().integer();
    if (constant.dtype == DType::kFloat64) type = graph_.context().types().floating();
    if (constant.dtype == DType::kBool) type = graph_.context().types().boolean();
    values.push_back({.kind = NodeValue::kTensor, .value = constant, .type = type});
    return !failed();
  }
  const NodeValue& value = value_of(*operands.as_node());
  if (value.kind == NodeValue::kItems) {
    for (const NodeValue& item : value.items) values.push_back(item);
  } else if (value.kind == NodeValue::kGraph) {
    fail("a graph cannot be an operand in ONNX");
  } else {
    values.push_back(value);
  }
  return !failed();
}

bool Writer::flatten(ArgumentRef operands, std::vector<Value>& values) {
  std::vector<NodeValue> all;
  if (!collect(operands, all)) return false;
  for (const NodeValue& value : all) {
    if (value.kind != NodeValue::kTensor) {
      fail("every operand must be a tensor or a number");
      return false;
    }
    values.push_back(value.value);
  }
  return true;
}

/// Writes the nodes of a nested graph and appends its results to `results`. Returns false after an
/// error.
bool Writer::nested_results(const Node& call, const Graph& graph,
                            absl::Span<const NodeValue> inputs, std::vector<Value>& results) {
  check(check_graph_call(graph, inputs.size(), depth_));
  if (failed()) return false;
  const Node* output = graph.output_node();
  const size_t errors = errors_.size();
  Frame nested(graph, fmt::format("{}/{}/", name_of(call), counter_++), frame_);
  nested.inputs = inputs;
  frame_ = &nested;
  ++depth_;
  write_graph(nested);
  node_ = output;
  begin_ = nodes_->size();
  std::vector<NodeValue> all;
  if (errors_.size() == errors) collect(output->arg(0), all);
  --depth_;
  frame_ = nested.outer;
  node_ = &call;
  begin_ = nodes_->size();
  if (errors_.size() > errors) fail("its graph cannot be converted");
  for (const NodeValue& value : all) {
    if (value.kind == NodeValue::kError) fail("its graph cannot be converted");
    if (value.kind == NodeValue::kTensor) results.push_back(value.value);
  }
  return !failed();
}

std::vector<Type> Writer::result_types(const Node& node) {
  const Type type = node.type();
  if (!type)
    fail(absl::StatusCode::kFailedPrecondition,
         "its type is unknown; infer types first (fxcpp shape)");
  std::vector<Type> types;
  if (type.is_tuple() || type.is_list()) {
    for (const Type item : type.items())
      if (!item.is_none()) types.push_back(item);
  } else {
    types.push_back(type);
  }
  return types;
}

Value Writer::condition(const Value& value) {
  const Value test = cast(value, DType::kBool);
  return test;
}

/// Declares an output of a graph attribute. Adds an Identity, because outputs of nested graphs must
/// be distinct values.
void Writer::add_subgraph_output(GraphProto& graph, const Value& value, Type type) {
  const Value copy = emit("Identity", {value}, {}, value.dtype);
  if (failed()) return;
  nodes_->back().name = copy.name;
  graph.outputs.push_back(value_info(copy.name, type, copy.dtype));
}

/// Returns a graph with the nodes that `body` adds.
template <class Body>
std::unique_ptr<GraphProto> Writer::subgraph(std::string_view name, Body&& body) {
  auto graph = std::make_unique<GraphProto>();
  graph->name = name;
  GraphProto* const proto = std::exchange(proto_, graph.get());
  std::deque<NodeProto>* const nodes = std::exchange(nodes_, &graph->nodes);
  const size_t begin = std::exchange(begin_, 0);
  body(*graph);
  proto_ = proto;
  nodes_ = nodes;
  begin_ = begin;
  return graph;
}

/// Adds a node for a call. Its outputs, one for each type, become the value of the call.
void Writer::finish_structured(const Node& node, NodeProto proto, absl::Span<const Type> types) {
  if (failed()) return;
  NodeValue all{.kind = NodeValue::kItems};
  const bool is_list = node.type().is_tuple() || node.type().is_list();
  for (size_t i = 0; i < types.size(); ++i) {
    const DType dtype = types[i].is_tensor()                  ? types[i].dtype()
                        : types[i].kind() == TypeKind::kFloat ? DType::kFloat64
                        : types[i].kind() == TypeKind::kBool  ? DType::kBool
                                                              : DType::kInt64;
    const std::string_view name =
        model_.keep(is_list ? fmt::format("{}:{}", name_of(node), i) : name_of(node));
    proto.outputs.push_back(name);
    if (options_.metadata) proto_->values.push_back(value_info(name, types[i], dtype));
    all.items.push_back(
        {.kind = NodeValue::kTensor, .value = {.name = name, .dtype = dtype}, .type = types[i]});
  }
  nodes_->push_back(std::move(proto));
  set_value(node, is_list ? std::move(all) : std::move(all.items[0]));
}

void Writer::write_cond(const Node& node) {
  if (node.num_args() < 3)
    return fail(absl::StatusCode::kInvalidArgument, "it must have two branches");
  const Value test = condition(number(node.arg(0)));
  const std::vector<Type> types = result_types(node);
  std::vector<NodeValue> inputs;
  if (failed() || (node.num_args() > 3 && !collect(node.arg(3), inputs))) return;
  NodeProto proto_node{.inputs = {test.name}, .op_type = "If"};
  for (size_t branch = 1; branch <= 2; ++branch) {
    const Graph* graph = nested_graph(node, branch);
    if (failed()) return;
    const std::string_view name = branch == 1 ? "then_branch" : "else_branch";
    std::unique_ptr<GraphProto> body = subgraph(name, [&](GraphProto& proto) {
      std::vector<Value> results;
      if (!nested_results(node, *graph, inputs, results)) return;
      if (results.size() != types.size())
        return fail("a branch must return as many values as the call");
      for (size_t i = 0; i < results.size(); ++i) add_subgraph_output(proto, results[i], types[i]);
    });
    proto_node.attributes.push_back({name, std::move(body)});
  }
  finish_structured(node, std::move(proto_node), types);
}

/// The parts of a call to while_loop, or to while_loop_stack_output, which returns the carried
/// values of all steps.
struct Writer::WhileLoop {
  const Node& node;
  bool is_stacked;
  std::vector<Type> types = {};  // of the results
  std::vector<Value> carried = {};
  std::vector<NodeValue> additional_inputs = {};
  const Graph* test = nullptr;
  const Graph* step = nullptr;

  /// The inputs of both graphs for these carried values.
  std::vector<NodeValue> inputs(absl::Span<const Value> values) const {
    std::vector<NodeValue> inputs;
    for (const Value& value : values)
      inputs.push_back({.kind = NodeValue::kTensor, .value = value});
    inputs.insert(inputs.end(), additional_inputs.begin(), additional_inputs.end());
    return inputs;
  }
};

/// Evaluates the condition before an iteration with these carried values.
Value Writer::loop_condition(const WhileLoop& loop, absl::Span<const Value> values) {
  std::vector<Value> results;
  if (!nested_results(loop.node, *loop.test, loop.inputs(values), results)) return {};
  if (results.size() != 1) fail("its condition must return one value");
  return failed() ? Value() : condition(results[0]);
}

void Writer::write_loop_body(const WhileLoop& loop, GraphProto& proto) {
  proto.inputs.push_back({.name = unique_name(), .type = DataType::kInt64});
  proto.inputs.push_back({.name = unique_name(), .type = DataType::kBool});
  const auto type_of = [&](size_t i) { return loop.is_stacked ? Type() : loop.types[i]; };
  std::vector<Value> values, results;
  for (size_t i = 0; i < loop.carried.size(); ++i) {
    values.push_back({.name = unique_name(), .dtype = loop.carried[i].dtype});
    proto.inputs.push_back(value_info(values[i].name, type_of(i), values[i].dtype));
  }
  if (!nested_results(loop.node, *loop.step, loop.inputs(values), results)) return;
  if (results.size() != loop.types.size())
    return fail("its body must return as many values as the call");
  for (size_t i = 0; i < results.size(); ++i) results[i] = cast(results[i], loop.carried[i].dtype);
  add_subgraph_output(proto, loop_condition(loop, results), Type());
  if (failed()) return;
  proto.outputs.back().dims.clear();
  proto.outputs.back().has_rank = true;
  for (size_t i = 0; i < results.size(); ++i) add_subgraph_output(proto, results[i], type_of(i));
  for (size_t i = 0; loop.is_stacked && i < results.size(); ++i)
    add_subgraph_output(proto, results[i], Type());
}

void Writer::write_while_loop(const Node& node) {
  if (node.num_args() < 3) return fail(absl::StatusCode::kInvalidArgument, "it must have operands");
  WhileLoop loop{.node = node,
                 .is_stacked = node.target() == "higher_order.while_loop_stack_output"};
  loop.types = result_types(node);
  if (failed() || !flatten(node.arg(2), loop.carried)) return;
  if (node.num_args() > 3 && !collect(node.arg(3), loop.additional_inputs)) return;
  if (loop.types.size() != loop.carried.size())
    return fail("it must carry as many values as it returns");
  loop.test = nested_graph(node, 0);
  if (!failed()) loop.step = nested_graph(node, 1);
  if (failed()) return;
  const Value first = loop_condition(loop, loop.carried);
  if (failed()) return;
  const auto loop_node = [&] {
    NodeProto proto_node{.inputs = {"", first.name}, .op_type = "Loop"};
    for (const Value& value : loop.carried) proto_node.inputs.push_back(value.name);
    proto_node.attributes.push_back(
        {"body", subgraph("body", [&](GraphProto& proto) { write_loop_body(loop, proto); })});
    return proto_node;
  };
  if (!loop.is_stacked) return finish_structured(node, loop_node(), loop.types);
  // If the loop has no steps, the call returns the carried values as one row, but Loop returns no
  // rows.
  const size_t count = loop.carried.size();
  std::unique_ptr<GraphProto> with_steps = subgraph("then_branch", [&](GraphProto& proto) {
    NodeProto proto_node = loop_node();
    for (size_t i = 0; i < 2 * count; ++i) proto_node.outputs.push_back(unique_name());
    const auto outputs = proto_node.outputs;  // the last values, then all values
    if (failed()) return;
    nodes_->push_back(std::move(proto_node));
    for (size_t i = 0; i < count; ++i) {
      const Value rows{.name = outputs[count + i], .dtype = loop.carried[i].dtype};
      add_subgraph_output(proto, rows, loop.types[i]);
    }
  });
  std::unique_ptr<GraphProto> without_steps = subgraph("else_branch", [&](GraphProto& proto) {
    for (size_t i = 0; i < count && !failed(); ++i) {
      const Value& value = loop.carried[i];
      const Value row = emit("Unsqueeze", {value, ints({0})}, {}, value.dtype);
      add_subgraph_output(proto, row, loop.types[i]);
    }
  });
  NodeProto choice{.inputs = {first.name}, .op_type = "If"};
  choice.attributes.push_back({"then_branch", std::move(with_steps)});
  choice.attributes.push_back({"else_branch", std::move(without_steps)});
  finish_structured(node, std::move(choice), loop.types);
}

/// scan(combine, init, xs, additional). ONNX's Scan has the same structure: states, and slices
/// along the first dimension.
void Writer::write_scan(const Node& node) {
  if (node.num_args() < 3) return fail(absl::StatusCode::kInvalidArgument, "it must have operands");
  const std::vector<Type> types = result_types(node);
  std::vector<Value> state, slices;
  std::vector<NodeValue> additional_inputs;
  if (failed() || !flatten(node.arg(1), state) || !flatten(node.arg(2), slices)) return;
  if (node.num_args() > 3 && !collect(node.arg(3), additional_inputs)) return;
  const Graph* const graph = nested_graph(node, 0);
  if (failed()) return;
  NodeProto proto_node{.op_type = "Scan"};
  for (const Value& value : state) proto_node.inputs.push_back(value.name);
  for (const Value& value : slices) proto_node.inputs.push_back(value.name);
  std::unique_ptr<GraphProto> body = subgraph("body", [&](GraphProto& proto) {
    std::vector<NodeValue> inputs;
    for (const bool is_slice : {false, true}) {
      for (const Value& operand : is_slice ? slices : state) {
        const Value value{.name = unique_name(), .dtype = operand.dtype};
        ValueInfoProto& input = proto.inputs.emplace_back();
        input.name = value.name;
        input.type = data_type(value.dtype);
        input.has_rank = false;
        inputs.push_back({.kind = NodeValue::kTensor, .value = value});
      }
    }
    inputs.insert(inputs.end(), additional_inputs.begin(), additional_inputs.end());
    std::vector<Value> results;
    if (!nested_results(node, *graph, inputs, results)) return;
    if (results.size() != types.size())
      return fail("its body must return as many values as the call");
    for (const Value& result : results) add_subgraph_output(proto, result, Type());
    for (ValueInfoProto& output : proto.outputs) output.has_rank = false;
  });
  proto_node.attributes.push_back({"body", std::move(body)});
  proto_node.attributes.push_back({"num_scan_inputs", static_cast<int64_t>(slices.size())});
  finish_structured(node, std::move(proto_node), types);
}

/// Inlines a call that runs one graph once.
void Writer::write_graph_call(const Node& node) {
  const absl::StatusOr<GraphCall> call = inlined_graph_call(node);
  if (!call.ok()) return check(call.status());
  const Graph* graph = nested_graph(node, call->graph);
  std::vector<NodeValue> inputs;
  for (size_t i = call->first_operand; i < node.num_args() && !failed(); ++i)
    collect(node.arg(i), inputs);
  std::vector<Value> results;
  if (failed() || !nested_results(node, *graph, inputs, results)) return;
  const ArgumentRef returned = graph->output_node()->arg(0);
  if (!is_aggregate(returned.kind()) && results.size() == 1) {
    return set_value(node, {.kind = NodeValue::kTensor, .value = results[0]});
  }
  NodeValue all{.kind = NodeValue::kItems};
  for (const Value& result : results)
    all.items.push_back({.kind = NodeValue::kTensor, .value = result});
  set_value(node, std::move(all));
}

}  // namespace fx::onnx
