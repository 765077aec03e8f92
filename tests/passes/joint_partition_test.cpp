// partition_joint: saved and recomputed values, effects, writes, marks and errors. The bytes that
// are saved for random graphs must be minimal, as a search over all sets of values determines.
// Values are compared with libtorch's in tests/torch/check_partition.cpp.
#include "fx/passes/partition/joint/joint_partition.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/status_matchers.h"

#include "fmt/format.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::joint_partition_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<Graph> typed(Context& context, std::string_view text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  if (!graph.ok()) return std::make_unique<Graph>(context);
  EXPECT_TRUE(propagate_types(**graph).ok());
  return std::move(*graph);
}

std::unique_ptr<Graph> joint_of(Context& context, std::string_view text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph =
      joint(*typed(context, text), {.style = GradStyle::kAten});
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? std::move(*graph) : std::make_unique<Graph>(context);
}

std::vector<std::string> saved_names(const JointPartition& partition) {
  std::vector<std::string> names;
  for (const SavedValue& saved : partition.saved) names.push_back(saved.name);
  return names;
}

JointPartition partition(const Graph& graph, const JointPartitionOptions& options = {}) {
  absl::StatusOr<JointPartition> result = partition_joint(graph, options);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return {};
  EXPECT_EQ(verify(*result->forward).str(), "");
  EXPECT_EQ(verify(*result->backward).str(), "");
  return std::move(*result);
}

constexpr std::string_view kChain = R"(graph(%x : f32[8, 8], %w : f32[8, 8]) {
  %mm = aten.mm.default(%x, %w)
  %sin = aten.sin.default(%mm)
  %exp = aten.exp.default(%sin)
  return %exp
})";

TEST(JointPartition, DefaultSavesValuesThatTheBackwardGraphUses) {
  Context context;
  const JointPartition result =
      partition(*joint_of(context, kChain), {.method = JointMethod::kDefault});
  EXPECT_THAT(saved_names(result), ElementsAre("primals_1", "primals_2", "mm", "exp"));
  EXPECT_EQ(result.saved_bytes, 512);
  EXPECT_THAT(result.recomputed, ElementsAre());
}

TEST(JointPartition, MinCutRecomputesCheapValues) {
  Context context;
  const JointPartition result = partition(*joint_of(context, kChain));
  EXPECT_THAT(saved_names(result), ElementsAre("primals_1", "primals_2", "mm"));
  EXPECT_EQ(result.saved_bytes, 256);
  EXPECT_EQ(result.default_bytes, 512);
  EXPECT_EQ(result.min_saved_bytes, 0);
  EXPECT_EQ(result.num_results, 1u);
}

TEST(JointPartition, ABudgetRecomputesExpensiveValues) {
  Context context;
  JointPartitionOptions options;
  options.budget = MemoryBudget{.bytes = 0};
  const JointPartition result = partition(*joint_of(context, kChain), options);
  EXPECT_THAT(saved_names(result), ElementsAre("primals_1", "primals_2"));
  EXPECT_EQ(result.saved_bytes, 0);
  EXPECT_THAT(result.recomputed, ::testing::Contains("mm"));
  EXPECT_THAT(to_string(result), HasSubstr("met"));
}

TEST(JointPartition, RandomValuesAreSaved) {
  Context context;
  JointPartitionOptions options;
  options.budget = MemoryBudget{.bytes = 0};
  const JointPartition result = partition(*joint_of(context, R"(graph(%x : f32[8, 8]) {
    %sin = aten.sin.default(%x)
    %drop = aten.native_dropout.default(%sin, 0.5, True)
    %y = operator.getitem(%drop, 0)
    %exp = aten.exp.default(%y)
    return %exp
  })"),
                                          options);
  EXPECT_THAT(print(*result.forward), HasSubstr("native_dropout"));
  EXPECT_THAT(print(*result.backward), Not(HasSubstr("aten.native_dropout.default")));
  EXPECT_GT(result.min_saved_bytes, 0);
  EXPECT_EQ(result.saved_bytes, result.min_saved_bytes);
  EXPECT_THAT(to_string(result), HasSubstr("less than the minimum: saves the minimum"));
}

TEST(JointPartition, OldValuesOfWrittenInputsAreCopied) {
  Context context;
  const JointPartition result = partition(*typed(context, R"(
    graph(%primals_1 : f32[4], %tangents_1 : f32[4]) {
      %exp = aten.exp.default(%primals_1)
      %add_ = aten.add_.Tensor(%primals_1, 1)
      %mul = aten.mul.Tensor(%tangents_1, %exp)
      return (%exp, (%mul,))
    })"),
                                          {.recompute = {"exp"}});
  ASSERT_EQ(result.saved.size(), 1u);
  EXPECT_TRUE(result.saved[0].is_copy);
  EXPECT_THAT(print(*result.forward), HasSubstr("aten.clone.default(%primals_1)"));
}

TEST(JointPartition, MarksOfModulesAndNodes) {
  Context context;
  const std::unique_ptr<Graph> graph = joint_of(context, kChain);
  EXPECT_THAT(saved_names(partition(*graph, {.save = {"exp"}})), ::testing::Contains("exp"));
  EXPECT_THAT(saved_names(partition(*graph, {.recompute = {"mm"}})),
              ElementsAre("primals_1", "primals_2"));
  EXPECT_THAT(partition_joint(*graph, {.save = {"encoder"}}).status().message(),
              HasSubstr("'encoder'"));
}

TEST(JointPartition, APatternIsTheListOfItsModules) {
  Context context;
  const std::unique_ptr<Graph> graph = joint_of(context, R"(graph(%x : f32[8, 8]{grad}) {
    %exp = aten.exp.default(%x) !{module="layer1.0"}
    %sin = aten.sin.default(%exp) !{module="layer1.1"}
    %exp_1 = aten.exp.default(%sin) !{module="layer2"}
    %sin_1 = aten.sin.default(%exp_1) !{module="layer2"}
    %exp_2 = aten.exp.default(%sin_1) !{module="head"}
    return %exp_2
  })");
  const auto saved = [&](const std::vector<std::string>& recompute) {
    return saved_names(
        partition(*graph, {.method = JointMethod::kDefault, .recompute = recompute}));
  };
  // %sin leaves layer1 and %sin_1 leaves layer2, so both may be saved.
  const std::vector<std::string> both = saved({"layer1", "layer2"});
  EXPECT_THAT(both, ::testing::Contains("sin"));
  EXPECT_THAT(both, Not(::testing::Contains("exp")));
  EXPECT_THAT(both, Not(::testing::Contains("exp_1")));
  EXPECT_EQ(saved({"layer*"}), both);
  EXPECT_EQ(saved({"layer?"}), both);
  // An inner mark does not undo the mark of the module around it.
  EXPECT_EQ(saved({"layer1", "layer2", "layer1.0"}), both);
  EXPECT_THAT(partition_joint(*graph, {.save = {"layer["}}).status().message(),
              HasSubstr("module pattern layer[: "));
}

TEST(JointPartition, RejectsOtherGraphs) {
  Context context;
  EXPECT_THAT(partition_joint(*typed(context, kChain)).status().message(),
              HasSubstr("not a joint graph"));
  EXPECT_THAT(partition_joint(*typed(context, R"(
    graph(%primals_1 : f32[4], %tangents_1 : f32[4]) {
      %mul = aten.mul.Tensor(%tangents_1, %primals_1)
      return (%mul, (%mul,))
    })"))
                  .status()
                  .message(),
              HasSubstr("%mul of the forward graph depends on a tangent"));
  JointPartitionOptions options;
  options.method = JointMethod::kDefault;
  options.budget = MemoryBudget{.fraction = 0.5};
  EXPECT_THAT(partition_joint(*joint_of(context, kChain), options).status().message(),
              HasSubstr("requires the min-cut method"));
}

/// A joint graph of calls whose results have random sizes. Some calls draw random numbers, and some
/// use tangents.
struct RandomJoint {
  std::unique_ptr<Graph> graph;
  std::vector<std::vector<size_t>> operands;  // for each call, the indices of earlier calls
  std::vector<int64_t> bytes;
  std::vector<bool> is_random, is_used;
};

RandomJoint random_joint(Context& context, std::mt19937_64& random, size_t calls) {
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  RandomJoint result;
  std::string text = "graph(%primals_1 : f32[1], %tangents_1 : f32[1]) {\n";
  std::string used = "%tangents_1";
  for (size_t i = 0; i < calls; ++i) {
    const size_t size = 1 + below(9);
    const bool is_random = below(6) == 0, is_used = below(3) == 0;
    std::string arguments = "%primals_1";
    std::vector<size_t> operands;
    for (int k = 0; k < 2 && i > 0 && !is_random; ++k) {
      const size_t operand = below(i);
      if (below(4) == 0 || (!operands.empty() && operands[0] == operand)) continue;
      operands.push_back(operand);
      arguments += fmt::format(", %v{}", operand);
    }
    text += is_random ? fmt::format("  %v{} : f32[{}] = aten.rand.default([{}])\n", i, size, size)
                      : fmt::format("  %v{} : f32[{}] = test.mix.default([{}], {})\n", i, size,
                                    arguments, i);
    if (is_used) used += fmt::format(", %v{}", i);
    result.operands.push_back(std::move(operands));
    result.bytes.push_back(static_cast<int64_t>(4 * size));
    result.is_random.push_back(is_random);
    result.is_used.push_back(is_used);
  }
  text += fmt::format("  %g : f32[1] = test.mix.default([{}], -1)\n", used);
  text += fmt::format("  return (%v{}, (%g,))\n}}", calls - 1);
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  EXPECT_TRUE(graph.ok()) << graph.status() << text;
  if (graph.ok()) result.graph = std::move(*graph);
  return result;
}

/// Returns the bytes and the cost if the calls in `saved` are saved; nullopt if these values are
/// not sufficient.
std::optional<std::pair<int64_t, int64_t>> cost_of(const RandomJoint& joint, uint32_t saved) {
  int64_t bytes = 0, cost = 0;
  std::vector<bool> is_needed = joint.is_used, runs(is_needed.size(), false);
  runs.back() = true;  // forward: the last call, its operands, and random calls
  for (size_t i = runs.size(); i-- > 0;)
    for (const size_t operand : joint.operands[i])
      if (runs[i]) runs[operand] = true;
  for (size_t i = is_needed.size(); i-- > 0;) {
    if (((saved >> i) & 1) != 0) {
      bytes += joint.bytes[i];
      continue;
    }
    if (!is_needed[i]) continue;
    if (joint.is_random[i]) return std::nullopt;
    int64_t moved = joint.bytes[i] + 4;  // includes the input
    for (const size_t operand : joint.operands[i]) {
      is_needed[operand] = true;
      moved += joint.bytes[operand];
    }
    cost += runs[i] ? kOpsPerByte * moved : 0;
  }
  return std::pair(bytes, cost);
}

TEST(JointPartition, SavedBytesOfRandomGraphsAreMinimal) {
  Context context;
  ASSERT_TRUE(context.add_operator("test::mix(Tensor[] values, int n) -> Tensor").ok());
  std::mt19937_64 random(7);
  size_t optimal = 0, budgets = 0;
  for (int trial = 0; trial < 120; ++trial) {
    constexpr size_t kCalls = 9;
    const RandomJoint joint = random_joint(context, random, kCalls);
    ASSERT_NE(joint.graph, nullptr);
    const int64_t budget = static_cast<int64_t>(random() % 80);
    int64_t min_bytes = INT64_MAX, min_cost = INT64_MAX;
    for (uint32_t saved = 0; saved < (1U << kCalls); ++saved) {
      const auto found = cost_of(joint, saved);
      if (!found) continue;
      min_bytes = std::min(min_bytes, found->first);
      if (found->first <= budget) min_cost = std::min(min_cost, found->second);
    }
    JointPartitionOptions options;
    options.budget = MemoryBudget{.bytes = budget};
    const JointPartition result = partition(*joint.graph, options);
    ASSERT_NE(result.forward, nullptr);
    EXPECT_EQ(result.min_saved_bytes, min_bytes) << print(*joint.graph);
    if (min_cost == INT64_MAX) {
      EXPECT_EQ(result.saved_bytes, min_bytes);
      continue;
    }
    ++budgets;
    EXPECT_LE(result.saved_bytes, budget) << print(*joint.graph);
    EXPECT_LE(result.recompute_bound, static_cast<double>(min_cost) + 1e-6) << print(*joint.graph);
    EXPECT_GE(result.recompute_cost, static_cast<double>(min_cost)) << print(*joint.graph);
    optimal += result.recompute_cost == static_cast<double>(min_cost) ? 1 : 0;
  }
  EXPECT_GE(optimal * 10, budgets * 7) << optimal << " of " << budgets;
}

}  // namespace
}  // namespace fx::joint_partition_test
