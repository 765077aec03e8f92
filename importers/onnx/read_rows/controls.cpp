// Control flow: If, Loop and Scan become calls to nested graphs.
#include "fx/importers/onnx/read_rows/rows_internal.h"
#include "fx/ir/graph/context.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx::onnx::reader {
namespace {

/// The maximum number of iterations for which a loop is unrolled. The number must be known.
constexpr int64_t kMaxIterations = 64;

/// A nested graph that is being built.
struct Nested {
  explicit Nested(Call& c) : graph(std::make_unique<Graph>(c.context())) {
    frame.outer = &c.frame();
    frame.graph = graph.get();
  }
  std::unique_ptr<Graph> graph;
  Frame frame;
  std::vector<Node*> inputs;  // the placeholders that are not captured values

  /// Adds a placeholder of this type, and returns its value.
  Value& input(Call& c, Type type) {
    Value& value = c.reader().new_value();
    value.kind = Value::kTensor;
    value.frame = &frame;
    value.node = graph->placeholder("x", {.type = type});
    value.node->set_target(value.node->name());
    inputs.push_back(value.node);
    return value;
  }
};

/// Reads a nested graph and returns the nodes of its results, or an empty vector on error.
std::vector<Node*> read_results(Call& c, const GraphProto& proto, Nested& nested,
                                absl::Span<Value* const> inputs) {
  if (c.failed()) return {};
  const auto values = c.reader().read_nested(proto, nested.frame, inputs);
  if (!values.ok()) {
    c.fail(values.status());
    return {};
  }
  std::vector<Node*> results;
  for (Value* const value : *values) {
    const absl::StatusOr<Node*> node = c.reader().node_in(nested.frame, *value);
    if (!node.ok()) {
      c.fail(node.status());
      return {};
    }
    results.push_back(*node);
  }
  return results;
}

/// Extends the inputs of each graph with all values of the enclosing graph that any of the graphs
/// use, so that all graphs accept the same list of operands. Returns these values.
std::vector<Argument> unify_captures(Call& c, absl::Span<Nested* const> graphs) {
  std::vector<Value*> values;
  std::vector<Argument> operands;
  for (Nested* const nested : graphs) {
    for (const Frame::Capture& capture : nested->frame.captures) {
      if (std::ranges::find(values, capture.value) != values.end()) continue;
      values.push_back(capture.value);
      operands.emplace_back(capture.outer);
    }
  }
  for (Nested* const nested : graphs) {
    for (Value* const value : values) {
      const absl::StatusOr<Node*> node = c.reader().node_in(nested->frame, *value);
      if (!node.ok()) {
        c.fail(node.status());
        return operands;
      }
    }
    // Order the placeholders: first the inputs of the graph, then the captured values.
    Node* last = nullptr;
    std::vector<Node*> order = nested->inputs;
    for (Value* const value : values) order.push_back(nested->frame.captured.at(value));
    for (Node* const node : order) {
      const absl::Status status =
          last == nullptr ? node->move_before(*nested->graph->front()) : node->move_after(*last);
      if (!status.ok() && last != nullptr) c.fail(status);
      last = node;
    }
  }
  return operands;
}

Argument tuple_of(absl::Span<Node* const> nodes) {
  const std::vector<Argument> items(nodes.begin(), nodes.end());
  return Argument::tuple(items);
}

/// Adds a nested graph to the enclosing graph, and returns a reference to it.
Argument add_graph(Call& c, std::string_view base, Nested& nested) {
  if (c.failed()) return {};
  std::string name(base);
  for (int i = 0; c.graph().find_subgraph(name) != nullptr; ++i)
    name = fmt::format("{}_{}", base, i);
  const absl::StatusOr<uint32_t> index = c.graph().add_subgraph(name, std::move(nested.graph));
  if (index.ok()) return Argument::graph(*index);
  c.fail(index.status());
  return {};
}

/// Calls an operator with nested graphs, and returns its results.
std::vector<Val> call_graphs(Call& c, std::string_view target, absl::Span<const Argument> args,
                             absl::Span<const Type> types) {
  const Val all = c.op(target, args);
  std::vector<Val> items;
  if (c.failed()) return items;
  if (std::ranges::all_of(types, [](Type type) { return static_cast<bool>(type); }))
    all.node->set_type(c.context().types().tuple(types));
  for (size_t i = 0; i < types.size(); ++i) {
    items.push_back(c.item(all, static_cast<int64_t>(i)));
    if (items.back()) items.back().node->set_type(types[i]);
  }
  return items;
}

std::vector<Type> types_of(absl::Span<Node* const> nodes) {
  std::vector<Type> types;
  for (const Node* node : nodes) types.push_back(node->type());
  return types;
}

std::optional<bool> constant_bool(const Value& value) {
  if (!value.constant.defined() || value.constant.dtype() != DType::kBool ||
      value.constant.num_elements() != 1)
    return std::nullopt;
  return value.constant.element(0).as_bool();
}

/// Returns a condition as a 0-dimensional tensor.
Val condition(Call& c, size_t i) {
  const Val value = c.in(i);
  return c.rank(value) == 0 ? value : c.reshape(value, {});
}

// ---------------------------------------------------------------- If

void if_row(Call& c) {
  const GraphProto* const then_branch = c.graph_attribute("then_branch");
  const GraphProto* const else_branch = c.graph_attribute("else_branch");
  if (c.failed()) return;
  if (const std::optional<bool> known = constant_bool(c.value(0))) {
    const auto values = c.reader().read_nested(*known ? *then_branch : *else_branch, c.frame(), {});
    if (!values.ok()) return c.fail(values.status());
    for (size_t i = 0; i < values->size(); ++i) c.result_same(i, *(*values)[i]);
    return;
  }
  const Val test = condition(c, 0);
  Nested first(c), second(c);
  const std::vector<Node*> a = read_results(c, *then_branch, first, {});
  const std::vector<Node*> b = read_results(c, *else_branch, second, {});
  if (c.failed()) return;
  if (a.size() != b.size() || a.size() != c.num_outputs())
    return c.fail_invalid("its branches must have as many outputs as the node");
  const std::vector<Argument> operands = unify_captures(c, {&first, &second});
  first.graph->output(tuple_of(a));
  second.graph->output(tuple_of(b));
  std::vector<Type> types;
  types.reserve(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    types.push_back(a[i]->type() == b[i]->type() ? a[i]->type() : Type());
  const Argument graphs[] = {add_graph(c, "true_graph", first),
                             add_graph(c, "false_graph", second)};
  const std::vector<Val> results = call_graphs(
      c, "higher_order.cond", {test, graphs[0], graphs[1], Argument::tuple(operands)}, types);
  for (size_t i = 0; i < results.size(); ++i) c.result(i, results[i]);
}

// ---------------------------------------------------------------- Loop

Value& tensor_value(Call& c, Val value) {
  Value& created = c.reader().new_value();
  created.kind = Value::kTensor;
  created.frame = &c.frame();
  created.node = value.node;
  return created;
}

/// Repeats the body. The condition of each iteration must be known.
bool unroll(Call& c, const GraphProto& body, int64_t count) {
  const size_t num_carried = c.num_inputs() - 2;
  std::vector<Value*> carried;
  carried.reserve(num_carried);
  for (size_t i = 0; i < num_carried; ++i) carried.push_back(&c.value(i + 2));
  const size_t num_results = body.outputs.size() - 1;
  std::vector<std::vector<Val>> rows(num_results - num_carried);
  const absl::StatusOr<Tensor> yes = Tensor::from_elements(DType::kBool, {}, {Argument(true)});
  if (!yes.ok()) c.fail(yes.status());
  for (int64_t step = 0; step < count && !c.failed(); ++step) {
    absl::StatusOr<Tensor> number = Tensor::of<int64_t>({}, {step});
    if (!number.ok()) c.fail(number.status());
    if (c.failed()) break;
    std::vector<Value*> inputs = {&c.reader().constant_value(*number),
                                  &c.reader().constant_value(*yes)};
    inputs.insert(inputs.end(), carried.begin(), carried.end());
    const auto results = c.reader().read_nested(body, c.frame(), inputs);
    if (!results.ok()) {
      c.fail(results.status());
      break;
    }
    const std::optional<bool> continues = constant_bool(*(*results)[0]);
    if (!continues) {
      c.fail(
          "the condition of a loop must be known if the loop returns values from each iteration");
      break;
    }
    carried.assign(results->begin() + 1,
                   results->begin() + 1 + static_cast<std::ptrdiff_t>(num_carried));
    for (size_t k = 0; k < rows.size(); ++k) {
      const auto node = c.reader().node_in(c.frame(), *(*results)[1 + num_carried + k]);
      if (!node.ok()) c.fail(node.status());
      if (!c.failed()) rows[k].push_back({*node});
    }
    if (!*continues) break;
  }
  if (c.failed()) return true;
  for (size_t i = 0; i < num_carried; ++i) c.result_same(i, *carried[i]);
  for (size_t k = 0; k < rows.size(); ++k) {
    if (!c.has_output(num_carried + k)) continue;
    if (rows[k].empty()) {
      c.fail("the sizes of the results of a loop with no iterations are unknown");
      return true;
    }
    c.result(num_carried + k, c.op("aten.stack.default", {c.list(rows[k])}));
  }
  return true;
}

/// Calls while_loop, which carries the index of the iteration, the condition and the values.
void while_loop(Call& c, const GraphProto& body) {
  const size_t num_carried = c.num_inputs() - 2;
  if (body.outputs.size() != num_carried + 1)
    return c.fail(
        "a loop that returns values from each iteration must have a constant number of iterations, "
        "at most 64");
  const Val start = c.scalar_int(0, DType::kInt64);
  const absl::StatusOr<Tensor> yes = Tensor::from_elements(DType::kBool, {}, {Argument(true)});
  if (!yes.ok()) return c.fail(yes.status());
  const Val first = c.has(1) ? condition(c, 1) : c.constant(*yes);
  std::vector<Val> carried = {start, first};
  for (size_t i = 0; i < num_carried; ++i) carried.push_back(c.in(i + 2));
  if (c.failed()) return;
  Nested test(c), step(c);
  std::vector<Value*> test_values, step_values;
  std::vector<Type> types;
  for (const Val value : carried) {
    types.push_back(c.type(value));
    test_values.push_back(&test.input(c, types.back()));
    step_values.push_back(&step.input(c, types.back()));
  }
  if (c.failed()) return;
  const auto call = [&](Nested& nested, std::string_view target,
                        std::initializer_list<Argument> args) -> Node* {
    const auto node = c.reader().add_call(
        nested.frame, target, absl::Span<const Argument>(args.begin(), args.size()), {});
    if (!node.ok()) c.fail(node.status());
    return node.ok() ? *node : nullptr;
  };
  Node* holds = test_values[1]->node;
  if (c.has(0)) {
    Value& limit = tensor_value(c, condition(c, 0));
    if (c.failed()) return;
    const auto limit_node = c.reader().node_in(test.frame, limit);
    if (!limit_node.ok()) return c.fail(limit_node.status());
    Node* const is_less = call(test, "aten.lt.Tensor", {test_values[0]->node, *limit_node});
    if (c.failed()) return;
    holds = call(test, "aten.logical_and.default", {is_less, holds});
  }
  std::vector<Node*> results = read_results(c, body, step, step_values);
  if (c.failed()) return;
  Node* const next = call(step, "aten.add.Tensor", {step_values[0]->node, 1});
  if (c.failed()) return;
  results.insert(results.begin(), next);
  if (results[1]->type().is_tensor() && results[1]->type().rank() != 0)
    results[1] = call(step, "aten.reshape.default", {results[1], Argument::ints({})});
  if (c.failed()) return;
  const std::vector<Argument> operands = unify_captures(c, {&test, &step});
  test.graph->output(Argument(holds));
  step.graph->output(tuple_of(results));
  const Argument graphs[] = {add_graph(c, "cond_graph", test), add_graph(c, "body_graph", step)};
  const std::vector<Val> all = call_graphs(
      c, "higher_order.while_loop",
      {graphs[0], graphs[1], Argument::tuple(std::vector<Argument>(carried.begin(), carried.end())),
       Argument::tuple(operands)},
      types);
  for (size_t i = 2; i < all.size(); ++i) c.result(i - 2, all[i]);
}

void loop(Call& c) {
  const GraphProto* const body = c.graph_attribute("body");
  if (c.failed()) return;
  if (c.num_inputs() < 2 || body->inputs.size() != c.num_inputs() ||
      body->outputs.size() + 1 < c.num_inputs())
    return c.fail_invalid("the numbers of inputs and outputs of its body do not match the node");
  const auto count = c.has(0) ? c.constant_ints(0) : std::nullopt;
  const std::optional<bool> starts = c.has(1) ? constant_bool(c.value(1)) : std::optional(true);
  const bool is_counted = count && count->size() == 1 && (*count)[0] <= kMaxIterations && starts;
  const bool has_rows = body->outputs.size() + 1 > c.num_inputs();
  const bool has_sequence = [&] {
    for (size_t i = 2; i < c.num_inputs(); ++i)
      if (c.value(i).kind == Value::kSequence) return true;
    return false;
  }();
  if (is_counted && (has_rows || has_sequence)) {
    unroll(c, *body, *starts ? (*count)[0] : 0);
    return;
  }
  while_loop(c, *body);
}

// ---------------------------------------------------------------- Scan

void scan(Call& c) {
  const GraphProto* const body = c.graph_attribute("body");
  const int64_t num_scanned = c.integer("num_scan_inputs", 0);
  if (c.failed()) return;
  if (c.opset() < 9) return c.fail("Scan in opset 8 is not supported");
  const auto total = static_cast<int64_t>(c.num_inputs());
  const int64_t num_states = total - num_scanned;
  const int64_t num_rows = static_cast<int64_t>(body->outputs.size()) - num_states;
  if (num_scanned <= 0 || num_states < 0 || num_rows < 0 ||
      static_cast<int64_t>(body->inputs.size()) != total)
    return c.fail_invalid(
        "num_scan_inputs and the numbers of inputs and outputs of its body do not match the node");
  const auto attribute = [&](std::string_view name, int64_t count) {
    return spatial(c, name, static_cast<size_t>(count), 0);
  };
  const Ints axes = attribute("scan_input_axes", num_scanned);
  const Ints directions = attribute("scan_input_directions", num_scanned);
  const Ints out_axes = attribute("scan_output_axes", num_rows);
  const Ints out_directions = attribute("scan_output_directions", num_rows);
  if (c.failed()) return;
  std::vector<Val> states, sequences;
  Nested step(c);
  std::vector<Value*> inputs;
  for (int64_t i = 0; i < num_states; ++i) {
    states.push_back(c.in(static_cast<size_t>(i)));
    inputs.push_back(&step.input(c, c.type(states.back())));
  }
  for (int64_t i = 0; i < num_scanned && !c.failed(); ++i) {
    Val xs = c.in(static_cast<size_t>(num_states + i));
    const auto at = static_cast<size_t>(i);
    const int64_t axis = c.axis(axes[at], c.rank(xs));
    if (axis != 0) xs = c.op("aten.movedim.int", {xs, axis, 0});
    if (directions[at] != 0) xs = c.op("aten.flip.default", {xs, c.dims({0})});
    sequences.push_back(xs);
    const Val slice = c.op("aten.select.int", {xs, 0, 0});  // only its type is used
    if (c.failed()) return;
    inputs.push_back(
        &step.input(c, c.context().types().tensor(
                           {.dtype = c.dtype(slice), .sizes = slice.node->type().sizes()})));
  }
  const std::vector<Node*> results = read_results(c, *body, step, inputs);
  if (c.failed()) return;
  const std::vector<Argument> operands = unify_captures(c, {&step});
  step.graph->output(tuple_of(results));
  std::vector<Type> types = types_of(results);
  const Dim count = c.dim(sequences[0], 0);
  for (size_t i = static_cast<size_t>(num_states); i < types.size(); ++i) {
    if (!types[i].is_tensor() || !types[i].has_rank()) continue;
    DimVector sizes = {count};
    sizes.insert(sizes.end(), types[i].sizes().begin(), types[i].sizes().end());
    types[i] = c.context().types().tensor({.dtype = types[i].dtype(), .sizes = sizes});
  }
  const Argument graph = add_graph(c, "scan_graph", step);
  const std::vector<Val> all =
      call_graphs(c, "higher_order.scan",
                  {graph, Argument::tuple(std::vector<Argument>(states.begin(), states.end())),
                   Argument::tuple(std::vector<Argument>(sequences.begin(), sequences.end())),
                   Argument::tuple(operands)},
                  types);
  for (size_t i = 0; i < all.size() && !c.failed(); ++i) {
    Val value = all[i];
    const auto row = static_cast<int64_t>(i) - num_states;
    if (row >= 0) {
      const auto at = static_cast<size_t>(row);
      if (out_directions[at] != 0) value = c.op("aten.flip.default", {value, c.dims({0})});
      const int64_t axis = c.axis(out_axes[at], c.rank(value));
      if (axis != 0) value = c.op("aten.movedim.int", {value, 0, axis});
    }
    c.result(i, value);
  }
}

}  // namespace

absl::Span<const Row> control_rows() {
  static constexpr Row kRows[] = {
      {"If", if_row},
      {"Loop", loop},
      {"Scan", scan, 8},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
