// Passes must not make a call valid that eager mode rejects: the calls are derived from recorded
// calls by a single change each. FX_DERIVED_CALLS names another recording
// (scripts/record_illegal_calls.py).
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/passes/manager/pass_manager.h"
#include "tests/testing/recorded_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string_view>

namespace fx::invalid_calls_test {
namespace {

using testing::graph_of_call;
using testing::has_invalid_call;

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
  size_t count = 0;
  testing::for_each_derived_call([&](const nlohmann::ordered_json& call) {
    if (!call.contains("rejected") || call["rejected"] == "values") return;
    Context context;
    const std::unique_ptr<Graph> graph = graph_of_call(context, call);
    if (!has_invalid_call(*graph)) return;  // `fxcpp ops --check` counts these
    ++count;
    for (const std::string_view pipeline : kPipelines) expect_still_invalid(*graph, pipeline);
  });
  EXPECT_GT(count, 200);
}

}  // namespace
}  // namespace fx::invalid_calls_test
