// TorchEvaluator runs graphs of operators in libtorch: arguments as torch.fx allows them, errors
// that name the node, and values that are freed after their last use.
#include "fx/interp/torch/evaluator.h"

#include "fx/ir/graph/graph.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class EvaluatorTest : public ::testing::Test {
 protected:
  Node* call(std::string_view target, std::vector<Argument> args, std::vector<Kwarg> kwargs = {}) {
    return graph_.call_function(context_.function(target), args, kwargs);
  }
  std::vector<c10::IValue> run(std::vector<c10::IValue> inputs, TorchConstants constants = {}) {
    absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph_, constants);
    EXPECT_THAT(evaluator, IsOk());
    if (!evaluator.ok()) return {};
    absl::StatusOr<std::vector<c10::IValue>> results = evaluator->run(std::move(inputs));
    EXPECT_THAT(results, IsOk());
    return results.ok() ? *std::move(results) : std::vector<c10::IValue>();
  }
  absl::Status create_status() { return TorchEvaluator::create(graph_).status(); }

  Context context_;
  Graph graph_{context_};
};

TEST_F(EvaluatorTest, PositionalKeywordAndDefaultArguments) {
  Node* x = graph_.placeholder("x");
  Node* a = call("aten.add.Tensor", {x, x}, {{"alpha", 2}});
  Node* b = call("aten.add.Tensor", {}, {{"other", a}, {"self", x}});
  graph_.output(b);
  const at::Tensor in = at::randn({3});
  EXPECT_TRUE(at::equal(run({in})[0].toTensor(), in + at::add(in, in, 2)));
}

TEST_F(EvaluatorTest, NumbersAreAcceptedAsTensorsAndLists) {
  Node* x = graph_.placeholder("x");
  Node* doubled = call("aten.mul.Tensor", {x, 2.0});
  graph_.output(call("aten.avg_pool2d.default", {doubled, 2}));
  const at::Tensor in = at::randn({1, 1, 4, 4}).to(at::kBFloat16);
  // 2.0 does not promote bfloat16 to float.
  EXPECT_TRUE(at::equal(run({in})[0].toTensor(), at::avg_pool2d(in * 2, {2, 2})));
}

TEST_F(EvaluatorTest, SeveralResultsAndLists) {
  Node* x = graph_.placeholder("x");
  Node* top = call("aten.topk.default", {x, 2});
  Node* values = call("operator.getitem", {top, 0});
  Node* parts = call("aten.split.Tensor", {values, 1});
  Node* last = call("operator.getitem", {parts, 1});
  Node* joined = call("aten.cat.default", {Argument::list({last, values, last})});
  graph_.output(Argument::list({joined, call("operator.getitem", {top, 1}), Argument::none()}));
  const std::vector<c10::IValue> results = run({at::tensor({3.0, 9.0, 5.0})});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_TRUE(at::equal(results[0].toTensor(), at::tensor({5.0, 9.0, 5.0, 5.0})));
  EXPECT_TRUE(at::equal(results[1].toTensor(), at::tensor({1, 2}, at::kLong)));
  EXPECT_TRUE(results[2].isNone());
}

TEST_F(EvaluatorTest, NegativeIndicesCountFromTheEnd) {
  Node* x = graph_.placeholder("x");
  Node* parts = call("aten.split.Tensor", {x, 1});
  Node* last = call("operator.getitem", {parts, -1});
  Node* row = call("operator.getitem", {x, -2});
  Node* output = graph_.output(Argument::list({last, row}));
  const at::Tensor in = at::randn({3, 2});
  const std::vector<c10::IValue> results = run({in});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_TRUE(at::equal(results[0].toTensor(), in.slice(0, 2, 3)));
  EXPECT_TRUE(at::equal(results[1].toTensor(), in[1]));

  for (const int64_t out_of_range : {3, -4}) {
    const InsertPointGuard guard = graph_.inserting_before(output);
    Node* none = call("operator.getitem", {parts, out_of_range});
    ASSERT_THAT(output->set_args({Argument(none)}), IsOk());
    absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph_);
    ASSERT_THAT(evaluator, IsOk());
    EXPECT_THAT(evaluator->run({in}),
                StatusIs(absl::StatusCode::kOutOfRange, HasSubstr("is out of range for 3 items")));
  }
}

TEST_F(EvaluatorTest, AllResultsAsOneValue) {
  Node* x = graph_.placeholder("x");
  Node* top = call("aten.topk.default", {x, 1});
  call("operator.getitem", {top, 0});
  graph_.output(Argument::list({top, call("operator.getitem", {top, 1})}));
  const std::vector<c10::IValue> results = run({at::tensor({3.0, 9.0})});
  ASSERT_TRUE(results[0].isTuple());
  EXPECT_EQ(results[0].toTupleRef().elements()[0].toTensor().item<double>(), 9.0);
  EXPECT_EQ(results[1].toTensor().item<int64_t>(), 1);
}

TEST_F(EvaluatorTest, ConstantsByName) {
  Node* x = graph_.placeholder("x");
  graph_.output(call("aten.mul.Tensor", {x, graph_.get_attr("scale")}));
  EXPECT_EQ(run({at::ones({})}, {{"scale", at::full({}, 3.0)}})[0].toTensor().item<double>(), 3.0);
  EXPECT_THAT(create_status(), StatusIs(absl::StatusCode::kNotFound,
                                        AllOf(HasSubstr("node scale"), HasSubstr("constant"))));
}

TEST_F(EvaluatorTest, ValuesAreReleasedAfterTheirLastUse) {
  Node* x = graph_.placeholder("x");
  Node* value = call("aten.exp.default", {x});
  for (int i = 0; i < 3; ++i) value = call("aten.sin.default", {value});
  // The in-place call writes to a value without other users; the input does not change.
  value = call("aten.add_.Tensor", {value, 1});
  graph_.output(value);
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph_);
  ASSERT_THAT(evaluator, IsOk());
  at::Tensor in = at::ones({2});
  c10::weak_intrusive_ptr<c10::TensorImpl> seen(in.getIntrusivePtr());
  std::vector<c10::IValue> inputs{std::move(in)};
  ASSERT_THAT(evaluator->run(std::move(inputs)), IsOk());
  EXPECT_TRUE(seen.expired());
}

// parity: I14
TEST_F(EvaluatorTest, RunsTwice) {
  Node* x = graph_.placeholder("x");
  graph_.placeholder("unused");
  graph_.output(call("aten.relu.default", {x}));
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph_);
  ASSERT_THAT(evaluator, IsOk());
  EXPECT_EQ(evaluator->num_inputs(), 2u);
  for (const double value : {1.0, 2.0}) {
    const auto results = evaluator->run({at::full({}, value), c10::IValue()});
    ASSERT_THAT(results, IsOk());
    EXPECT_EQ((*results)[0].toTensor().item<double>(), value);
  }
}

TEST_F(EvaluatorTest, ErrorsNameTheNode) {
  Node* x = graph_.placeholder("x");
  Node* bad = call("aten.mm.default", {x, x});
  graph_.output(bad);
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph_);
  ASSERT_THAT(evaluator, IsOk());
  EXPECT_THAT(
      evaluator->run({at::ones({2, 3})}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("node mm_default (aten.mm.default)"), HasSubstr("mat1 and mat2"))));
  EXPECT_THAT(evaluator->run({}), StatusIs(absl::StatusCode::kInvalidArgument,
                                           HasSubstr("has 1 input, but received 0")));
}

TEST_F(EvaluatorTest, UnsupportedGraphsAreErrors) {
  const auto expect_error = [&](Node* node, absl::StatusCode code, std::string_view text) {
    EXPECT_THAT(create_status(), StatusIs(code, AllOf(HasSubstr("node " + node->name()),
                                                      HasSubstr(std::string(text)))));
    ASSERT_THAT(graph_.erase_node(node), IsOk());
  };
  Node* x = graph_.placeholder("x");
  using enum absl::StatusCode;
  expect_error(call("aten.no_such.default", {x}), kNotFound,
               "libtorch does not have the operator aten.no_such.default");
  expect_error(call("torch.relu", {x}), kUnimplemented, "torch.relu");
  expect_error(call("aten.mm.default", {x}), kInvalidArgument, "argument mat2 is missing");
  expect_error(call("aten.mm.default", {x, x, x}), kInvalidArgument,
               "accepts 2 positional arguments, not 3");
  expect_error(call("aten.relu.default", {x}, {{"inplace", true}}), kInvalidArgument,
               "it does not have an argument inplace");
  expect_error(call("aten.sum.dim_IntList", {x, "rows"}), kInvalidArgument, "string");
  expect_error(graph_.call_module("layer", {x}), kUnimplemented, "call_module");
  expect_error(graph_.call_method("relu", {x}), kUnimplemented, "call_method");
}

// ---- nested graphs

/// Returns the results of a graph for each tensor of `inputs`, or the error.
absl::StatusOr<std::vector<c10::IValue>> run_text(Context& context, std::string_view text,
                                                  std::vector<c10::IValue> inputs) {
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> graph, parse_graph(context, text));
  FX_ASSIGN_OR_RETURN(TorchEvaluator evaluator, TorchEvaluator::create(*graph));
  return evaluator.run(std::move(inputs));
}

TEST_F(EvaluatorTest, CallsOfGraphs) {
  const at::Tensor x = at::randn({3}), y = at::randn({3});
  FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> results,
                          run_text(context_, R"(graph(%x : f32[3], %y : f32[3]) {
    graph @outer(%a : f32[3], %n : int, %b : f32[3], %unused : f32[3]) {
      graph @inner(%p : f32[3]) {
        %s : f32[3] = aten.sin.default(%p)
        return %s
      }
      %i : f32[3] = higher_order.wrap(@inner, %a)
      %m : f32[3] = aten.mul.Tensor(%i, %n)
      %w : f32[3] = aten.add_.Tensor(%b, %m)
      return (%m, None, %a, 7, %w)
    }
    %c = higher_order.invoke_subgraph(@outer, "outer", %x, 3, %y, %x)
    %last : f32[3] = operator.getitem(%c, 4)
    %first : f32[3] = operator.getitem(%c, 0)
    %none = operator.getitem(%c, 1)
    %same : f32[3] = operator.getitem(%c, 2)
    %seven : int = operator.getitem(%c, 3)
    %sum : f32[3] = aten.add.Tensor(%first, %seven)
    return (%sum, %none, %same, %last, %y, %seven)
  })",
                                   {x, y.clone()}));
  const at::Tensor product = x.sin() * 3;
  EXPECT_TRUE(at::equal(results[0].toTensor(), product + 7));
  EXPECT_TRUE(results[1].isNone());
  EXPECT_TRUE(results[2].toTensor().is_same(x));
  EXPECT_TRUE(at::equal(results[3].toTensor(), y + product));
  EXPECT_TRUE(at::equal(results[4].toTensor(), y + product));
  EXPECT_EQ(results[5].toInt(), 7);
}

TEST_F(EvaluatorTest, CallsOfGraphsThatItCannotRun) {
  const auto error = [&](std::string_view call, std::string_view guard = "") {
    return run_text(context_,
                    fmt::format(R"(graph(%x : f32[n]) {{
    graph @body(%a : f32[n]) {{
      {}
      %s : f32[n] = aten.sin.default(%a)
      return (%s, %s)
    }}
    %c = {}
    return %c
  }})",
                                guard, call),
                    {at::randn({3})})
        .status();
  };
  constexpr std::string_view kCall = R"(higher_order.invoke_subgraph(@body, "body", %x))";
  EXPECT_THAT(error(kCall), StatusIs(absl::StatusCode::kUnimplemented,
                                     HasSubstr("requires that users select single results")));
  EXPECT_THAT(error(R"(higher_order.wrap(@body, %x))", "!guards = [\"n >= 5\"]"),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("cannot check the guards")));
  EXPECT_THAT(error("higher_order.wrap_with_set_grad_enabled(False, @body, %x)"),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("cannot run this call")));
  EXPECT_THAT(error("higher_order.wrap(@body, %x, %x)"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("number of operands")));
}

}  // namespace
}  // namespace fx
