#include "tests/testing/recorded_calls.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/check/case_reader_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace fx::testing {
namespace {

using Json = nlohmann::ordered_json;

/// Replaces the types in an argument with placeholders of these types.
Argument with_inputs(Graph& graph, const Argument& argument) {
  if (argument.kind() == ArgumentKind::kType) {
    Node* const input = graph.placeholder("x");
    input->set_type(argument.as_type());
    return Argument(input);
  }
  if (!argument.is_list()) return argument;
  std::vector<Argument> items;
  for (size_t i = 0; i < argument.size(); ++i) items.push_back(with_inputs(graph, argument[i]));
  return Argument::list(items);
}

}  // namespace

std::unique_ptr<Graph> graph_of_call(Context& context, const Json& call) {
  auto graph = std::make_unique<Graph>(context);
  CaseReader reader(context);
  const auto argument = [&](const Json& json) {
    return with_inputs(*graph, reader.argument(json).value());
  };
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  for (const Json& item : call["args"]) args.push_back(argument(item));
  for (const auto& [name, item] : call["kwargs"].items())
    kwargs.emplace_back(context.symbol(name), argument(item));
  Node* const node =
      graph->call_function(context.function(call["op"].get<std::string>()), args, kwargs);
  graph->output(Argument(node));
  return graph;
}

bool has_invalid_call(Graph& graph) {
  for (Graph& g : all_graphs(graph))
    for (Node& node : g.nodes())
      if (!node.is_placeholder()) node.set_type({});
  const ShapeReport report = propagate_types(graph, {.other_call = type_by_lowering});
  return std::ranges::any_of(report.findings, [](const ShapeFinding& finding) {
    return finding.kind == ShapeFinding::Kind::kInvalidCall;
  });
}

size_t for_each_derived_call(absl::FunctionRef<void(const Json& call)> f) {
  const char* const given = std::getenv("FX_DERIVED_CALLS");
  std::ifstream file(given ? given : "tests/filecheck/shape/inputs/derived_calls.jsonl");
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    SCOPED_TRACE(number);
    f(Json::parse(line));
  }
  return number;
}

}  // namespace fx::testing
