// Passes must not make a call valid that eager mode rejects: the calls are derived from recorded
// calls by a single change each. FX_DERIVED_CALLS names another recording
// (scripts/record_illegal_calls.py).
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/text/text.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/passes/shape/check/case_reader_internal.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace fx::invalid_calls_test {
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

/// Returns a graph that returns the call's result.
std::unique_ptr<Graph> graph_of(Context& context, const Json& call) {
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

/// Types the graph again, from the types of its inputs. Returns true if it has an invalid call.
bool has_invalid_call(Graph& graph) {
  for (Graph& g : all_graphs(graph))
    for (Node& node : g.nodes())
      if (!node.is_placeholder()) node.set_type({});
  const ShapeReport report = propagate_types(graph, {.other_call = type_by_lowering});
  return std::ranges::any_of(report.findings, [](const ShapeFinding& finding) {
    return finding.kind == ShapeFinding::Kind::kInvalidCall;
  });
}

/// Runs a pipeline over copies of the graph, with and without the types of its inputs. A pass may
/// reject the graph.
void expect_still_invalid(const Graph& graph, std::string_view pipeline) {
  for (const bool is_typed : {true, false}) {
    const std::unique_ptr<Graph> copy = graph.clone();
    if (!is_typed)
      for (Node& node : copy->nodes()) node.set_type({});
    PassManager manager(parse_pipeline(standard_passes(), pipeline).value());
    const absl::StatusOr<PassReport> report = manager.run(*copy);
    if (!report.ok() || !report->changed) continue;
    Node* input = copy->front();
    for (const Node& original : graph.nodes()) {
      if (!original.is_placeholder()) break;
      input->set_type(original.type());
      input = input->next();
    }
    EXPECT_TRUE(has_invalid_call(*copy)) << pipeline << (is_typed ? "" : ", without types") << "\n"
                                         << print(graph) << print(*copy);
  }
}

TEST(InvalidCalls, StayInvalid) {
  // set_training and remove_dropout are not among the passes: they may remove an invalid call.
  constexpr std::string_view kPipelines[] = {"decompose",
                                             "decompose{set=all}",
                                             "decompose{set=composite}",
                                             "eliminate_common_subexpressions",
                                             "eliminate_dead_code",
                                             "fold_constants",
                                             "functionalize",
                                             "fuse_conv_bn",
                                             "lower_to_aten",
                                             "merge_matmul",
                                             "normalize_args",
                                             "normalize_args{only_kwargs=true}",
                                             "normalize_operators",
                                             "omit_default_arguments",
                                             "reinplace",

                                             "simplify"};
  const char* const given = std::getenv("FX_DERIVED_CALLS");
  std::ifstream file(given ? given : "tests/filecheck/shape/inputs/derived_calls.jsonl");
  ASSERT_TRUE(file.is_open());
  size_t count = 0, number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const Json call = Json::parse(line);
    if (!call.contains("rejected") || call["rejected"] == "values") continue;
    SCOPED_TRACE(number);
    Context context;
    const std::unique_ptr<Graph> graph = graph_of(context, call);
    if (!has_invalid_call(*graph)) continue;  // `fxcpp ops --check` counts these
    ++count;
    for (const std::string_view pipeline : kPipelines) expect_still_invalid(*graph, pipeline);
  }
  EXPECT_GT(count, 200);
}

}  // namespace
}  // namespace fx::invalid_calls_test
