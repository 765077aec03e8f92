// Binds arguments to schemas, and chooses overloads.
#include "fx/ir/calls/bind.h"

#include "fx/ir/calls/overload.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/ops/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BindTest : public ::testing::Test {
 protected:
  BindTest() { x_ = tensor("x"), y_ = tensor("y"); }

  Node* tensor(std::string_view name) {
    Node* node = graph_.placeholder(name);
    node->set_type(context_.types().tensor({.dtype = DType::kFloat32}));
    return node;
  }

  /// Returns the problems of a call as text.
  std::vector<std::string> problems(std::string_view op, std::vector<Argument> args,
                                    std::vector<Kwarg> kwargs, CallStyle style) {
    const ops::OpSchema& schema = context_.ops().find(op)->schema();
    const CallArguments call = CallArguments::of(args, kwargs);
    std::vector<std::string> found;
    std::vector<BoundParameter> bound;
    bind_arguments(schema, call, style, bound, [&](const BindProblem& problem) {
      found.push_back(describe(problem, schema, call));
    });
    return found;
  }

  /// Returns the overload that a method call selects, or the error message if there is none.
  std::string chosen_method(std::string_view packet, std::vector<Argument> args) {
    return chosen(packet, std::move(args), {}, {}, /*is_method=*/true);
  }
  /// The same for a call to a function.
  std::string chosen(std::string_view packet, std::vector<Argument> args,
                     std::vector<Kwarg> kwargs = {}, OverloadOptions options = {},
                     bool is_method = false) {
    std::vector<PassedValue> values;
    for (const Argument& value : args) values.push_back(passed_value(value));
    for (const Kwarg& kwarg : kwargs) values.push_back(passed_value(kwarg.value));
    CallArguments call = CallArguments::of(args, kwargs);
    call.values = values;
    call.is_method = is_method;
    const auto overload = choose_overload(packet, context_.ops().overloads(packet), call, options);
    return overload.ok() ? std::string(overload->op->name())
                         : std::string(overload.status().message());
  }

  Context context_;
  Graph graph_{context_};
  Node* x_;
  Node* y_;
};

TEST_F(BindTest, ReportsEveryProblem) {
  EXPECT_THAT(
      problems("aten.add.Tensor", {x_, y_, 2}, {{"beta", 1}, {"other", y_}}, CallStyle::kOperator),
      ElementsAre("it accepts 2 positional arguments, not 3", "it does not have an argument beta",
                  "argument other is passed both by position and by keyword"));
  EXPECT_THAT(problems("aten.add.Tensor", {}, {{"self", x_}}, CallStyle::kOperator),
              ElementsAre("argument other is missing and has no default"));
}

TEST_F(BindTest, PythonHasAdditionalNames) {
  const std::vector<Kwarg> axis = {{"axis", Argument::list({1})}, {"keepdims", true}};
  EXPECT_THAT(problems("aten.sum.dim_IntList", {x_}, axis, CallStyle::kPython), ElementsAre());
  EXPECT_EQ(problems("aten.sum.dim_IntList", {x_}, axis, CallStyle::kOperator).size(), 3u);
  EXPECT_THAT(problems("aten.add.Tensor", {}, {{"x1", x_}, {"x2", y_}}, CallStyle::kPython),
              ElementsAre());
  // torch.sum(x, 1, axis=1) raises an exception too.
  EXPECT_THAT(problems("aten.sum.dim_IntList", {x_, Argument::list({1})},
                       {{"axis", Argument::list({1})}}, CallStyle::kPython),
              ElementsAre("argument axis is passed both by position and by keyword"));
}

TEST_F(BindTest, ChoosesTheOverloadWithTheFewestConversions) {
  EXPECT_EQ(chosen("aten.add", {x_, y_}), "aten.add.Tensor");
  EXPECT_EQ(chosen("aten.add", {x_, 2}), "aten.add.Tensor");  // as Python's bindings do
  EXPECT_EQ(chosen("aten.add", {x_, 2}, {}, {.numbers_as_tensors = false}), "aten.add.Scalar");
  EXPECT_EQ(chosen("aten.pow", {x_, 2}), "aten.pow.Tensor_Scalar");
  EXPECT_EQ(chosen("aten.pow", {2, x_}), "aten.pow.Scalar");
  EXPECT_EQ(chosen("aten.sum", {x_}), "aten.sum.default");
  EXPECT_EQ(chosen("aten.sum", {x_}, {{"axis", 1}}), "aten.sum.dim_IntList");
  EXPECT_EQ(chosen("aten.max", {x_}, {{"axis", 1}}), "aten.max.dim");
  EXPECT_EQ(chosen("aten.to", {x_, DType::kFloat16}), "aten.to.dtype");
}

TEST_F(BindTest, AcceptsSeparateItemsOnlyForASingleParameter) {
  EXPECT_EQ(chosen_method("aten.view", {x_, 2, 3}), "aten.view.default");
  EXPECT_EQ(chosen_method("aten.permute", {x_, 1, 0}), "aten.permute.default");
  EXPECT_EQ(chosen("aten.zeros", {2, 3}), "aten.zeros.default");
  EXPECT_EQ(chosen("aten.einsum", {"i,i", x_, y_}), "aten.einsum.default");
  EXPECT_EQ(chosen("aten.block_diag", {x_, y_}), "aten.block_diag.default");
  // torch.permute(x, 1, 0), x.std(0, 1) and torch.hstack(x, y) raise exceptions.
  EXPECT_THAT(chosen("aten.permute", {x_, 1, 0}), HasSubstr("it accepts 2 positional arguments"));
  EXPECT_THAT(chosen_method("aten.std", {x_, 0, 1}), HasSubstr("none of the"));
  EXPECT_THAT(chosen("aten.hstack", {x_, y_}), HasSubstr("it accepts 1 positional argument"));
  // torch.roll(x, 1, 0, 1) raises an exception: dims must be passed as a tuple.
  EXPECT_THAT(chosen("aten.roll", {x_, 1, 0, 1}), HasSubstr("it accepts 3 positional arguments"));
}

TEST_F(BindTest, NumbersAndTensorsAreConvertedOnlyWherePythonDoes) {
  EXPECT_EQ(chosen("aten.add", {2, x_}), "aten.add.Tensor");
  EXPECT_EQ(chosen("aten.copy_", {x_, 2}), "aten.copy_.default");
  EXPECT_EQ(chosen("aten.clamp", {x_, 0.5, 2}), "aten.clamp.default");
  EXPECT_EQ(chosen("aten.clamp", {x_, y_, x_}), "aten.clamp.Tensor");
  EXPECT_THAT(chosen("aten.lt", {1, x_}), HasSubstr("argument self must be of type Tensor"));
  EXPECT_THAT(chosen("aten.cat", {Argument::list({x_, 2})}), HasSubstr("argument tensors must be"));
  // Python reads the item of a tensor of rank 0 that does not require gradients.
  EXPECT_EQ(chosen("aten.clamp", {x_, 0.5, y_}),
            "aten.clamp requires a number instead of a tensor: pass the result of item()");
  EXPECT_EQ(chosen("aten.full_like", {x_, y_}),
            "aten.full_like requires a number instead of a tensor: pass the result of item()");
  EXPECT_THAT(chosen("aten.full_like", {x_, "text"}), HasSubstr("must be of type Scalar"));
}

TEST_F(BindTest, OutThatIsNoneIsOmitted) {
  EXPECT_EQ(chosen("aten.add", {x_, y_}, {{"out", Argument()}}), "aten.add.Tensor");
  EXPECT_EQ(chosen("aten.add", {x_, y_}, {{"out", x_}}), "aten.add.out");
}

TEST_F(BindTest, ExplainsWhyNoOverloadMatches) {
  EXPECT_THAT(chosen("aten.sum", {x_}, {{"keepd", true}}), HasSubstr("has a parameter keepd"));
  EXPECT_THAT(chosen("aten.add", {x_, "text"}),
              HasSubstr("for the first overload: argument other must be of type Tensor"));
  EXPECT_THAT(chosen("aten.add", {x_, Argument()}),
              HasSubstr("argument other must be of type Tensor"));
}

TEST_F(BindTest, AnArgumentIsFoundByEachOfItsNames) {
  Node* sum = graph_.call_function(context_.function("torch.unsqueeze"), {x_}, {{"axis", 1}});
  ASSERT_TRUE(sum->argument("dim").has_value());
  EXPECT_EQ(*sum->argument("dim"), Argument(1));
}

}  // namespace
}  // namespace fx
