// Training steps as graphs: tests their inputs and results. Repeated runs of a graph must be
// bit-equal to training.
#include "fx/importers/torch/capture/step.h"

#include "fx/importers/torch/capture/eager.h"
#include "fx/interp/torch/interpret/step_replay.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/functionalize/functionalize.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/joint_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/optim.h>

#include <functional>
#include <memory>
#include <set>
#include <string>

namespace fx {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

using MakeOptimizer =
    std::function<std::unique_ptr<torch::optim::Optimizer>(std::vector<at::Tensor>)>;

struct OptimizerCase {
  const char* name;
  MakeOptimizer make;
  size_t tensors;  // state tensors per parameter
  size_t numbers;  // numbers that change from step to step
};

template <class Optimizer, class Options>
MakeOptimizer factory(Options options) {
  return [options](std::vector<at::Tensor> parameters) {
    return std::make_unique<Optimizer>(std::move(parameters), options);
  };
}

std::vector<OptimizerCase> optimizers() {
  using namespace torch::optim;
  return {
      {"Sgd", factory<SGD>(SGDOptions(0.1)), 0, 0},
      {"SgdMomentum", factory<SGD>(SGDOptions(0.1).momentum(0.9).weight_decay(0.01)), 1, 0},
      {"Adam", factory<Adam>(AdamOptions(1e-2)), 2, 2},
      {"AdamW", factory<AdamW>(AdamWOptions(1e-2)), 2, 2},
      {"AdamWAmsgrad", factory<AdamW>(AdamWOptions(1e-2).amsgrad(true)), 3, 2},
      {"RmsProp", factory<RMSprop>(RMSpropOptions(1e-2).momentum(0.5).centered(true)), 3, 0},
      {"Adagrad", factory<Adagrad>(AdagradOptions(1e-2).lr_decay(0.1)), 1, 1},
  };
}

/// A model with its optimizer.
struct Training {
  explicit Training(const MakeOptimizer& make, std::string_view name = "mlp") {
    absl::StatusOr<ModelInstance> created = make_zoo_model(name, {}, /*seed=*/3);
    EXPECT_THAT(created, IsOk());
    model = *std::move(created);
    std::vector<at::Tensor> parameters;
    for (const NamedTensor& p : model.state.parameters) parameters.push_back(p.tensor);
    optimizer = make(parameters);
    step = make_step(optimizer, model.loss);
  }
  ModuleState state() const {
    ModuleState all = model.state;
    all.optimizer = optimizer_state(*optimizer, model.state);
    return all;
  }

  ModelInstance model;
  std::shared_ptr<torch::optim::Optimizer> optimizer;
  Program step;
};

/// Expects that the first values are the tensors of a trained model.
void expect_state(const std::vector<c10::IValue>& values, const ModuleState& after) {
  size_t i = 0;
  for (const auto* part : {&after.parameters, &after.buffers, &after.optimizer}) {
    for (const NamedTensor& t : *part) {
      EXPECT_TRUE(compare_tensors(values.at(i++).toTensor(), t.tensor.detach()).bit_equal)
          << t.name;
    }
  }
}

class StepTest : public ::testing::TestWithParam<OptimizerCase> {
 protected:
  Context context_;
};
INSTANTIATE_TEST_SUITE_P(Optimizers, StepTest, ::testing::ValuesIn(optimizers()),
                         [](const auto& test) { return test.param.name; });

TEST_P(StepTest, ThreeReplayedStepsEqualThreeEagerSteps) {
  Training eager(GetParam().make), captured(GetParam().make);
  eager.step(eager.model.inputs);
  captured.step(captured.model.inputs);  // the optimizer creates its state
  const ModuleState state = captured.state();
  EXPECT_EQ(state.optimizer.size(), GetParam().tensors * state.parameters.size());

  std::vector<at::Tensor> start;
  for (const auto* part : {&state.parameters, &state.buffers, &state.optimizer}) {
    for (const NamedTensor& t : *part) start.push_back(t.tensor.detach().clone());
  }
  FX_ASSERT_OK_AND_ASSIGN(
      const CapturedGraph step,
      capture_step(context_, state, captured.model.inputs, captured.step, {.runs = 3}));
  EXPECT_TRUE(verify(*step.graph).ok());
  EXPECT_TRUE(step.constants.empty());
  std::vector<at::Tensor> losses;
  for (int i = 0; i < 3; ++i) losses.push_back(eager.step(eager.model.inputs)[0]);

  GraphData data;
  size_t numbers = 0;
  for (const CapturedInput& input : step.inputs) {
    if (input.kind == InputKind::kNumber) {
      ++numbers;
      data.inputs.push_back(input.numbers[0]);
    } else if (input.kind == InputKind::kInput) {
      data.inputs.emplace_back(input.tensor);
    } else {
      data.inputs.emplace_back(start.at(data.inputs.size()));
    }
  }
  EXPECT_EQ(numbers, GetParam().numbers);
  // The functionalized step returns new tensors instead of writing to its inputs.
  const std::unique_ptr<Graph> pure = step.graph->clone();
  ASSERT_THAT(functionalize(*pure).status(), IsOk());
  for (const Graph* graph : {step.graph.get(), pure.get()}) {
    FX_ASSERT_OK_AND_ASSIGN(StepReplay replay, StepReplay::create(*graph, data));
    // Numbers that vary between steps have the values that the capture recorded.
    for (size_t run = 0; run < 3; ++run) {
      FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> results, replay.run());
      EXPECT_TRUE(compare_tensors(results.back().toTensor(), losses[run]).bit_equal)
          << "loss of step " << run;
    }
    expect_state(replay.inputs(), eager.state());
    if (numbers > 0) {
      EXPECT_THAT(replay.run().status(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                                  HasSubstr("has 3 values, but this is step 4")));
    }
  }
}

TEST_P(StepTest, NumbersForAdditionalStepsMustBeSpecified) {
  Training training(GetParam().make);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph step,
                          capture_step(context_, training.model.state, training.optimizer,
                                       training.model.inputs, training.model.loss));
  GraphData data;
  const std::vector<at::Tensor> tensors = clone_inputs(step);
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const bool is_number = step.inputs[i].kind == InputKind::kNumber;
    data.inputs.push_back(is_number ? step.inputs[i].numbers[0] : c10::IValue(tensors[i]));
  }
  // Recorded values for later steps apply only if the number starts with its recorded value.
  if (step.inputs.back().kind == InputKind::kNumber) data.inputs.back() = c10::IValue(0.25);
  FX_ASSERT_OK_AND_ASSIGN(StepReplay replay, StepReplay::create(*step.graph, data));
  ASSERT_THAT(replay.run().status(), IsOk());
  if (step.inputs.back().kind == InputKind::kNumber) {
    EXPECT_THAT(replay.run().status(),
                StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("--values number_")));
  } else {
    EXPECT_THAT(replay.run().status(), IsOk());
  }
  EXPECT_THAT(replay.set_values("nothing", {}), StatusIs(absl::StatusCode::kNotFound));
  data.inputs.pop_back();
  EXPECT_THAT(StepReplay::create(*step.graph, data),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("inputs, but received ")));
  const Graph plain(context_);
  EXPECT_THAT(StepReplay::create(plain, {}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("not a training step")));
}

TEST_P(StepTest, UnlistedStateBecomesInputs) {
  Training training(GetParam().make);
  training.step(training.model.inputs);
  FX_ASSERT_OK_AND_ASSIGN(
      const CapturedGraph step,
      capture_step(context_, training.model.state, training.model.inputs, training.step));
  size_t found = 0;
  for (const CapturedInput& input : step.inputs) {
    if (input.kind != InputKind::kOptimizer) continue;
    EXPECT_EQ(input.name, "state_" + std::to_string(++found));
  }
  EXPECT_EQ(found, GetParam().tensors * training.model.state.parameters.size());
  EXPECT_TRUE(step.constants.empty());
}

TEST(CaptureStep, WithAnOptimizer) {
  Context context;
  Training training(optimizers()[3].make);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph step,
                          capture_step(context, training.model.state, training.optimizer,
                                       training.model.inputs, training.model.loss));
  std::set<std::string> names;
  for (const Node& node : step.graph->nodes()) {
    if (node.is_placeholder()) names.insert(node.name());
  }
  EXPECT_THAT(names, Contains("p_fc1_weight"));
  EXPECT_THAT(names, Contains("o_fc1_weight_exp_avg_sq"));
  EXPECT_THAT(names, Contains("input_1"));
  EXPECT_THAT(names, Contains("number_2"));
  EXPECT_EQ(step.outputs.back().kind, OutputKind::kResult);
  EXPECT_EQ(step.outputs.size(), 3 * 6u + 1);
}

TEST(CaptureStep, DifferentControlFlowIsAnError) {
  Context context;
  const at::Tensor w = at::ones({2});
  int calls = 0;
  const Program step = [&](Tensors) {
    ++calls == 2 ? w.mul_(2) : w.add_(1);
    return std::vector<at::Tensor>{};
  };
  EXPECT_THAT(capture_step(context, {{{"w", w}}}, {}, step),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("node add_ (aten.add_.Scalar) of the first run is a call to "
                                 "aten.mul_.Scalar in a later run")));
}

TEST(CaptureStep, TwoOptimizersInOneStep) {
  // A GAN's step: the discriminator is trained, then the generator.
  Context context;
  testing::seed_torch(5);
  const at::Tensor g = at::randn({4, 4}).requires_grad_(), d = at::randn({4, 1}).requires_grad_();
  torch::optim::SGD learn_g({g}, torch::optim::SGDOptions(0.1));
  torch::optim::SGD learn_d({d}, torch::optim::SGDOptions(0.1));
  const Program step = [&](Tensors in) {
    const at::Tensor fake = at::mm(in[0], g);
    learn_d.zero_grad();
    const at::Tensor d_loss = at::mm(fake.detach(), d).mean() - at::mm(in[1], d).mean();
    d_loss.backward();
    learn_d.step();
    learn_g.zero_grad();
    const at::Tensor g_loss = -at::mm(fake, d).mean();
    g_loss.backward();
    learn_g.step();
    return std::vector<at::Tensor>{d_loss.detach(), g_loss.detach()};
  };
  const ModuleState state{{{"g", g}, {"d", d}}};
  const std::vector<at::Tensor> inputs{at::randn({3, 4}), at::randn({3, 4})};
  step(inputs);
  const at::Tensor g0 = g.detach().clone(), d0 = d.detach().clone();
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph captured,
                          capture_step(context, state, inputs, step, {.runs = 1}));
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*captured.graph));
  FX_ASSERT_OK_AND_ASSIGN(const auto results, evaluator.run({g0, d0, inputs[0], inputs[1]}));
  EXPECT_TRUE(compare_tensors(g0, g.detach()).bit_equal);
  EXPECT_TRUE(compare_tensors(d0, d.detach()).bit_equal);
  // The discriminator's gradients from the generator's loss are state of the step: a later
  // zero_grad discards them.
  EXPECT_TRUE(captured.constants.empty());
}

// ---- what varies between steps

/// A linear layer with plain SGD, and a step that also runs `extra` on the loss.
struct SmallStep {
  using Extra = std::function<std::vector<at::Tensor>(const at::Tensor& loss)>;

  explicit SmallStep(Extra extra_, double rate = 0.1)
      : optimizer({weight}, torch::optim::SGDOptions(rate)), extra(std::move(extra_)) {}

  Program program() {
    return [this](Tensors in) {
      optimizer.zero_grad();
      const at::Tensor loss = at::mse_loss(at::mm(in[0], weight), in[1]);
      loss.backward();
      optimizer.step();
      const at::NoGradGuard no_grad;
      std::vector<at::Tensor> results = extra(loss.detach());
      results.push_back(loss.detach());
      return results;
    };
  }

  at::Tensor weight = at::ones({3, 2}).requires_grad_();
  std::vector<at::Tensor> inputs{at::arange(12.0f).view({4, 3}) / 10, at::ones({4, 2})};
  torch::optim::SGD optimizer;
  Extra extra;
};

/// Runs the graph of a step `runs` times, each time on the results of the previous run, starting
/// with the inputs of the capture. Returns the loss of each run.
std::vector<double> replay_step(const CapturedGraph& step, const std::vector<at::Tensor>& start,
                                size_t runs) {
  std::vector<c10::IValue> values(start.begin(), start.end());
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(*step.graph, step.constants);
  EXPECT_THAT(evaluator, IsOk());
  std::vector<double> losses;
  for (size_t run = 0; run < runs && evaluator.ok(); ++run) {
    for (size_t i = 0; i < values.size(); ++i) {
      const CapturedInput& input = step.inputs[i];
      if (input.kind == InputKind::kNumber) values[i] = input.numbers.at(run);
    }
    const absl::StatusOr<std::vector<c10::IValue>> results = evaluator->run(values);
    EXPECT_THAT(results, IsOk());
    if (!results.ok()) break;
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      if (step.outputs[i].kind == OutputKind::kState) values[step.outputs[i].index] = (*results)[i];
    }
    losses.push_back(results->back().toTensor().item<double>());
  }
  return losses;
}

TEST(CaptureStep, ReboundStateIsAnInputAndAnOutput) {
  Context context;
  at::Tensor ema = at::zeros({});
  SmallStep small([&](const at::Tensor& loss) {
    ema = 0.9 * ema + 0.1 * loss;
    return std::vector<at::Tensor>{ema};
  });
  const at::Tensor weight0 = small.weight.detach().clone(), ema0 = ema;
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph step, capture_step(context, {{{"w", small.weight}}},
                                                                 small.inputs, small.program()));
  EXPECT_TRUE(verify(*step.graph).ok());
  EXPECT_TRUE(step.constants.empty());
  ASSERT_EQ(step.inputs.size(), 4u);
  EXPECT_EQ(step.inputs[3].name, "state_1");
  EXPECT_TRUE(step.inputs[3].tensor.is_same(ema0));
  ASSERT_EQ(step.outputs[1].kind, OutputKind::kState);
  EXPECT_EQ(step.outputs[1].index, 3u);

  at::Tensor state = ema0;
  SmallStep eager([&](const at::Tensor& loss) {
    state = 0.9 * state + 0.1 * loss;
    return std::vector<at::Tensor>{};
  });
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*step.graph));
  std::vector<c10::IValue> values{weight0, small.inputs[0], small.inputs[1], ema0.clone()};
  for (int run = 0; run < 5; ++run) {
    eager.program()(eager.inputs);
    FX_ASSERT_OK_AND_ASSIGN(const std::vector<c10::IValue> results, evaluator.run(values));
    EXPECT_TRUE(compare_tensors(results[1].toTensor(), state).bit_equal) << "run " << run;
    values[3] = results[1];
  }
}

TEST(CaptureStep, ACarriedHiddenStateIsAnInputAndAnOutput) {
  Context context;
  testing::seed_torch(3);
  const at::Tensor w = at::randn({2, 2}).requires_grad_(), x = at::randn({4, 2});
  torch::optim::SGD optimizer({w}, torch::optim::SGDOptions(0.1));
  at::Tensor hidden = at::zeros({4, 2});
  const Program program = [&](Tensors in) {
    optimizer.zero_grad();
    hidden = at::tanh(in[0] + at::mm(hidden.detach(), w));
    const at::Tensor loss = hidden.square().mean();
    loss.backward();
    optimizer.step();
    return std::vector<at::Tensor>{loss.detach()};
  };
  const at::Tensor w0 = w.detach().clone(), hidden0 = hidden;
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph step,
                          capture_step(context, {{{"w", w}}}, std::vector<at::Tensor>{x}, program));
  ASSERT_EQ(step.inputs.size(), 3u);
  const std::vector<double> replayed = replay_step(step, {w0.clone(), x, hidden0}, 4);
  {
    const at::NoGradGuard no_grad;
    w.copy_(w0);
  }
  hidden = hidden0;
  for (const double loss : replayed)
    EXPECT_EQ(program(std::vector<at::Tensor>{x})[0].item<double>(), loss);
}

TEST(CaptureStep, ExternalTensorsMustBeEqualInEveryRun) {
  Context context;
  at::Tensor noise;
  SmallStep small([&](const at::Tensor& loss) { return std::vector<at::Tensor>{loss * noise}; });
  int calls = 0;
  const Program inner = small.program();
  const Program program = [&](Tensors in) {
    noise = at::tensor(std::vector<float>{static_cast<float>(++calls)});
    return inner(in);
  };
  EXPECT_THAT(capture_step(context, {{{"w", small.weight}}}, small.inputs, program),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("is a different tensor in a later run (f32[1])")));
}

TEST(CaptureStep, ALoggedNumberIsNotAGuard) {
  Context context;
  double sum = 0;
  SmallStep small([&](const at::Tensor& loss) {
    sum += loss.item<double>();
    return std::vector<at::Tensor>{loss * loss.item<double>()};
  });
  const at::Tensor weight0 = small.weight.detach().clone();
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph step, capture_step(context, {{{"w", small.weight}}},
                                                                 small.inputs, small.program()));
  EXPECT_EQ(step.inputs.size(), 3u);  // the factor is a value of the graph, not an input
  const std::vector<double> losses =
      replay_step(step, {weight0, small.inputs[0], small.inputs[1]}, 5);
  ASSERT_EQ(losses.size(), 5u);
  EXPECT_LT(losses[4], losses[0]);
}

TEST(CaptureStep, LearningRatesThatMayChangeAreInputs) {
  Context context;
  SmallStep scheduled([](const at::Tensor&) { return std::vector<at::Tensor>{}; });
  int calls = 0;
  const Program inner = scheduled.program();
  const Program program = [&](Tensors in) {  // half of the rate, starting with the third step
    if (++calls == 3) scheduled.optimizer.param_groups()[0].options().set_lr(0.05);
    return inner(in);
  };
  FX_ASSERT_OK_AND_ASSIGN(
      const CapturedGraph step,
      capture_step(context, {{{"w", scheduled.weight}}}, scheduled.inputs, program));
  ASSERT_EQ(step.inputs.back().kind, InputKind::kNumber);
  EXPECT_EQ(step.inputs.back().numbers[2].toDouble(), -0.05);

  SmallStep constant([](const at::Tensor&) { return std::vector<at::Tensor>{}; });
  const auto sgd = std::make_shared<torch::optim::SGD>(std::vector<at::Tensor>{constant.weight},
                                                       torch::optim::SGDOptions(0.1));
  FX_ASSERT_OK_AND_ASSIGN(
      const CapturedGraph with_optimizer,
      capture_step(context, {{{"w", constant.weight}}}, sgd, constant.inputs, [&](Tensors in) {
        return std::vector<at::Tensor>{at::mse_loss(at::mm(in[0], constant.weight), in[1])};
      }));
  ASSERT_EQ(with_optimizer.inputs.back().kind, InputKind::kNumber);
  EXPECT_EQ(with_optimizer.inputs.back().numbers[0].toDouble(), -0.1);
  EXPECT_EQ(static_cast<torch::optim::SGDOptions&>(sgd->param_groups()[0].options()).lr(), 0.1);
}

}  // namespace
}  // namespace fx
