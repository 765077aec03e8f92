// gradients() must run the operators that libtorch's engine runs, in its order and for the same
// autograd nodes, and return its gradients.
#include "fx/importers/torch/capture/autograd/autograd_internal.h"
#include "fx/importers/torch/capture/hook.h"
#include "fx/interp/torch/dispatch/dispatcher.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/graph_task.h>

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace fx::gradients_test {
namespace {

using Tensors = std::vector<at::Tensor>;

/// An operator of the backward pass.
struct Call {
  std::string name;
  std::optional<uint64_t> node;  // the number of the autograd node since the start of the program

  bool operator==(const Call&) const = default;
  friend void PrintTo(const Call& call, std::ostream* out) {
    *out << call.name << " of node " << (call.node ? std::to_string(*call.node) : "none");
  }
};

/// Records the operators that run.
class Log final : public OperatorObserver {
 public:
  void on_operator(const c10::OperatorHandle& op, torch::jit::Stack& stack) override {
    const AutogradPosition position = autograd_position();
    EXPECT_TRUE(position.backward) << target_name(op);
    const bool is_in_engine = torch::autograd::get_current_graph_task_id() != -1;
    EXPECT_EQ(position.run >= 0, is_in_engine);
    EXPECT_TRUE(calls.empty() || position.run == run);
    run = position.run;
    calls.push_back({target_name(op), std::nullopt});
    // The engine creates a node that leads to multiple outputs.
    if (position.sequence && *position.sequence < end_sequence)
      calls.back().node = *position.sequence - first_sequence_;
    call_kernel(op, stack);
  }
  std::vector<Call> calls;
  int64_t run = -1;
  uint64_t end_sequence = 0;  // of the nodes of the program

 private:
  uint64_t first_sequence_ = next_autograd_sequence();
};

/// An identity of the program, whose backward pass needs the engine.
class EngineUser : public torch::autograd::Function<EngineUser> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x) {
    return x.clone();
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 const torch::autograd::variable_list& gradients) {
    torch::autograd::Engine::get_default_engine().queue_callback([] {});
    return {gradients[0] * 2};
  }
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
       },
       true},
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
      {"function_of_the_program",
       [](const Tensors& in) { return Tensors{EngineUser::apply(in[0].exp()) * in[1]}; }, true},
      {"other_leaf", [](const Tensors& in) { return Tensors{in[0] * in[1]}; }, true,
       [](const Tensors& in) { return Tensors{in[0]}; }},
      {"computed_input", [](const Tensors& in) { return Tensors{in[2] * in[1]}; }, true,
       [](const Tensors& in) { return Tensors{in[2], in[1]}; }},
  };
}

struct Backward {
  std::vector<Call> calls;
  Tensors gradients;
  bool in_engine;
};

using Gradients = decltype(gradients);

Backward run(const Case& test, Gradients& compute) {
  at::manual_seed(1);
  Tensors in{at::randn({3, 3}).requires_grad_(), at::randn({3, 3}).requires_grad_()};
  Log log;
  in.push_back(in[0].sin());
  const Tensors outputs = test.program(in);
  Tensors tangents;
  for (const at::Tensor& output : outputs) tangents.push_back(at::ones_like(output.detach()));
  log.end_sequence = next_autograd_sequence();
  const auto hook = HookGuard::create(log, HookKind::kAuto);
  EXPECT_TRUE(hook.ok());
  Tensors found = compute(outputs, tangents, test.inputs(in));
  EXPECT_FALSE(autograd_position().backward);
  return {log.calls, std::move(found), log.run >= 0};
}

class GradientsOf : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Programs, GradientsOf, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST_P(GradientsOf, AreThoseOfTheEngine) {
  const Backward expected = run(GetParam(), engine_gradients);
  const Backward actual = run(GetParam(), gradients);
  EXPECT_TRUE(expected.in_engine);
  EXPECT_EQ(actual.in_engine, GetParam().needs_engine);
  EXPECT_FALSE(expected.calls.empty());
  EXPECT_EQ(actual.calls, expected.calls);
  ASSERT_EQ(actual.gradients.size(), expected.gradients.size());
  for (size_t i = 0; i < expected.gradients.size(); ++i) {
    ASSERT_EQ(actual.gradients[i].defined(), expected.gradients[i].defined()) << i;
    if (expected.gradients[i].defined()) {
      EXPECT_TRUE(at::equal(actual.gradients[i], expected.gradients[i])) << i;
    }
  }
}

TEST(GradientsError, IsThatOfTheEngine) {
  const auto message = [](Gradients& compute) -> std::string {
    const at::Tensor x = at::ones({3}).requires_grad_();
    const at::Tensor y = x.exp();
    y.detach().add_(1);  // the backward pass needs the value of y
    y.unsafeGetTensorImpl()->bump_version();
    try {
      compute({{y}}, {{at::ones({3})}}, {{x}});
    } catch (const c10::Error& error) {
      EXPECT_FALSE(autograd_position().backward);
      return error.what_without_backtrace();
    }
    return "no error";
  };
  EXPECT_EQ(message(gradients), message(engine_gradients));
  EXPECT_NE(message(gradients), "no error");
}

}  // namespace
}  // namespace fx::gradients_test
