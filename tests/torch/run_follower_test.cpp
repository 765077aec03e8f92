// Runs of a program at other sizes are compared, as they execute, with the graph of the first run.
// A run with a different structure is an error that names the location, just as when captured
// graphs are compared afterwards.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/eager.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "tests/torch/zoo_sizes.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fx::run_follower_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::SizeCase;
using testing::StatusIs;

// ---- both ways of comparing runs

class FollowedZoo : public ::testing::TestWithParam<SizeCase> {};

INSTANTIATE_TEST_SUITE_P(Models, FollowedZoo, ::testing::ValuesIn(testing::size_cases()),
                         [](const auto& test) { return test.param.name; });

// Runs are captured as graphs if operators are kept as single calls. No model calls bilinear.
TEST_P(FollowedZoo, MatchesTheGraphOfCapturedRuns) {
  const SizeCase& c = GetParam();
  Context context;
  ModelInstance model = testing::make(c.model, c.settings);
  const TensorSnapshot start(model.state, model.inputs);
  const auto capture = [&](std::vector<std::string> keep) {
    int runs = 0;
    const Program loss = [&](Tensors in) {
      ++runs;
      return model.loss(in);
    };
    const absl::StatusOr<CapturedGraph> graph = capture_joint(
        context, model.state, model.inputs, loss, {.dynamic = c.dynamic, .keep = std::move(keep)});
    start.restore();
    EXPECT_THAT(graph, IsOk());
    return std::pair(graph.ok() ? print(*graph->graph) : "", runs);
  };
  const auto [followed, num_followed] = capture({});
  const auto [captured, num_captured] = capture({"bilinear"});
  EXPECT_EQ(followed, captured);
  EXPECT_EQ(num_followed, num_captured) << "a run was not comparable, and was repeated";
}

// ---- runs that differ

using Forward = std::function<std::vector<at::Tensor>(const at::Tensor& x, bool is_first)>;

class FollowedRuns : public ::testing::Test {
 protected:
  /// Captures a program that computes something different in its runs at other sizes.
  absl::StatusOr<CapturedGraph> run(const Forward& forward, std::vector<std::string> keep = {}) {
    runs_ = 0;
    const Program program = [&](Tensors in) {
      ++runs_;
      return forward(in[0], in[0].size(0) == 8);
    };
    return capture(context_, ModuleState{}, std::vector<at::Tensor>{at::randn({8, 4})}, program,
                   {.dynamic = {.inputs = {"f32[n, 4]"}}, .keep = std::move(keep)});
  }
  /// Expects the same error from runs that are compared and from runs that are captured.
  void expect_error(const Forward& forward, const ::testing::Matcher<const std::string&>& message) {
    const absl::Status followed = run(forward).status();
    EXPECT_THAT(followed, StatusIs(absl::StatusCode::kInvalidArgument, message));
    EXPECT_EQ(followed, run(forward, {"bilinear"}).status());
  }

  Context context_;
  int runs_ = 0;
};

TEST_F(FollowedRuns, ExtraAndMissingCallsAreErrors) {
  expect_error(
      [](const at::Tensor& x, bool is_first) {
        at::Tensor y = x.tanh();
        if (!is_first) y = y.relu();
        return std::vector{y.sum()};
      },
      AllOf(HasSubstr("node sum_1 (aten.sum.default) of the run with n=8 is node relu "
                      "(aten.relu.default) with n="),
            HasSubstr("the structure of the program depends on a size")));
  expect_error(
      [](const at::Tensor& x, bool is_first) {
        at::Tensor y = x.tanh();
        if (is_first) y = y.relu();
        return std::vector{y.sum()};
      },
      HasSubstr("node relu (aten.relu.default) of the run with n=8 is node sum_1 "
                "(aten.sum.default) with n="));
  expect_error(
      [](const at::Tensor& x, bool is_first) {
        const at::Tensor y = x.tanh();
        return is_first ? std::vector{y} : std::vector{y, y};
      },
      HasSubstr("node output (output) of the run with n=8 has a different argument \"result\""));
}

TEST_F(FollowedRuns, ADifferentOperatorIsAnError) {
  expect_error([](const at::Tensor& x,
                  bool is_first) { return std::vector{is_first ? x.tanh() : x.relu()}; },
               HasSubstr("node tanh (aten.tanh.default) of the run with n=8 is node relu"));
}

TEST_F(FollowedRuns, DifferentValuesAreErrors) {
  expect_error(
      [](const at::Tensor& x, bool is_first) {
        const at::Tensor y = x.tanh(), z = x.relu();
        return std::vector{is_first ? y - z : z - y};
      },
      HasSubstr("node sub (aten.sub.Tensor) of the run with n=8 has the argument \"0\" = %tanh, "
                "but a different value with n="));
  expect_error([](const at::Tensor& x,
                  bool is_first) { return std::vector{x.to(is_first ? at::kDouble : at::kHalf)}; },
               HasSubstr("has the argument \"dtype\" = torch.float64, but torch.float16 with "));
  expect_error([](const at::Tensor& x,
                  bool is_first) { return std::vector{at::gelu(x, is_first ? "none" : "tanh")}; },
               HasSubstr("has the argument \"approximate\" = \"none\", but \"tanh\" with n="));
  expect_error(
      [](const at::Tensor& x, bool is_first) { return std::vector{at::argsort(x, 1, !is_first)}; },
      HasSubstr("= False, but True with n="));
  expect_error(
      [](const at::Tensor& x, bool is_first) {
        return std::vector{x.sum(is_first ? std::vector<int64_t>{0} : std::vector<int64_t>{0, 1})};
      },
      HasSubstr("has a different argument \"1\" with n="));
  expect_error(
      [](const at::Tensor& x, bool is_first) {
        const std::tuple<at::Tensor, at::Tensor> found = x.max(1);
        return std::vector{is_first ? std::get<0>(found).sum() : std::get<1>(found).sum()};
      },
      HasSubstr("node getitem (operator.getitem): argument \"1\" is 0 with n=8, and 1 with n="));
  expect_error(
      [](const at::Tensor& x, bool is_first) {
        const at::Tensor y = x.tanh(), z = x.relu();
        return std::vector{is_first ? y : z};
      },
      HasSubstr("node output (output) of the run with n=8"));
}

TEST_F(FollowedRuns, ADifferentConstantIsAnError) {
  const at::Tensor a = at::randn({4}), b = at::randn({4});
  expect_error(
      [&](const at::Tensor& x, bool is_first) { return std::vector{x * (is_first ? a : b)}; },
      HasSubstr("the constant _tensor_constant0 differs for n="));
  EXPECT_THAT(run([&](const at::Tensor& x, bool) { return std::vector{x * a + a}; }), IsOk());
  EXPECT_EQ(runs_, 5);
}

// zeros() returns fake memory in these runs. A write without an operator would be lost.
TEST_F(FollowedRuns, AWriteWithoutAnOperatorIsAnError) {
  expect_error(
      [](const at::Tensor& x, bool is_first) {
        const at::Tensor t = at::zeros({4});
        if (!is_first) t.data_ptr<float>()[0] = 1;
        return std::vector{x * t};
      },
      HasSubstr("node zeros (aten.zeros.default) of the run with n=8 is node"));
}

TEST_F(FollowedRuns, OperatorsThatThrowAreNotRecorded) {
  EXPECT_THAT(run([](const at::Tensor& x, bool) {
                at::Tensor y = x.tanh();
                try {
                  y = at::mm(y, y.view({2, -1}));
                } catch (const std::exception&) {
                  y = y.relu();
                }
                return std::vector{y.sum()};
              }),
              IsOk());
  EXPECT_EQ(runs_, 5);
}

TEST_F(FollowedRuns, ErrorsAtOtherSizesAreReported) {
  expect_error(
      [](const at::Tensor& x, bool is_first) {
        TORCH_CHECK(is_first, "only 8 rows");
        return std::vector{x.sum()};
      },
      AllOf(HasSubstr("only 8 rows"), HasSubstr("which the program must accept")));
}

}  // namespace
}  // namespace fx::run_follower_test
