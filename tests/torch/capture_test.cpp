// Joint capture of libtorch programs: identity of values, in-place operators and views, lists,
// constants, custom autograd functions, guards on numbers that the program reads, and errors.
#include "fx/importers/torch/capture/capture.h"

#include "fx/importers/torch/capture/scope.h"
#include "fx/ir/graph/meta.h"
#include "tests/torch/joint_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

#include <stdexcept>
#include <string>
#include <thread>

namespace fx {
namespace {

using testing::check_joint;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Key;
using ::testing::Not;
using testing::operator_counts;
using ::testing::Pair;
using testing::StatusIs;

at::Tensor leaf(at::IntArrayRef sizes) { return at::randn(sizes).requires_grad_(); }

/// A program with one parameter `w`, one buffer `b` and the inputs.
class CaptureTest : public ::testing::TestWithParam<HookKind> {
 protected:
  CaptureTest() { testing::seed_torch(3); }

  CapturedGraph check(const Program& program, std::vector<at::Tensor> inputs = {}) {
    return check_joint(context_, {{{"layer.w", w_}}, {{"layer.b", b_}}}, std::move(inputs), program,
                       {.hook = GetParam()});
  }
  absl::Status status_of(const Program& program, std::vector<at::Tensor> inputs = {}) {
    return capture_joint(context_, {{{"layer.w", w_}}, {{"layer.b", b_}}}, inputs, program,
                         {.hook = GetParam()})
        .status();
  }
  /// Returns the first call of `target`.
  static const Node* find(const CapturedGraph& captured, std::string_view target) {
    for (const Node& node : captured.graph->nodes()) {
      if (node.target() == target) return &node;
    }
    ADD_FAILURE() << "no call to " << target;
    return captured.graph->front();
  }

  Context context_;
  at::Tensor w_ = leaf({4, 4});
  at::Tensor b_ = at::zeros({4});
};

INSTANTIATE_TEST_SUITE_P(Hooks, CaptureTest, ::testing::Values(HookKind::kFake, HookKind::kMode),
                         [](const auto& test) {
                           return test.param == HookKind::kFake ? "Fake" : "Mode";
                         });

TEST_P(CaptureTest, NodesHaveFullArguments) {
  const CapturedGraph c =
      check([&](Tensors) -> std::vector<at::Tensor> { return {at::add(w_, w_, 3).sum()}; });
  const Node* add = find(c, "aten.add.Tensor");
  EXPECT_EQ(add->name(), "add");
  ASSERT_EQ(add->num_args(), 2u);
  ASSERT_EQ(add->num_kwargs(), 1u);
  EXPECT_EQ(add->kwarg("alpha")->as_int(), 3);
  const Node* sum = find(c, "aten.sum.default");
  EXPECT_EQ(sum->name(), "sum_1");
  EXPECT_TRUE(sum->kwarg("dtype")->is_none());
}

TEST_P(CaptureTest, TypesRecordRequiresGrad) {
  const CapturedGraph c = check(
      [&](Tensors in) -> std::vector<at::Tensor> {
        const at::Tensor plain = at::mul(in[0], in[0]);
        return {at::mul(at::exp(w_), plain).sum()};
      },
      {at::randn({4, 4})});
  EXPECT_TRUE(find(c, "aten.exp.default")->type().requires_grad());
  EXPECT_TRUE(find(c, "aten.sum.default")->type().requires_grad());
  EXPECT_FALSE(c.graph->find_node("mul")->type().requires_grad());
  EXPECT_TRUE(c.graph->find_node("mul_1")->type().requires_grad());
  EXPECT_FALSE(c.graph->find_node("mul_2")->type().requires_grad());  // a gradient
}

TEST_P(CaptureTest, InPlaceOperatorsAndViewsReplayInOrder) {
  const CapturedGraph c = check(
      [&](Tensors in) -> std::vector<at::Tensor> {
        at::Tensor x = at::mul(in[0], w_);
        at::Tensor row = x.select(0, 1);
        const at::Tensor before = row.clone();
        row.add_(1).mul_(2);
        x.slice(0, 2, 4).copy_(x.slice(0, 0, 2));
        x.t_();
        b_.add_(x.detach().sum(0));
        return {at::add(x, before).sigmoid_().sum()};
      },
      {at::randn({4, 4})});
  EXPECT_EQ(c.outputs[0].kind, OutputKind::kMutation);
  EXPECT_EQ(c.inputs[c.outputs[0].index].name, "layer.b");
  EXPECT_EQ(c.outputs[1].kind, OutputKind::kResult);
}

TEST_P(CaptureTest, MutationThroughAViewReturnsTheInputItself) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    b_.narrow(0, 0, 2).fill_(5);
    return {at::mul(w_, b_).sum()};
  });
  ASSERT_EQ(c.outputs[0].kind, OutputKind::kMutation);
  EXPECT_EQ(c.graph->output_node()->arg(0)[0].as_node()->name(), "primals_2");
}

TEST_P(CaptureTest, DetachedTensorIsADifferentValue) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    const at::Tensor x = at::exp(w_);
    return {at::mul(x, x.detach()).sum()};
  });
  const Node* mul = c.graph->find_node("mul");
  EXPECT_EQ(mul->arg(0).as_node()->name(), "exp");
  EXPECT_EQ(mul->arg(1).as_node()->name(), "detach");
  EXPECT_TRUE(c.constants.empty());
}

TEST_P(CaptureTest, ListsAndOptionalTensors) {
  const at::Tensor index = at::tensor({0, 2}, at::kLong);
  const CapturedGraph c = check(
      [&](Tensors in) -> std::vector<at::Tensor> {
        const std::vector<at::Tensor> parts = at::split(w_, 2, 1);
        const std::vector<at::Tensor> rows = at::unbind(at::cat({parts[1], parts[0], in[0]}, 1));
        const at::Tensor stacked = at::stack({rows[3], rows[0]});
        c10::List<std::optional<at::Tensor>> at_column;
        at_column.push_back(std::nullopt);
        at_column.push_back(index);
        return {at::index(stacked, at_column).sum()};
      },
      {at::randn({4, 2})});
  const Node* split = find(c, "aten.split.Tensor");
  EXPECT_EQ(split->type().kind(), TypeKind::kList);
  const Node* gather = find(c, "aten.index.Tensor");
  ASSERT_TRUE(gather->arg(1).is_list());
  EXPECT_TRUE(gather->arg(1)[0].is_none());
  EXPECT_EQ(gather->arg(1)[1].as_node()->op(), Opcode::kGetAttr);
  EXPECT_EQ(find(c, "aten.cat.default")->arg(0).size(), 3u);
  // The program uses two of the four results of unbind.
  EXPECT_EQ(find(c, "aten.unbind.int")->num_users(), 2u);
}

// parity: E17
TEST_P(CaptureTest, ExternalTensorsAreConstants) {
  const at::Tensor scale = at::full({4}, 2.5);
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    return {at::mul(at::mul(w_, scale), scale).sum()};
  });
  ASSERT_EQ(c.constants.size(), 1u);
  const Node* constant = c.graph->find_nodes(Opcode::kGetAttr).at(0);
  EXPECT_TRUE(c.constants.contains(constant->target()));
  EXPECT_EQ(constant->num_uses(), 4u);  // two in the forward pass, two in the backward pass
}

TEST_P(CaptureTest, ConstantsKeepTheirValueBeforeWrites) {
  at::Tensor count = at::zeros({2});
  const TensorSnapshot start({count});
  const Program program = [&](Tensors) -> std::vector<at::Tensor> {
    const at::Tensor first = count.select(0, 0);
    first.add_(1);
    return {at::mul(w_, first).sum()};
  };
  testing::seed_torch(1);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph c, capture_joint(context_, {{{"w", w_}}, {}}, {},
                                                               program, {.hook = GetParam()}));
  EXPECT_EQ(count[0].item<float>(), 1);
  ASSERT_EQ(c.constants.size(), 1u);
  EXPECT_EQ(c.constants.begin()->second.toTensor()[0].item<float>(), 0);
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*c.graph, c.constants));
  FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> out,
                          evaluator.run({w_.detach(), at::ones({})}));
  EXPECT_TRUE(at::equal(out[0].toTensor(), w_.detach().sum()));
}

/// Writes first, first + 1, ... into the memory of the tensor, without an operator.
void put(const at::Tensor& tensor, float first) {
  auto* data = tensor.mutable_data_ptr<float>();
  for (int64_t i = 0; i < tensor.numel(); ++i) data[i] = first + static_cast<float>(i);
}

TEST_P(CaptureTest, DataWrittenToANewTensorIsAConstant) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    const at::Tensor scale = at::tensor(std::vector<float>{1, 2, 3, 4});
    at::Tensor mask = at::zeros({4});
    mask.accessor<float, 1>()[2] = 1;
    const at::Tensor table = at::empty({4, 4}), turned = table.t();
    put(table, 1);
    const at::Tensor columns = at::empty_strided({4, 4}, {1, 4});
    put(columns, -3);
    const at::Tensor result = at::tensor(std::vector<int64_t>{7});
    return {at::mul(w_, scale).add(mask).mul(turned).add(columns).sum(), result};
  });
  EXPECT_EQ(c.constants.size(), 5u);
  const auto counts = operator_counts(*c.graph);
  EXPECT_EQ(counts.at("aten.lift_fresh_copy"), 4);
  EXPECT_EQ(counts.at("aten.clone"), 1);  // it preserves the strides
  EXPECT_FALSE(counts.contains("aten.empty"));
  EXPECT_FALSE(counts.contains("aten.zeros"));
}

TEST_P(CaptureTest, RefillingATensorCreatesAnotherConstant) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    const at::Tensor position = at::empty({2, 4});
    at::Tensor y = w_;
    for (int step = 0; step < 3; ++step) {
      put(position, static_cast<float>(step));
      y = at::add(at::mul(y, position.select(0, 1)), position.sum());
    }
    return {y.sum()};
  });
  EXPECT_EQ(c.constants.size(), 3u);
}

TEST_P(CaptureTest, OperatorsMayWriteToFilledTensors) {
  const Program program = [&](Tensors) -> std::vector<at::Tensor> {
    at::Tensor x = at::tensor(std::vector<float>{1, 2, 3, 4});
    x.select(0, 1).fill_(7);
    x.add_(1);
    return {at::mul(w_, x).sum()};
  };
  const CapturedGraph c = check(program);
  ASSERT_EQ(c.constants.size(), 1u);
  EXPECT_EQ(c.constants.begin()->second.toTensor()[1].item<float>(), 2);
  // Each run starts with the constant.
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*c.graph, c.constants));
  for (int run = 0; run < 2; ++run) {
    FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> out,
                            evaluator.run({w_.detach(), b_, at::ones({})}));
    EXPECT_TRUE(at::equal(out[0].toTensor(), program({})[0].detach()));
  }
}

TEST_P(CaptureTest, TensorsFilledByOperatorsAreNotConstants) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    at::Tensor x = at::empty({4}).fill_(2), y = at::empty_like(w_);
    y.zero_();
    at::Tensor z = at::empty({4});
    at::exp_out(z, x);
    const at::Tensor listed = torch::tensor({1.0F, 2.0F, 3.0F, 4.0F});  // filled by an operator
    return {at::mul(w_, x).add(y).add(z).add(at::ones({4})).add(listed).sum()};
  });
  EXPECT_TRUE(c.constants.empty());
}

TEST_P(CaptureTest, NumbersAreNotConstants) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    return {at::add(at::mul(w_, 2), at::pow(w_, 3)).div(4.5).sum()};
  });
  EXPECT_TRUE(c.constants.empty());
  EXPECT_TRUE(c.graph->find_nodes(Opcode::kGetAttr).empty());
}

TEST_P(CaptureTest, OtherTensorsInTheMemoryOfAKnownTensor) {
  const at::Tensor transposed = w_.detach().t();  // before capture, so the graph has no call
  const CapturedGraph c =
      check([&](Tensors) -> std::vector<at::Tensor> { return {at::mul(w_, transposed).sum()}; });
  EXPECT_TRUE(c.constants.empty());
  const Node* alias = find(c, "aten.as_strided.default");
  EXPECT_EQ(alias->arg(0).as_node()->name(), "primals_1");
}

struct ScaledSquare : torch::autograd::Function<ScaledSquare> {
  static at::Tensor forward(torch::autograd::AutogradContext* ctx, const at::Tensor& x,
                            double scale) {
    ctx->save_for_backward({x});
    ctx->saved_data["scale"] = scale;
    return x * x * scale;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 const torch::autograd::variable_list& grad) {
    const at::Tensor x = ctx->get_saved_variables()[0];
    return {grad[0] * x * (2 * ctx->saved_data["scale"].toDouble()), at::Tensor()};
  }
};

TEST_P(CaptureTest, CustomAutogradFunction) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    return {ScaledSquare::apply(at::sin(w_), 3.0).sum()};
  });
  const std::map<std::string, int> counts = operator_counts(*c.graph);
  EXPECT_THAT(counts, Contains(Pair("aten.cos", 1)));
  EXPECT_EQ(counts.at("aten.mul"), 5);  // x*x*scale, grad*x*2scale, and sin's backward
  EXPECT_TRUE(c.constants.empty());
}

TEST_P(CaptureTest, RandomOperatorsDrawNewNumbers) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    return {at::mul(at::dropout(w_, 0.5, true), at::rand({4, 4})).sum()};
  });
  EXPECT_THAT(operator_counts(*c.graph), Contains(Pair("aten.bernoulli_", 1)));
}

TEST_P(CaptureTest, EachResultHasATangent) {
  const CapturedGraph c = check(
      [&](Tensors in) -> std::vector<at::Tensor> {
        return {at::mul(w_, 2), at::argmax(in[0]), at::exp(w_).sum(), at::Tensor()};
      },
      {at::randn({3})});
  EXPECT_NE(c.graph->find_node("tangents_2"), nullptr);
  EXPECT_EQ(c.graph->find_node("tangents_3"), nullptr);
  EXPECT_EQ(c.inputs.back().kind, InputKind::kTangent);
  EXPECT_EQ(c.inputs.back().index, 2u);
  EXPECT_TRUE(c.graph->output_node()->arg(0)[3].is_none());
}

TEST_P(CaptureTest, InputsThatRequireGradHaveGradients) {
  const CapturedGraph c =
      check([&](Tensors in) -> std::vector<at::Tensor> { return {at::mm(in[0], w_).sum()}; },
            {leaf({2, 4})});
  EXPECT_EQ(c.outputs.back().kind, OutputKind::kGradient);
  EXPECT_TRUE(c.outputs.back().tensor.defined());
}

TEST_P(CaptureTest, ATensorWithTwoNamesIsOnePlaceholder) {
  const CapturedGraph c =
      check_joint(context_, {{{"encoder.w", w_}, {"decoder.w", w_}}, {}}, {},
                  [&](Tensors) -> std::vector<at::Tensor> { return {at::mm(w_, w_).sum()}; });
  EXPECT_EQ(c.inputs.size(), 2u);
  EXPECT_EQ(c.inputs[0].name, "encoder.w");
}

// parity: E17
TEST_P(CaptureTest, NumbersThatTheProgramReadsAreGuarded) {
  const Program program = [&](Tensors in) -> std::vector<at::Tensor> {
    const at::Tensor x = in[0].sum().item<double>() > 0 ? at::exp(w_) : at::sin(w_);
    return {x.sum()};
  };
  const at::Tensor positive = at::ones({2});
  const CapturedGraph c = check(program, {positive});
  EXPECT_EQ(*find(c, "aten._local_scalar_dense.default")->meta().get(kGuard), Argument(2.0));
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*c.graph, c.constants));
  const at::Tensor w = w_.detach(), b = b_.detach(), one = at::ones({});
  EXPECT_THAT(evaluator.run({w, b, positive, one}), IsOk());
  EXPECT_THAT(evaluator.run({w, b, -positive, one}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("_local_scalar_dense")));
}

TEST_P(CaptureTest, ScopesNameModules) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    const ModuleScope outer("block");
    at::Tensor x;
    {
      const ModuleScope inner("act");
      x = at::exp(at::neg(b_.add(1)));
    }
    return {at::mul(x, w_).sum()};
  });
  const auto module_of = [&](std::string_view name) {
    return std::string(c.graph->find_node(name)->meta().get(meta::kModule).value_or("-"));
  };
  EXPECT_EQ(module_of("exp"), "block.act");
  EXPECT_EQ(module_of("mul"), "block");  // `layer.w` does not belong to the open scope
  EXPECT_EQ(module_of("mul_1"), "block");
  EXPECT_EQ(current_module_path(), "");
}

TEST_P(CaptureTest, AScopeIsNotConfusedWithALongerModuleName) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    const ModuleScope scope("lay");
    return {at::mul(w_, w_).sum()};  // the parameter `layer.w`
  });
  EXPECT_EQ(c.graph->find_node("mul")->meta().get(meta::kModule), "lay");
}

TEST_P(CaptureTest, AProgramMayCatchAnOperatorsError) {
  const CapturedGraph c = check([&](Tensors) -> std::vector<at::Tensor> {
    try {
      at::mm(w_, at::ones({3, 3}));
    } catch (const c10::Error&) {
    }
    return {at::exp(w_).sum()};
  });
  EXPECT_THAT(operator_counts(*c.graph), Not(Contains(Key("aten.mm"))));
}

TEST_P(CaptureTest, ConcurrentCapturesAreIndependent) {
  const auto capture = [&](CapturedGraph& result) {
    const at::Tensor w = leaf({3});
    Context context;
    auto c = capture_joint(context_, {{{"w", w}}, {}}, {},
                           [&](Tensors) -> std::vector<at::Tensor> {
                             at::Tensor x = w;
                             for (int i = 0; i < 200; ++i) x = at::sin(x);
                             return {x.sum()};
                           },
                           {.hook = GetParam()});
    ASSERT_THAT(c, IsOk());
    result = *std::move(c);
  };
  CapturedGraph a, b;
  std::thread first([&] { capture(a); }), second([&] { capture(b); });
  first.join();
  second.join();
  EXPECT_EQ(operator_counts(*a.graph), operator_counts(*b.graph));
  EXPECT_EQ(operator_counts(*a.graph).at("aten.sin"), 200);
}

TEST_P(CaptureTest, ErrorsDescribeTheProblem) {
  EXPECT_THAT(status_of([&](Tensors) -> std::vector<at::Tensor> {
                return {at::mm(at::exp(w_), at::ones({3, 3}))};
              }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("mat1 and mat2")));
  EXPECT_THAT(status_of([&](Tensors) -> std::vector<at::Tensor> {
                throw std::runtime_error("no such file");
              }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no such file")));
  EXPECT_THAT(status_of([&](Tensors) -> std::vector<at::Tensor> { return {b_.sum()}; }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("must require grad")));
  // After an error, the capture stops observing, and the next capture works.
  check([&](Tensors) -> std::vector<at::Tensor> { return {w_.sum()}; });
}

TEST(CaptureModule, AcceptsModulesAndLossFunctions) {
  struct Item {
    const std::string& key() const { return name; }
    const at::Tensor& value() const { return tensor; }
    std::string name;
    at::Tensor tensor;
  };
  struct Module {
    std::vector<Item> named_parameters() const { return {{"w", w}}; }
    std::vector<Item> named_buffers() const { return {}; }
    at::Tensor w = leaf({2});
  };
  Context context;
  const Module module;
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph c,
                          capture_joint(context, module, {at::ones({2})}, [&](Tensors in) {
                            return at::mul(module.w, in[0]).sum();
                          }));
  EXPECT_EQ(c.inputs.size(), 3u);
}

}  // namespace
}  // namespace fx
