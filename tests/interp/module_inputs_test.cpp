// RecordModuleInputs: the parts of a split graph run separately on their recorded arguments.
#include "fx/interp/module_inputs.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/passes/partition/backend_splitter.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace fx::module_inputs_test {
namespace {

using ::testing::ElementsAre;

class Numbers : public Interpreter<double> {
 public:
  using Interpreter::Interpreter;
  absl::StatusOr<double> call_function(Call& call) override {
    const std::string_view name = call.function.name();
    if (name == "operator.add") return call.args.at(0) + call.args.at(1);
    if (name == "operator.mul") return call.args.at(0) * call.args.at(1);
    return Interpreter::call_function(call);
  }
};

// parity: P15
TEST(RecordModuleInputs, PartsRunSeparatelyOnTheirRecordedArguments) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, parse_graph(context, R"(
graph(%x : f32[], %y : f32[]) {
  %a : f32[] = operator.add(%x, %y)
  %b : f32[] = operator.mul(%a, %y)
  %c : f32[] = operator.add(%b, 1.0)
  return %c
})"));
  const std::vector<std::string> ops = {"operator.add"};
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split,
                          split_for_backend(*graph, Module(), supports_targets(ops)));
  ASSERT_THAT(split.partitions, ElementsAre("_run_on_acc_0", "_run_on_cpu_1", "_run_on_acc_2"));
  RecordModuleInputs<Numbers> run({"_run_on_cpu_1", "_run_on_acc_2"}, *split.module);
  FX_ASSERT_OK_AND_ASSIGN(const double expected, run.run({2, 3}));
  EXPECT_EQ(expected, (2 + 3) * 3 + 1);
  EXPECT_EQ(run.inputs_of("_run_on_acc_0"), nullptr);  // its inputs were not recorded
  ASSERT_NE(run.inputs_of("_run_on_cpu_1"), nullptr);
  EXPECT_THAT(run.inputs_of("_run_on_cpu_1")->args, ElementsAre(5, 3));
  ASSERT_NE(run.inputs_of("_run_on_acc_2"), nullptr);
  EXPECT_THAT(run.inputs_of("_run_on_acc_2")->args, ElementsAre(15));
  const auto* part = dynamic_cast<const GraphModule*>(split.module->find_module("_run_on_acc_2"));
  ASSERT_NE(part, nullptr);
  FX_ASSERT_OK_AND_ASSIGN(const double actual,
                          Numbers(*part).run(run.inputs_of("_run_on_acc_2")->args));
  EXPECT_EQ(actual, expected);

  RecordModuleInputs<Numbers> all({}, *split.module);
  FX_ASSERT_OK_AND_ASSIGN([[maybe_unused]] const double again, all.run({1, 1}));
  EXPECT_EQ(all.module_inputs().size(), 3U);
}

}  // namespace
}  // namespace fx::module_inputs_test
