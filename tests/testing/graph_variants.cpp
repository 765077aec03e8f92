// Variants of graphs: see graph_variants.h.
#include "tests/testing/graph_variants.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::testing {
namespace {

/// Calls that move into a nested graph, their outside operands, and those of them with outside
/// users.
struct Run {
  std::vector<Node*> calls, operands, results;
};

bool holds_graph(const Node& node) {
  bool found = false;
  const auto look = [&](const Argument& leaf) {
    found = found || leaf.kind() == ArgumentKind::kGraph;
    return leaf;
  };
  for (size_t i = 0; i < node.num_args(); ++i) (void)map_leaves(Argument(node.arg(i)), look);
  return found;
}

/// Returns a run of calls that uses and returns only tensors; empty if there is none at the
/// selected place.
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
  bool fits = true;
  for (Node* call : run.calls) {
    fits = fits && !holds_graph(*call);
    call->for_each_input([&](Node* input) {
      if (inside.contains(input) || !read.insert(input).second) return;
      run.operands.push_back(input);
      fits = fits && input->type().is_tensor();
    });
    bool is_result = false;
    for (const Node* user : call->users()) is_result = is_result || !inside.contains(user);
    if (!is_result) continue;
    run.results.push_back(call);
    fits = fits && call->type().is_tensor();
  }
  return fits && !run.results.empty() ? run : Run();
}

std::unique_ptr<Graph> graph_of(const Run& run, Context& context) {
  auto graph = std::make_unique<Graph>(context);
  absl::flat_hash_map<const Node*, Node*> copies;
  for (const Node* operand : run.operands)
    copies[operand] = graph->placeholder(operand->name(), {.type = operand->type()});
  for (const Node* call : run.calls) {
    absl::StatusOr<Node*> copy =
        graph->node_copy(*call, [&](Node* node) { return Argument(copies.at(node)); });
    FX_CHECK_OK(copy);
    copies[call] = *copy;
  }
  std::vector<Argument> results;
  for (const Node* result : run.results) results.emplace_back(copies.at(result));
  graph->output(Argument::list(results));
  return graph;
}

Node* typed_call(Graph& graph, std::string_view function, const std::vector<Argument>& args) {
  Node* node = graph.call_function(graph.context().function(function), args);
  const absl::StatusOr<Type> type = infer_type(*node);
  if (type.ok()) node->set_type(*type);
  return node;
}

}  // namespace

size_t respell(Graph& graph, Random& random) {
  size_t changed = 0;
  for (Graph& g : all_graphs(graph)) {
    for (Node& node : g.nodes()) {
      const ops::OpInfo* op = node.function().op();
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
  const auto add_graph = [&] {
    const absl::StatusOr<uint32_t> number = graph.add_subgraph(
        fmt::format("part_{}", graph.num_subgraphs()), graph_of(run, graph.context()));
    FX_CHECK_OK(number);
    return Argument::graph(*number);
  };
  std::vector<Argument> operands;
  for (Node* operand : run.operands) operands.emplace_back(operand);
  Node* call = nullptr;
  switch (random.below(4)) {
    case 0:
      operands.insert(operands.begin(), add_graph());
      call = typed_call(graph, "higher_order.wrap", operands);
      break;
    case 1:
      operands.insert(operands.begin(), {Argument(true), add_graph()});
      call = typed_call(graph, "higher_order.wrap_with_set_grad_enabled", operands);
      break;
    default: {
      Argument condition(random.chance(50));
      if (!run.operands.empty() && random.chance(70)) {
        Node* sum = typed_call(graph, "aten.sum.default", {run.operands[0]});
        condition = typed_call(graph, "aten.gt.Scalar", {sum, 0});
      }
      const Argument yes = add_graph(), no = add_graph();
      call = typed_call(graph, "higher_order.cond", {condition, yes, no, Argument::list(operands)});
    }
  }
  for (size_t i = 0; i < run.results.size(); ++i) {
    Node* item = graph.call_function(graph.context().function("operator.getitem"), {call, i}, {},
                                     {.type = run.results[i]->type()});
    run.results[i]->replace_all_uses_with(item);
  }
  for (size_t i = run.calls.size(); i-- > 0;) FX_CHECK_OK(graph.erase_node(run.calls[i]));
  return true;
}

}  // namespace fx::testing
