// check_equivalent compares graphs by running them. Constants are folded with libtorch.
#include "fx/interp/torch/interpret/check_equivalent.h"

#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/constant_evaluator.h"
#include "fx/ir/module/module.h"
#include "fx/ir/text/text.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/passes/partition/backend_splitter.h"
#include "tests/testing/status_matchers.h"

#include "absl/strings/str_replace.h"
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::SizeIs;
using testing::StatusIs;

class CheckEquivalentTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(std::string_view text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    EXPECT_THAT(graph, IsOk());
    return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(context_);
  }
  Context context_;
  const std::vector<c10::IValue> inputs_ = {at::linspace(-2, 2, 6).view({2, 3}), at::ones({3})};
};

constexpr std::string_view kBefore = R"(graph(%x, %w) {
  %relu = aten.relu.default(%x)
  %mul = aten.mul.Tensor(%relu, %w)
  %scaled = aten.mul.Tensor(%mul, 0.5)
  %sum = aten.sum.default(%scaled)
  return (%scaled, %sum)
})";

// Only the bits of NaNs are ignored, not the signs of zeros and infinities.
TEST_F(CheckEquivalentTest, IgnoresTheBitsOfNanIfRequested) {
  const auto before = parse("graph(%x, %w) {\n  %y = aten.clone.default(%x)\n  return %y\n}");
  const auto after = parse("graph(%x, %w) {\n  %y = aten.neg.default(%x)\n  return %y\n}");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto is_equal = [&](const at::Tensor& x, bool equal_nan) {
    const absl::StatusOr<EquivalenceReport> report =
        check_equivalent(*before, *after, {x, x}, {.equal_nan = equal_nan});
    EXPECT_THAT(report, IsOk());
    return report.ok() && report->equivalent();
  };
  const at::Tensor nans = at::full({5}, nan, at::kFloat);
  for (const at::Tensor& x : {nans, nans.to(at::kDouble), at::complex(nans, nans)}) {
    EXPECT_TRUE(is_equal(x, true)) << x;
    EXPECT_FALSE(is_equal(x, false)) << x;
    for (const double number : {0.0, 1.0, std::numeric_limits<double>::infinity()}) {
      at::Tensor mixed = x.clone();
      mixed[2] = number;
      EXPECT_FALSE(is_equal(mixed, true)) << mixed;
    }
  }
  EXPECT_FALSE(is_equal(at::ones({2}, at::kLong), true));
}

// parity: D2b
TEST_F(CheckEquivalentTest, NamesTheFirstNodeThatDiffers) {
  const auto before = parse(kBefore);
  // The second graph has renamed nodes and an additional call. check_equivalent finds the wrong
  // call by its position and name.
  const auto after = parse(R"(graph(%x, %w) {
    %neg = aten.neg.default(%w)
    %positive = aten.relu.default(%x)
    %mul = aten.add.Tensor(%positive, %w)
    %scaled = aten.mul.Tensor(%mul, 0.5)
    %sum = aten.sum.default(%scaled)
    return (%scaled, %sum)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport same,
                          check_equivalent(*before, *before, inputs_));
  EXPECT_TRUE(same.equivalent());
  EXPECT_EQ(same.bit_equal, same.compared);
  EXPECT_EQ(same.compared, 4U);  // two results, two inputs
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport report,
                          check_equivalent(*before, *after, inputs_));
  ASSERT_TRUE(report.first.has_value());
  EXPECT_EQ(report.first->a, "mul");
  EXPECT_EQ(report.first->target_b, "aten.add.Tensor");
  EXPECT_EQ(report.first->by, MatchedBy::kName);
  EXPECT_THAT(report.different, SizeIs(2));
  EXPECT_THAT(report.str(), HasSubstr("the first node that differs is mul (aten.mul.Tensor)"));
  const at::Tensor x = inputs_[0].toTensor();
  EXPECT_DOUBLE_EQ(report.max_abs, ((x.relu() + 1).sum() - x.relu().sum()).item<double>() / 2);
}

// parity: D2b
TEST_F(CheckEquivalentTest, Tolerances) {
  const auto before = parse(kBefore);
  const auto after = parse(R"(graph(%x, %w) {
    %relu = aten.relu.default(%x)
    %mul = aten.mul.Tensor(%relu, %w)
    %scaled = aten.mul.Tensor(%mul, 0.5001)
    %sum = aten.sum.default(%scaled)
    return (%scaled, %sum)
  })");
  const auto equivalent = [&](double rtol, double atol) {
    absl::StatusOr<EquivalenceReport> report =
        check_equivalent(*before, *after, inputs_, {.rtol = rtol, .atol = atol});
    EXPECT_THAT(report, IsOk());
    return report.ok() && report->equivalent();
  };
  EXPECT_FALSE(equivalent(0, 0));
  EXPECT_TRUE(equivalent(3e-4, 0));
  EXPECT_FALSE(equivalent(1e-4, 0));
  EXPECT_TRUE(equivalent(0, 1e-3));
  EXPECT_FALSE(equivalent(0, 1e-5));
}

TEST_F(CheckEquivalentTest, ComparesGradientsAndWrittenInputs) {
  const auto before = parse("graph(%x, %w) { %y = aten.mul.Tensor(%x, %w) return %y }");
  const auto detached = parse(R"(graph(%x, %w) {
    %d = aten.detach.default(%w)
    %y = aten.mul.Tensor(%x, %d)
    return %y
  })");
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport values,
                          check_equivalent(*before, *detached, inputs_));
  EXPECT_TRUE(values.equivalent());
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport gradients,
                          check_equivalent(*before, *detached, inputs_, {.gradients = true}));
  ASSERT_THAT(gradients.different, SizeIs(1));
  EXPECT_EQ(gradients.different[0].name, "gradient of w");

  const auto in_place = parse("graph(%x, %w) { %y = aten.mul_.Tensor(%x, %w) return %y }");
  std::vector<c10::IValue> inputs = {at::ones({3}), at::full({3}, 2.0)};
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport written,
                          check_equivalent(*before, *in_place, inputs));
  ASSERT_THAT(written.different, SizeIs(1));
  EXPECT_EQ(written.different[0].name, "input x after the run");
  EXPECT_TRUE(at::equal(inputs[0].toTensor(), at::ones({3})));  // the caller's tensor is unchanged
}

// Operators have no derivatives with respect to running statistics; other inputs still have
// gradients.
TEST_F(CheckEquivalentTest, BuffersHaveNoGradients) {
  const std::string graph = R"(graph(%x, %mean BUFFER, %var BUFFER) {
    %norm = aten.batch_norm.default(%x, None, None, %mean, %var, False, 0.1, 1e-05, False)
    return %norm
  })";
  const auto without = parse(absl::StrReplaceAll(graph, {{"BUFFER", ""}}));
  const auto with = parse(
      absl::StrReplaceAll(graph, {{"BUFFER", R"(!{input={"kind": "buffer", "target": "b"}})"}}));
  const std::vector<c10::IValue> inputs = {at::randn({2, 3}), at::zeros({3}), at::ones({3})};
  EXPECT_THAT(check_equivalent(*without, *without, inputs, {.gradients = true}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not differentiable")));
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport report,
                          check_equivalent(*with, *with, inputs, {.gradients = true}));
  EXPECT_TRUE(report.equivalent());
  EXPECT_EQ(report.compared, 5u);  // the result, three inputs after the run, a gradient
}

// The two graphs run interleaved; each draws the same numbers as in a separate run.
TEST_F(CheckEquivalentTest, RandomCallsDrawTheSameNumbers) {
  const auto before = parse(R"(graph(%x, %w) {
    %a = aten.rand_like.default(%x)
    %b = aten.rand_like.default(%x)
    %c = aten.sub.Tensor(%a, %b)
    return %c
  })");
  const auto after = parse(R"(graph(%x, %w) {
    %a = aten.rand_like.default(%x)
    %b = aten.rand_like.default(%x)
    %c = aten.sub.Tensor(%b, %a)
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport same,
                          check_equivalent(*before, *before, inputs_));
  EXPECT_TRUE(same.equivalent());
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport other,
                          check_equivalent(*before, *after, inputs_));
  ASSERT_TRUE(other.first.has_value());
  EXPECT_EQ(other.first->a, "c");
}

// faults/61: uninitialized memory is neither a difference nor the first node that differs.
TEST_F(CheckEquivalentTest, UninitializedMemoryIsNeverNamed) {
  const auto before = parse(R"(graph(%x, %w) {
    %e = aten.empty_like.default(%x)
    %v = aten.view.default(%e, [3, 2])
    %f = aten.fill_.Scalar(%e, 1.0)
    %r = aten.add.Tensor(%f, %x)
    %s = aten.new_empty.default(%x, [4096])
    %t = aten.resize_.default(%s, [9000])
    return (%r, %s)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport same,
                          check_equivalent(*before, *before, inputs_));
  EXPECT_TRUE(same.equivalent()) << same.str();
  // One of the graphs initializes the memory; the graphs also differ later.
  const auto after = parse(R"(graph(%x, %w) {
    %e = aten.zeros_like.default(%x)
    %v = aten.view.default(%e, [3, 2])
    %f = aten.fill_.Scalar(%e, 2.0)
    %r = aten.add.Tensor(%f, %x)
    %s = aten.new_empty.default(%x, [4096])
    %t = aten.resize_.default(%s, [9000])
    return (%r, %s)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport report,
                          check_equivalent(*before, *after, inputs_));
  ASSERT_TRUE(report.first.has_value()) << report.str();
  EXPECT_EQ(report.first->a, "f");
  ASSERT_THAT(report.different, SizeIs(1));
  EXPECT_EQ(report.different[0].name, "result 0");
}

TEST_F(CheckEquivalentTest, WrittenInputsAreOptional) {
  const auto in_place = parse(R"(graph(%x, %w) {
    %y = aten.mul_.Tensor(%x, %w)
    return %y
  })");
  const auto pure = parse(R"(graph(%x, %w) {
    %mul_tensor = aten.mul.Tensor(%x, %w)
    return %mul_tensor
  })");
  const std::vector<c10::IValue> inputs = {inputs_[0], at::full({3}, 2.0F)};
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport all, check_equivalent(*in_place, *pure, inputs));
  EXPECT_EQ(all.different.size(), 1U) << all.str();
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport results,
                          check_equivalent(*in_place, *pure, inputs, {.written_inputs = false}));
  EXPECT_TRUE(results.equivalent()) << results.str();
  EXPECT_EQ(results.compared, 1U);
}

// A graph and the graphs that it calls share tensors of the module, and both runs start from the
// same values.
TEST_F(CheckEquivalentTest, CalledGraphsWriteToTheModule) {
  const auto whole = parse(R"(graph(%x, %w) {
    %c = get_attr c
    %none = aten._foreach_mul_.List([%w, %c], [%w, %w])
    %sum = aten.add.Tensor(%c, %x)
    return (%sum, %c)
  })");
  Module root;
  ASSERT_THAT(root.assign("c", Attribute::constant(from_torch(at::full({3}, 0.5F)))), IsOk());
  const auto parts = whole->clone();
  const auto is_supported = [](const Node& node) { return node.target() != "aten.add.Tensor"; };
  ASSERT_THAT(split_for_backend_in_place(*parts, root, is_supported), IsOk());
  ASSERT_THAT(parts->find_nodes(Opcode::kCallModule), SizeIs(2));
  const std::vector<c10::IValue> inputs = {inputs_[0], at::full({3}, 2.0F)};
  for (const bool gradients : {false, true}) {
    FX_ASSERT_OK_AND_ASSIGN(
        const EquivalenceReport report,
        check_equivalent(*whole, *parts, inputs,
                         {.gradients = gradients, .root_a = &root, .root_b = &root}));
    EXPECT_TRUE(report.equivalent()) << report.str();
  }
  EXPECT_TRUE(at::equal(to_torch(root.find_tensor("c")), at::full({3}, 0.5F)));
}

TEST_F(CheckEquivalentTest, ErrorsNameTheGraph) {
  const auto before = parse(kBefore);
  const auto bad = parse("graph(%x, %w) { %y = user.op(%x) return %y }");
  EXPECT_THAT(check_equivalent(*before, *bad, inputs_),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("second graph: node y")));
  EXPECT_THAT(check_equivalent(*before, *before, {inputs_[0]}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("first graph")));
}

// out=None, as normalize_args writes it, is not a tensor to write to.
TEST_F(CheckEquivalentTest, OutNoneIsOmitted) {
  const auto a = parse("graph(%x, %w) { %y = torch.cos(%x) return %y }");
  const auto b = parse("graph(%x, %w) { %y = torch.cos(%x, out=None) return %y }");
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport report, check_equivalent(*a, *b, inputs_));
  EXPECT_TRUE(report.equivalent()) << report.str();
}

// ---- constants

// parity: E5
TEST_F(CheckEquivalentTest, ConstantsAreFoldedByLibtorch) {
  const auto graph = parse(R"(graph(%x) {
    %w = get_attr net.w
    %t = aten.t.default(%w)
    %square = aten.mul.Tensor(%t, %t)
    %ones = aten.ones.default([2])
    %split = aten.split.Tensor(%ones, 1)
    %first = operator.getitem(%split, 0)
    %a = aten.mm.default(%x, %square)
    %b = aten.add.Tensor(%a, %ones)
    %c = aten.add.Tensor(%b, %first)
    return %c
  })");
  Module root;
  const at::Tensor w = at::randn({2, 3});
  ASSERT_THAT(root.assign("net.w", Attribute::constant(from_torch(w))), IsOk());
  const auto before = graph->clone();
  FX_ASSERT_OK_AND_ASSIGN(const Pipeline pipeline,
                          parse_pipeline(standard_passes(), "fold_constants"));
  const PassManager manager(pipeline, {.check_changed = true, .evaluate = evaluate_constants});
  FX_ASSERT_OK_AND_ASSIGN(const PassReport report, manager.run(*graph, &root));
  EXPECT_TRUE(report.changed);
  EXPECT_THAT(graph->find_nodes(Opcode::kCallFunction), SizeIs(3));  // mm and the additions
  const Node* mm = graph->find_node("a");
  const Tensor folded = root.find_tensor(mm->arg(1).node()->target());
  ASSERT_TRUE(folded.defined());
  const at::Tensor expected = w.t() * w.t();
  EXPECT_TRUE(compare_tensors(to_torch(folded), expected).bit_equal);
  EXPECT_EQ(to_torch(folded).strides(), expected.strides());  // those of a transpose
  EquivalenceOptions options;
  options.root_a = options.root_b = &root;
  FX_ASSERT_OK_AND_ASSIGN(const EquivalenceReport same,
                          check_equivalent(*before, *graph, {at::randn({2, 3})}, options));
  EXPECT_TRUE(same.equivalent()) << same.str();
}

TEST_F(CheckEquivalentTest, ConstantsThatFailNameTheNode) {
  const auto graph = parse(R"(graph() {
    %w = get_attr w
    %m = aten.mm.default(%w, %w)
    return (%m,)
  })");
  Module root;
  ASSERT_THAT(root.assign("w", Attribute::constant(from_torch(at::ones({2, 3})))), IsOk());
  EXPECT_THAT(evaluate_constants(*graph, root),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("node m (aten.mm.default)")));
}

}  // namespace
}  // namespace fx
