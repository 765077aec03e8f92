// TorchEvaluator runs graphs of operators in libtorch: arguments as torch.fx allows them, errors
// that name the node, and values that are freed after their last use.
#include "fx/interp/torch/evaluator.h"

#include "fx/ir/graph/graph.h"
#include "tests/testing/status_matchers.h"

#include <ATen/ATen.h>
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

}  // namespace
}  // namespace fx
