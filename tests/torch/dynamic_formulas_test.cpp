// Captures random programs that compute integers from a symbolic size with the formulas that
// programs use: quotients, remainders and bounds, with constants. The graph must have the results
// of eager mode at other sizes: no other formula that has the same values during the capture may be
// chosen.
#include "fx/importers/torch/capture/capture.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/context.h"
#include "tests/testing/status_matchers.h"

#include "fmt/format.h"
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace fx::dynamic_formulas_test {
namespace {

/// A function of the size of a dimension.
struct Formula {
  std::string text;
  std::function<int64_t(int64_t)> value;
  int64_t dim = 0;

  int64_t of(const at::Tensor& x) const { return value(x.size(dim)); }
};

class Formulas {
 public:
  explicit Formulas(unsigned seed) : random_(seed) {}

  int64_t number(int64_t min, int64_t max) {
    return std::uniform_int_distribution<int64_t>(min, max)(random_);
  }
  /// Returns a function of the first size, n, or of the second, m.
  Formula formula() {
    Formula result = function();
    if (number(0, 2) != 0) return result;
    result.dim = 1;
    std::ranges::replace(result.text, 'n', 'm');
    return result;
  }

 private:
  Formula function() {
    const int64_t q = number(2, 5), c = number(1, 4);
    switch (number(0, 7)) {
      case 0:
        return {fmt::format("n // {}", q), [=](int64_t n) { return n / q; }};
      case 1:
        return {fmt::format("n // {} + {}", q, c), [=](int64_t n) { return n / q + c; }};
      case 2:
        return {fmt::format("(n + {}) // {}", c, q), [=](int64_t n) { return (n + c) / q; }};
      case 3:
        return {fmt::format("n % {}", q), [=](int64_t n) { return n % q; }};
      case 4:
        return {fmt::format("-n % {}", q), [=](int64_t n) { return (q - n % q) % q; }};
      case 5:
        return {fmt::format("n // {} * {}", q, q), [=](int64_t n) { return n / q * q; }};
      case 6:
        return {fmt::format("n - n // {}", q), [=](int64_t n) { return n - n / q; }};
      default:
        return {fmt::format("{} * n + {}", q, c), [=](int64_t n) { return q * n + c; }};
    }
  }

  std::mt19937 random_;
};

/// A program with a float input of the sizes [n, m].
struct FormulaProgram {
  std::string text;
  std::vector<std::function<at::Tensor(const at::Tensor&)>> steps;

  explicit FormulaProgram(Formulas& formulas) {
    for (int64_t i = formulas.number(1, 3); i > 0; --i) add_step(formulas);
  }
  std::vector<at::Tensor> operator()(Tensors in) const {
    std::vector<at::Tensor> results;
    for (const auto& step : steps) results.push_back(step(in[0]));
    return results;
  }

 private:
  void add_step(Formulas& formulas) {
    const Formula f = formulas.formula();
    switch (formulas.number(0, 4)) {
      case 0:
        text += fmt::format("x * ({}); ", f.text);
        steps.emplace_back([f](const at::Tensor& x) { return x * f.of(x); });
        break;
      case 1:
        text += fmt::format("x[:{}] * 1; ", f.text);
        steps.emplace_back([f](const at::Tensor& x) { return x.slice(0, 0, f.of(x)) * 1; });
        break;
      case 2:
        text += fmt::format("pad(x, {}); ", f.text);
        steps.emplace_back(
            [f](const at::Tensor& x) { return at::constant_pad_nd(x, {0, 0, 0, f.of(x)}); });
        break;
      case 3:
        text += fmt::format("zeros({}) + 1; ", f.text);
        steps.emplace_back([f](const at::Tensor& x) { return at::zeros({f.of(x)}) + x.sum(); });
        break;
      default: {
        const Formula g = formulas.formula();
        text += fmt::format("x * ({}); x * ({}); ", f.text, g.text);
        steps.emplace_back([f, g](const at::Tensor& x) { return x * f.of(x) + x * g.of(x); });
      }
    }
  }
};

TEST(DynamicFormulas, OtherSizesHaveTheResultsOfEagerMode) {
  size_t captured = 0, programs = 0, equal = 0;
  for (unsigned seed = 0; seed < 160; ++seed) {
    Formulas formulas(seed);
    const FormulaProgram program(formulas);
    const int64_t rows = formulas.number(5, 20), columns = formulas.number(5, 20);
    DynamicSizes dynamic{.inputs = {"f32[n, m]"}};
    if (seed % 2 == 1) dynamic.ranges = {{"n", 4, 64}, {"m", 4, 64}};
    SCOPED_TRACE(fmt::format("seed {}: {}at [{}, {}]", seed, program.text, rows, columns));
    Context context;
    ++programs;
    const absl::StatusOr<CapturedGraph> graph = capture(
        context, {}, std::vector{at::randn({rows, columns})}, program, {.dynamic = dynamic});
    if (!graph.ok()) continue;
    ++captured;
    FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator,
                            TorchEvaluator::create(*graph->graph, graph->constants));
    for (int64_t n = 4; n < 34; ++n) {
      const int64_t m = formulas.number(4, 34);
      const at::Tensor x = at::randn({n, m});
      const std::vector<at::Tensor> inputs = {x};
      const std::vector<at::Tensor> expected = program(inputs);
      const absl::StatusOr<std::vector<c10::IValue>> results = evaluator.run({x});
      EXPECT_TRUE(results.ok()) << results.status();
      if (!results.ok()) continue;
      ASSERT_EQ(results->size(), expected.size());
      for (size_t i = 0; i < expected.size(); ++i) {
        const at::Tensor& result = (*results)[i].toTensor();
        EXPECT_TRUE(result.sizes() == expected[i].sizes() && at::equal(result, expected[i]))
            << "result " << i << " at n=" << n << ", m=" << m;
      }
      ++equal;
    }
  }
  EXPECT_EQ(captured, programs);
  EXPECT_EQ(equal, 30 * programs);
}

// Without a range, the program may reject sizes greater than those of the inputs.
TEST(DynamicFormulas, ErrorsAtUnusualSizesAreIgnored) {
  Context context;
  const at::Tensor table = at::randn({9, 2});
  const Program program = [&](Tensors in) {
    const int64_t n = in[0].size(0);
    return std::vector{(in[0] + table.slice(0, 0, n)) * (n / 5 + 1)};
  };
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph graph,
                          capture(context, {}, std::vector{at::randn({9, 2})}, program,
                                  {.dynamic = {.inputs = {"f32[n, 2]"}}}));
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator,
                          TorchEvaluator::create(*graph.graph, graph.constants));
  for (int64_t n = 3; n <= 9; ++n) {
    const std::vector<at::Tensor> inputs = {at::randn({n, 2})};
    std::vector<c10::IValue> values = {inputs[0]};
    for (const CapturedInput& input : graph.inputs)
      if (input.kind != InputKind::kInput) values.insert(values.begin(), input.tensor);
    FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> results, evaluator.run(values));
    EXPECT_TRUE(at::equal(results[0].toTensor(), program(inputs)[0])) << n;
  }
}

}  // namespace
}  // namespace fx::dynamic_formulas_test
