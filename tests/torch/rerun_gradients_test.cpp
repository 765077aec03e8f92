// gradients_of_rerun must run the same operators as libtorch's engine, in the same order, and
// return the same gradients: a run at other sizes is compared with a run of the engine, operator by
// operator.
#include "fx/importers/torch/capture/autograd/autograd_internal.h"
#include "fx/importers/torch/capture/hook.h"
#include "fx/interp/torch/dispatch/dispatcher.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/graph_task.h>

#include <functional>
#include <string>
#include <vector>

namespace fx::rerun_gradients_test {
namespace {

using Tensors = std::vector<at::Tensor>;

/// Records the names of the operators that run.
class Log final : public OperatorObserver {
 public:
  void on_operator(const c10::OperatorHandle& op, torch::jit::Stack& stack) override {
    names.push_back(target_name(op));
    call_kernel(op, stack);
  }
  std::vector<std::string> names;
};

/// An identity whose backward pass records whether the engine runs it.
class EngineProbe : public torch::autograd::Function<EngineProbe> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x) {
    return x.clone();
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 const torch::autograd::variable_list& gradients) {
    in_engine = torch::autograd::get_current_graph_task_id() != -1;
    return {gradients[0]};
  }
  static inline bool in_engine = false;
};

struct Case {
  std::string name;
  std::function<Tensors(const Tensors& inputs)> program;
  bool needs_engine = false;
  /// Returns the tensors for which the test computes gradients. The third input is computed from
  /// the first.
  std::function<Tensors(const Tensors& inputs)> inputs = [](const Tensors& in) {
    return Tensors{in[0], in[1]};
  };
};

std::vector<Case> cases() {
  return {
      {"chain", [](const Tensors& in) { return Tensors{(in[0].tanh() * in[1]).sum()}; }},
      {"sum_in_new_memory",
       [](const Tensors& in) {
         return Tensors{in[0] + in[1], in[0].exp(), in[0].expand({2, 3, 3})};
       }},
      {"sum_in_place",
       [](const Tensors& in) {
         const at::Tensor x = in[0].exp();
         return Tensors{at::mm(x, in[1]) + at::mm(x, x) + x.sin() * x.cos()};
       }},
      {"result_is_an_input", [](const Tensors& in) { return Tensors{in[0], in[0] * in[1]}; }},
      {"unused_input", [](const Tensors& in) { return Tensors{in[0].sigmoid()}; }},
      {"same_output_twice",
       [](const Tensors& in) {
         const at::Tensor y = in[0] * in[1];
         return Tensors{y, y, y.relu()};
       }},
      {"undefined_gradients",
       [](const Tensors& in) {
         const Tensors parts = at::unbind(in[0].exp(), 0);
         return Tensors{parts[1] * at::unbind(in[1], 1)[0]};
       }},
      {"write_through_a_view",
       [](const Tensors& in) {
         at::Tensor x = in[0] * 2;
         x.select(0, 1).mul_(in[1].select(0, 0));
         x.add_(in[1]);
         return Tensors{x * x};
       }},
      {"broadcast", [](const Tensors& in) { return Tensors{in[0].sum(0) + in[1]}; }},
      {"mixed_types", [](const Tensors& in) { return Tensors{in[0].to(at::kDouble) * in[1]}; }},
      {"several_outputs",
       [](const Tensors& in) {
         const at::Tensor a = in[0].sin(), b = in[1].cos(), c = a * b;
         return Tensors{(c * a).sum(), (c + b).tanh(), a.exp()};
       }},
      {"hook_of_a_result",
       [](const Tensors& in) {
         const at::Tensor y = in[0].exp();
         y.register_hook([](const at::Tensor& g) { return g * 2; });
         return Tensors{y * in[1]};
       },
       true},
      {"retained_gradient",
       [](const Tensors& in) {
         const at::Tensor y = in[0].exp();
         y.retain_grad();
         return Tensors{y * in[1]};
       },
       true},
      {"other_leaf", [](const Tensors& in) { return Tensors{in[0] * in[1]}; }, true,
       [](const Tensors& in) { return Tensors{in[0]}; }},
      {"computed_input", [](const Tensors& in) { return Tensors{in[2] * in[1]}; }, true,
       [](const Tensors& in) { return Tensors{in[2], in[1]}; }},
  };
}

struct Backward {
  std::vector<std::string> names;
  Tensors gradients;
  bool in_engine;
};

using Gradients = decltype(gradients);

Backward run(const Case& test, Gradients& compute) {
  at::manual_seed(1);
  Tensors in{at::randn({3, 3}).requires_grad_(), at::randn({3, 3}).requires_grad_()};
  in.push_back(in[0].sin());
  Tensors outputs = test.program(in);
  outputs.push_back(EngineProbe::apply(outputs[0]));
  Tensors tangents;
  for (const at::Tensor& output : outputs) tangents.push_back(at::ones_like(output.detach()));
  Log log;
  const auto hook = HookGuard::create(log, HookKind::kAuto);
  EXPECT_TRUE(hook.ok());
  Backward result{{}, compute(outputs, tangents, test.inputs(in)), EngineProbe::in_engine};
  result.names = log.names;
  return result;
}

class RerunGradients : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Programs, RerunGradients, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST_P(RerunGradients, AreThoseOfTheEngine) {
  const Backward engine = run(GetParam(), gradients);
  const Backward rerun = run(GetParam(), gradients_of_rerun);
  EXPECT_TRUE(engine.in_engine);
  EXPECT_EQ(rerun.in_engine, GetParam().needs_engine);
  EXPECT_FALSE(engine.names.empty());
  EXPECT_EQ(rerun.names, engine.names);
  ASSERT_EQ(rerun.gradients.size(), engine.gradients.size());
  for (size_t i = 0; i < engine.gradients.size(); ++i) {
    ASSERT_EQ(rerun.gradients[i].defined(), engine.gradients[i].defined()) << i;
    if (engine.gradients[i].defined())
      EXPECT_TRUE(at::equal(rerun.gradients[i], engine.gradients[i])) << i;
  }
}

}  // namespace
}  // namespace fx::rerun_gradients_test
