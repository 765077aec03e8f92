// read_state_dict reads what torch::save in C++ writes.
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

void expect_tensor(const StateDict& state, const std::string& name, const torch::Tensor& expected) {
  const Tensor* tensor = state.tensors.find(name);
  ASSERT_NE(tensor, nullptr) << name;
  EXPECT_TRUE(at::equal(to_torch(*tensor), expected)) << name;
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
  const StateDict single = saved(x.t());
  ASSERT_EQ(single.tensors.size(), 1u);
  EXPECT_TRUE(at::equal(to_torch(single.tensors.begin()->value), x.t()));
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

/// Writes the state as a C++ archive, and loads it into `value`.
template <class T>
void load_written(const StateDict& state, T& value) {
  const std::string path = ::testing::TempDir() + "/state_dict_test.pt";
  ASSERT_TRUE(write_cpp_archive(path, state).ok());
  torch::load(value, path);
}

TEST(StateDict, WritesModulesForCpp) {
  const auto net = std::make_shared<SavedNet>();
  auto other = std::make_shared<SavedNet>();
  load_written(saved(net), other);
  const auto parameters = net->named_parameters(), loaded = other->named_parameters();
  for (const auto& entry : parameters)
    EXPECT_TRUE(at::equal(entry.value(), loaded[entry.key()])) << entry.key();
  EXPECT_EQ(parameters.size(), 7u);
  std::vector<torch::Tensor> tensors;
  load_written(saved(std::vector<torch::Tensor>{torch::ones({2}), torch::zeros({1})}), tensors);
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_TRUE(at::equal(tensors[0], torch::ones({2})));
}

TEST(StateDict, WritesOptimizersForCpp) {
  const auto net = std::make_shared<SavedNet>();
  torch::optim::Adam adam(net->parameters(), torch::optim::AdamOptions(0.25));
  net->layers->forward(torch::randn({2, 4})).sum().backward();
  adam.step();
  torch::optim::Adam other(net->parameters(), torch::optim::AdamOptions(0.5));
  load_written(saved(adam), other);
  EXPECT_EQ(other.defaults().get_lr(), 0.5);
  EXPECT_EQ(other.param_groups()[0].options().get_lr(), 0.25);
  EXPECT_EQ(other.state().size(), adam.state().size());
}

TEST(StateDict, NamesThatCppArchivesCannotContain) {
  StateDict state;
  FX_ASSERT_OK_AND_ASSIGN(const Tensor one, Tensor::of<float>({1}, {1}));
  const std::string path = ::testing::TempDir() + "/state_dict_test.pt";
  const auto rejected = [&](std::vector<std::string> names) {
    state.tensors = {};
    for (const std::string& name : names) state.tensors.set(name, one);
    EXPECT_EQ(write_cpp_archive(path, state).code(), absl::StatusCode::kInvalidArgument)
        << names[0];
  };
  rejected({"a", "a.b"});
  rejected({"a.b", "a"});
  rejected({"a\"b"});
  rejected({"a..b"});
  rejected({""});
  std::string deep = "a";
  for (int i = 0; i < 100; ++i) deep += ".a";
  rejected({deep});
}

}  // namespace
}  // namespace fx
