// Traced modules as torch::nn::Modules: they can be trained, converted to a different dtype,
// saved, and run in a Sequential, like the same module written for libtorch.
#include "fx/importers/torch/modules/live_module.h"

#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/modules/traced.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"
#include "fx/tracer/wrap.h"
#include "tests/testing/status_matchers.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/traced_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/library.h>
#include <torch/optim/adam.h>
#include <torch/serialize.h>

#include <sstream>

namespace fx {
namespace {

using testing::EagerLayers;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;
using testing::TracedLayers;

template <class L>
struct Net : L::Module {
  using Tensor = typename L::Tensor;
  Net() {
    conv = this->register_module("conv", typename L::Conv2d(typename L::Conv2dOptions(1, 4, 3)));
    norm = this->register_module("norm", typename L::BatchNorm2d(4));
    drop = this->register_module("drop", typename L::Dropout(0.5));
    fc = this->register_module("fc", typename L::Linear(4, 3));
  }
  Tensor forward(Tensor x) { return fc(drop(relu(norm(conv(x)))).mean({2, 3})); }
  typename L::Conv2d conv{nullptr};
  typename L::BatchNorm2d norm{nullptr};
  typename L::Dropout drop{nullptr};
  typename L::Linear fc{nullptr};
};

class LiveModuleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    torch::manual_seed(5);
    eager_ = std::make_shared<Net<EagerLayers>>();
    ASSERT_THAT(load_state(*traced_, *eager_), IsOk());
    FX_ASSERT_OK_AND_ASSIGN(graph_, symbolic_trace(context_, traced_, {"x"}));
    // Both modules are trained, so the graph module is a deep copy.
    FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> copy, graph_->clone());
    FX_ASSERT_OK_AND_ASSIGN(live_, LiveModule::create(*copy));
  }
  at::Tensor eager(const at::Tensor& x) {
    torch::manual_seed(9);
    return eager_->forward(x);
  }
  at::Tensor live(const at::Tensor& x) {
    torch::manual_seed(9);
    return live_->forward(x);
  }

  Context context_;
  std::shared_ptr<Net<EagerLayers>> eager_;
  nn::ModuleHolder<Net<TracedLayers>> traced_;
  std::unique_ptr<GraphModule> graph_;
  LiveModule live_{nullptr};
  at::Tensor x_ = torch::rand({2, 1, 6, 6});
};

// parity: D2d
TEST_F(LiveModuleTest, TrainsLikeTheSourceModule) {
  torch::optim::Adam ours(live_->parameters(), 0.1), theirs(eager_->parameters(), 0.1);
  for (int step = 0; step < 3; ++step) {
    const at::Tensor a = live(x_), b = eager(x_);
    EXPECT_TRUE(a.equal(b));
    ours.zero_grad();
    theirs.zero_grad();
    a.pow(2).sum().backward();
    b.pow(2).sum().backward();
    ours.step();
    theirs.step();
  }
  const auto state = live_->named_parameters();
  for (const auto& item : eager_->named_parameters())
    EXPECT_TRUE(state[item.key()].equal(item.value())) << item.key();
  for (const auto& item : eager_->named_buffers())
    EXPECT_TRUE(live_->named_buffers()[item.key()].equal(item.value())) << item.key();
}

// Layers that are called support train() and eval(); inlined layers would not.
TEST_F(LiveModuleTest, CalledLayersHaveModes) {
  const at::Tensor training = live(x_);
  eager(x_);
  live_->eval();
  eager_->eval();
  EXPECT_FALSE(live(x_).equal(training));
  EXPECT_TRUE(live(x_).equal(eager(x_)));
  live_->train();
  eager_->train();
  EXPECT_TRUE(live(x_).equal(eager(x_)));
}

TEST_F(LiveModuleTest, ConvertsToADifferentDtype) {
  live_->to(torch::kDouble);
  eager_->to(torch::kDouble);
  const at::Tensor x = x_.to(torch::kDouble);
  EXPECT_TRUE(live(x).equal(eager(x)));
  EXPECT_EQ(live(x).scalar_type(), torch::kDouble);
}

TEST_F(LiveModuleTest, IsSavedAndCopiedWithinASequential) {
  torch::nn::Sequential model(live_, torch::nn::Softmax(1));
  model->eval();
  const at::Tensor before = model->forward(x_);
  EXPECT_TRUE(before.equal(torch::softmax((eager_->eval(), eager(x_)), 1)));
  std::stringstream file;
  torch::save(model, file);
  const auto copy = std::dynamic_pointer_cast<LiveModuleImpl>(live_->clone());
  ASSERT_NE(copy, nullptr);
  {
    const torch::NoGradGuard no_grad;
    for (at::Tensor& parameter : model->parameters()) parameter.zero_();
  }
  EXPECT_FALSE(model->forward(x_).equal(before));
  EXPECT_TRUE(torch::softmax(copy->forward(x_), 1).equal(before));  // the copy has separate tensors
  torch::load(model, file);
  EXPECT_TRUE(model->forward(x_).equal(before));
}

TEST_F(LiveModuleTest, RunsTheCurrentGraph) {
  live_->eval();
  const at::Tensor before = live(x_);
  Graph& graph = live_->graph_module().graph();
  Node* const result = graph.output_node()->arg(0).node();
  {
    const auto guard = graph.inserting_after(result);
    Node* const negated = graph.call_function(context_.function("torch.neg"), {result});
    ASSERT_THAT(graph.output_node()->update_arg(0, negated), IsOk());
  }
  ASSERT_THAT(verify_status(graph), IsOk());
  EXPECT_TRUE(live(x_).equal(-before));
}

// parity: W1 D2d
TEST_F(LiveModuleTest, WrappedFunctionsRunByTheirNames) {
  const auto scale = wrap("my_lib.scale", [](const at::Tensor& x, double s, bool flip) {
    return flip ? x * -s : x * s;
  });
  FX_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<GraphModule> traced,
      symbolic_trace(context_, [&](Proxy x) { return scale(relu(x), 3, true); }));
  const std::string text = print(traced->graph(), {.meta = false});
  EXPECT_THAT(text, HasSubstr("my_lib.scale(%relu, 3, True)"));
  // A graph read from text finds the function by its name.
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, parse_graph(context_, text));
  TorchInterpreter interpreter(*graph);
  EXPECT_THAT(interpreter.run({x_}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("set_functions")));
  const auto functions = std::make_shared<TorchFunctions>();
  functions->add(scale.name(), scale.function());
  interpreter.set_functions(functions);
  const at::Tensor expected = scale(torch::relu(x_), 3, true);
  FX_ASSERT_OK_AND_ASSIGN(const c10::IValue result, interpreter.run({x_}));
  EXPECT_TRUE(result.toTensor().equal(expected));
  FX_ASSERT_OK_AND_ASSIGN(LiveModule live, LiveModule::create(*traced));
  live->set_functions(functions);
  EXPECT_TRUE(live->forward(x_).equal(expected));

  functions->add("my_lib.scale", [](const at::Tensor& x) { return x; });
  EXPECT_THAT(live->run({x_}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("has 1 positional parameter, but the call passes 3")));
  functions->add("my_lib.scale", [](const at::Tensor& x, const std::string&, bool) { return x; });
  EXPECT_THAT(live->run({x_}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("String")));
}

// Capture records a function that is registered with libtorch as one node.
TEST_F(LiveModuleTest, CaptureRecordsCustomOperatorsAsOneNode) {
  torch::Library library(torch::Library::FRAGMENT, "fx_test_lib", std::nullopt, __FILE__, __LINE__);
  library.def("twice(Tensor x) -> Tensor");
  library.impl("twice", c10::DispatchKey::CompositeExplicitAutograd,
               [](const at::Tensor& x) { return x.add(x); });
  const Program program = [](Tensors in) -> std::vector<at::Tensor> {
    static const auto op = c10::Dispatcher::singleton()
                               .findSchemaOrThrow("fx_test_lib::twice", "")
                               .typed<at::Tensor(const at::Tensor&)>();
    return {op.call(in[0]).relu()};
  };
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph captured,
                          capture(context_, ModuleState(), std::vector<at::Tensor>{x_}, program));
  const std::string text = print(*captured.graph, {.meta = false});
  EXPECT_THAT(text, HasSubstr("fx_test_lib.twice.default("));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("aten.add")));
  FX_ASSERT_OK_AND_ASSIGN(const c10::IValue result, TorchInterpreter(*captured.graph).run({x_}));
  EXPECT_TRUE(items_of(result)[0].toTensor().equal((x_ + x_).relu()));
}

// Tensors without data, and tensors on other devices, result in errors, not in check failures.
TEST_F(LiveModuleTest, RejectsTensorsWithoutDataOnTheCpu) {
  const std::vector<std::byte> memory(3 * sizeof(float));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor remote,
                          Tensor::create(DType::kFloat32, {3},
                                         Storage::external(memory.data(), memory.size(), {},
                                                           Device{DeviceType::kCuda, 0})));
  const Tensor declared =
      Tensor::declared(context_.types().tensor({.dtype = DType::kFloat32, .sizes = DimVector{3}}));
  for (const Tensor& tensor : {declared, remote}) {
    ASSERT_THAT(graph_->find_module("fc")->register_parameter("bias", tensor), IsOk());
    const auto is_rejected =
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("bias\" has no data on the CPU"));
    EXPECT_THAT(LiveModule::create(*graph_), is_rejected);
    Graph graph(context_);
    Node* bias = graph.get_attr("fc.bias");
    graph.output(graph.call_function(context_.function("aten.relu.default"), {bias}));
    EXPECT_THAT(TorchInterpreter(graph, TorchConstants(), AutogradUse::kNone, graph_.get()).run({}),
                is_rejected);
    EXPECT_FALSE(torch_constants(*graph_).contains("fc.bias"));
  }
}

TEST_F(LiveModuleTest, ErrorsNameTheNode) {
  EXPECT_THAT(
      [&] { live_->forward(torch::rand({2, 5, 6, 6})); },
      ::testing::Throws<c10::Error>(::testing::Property(&c10::Error::what, HasSubstr("conv2d"))));
  // A layer of an unknown class fails when it is called.
  graph_->find_module("fc")->set_class_name("torch.nn.modules.adaptive.AdaptiveLogSoftmaxWithLoss");
  FX_ASSERT_OK_AND_ASSIGN(LiveModule other, LiveModule::create(*graph_));
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(other->run({x_}), StatusIs(absl::StatusCode::kUnimplemented,
                                           HasSubstr("AdaptiveLogSoftmaxWithLoss")));
  // A layer with invalid settings.
  graph_->find_module("fc")->set_class_name("torch.nn.modules.activation.Softmax");
  FX_ASSERT_OK_AND_ASSIGN(LiveModule third, LiveModule::create(*graph_));
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(third->run({x_}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("dim")));
}

}  // namespace
}  // namespace fx
