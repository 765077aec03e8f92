// Variants of graphs: see graph_variants.h.
#include "tests/testing/graph_variants.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/changed_lists.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/shape/changed_types.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::testing {
namespace {

/// Calls to move into a nested graph, their operands from outside, and the moved calls that have
/// users outside.
struct Run {
  std::vector<Node*> calls, operands, results;
};

bool contains_graph(const Node& node) {
  bool found = false;
  const auto check_leaf = [&](const Argument& leaf) {
    found = found || leaf.kind() == ArgumentKind::kGraph;
    return leaf;
  };
  for (size_t i = 0; i < node.num_args(); ++i) (void)map_leaves(Argument(node.arg(i)), check_leaf);
  return found;
}

/// Returns consecutive calls at a random position; empty if they use or return values other than
/// tensors.
Run draw_run(Graph& graph, Random& random) {
  std::vector<Node*> calls;
  for (Node& node : graph.nodes())
    if (node.is_call()) calls.push_back(&node);
  if (calls.empty()) return {};
  const size_t first = random.below(calls.size());
  const size_t last = std::min(first + 1 + random.below(6), calls.size());
  Run run;
  run.calls.assign(calls.begin() + static_cast<ptrdiff_t>(first),
                   calls.begin() + static_cast<ptrdiff_t>(last));
  const absl::flat_hash_set<const Node*> inside(run.calls.begin(), run.calls.end());
  absl::flat_hash_set<const Node*> read;
  bool is_valid = true;
  for (Node* call : run.calls) {
    is_valid = is_valid && !contains_graph(*call);
    call->for_each_input([&](Node* input) {
      if (inside.contains(input) || !read.insert(input).second) return;
      run.operands.push_back(input);
      is_valid = is_valid && input->type().is_tensor();
    });
    bool is_result = false;
    for (const Node* user : call->users()) is_result = is_result || !inside.contains(user);
    if (!is_result) continue;
    run.results.push_back(call);
    is_valid = is_valid && call->type().is_tensor();
  }
  return is_valid && !run.results.empty() ? run : Run();
}

/// Adds the operands of a run as inputs, and adds copies of its calls. Returns the copies.
absl::flat_hash_map<const Node*, Node*> add_copies(Graph& graph, const Run& run) {
  absl::flat_hash_map<const Node*, Node*> copies;
  for (const Node* operand : run.operands)
    copies[operand] = graph.placeholder(operand->name(), {.type = operand->type()});
  for (const Node* call : run.calls) {
    absl::StatusOr<Node*> copy =
        graph.node_copy(*call, [&](Node* node) { return Argument(copies.at(node)); });
    FX_CHECK_OK(copy);
    copies[call] = *copy;
  }
  return copies;
}

std::unique_ptr<Graph> graph_of(const Run& run, Context& context) {
  auto graph = std::make_unique<Graph>(context);
  const absl::flat_hash_map<const Node*, Node*> copies = add_copies(*graph, run);
  std::vector<Argument> results;
  for (const Node* result : run.results) results.emplace_back(copies.at(result));
  graph->output(Argument::list(results));
  return graph;
}

Node* typed_call(Graph& graph, std::string_view function, const std::vector<Argument>& args,
                 const std::vector<Kwarg>& kwargs = {}) {
  Node* node = graph.call_function(graph.context().function(function), args, kwargs);
  const absl::StatusOr<Type> type = infer_type(*node);
  if (type.ok()) node->set_type(*type);
  return node;
}

Argument add_graph(Graph& graph, std::unique_ptr<Graph> nested) {
  const absl::StatusOr<uint32_t> number =
      graph.add_subgraph(fmt::format("part_{}", graph.num_subgraphs()), std::move(nested));
  FX_CHECK_OK(number);
  return Argument::graph(*number);
}

/// Adds a dense tensor of the type: new memory, or a part of a larger tensor.
Node* dense_start(Graph& graph, Type type, Random& random) {
  std::vector<Argument> sizes;
  for (const Dim& size : type.sizes()) sizes.emplace_back(size);
  const bool is_part = random.chance(30);
  if (is_part) sizes.insert(sizes.begin(), 2);
  Node* const zeros =
      typed_call(graph, "aten.zeros.default", {Argument::list(sizes)}, {{"dtype", type.dtype()}});
  return is_part ? typed_call(graph, "aten.select.int", {zeros, 0, 1}) : zeros;
}

/// True if a call of the run resizes a result (out=): a loop may not change the sizes of a value.
bool resizes_results(const Run& run, Context& context) {
  const std::unique_ptr<Graph> graph = graph_of(run, context);
  const Argument results = graph->output_node()->arg(0);
  const std::vector<const Node*> changed = changed_tensors(*graph);
  for (size_t i = 0; i < results.size(); ++i)
    if (std::ranges::find(changed, results[i].as_node()) != changed.end()) return true;
  return false;
}

/// Adds a loop that runs the calls `times` times, and returns a counter and dense copies of the
/// results. Returns null, without a change, if a result is not dense itself or is resized.
Node* add_loop(Graph& graph, const Run& run, int64_t times, Random& random) {
  for (const Node* result : run.results)
    if (!is_static(result->type()) || !is_contiguous(result->type()) ||
        result->type().offset() != Dim(0))
      return nullptr;
  Context& context = graph.context();
  if (resizes_results(run, context)) return nullptr;
  const Type counter = *context.types().parse("i64[]");
  const Kwarg dense("memory_format", MemoryFormat::kContiguous);
  auto condition = std::make_unique<Graph>(context), body = std::make_unique<Graph>(context);
  Node* const i = condition->placeholder("step", {.type = counter});
  Node* const step = body->placeholder("step", {.type = counter});
  std::vector<Argument> carried = {
      typed_call(graph, "aten.zeros.default", {Argument::ints({})}, {{"dtype", DType::kInt64}})};
  for (size_t k = 0; k < run.results.size(); ++k) {
    Node* const start = dense_start(graph, run.results[k]->type(), random);
    const std::string name = fmt::format("carried_{}", k);
    // Later iterations receive results of the body, which start at the beginning of their storage.
    TensorSpec spec = start->type().spec();
    if (spec.offset != Dim(0)) spec.strides = StrideSpec::unknown();
    spec.offset = Dim(0);
    const Type type = context.types().tensor(spec);
    condition->placeholder(name, {.type = type});
    body->placeholder(name, {.type = type});
    carried.emplace_back(start);
  }
  for (const Node* operand : run.operands)
    condition->placeholder(operand->name(), {.type = operand->type()});
  condition->output(typed_call(*condition, "aten.lt.Scalar", {i, times}));
  const absl::flat_hash_map<const Node*, Node*> copies = add_copies(*body, run);
  // Placeholders come before all other nodes.
  std::vector<Argument> results = {typed_call(*body, "aten.add.Tensor", {step, 1})}, operands;
  for (const Node* result : run.results)
    results.emplace_back(typed_call(*body, "aten.clone.default", {copies.at(result)}, {dense}));
  body->output(Argument::tuple(results));  // eager mode rejects a list
  for (Node* operand : run.operands) operands.emplace_back(operand);
  const Argument test = add_graph(graph, std::move(condition));
  const Argument next = add_graph(graph, std::move(body));
  return typed_call(graph, "higher_order.while_loop",
                    {test, next, Argument::list(carried), Argument::list(operands)});
}

/// Adds a scan of `times` steps, each of which runs the calls. One operand may be a sequence of
/// equal slices. Returns a counter, the results of the last step, and the results of all steps.
/// Returns null without a change if a result is not dense or is resized.
Node* add_scan(Graph& graph, const Run& run, int64_t times, Random& random) {
  const auto is_dense = [](const Node* value) {
    const Type type = value->type();
    return is_static(type) && is_contiguous(type) && type.offset() == Dim(0);
  };
  if (!std::ranges::all_of(run.results, is_dense) || resizes_results(run, graph.context()))
    return nullptr;
  std::vector<Node*> in_order, sliced;
  for (Node* operand : run.operands)
    (sliced.empty() && is_dense(operand) && random.chance(50) ? sliced : in_order)
        .push_back(operand);
  Context& context = graph.context();
  const Kwarg dense("memory_format", MemoryFormat::kContiguous);
  auto body = std::make_unique<Graph>(context);
  const auto input = [&](const Node* value, std::string_view name) {
    return body->placeholder(name, {.type = value->type()});
  };
  Node* const start =
      typed_call(graph, "aten.zeros.default", {Argument::ints({})}, {{"dtype", DType::kInt64}});
  Node* const step = input(start, "step");
  std::vector<Argument> carried = {start}, sequences, operands;
  for (size_t k = 0; k < run.results.size(); ++k) {
    Node* const value = dense_start(graph, run.results[k]->type(), random);
    input(value, fmt::format("carried_{}", k));
    carried.emplace_back(value);
  }
  // A scan has at least one sequence.
  if (sliced.empty()) {
    Node* const steps = typed_call(graph, "aten.arange.default", {times});
    input(start, "number");
    sequences.emplace_back(steps);
  }
  Run in_body = run;
  in_body.operands = sliced;
  in_body.operands.insert(in_body.operands.end(), in_order.begin(), in_order.end());
  for (Node* const operand : sliced) {
    const std::vector<Argument> slices(static_cast<size_t>(times), Argument(operand));
    sequences.emplace_back(typed_call(graph, "aten.stack.default", {Argument::list(slices)}));
  }
  const absl::flat_hash_map<const Node*, Node*> copies = add_copies(*body, in_body);
  for (const Node* const operand : sliced) {  // a slice may start at any offset
    TensorSpec spec = operand->type().spec();
    spec.strides = StrideSpec::unknown();
    copies.at(operand)->set_type(context.types().tensor(spec));
  }
  std::vector<Argument> results = {typed_call(*body, "aten.add.Tensor", {step, 1})};
  for (size_t copy = 0; copy < 2; ++copy) {  // first the carried values, then the outputs
    for (const Node* result : run.results)
      results.emplace_back(typed_call(*body, "aten.clone.default", {copies.at(result)}, {dense}));
  }
  body->output(Argument::list(results));
  for (Node* operand : in_order) operands.emplace_back(operand);
  const Argument part = add_graph(graph, std::move(body));
  return typed_call(
      graph, "higher_order.scan",
      {part, Argument::list(carried), Argument::list(sequences), Argument::list(operands)});
}

/// Returns the operands. Some are replaced with copies that have different strides.
std::vector<Argument> with_other_strides(Graph& graph, const std::vector<Argument>& operands,
                                         Random& random) {
  std::vector<Argument> others;
  others.reserve(operands.size());
  for (const Argument& operand : operands) {
    const Type type = operand.as_node()->type();
    if (!type.has_rank() || type.rank() < 2 || random.chance(30)) {
      others.push_back(operand);
      continue;
    }
    Node* const transposed = typed_call(graph, "aten.transpose.int", {operand, 0, 1});
    const Kwarg dense("memory_format", MemoryFormat::kContiguous);
    Node* const copy = typed_call(graph, "aten.clone.default", {transposed}, {dense});
    others.emplace_back(typed_call(graph, "aten.transpose.int", {copy, 0, 1}));
  }
  return others;
}

/// Changes the index of an item of a list: to a negative number, or to 0 in a slice of the list.
/// Returns false if the number of items is unknown. With `only_slice`, always slices the list.
bool respell_item(Node& node, bool only_slice, Random& random) {
  const Node* const list = node.num_args() == 2 ? node.arg(0).node() : nullptr;
  if (list == nullptr || !node.arg(1).is_int()) return false;
  const Type type = list->type();
  const int64_t index = node.arg(1).as_int();
  if ((!type.is_list() && !type.is_tuple()) || index < 0) return false;
  if (!only_slice && random.chance(80)) {
    FX_CHECK_OK(node.update_arg(1, index - static_cast<int64_t>(type.items().size())));
    return true;
  }
  const InsertPointGuard guard = node.graph().inserting_before(&node);
  Node* const part = node.graph().call_function(
      node.function(), {node.arg(0), Argument::slice(index, Argument(), Argument())});
  const absl::StatusOr<Type> inferred = infer_type(*part);
  if (inferred.ok()) part->set_type(*inferred);
  FX_CHECK_OK(node.set_args({part, 0}));
  return true;
}

/// Removes the types of the inputs of graphs to which calls pass the value. They are those of the
/// value that it has replaced, and inputs keep their types if the operand has none.
void forget_inputs_of_users(const Node& value) {
  for (const Node* const user : value.users())
    for (Graph* const nested : nested_graphs(*user))
      for (Graph& each : all_graphs(*nested))
        for (Node* const input : each.find_nodes(Opcode::kPlaceholder)) input->set_type(Type());
}

}  // namespace

size_t respell(Graph& graph, Random& random) {
  size_t changed = 0;
  const bool changes = changes_metadata(graph);
  for (Graph& g : all_graphs(graph)) {
    // If a caller passes one tensor twice, a resize of one input changes the other. The types of a
    // nested graph, which determine the numbers of items, do not show this (1012205222).
    const bool only_slice = &g != &graph && changes;
    absl::flat_hash_set<const Node*> changed_in_place;  // their types do not count their items
    for (const Node& node : g.nodes())
      for (const Node* list : changed_lists(node)) changed_in_place.insert(list);
    for (Node& node : g.nodes()) {
      const ops::OpInfo* op = node.function().op();
      if (op != nullptr && op->name() == "operator.getitem") {
        const bool is_known =
            node.num_args() == 0 || !changed_in_place.contains(node.arg(0).node());
        if (is_known && random.chance(40))
          changed += respell_item(node, only_slice, random) ? 1 : 0;
        continue;
      }
      if (op == nullptr || op->is_function() || !random.chance(50)) continue;
      const absl::StatusOr<NormalizedArguments> all = normalized_arguments(node, true);
      if (!all.ok()) continue;
      const auto parameters = op->schema().arguments();
      size_t num_positional = 0;
      while (num_positional < parameters.size() && !parameters[num_positional].kwarg_only)
        ++num_positional;
      const size_t positional = random.below(num_positional + 1);
      std::vector<Argument> args;
      std::vector<Kwarg> kwargs;
      for (size_t i = 0; i < parameters.size(); ++i) {
        const Argument& value = all->kwargs[i].value;
        if (i < positional) {
          args.push_back(value);
          continue;
        }
        const bool is_default =
            parameters[i].default_value.has_value() && value == schema_default(parameters[i]);
        if (!is_default || random.chance(30)) kwargs.emplace_back(parameters[i].name, value);
      }
      FX_CHECK_OK(node.set_args(args));
      FX_CHECK_OK(node.set_kwargs(kwargs));
      ++changed;
    }
  }
  return changed;
}

void forget_types(Graph& graph, Random& random) {
  TypeTable& types = graph.context().types();
  for (Graph& g : all_graphs(graph)) {
    for (Node& node : g.nodes()) {
      const Type type = node.type();
      if (!type || !random.chance(30)) continue;
      if (!type.is_tensor() || random.chance(30)) {
        node.set_type(Type());
        continue;
      }
      TensorSpec spec = type.spec();
      switch (random.below(3)) {
        case 0:
          spec.has_rank = false;
          spec.sizes = {};
          spec.strides = StrideSpec::unknown();
          break;
        case 1:
          spec.strides = StrideSpec::unknown();
          break;
        default:
          spec.dtype = DType::kUndefined;
      }
      node.set_type(types.tensor(spec));
    }
  }
}

size_t spell_writes_in_python(Graph& graph, Random& random) {
  struct Spelling {
    std::string_view op, function, method;
  };
  constexpr Spelling kSpellings[] = {
      {"aten.add_.Tensor", "operator.iadd", "add_"},
      {"aten.sub_.Tensor", "operator.isub", "sub_"},
      {"aten.mul_.Tensor", "operator.imul", "mul_"},
      {"aten.copy_.default", "operator.setitem", "copy_"},
      {"aten.fill_.Scalar", "operator.setitem", "fill_"},
      {"aten.zero_.default", "", "zero_"},
      {"aten.neg_.default", "", "neg_"},
  };
  size_t changed = 0;
  for (Node& node : graph.nodes()) {
    if (node.op() != Opcode::kCallFunction || node.num_kwargs() > 0) continue;
    const auto* spelling = std::ranges::find(kSpellings, node.target(), &Spelling::op);
    if (spelling == std::end(kSpellings)) continue;
    const bool is_item = spelling->function == "operator.setitem";
    if (random.chance(40)) {
      node.set_op_and_target(Opcode::kCallMethod, spelling->method);
    } else if (!spelling->function.empty() && node.num_args() == 2 &&
               !(is_item && node.has_uses())) {
      std::vector<Argument> args = node.args();
      if (is_item) args.insert(args.begin() + 1, Argument::ellipsis());
      node.set_function(graph.context().function(spelling->function));
      FX_CHECK_OK(node.set_args(args));
      if (is_item) node.set_type(Type());
    } else {
      continue;
    }
    ++changed;
  }
  return changed;
}

bool nest_calls(Graph& graph, Random& random) {
  const Run run = draw_run(graph, random);
  if (run.calls.empty()) return false;
  const InsertPointGuard guard = graph.inserting_after(run.calls.back());
  const auto add_part = [&] { return add_graph(graph, graph_of(run, graph.context())); };
  std::vector<Argument> operands;
  for (Node* operand : run.operands) operands.emplace_back(operand);
  Node *call = nullptr, *other = nullptr;  // `other` runs the same graph
  size_t first = 0;                        // the index of the first result of the calls
  const size_t kind = random.below(5);
  if (kind == 4) {
    call = random.chance(50)
               ? add_loop(graph, run, static_cast<int64_t>(random.below(3)), random)
               : add_scan(graph, run, 1 + static_cast<int64_t>(random.below(3)), random);
    first = 1;
    if (call == nullptr) return false;
  }
  switch (kind) {
    case 0: {
      const Argument part = add_part();
      const auto wrap = [&](std::vector<Argument> inputs) {
        inputs.insert(inputs.begin(), part);
        return typed_call(graph, "higher_order.wrap", inputs);
      };
      if (random.chance(40)) {  // another call to the graph, with different strides
        other = wrap(with_other_strides(graph, operands, random));
      }
      call = wrap(operands);
      if (other != nullptr && random.chance(50)) std::swap(call, other);
      break;
    }
    case 1:
      operands.insert(operands.begin(), {Argument(true), add_part()});
      call = typed_call(graph, "higher_order.wrap_with_set_grad_enabled", operands);
      break;
    case 4:
      break;
    default: {
      Argument condition(random.chance(50));
      if (!run.operands.empty() && random.chance(70)) {
        Node* sum = typed_call(graph, "aten.sum.default", {run.operands[0]});
        const bool is_real = !is_complex(run.operands[0]->type().dtype());
        condition = typed_call(graph, is_real ? "aten.gt.Scalar" : "aten.eq.Scalar", {sum, 0});
      }
      const Argument yes = add_part(), no = random.chance(30) ? yes : add_part();
      call = typed_call(graph, "higher_order.cond", {condition, yes, no, Argument::list(operands)});
    }
  }
  const bool is_scan = call->target() == "higher_order.scan";
  for (size_t i = 0; i < run.results.size(); ++i) {
    const bool is_output = is_scan && random.chance(50);
    const size_t index = first + i + (is_output ? run.results.size() : 0);
    Node* const source = other != nullptr && random.chance(30) ? other : call;
    Node* item = typed_call(graph, "operator.getitem", {source, static_cast<int64_t>(index)});
    if (is_output) {  // the results of the last step
      item = typed_call(graph, "aten.select.int", {item, 0, -1});
      item = typed_call(graph, "aten.clone.default", {item});
    }
    run.results[i]->replace_all_uses_with(item);
    if (!item->type()) forget_inputs_of_users(*item);
  }
  for (size_t i = run.calls.size(); i-- > 0;) FX_CHECK_OK(graph.erase_node(run.calls[i]));
  return true;
}

void change_meta(Graph& graph, Random& random) {
  constexpr std::string_view kKeys[] = {"seq", "module", "one", "two", "three"};
  for (Graph& g : all_graphs(graph)) {
    std::vector<Node*> nodes;
    nodes.reserve(g.size());
    for (Node& node : g.nodes()) nodes.push_back(&node);
    for (size_t count = 4 * nodes.size(); count > 0; --count) {
      NodeMeta meta = nodes[random.below(nodes.size())]->meta();
      const std::string_view key = random.pick(kKeys);
      if (random.chance(30))
        meta.remove(key);
      else
        meta.set(key, Argument(static_cast<int64_t>(count)));
    }
  }
}

}  // namespace fx::testing
