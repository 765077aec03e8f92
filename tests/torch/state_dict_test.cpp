// read_state_dict reads what torch::save of C++ writes.
#include "fx/importers/pt2/state_dict.h"

#include "fx/interp/torch/graph_data.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <sstream>
#include <string>
#include <vector>

namespace fx {
namespace {

struct SavedNet : torch::nn::Module {
  SavedNet() {
    conv = register_module("conv", torch::nn::Conv2d(3, 4, 3));
    layers = register_module(
        "layers", torch::nn::Sequential(torch::nn::Linear(4, 5), torch::nn::BatchNorm1d(5)));
    scale = register_parameter("scale", torch::ones({2}, torch::kFloat64));
  }
  torch::nn::Conv2d conv{nullptr};
  torch::nn::Sequential layers{nullptr};
  torch::Tensor scale;
};

template <class T>
StateDict saved(const T& value) {
  std::ostringstream out;
  torch::save(value, out);
  const std::string bytes = out.str();
  auto storage = Storage::copy_of({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  absl::StatusOr<StateDict> state = parse_state_dict(*storage);
  EXPECT_TRUE(state.ok()) << state.status();
  return state.ok() ? *std::move(state) : StateDict();
}

void expect_tensor(const StateDict& state, const std::string& name, const torch::Tensor& wanted) {
  const Tensor* tensor = state.tensors.find(name);
  ASSERT_NE(tensor, nullptr) << name;
  EXPECT_TRUE(at::equal(to_torch(*tensor), wanted)) << name;
}

TEST(StateDict, ModulesOfCpp) {
  const auto net = std::make_shared<SavedNet>();
  const StateDict state = saved(net);
  size_t count = 0;
  for (const auto& entry : net->named_parameters()) {
    expect_tensor(state, entry.key(), entry.value());
    ++count;
  }
  for (const auto& entry : net->named_buffers()) {
    expect_tensor(state, entry.key(), entry.value());
    ++count;
  }
  EXPECT_EQ(state.tensors.size(), count);
}

TEST(StateDict, TensorsOfCpp) {
  const torch::Tensor x = torch::arange(6).reshape({2, 3});
  const StateDict lone = saved(x.t());
  ASSERT_EQ(lone.tensors.size(), 1u);
  EXPECT_TRUE(at::equal(to_torch(lone.tensors.begin()->value), x.t()));
  const StateDict several = saved(std::vector<torch::Tensor>{x, x + 1});
  EXPECT_EQ(several.tensors.size(), 2u);
  expect_tensor(several, "1", x + 1);
}

TEST(StateDict, OptimizersOfCpp) {
  const auto net = std::make_shared<SavedNet>();
  torch::optim::Adam adam(net->parameters(), torch::optim::AdamOptions(0.25));
  net->layers->forward(torch::randn({2, 4})).sum().backward();
  adam.step();
  const StateDict state = saved(adam);
  size_t found = 0;
  for (const auto& entry : state.tensors) found += entry.key.ends_with("exp_avg") ? 1 : 0;
  EXPECT_EQ(found, 4u);  // the parameters with a gradient
}

}  // namespace
}  // namespace fx
