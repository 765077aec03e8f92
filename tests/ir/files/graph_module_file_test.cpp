// Graph modules with their tensors in one file.
#include "fx/ir/files/graph_module_file.h"

#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/json/json.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;
using ::testing::UnorderedElementsAre;

class GraphModuleFileTest : public ::testing::Test {
 protected:
  ~GraphModuleFileTest() override { std::remove(path_.c_str()); }

  static Tensor tensor(std::initializer_list<float> values) {
    return Tensor::of<float>({static_cast<int64_t>(values.size())}, values).value();
  }
  std::unique_ptr<GraphModule> make_net() {
    auto fc = std::make_shared<Module>("torch.nn.modules.linear.Linear");
    fc->set_hyperparameter("in_features", 2);
    // A column-major tensor whose storage starts with an unrelated element.
    const Tensor memory = tensor({9, 1, 3, 2, 4});
    FX_CHECK_OK(fc->register_parameter("weight", memory.as_strided({2, 2}, {1, 2}, 1).value()));
    FX_CHECK_OK(fc->register_parameter("bias", Tensor()));
    Module root;
    FX_CHECK_OK(root.add_submodule("fc", fc));
    FX_CHECK_OK(root.add_submodule("again", fc));
    FX_CHECK_OK(root.register_buffer("mask", tensor({1, 0}), {.persistent = false}));
    FX_CHECK_OK(root.register_constant("c", tensor({7})));
    FX_CHECK_OK(
        root.register_parameter("frozen", fc->find_tensor("weight"), {.requires_grad = false}));
    const Type symbolic = context_.types().parse("f32[s0]").value();
    FX_CHECK_OK(root.register_parameter("lazy", Tensor::declared(symbolic)));
    auto graph = std::make_unique<Graph>(context_);
    Node* x = graph->placeholder("x");
    Node* called = graph->call_module("fc", {x}, {}, {.name = "Fc"});
    called->meta().set(meta::kStackTrace, "File \"m.py\", line 1, in forward\n  fc(x)");
    called->meta().set("note", Argument::tuple({1, "a"}));
    std::vector<Argument> results = {called, graph->call_module("again", {x})};
    for (const char* path : {"mask", "c", "frozen", "lazy"})
      results.push_back(graph->get_attr(path));
    graph->output(Argument::tuple(results));
    return GraphModule::create(root, std::move(graph), "Net").value();
  }

  Context context_;
  const std::string path_ = (std::filesystem::temp_directory_path() /
                             ("fxcpp_module_" + std::to_string(getpid()) + ".safetensors"))
                                .string();
};

// parity: S1 M14
TEST_F(GraphModuleFileTest, RoundTrips) {
  const std::unique_ptr<GraphModule> net = make_net();
  ASSERT_THAT(save_graph_module(*net, path_), IsOk());
  Context other;  // as in a different process
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<GraphModule> back, load_graph_module(other, path_));
  EXPECT_EQ(*write_json(*back), *write_json(*net));
  EXPECT_EQ(back->class_name(), "Net");
  EXPECT_EQ(back->graph().find_node("Fc")->meta().get(meta::kStackTrace),
            net->graph().find_node("Fc")->meta().get(meta::kStackTrace));
  EXPECT_TRUE(verify(back->graph()).findings.empty());

  const Tensor weight = back->find_tensor("fc.weight");
  EXPECT_TRUE(weight.same_bits(net->find_tensor("fc.weight")));
  EXPECT_THAT(weight.strides(), ElementsAre(1, 2));
  EXPECT_EQ(weight.offset(), 1);
  EXPECT_TRUE(back->find_tensor("frozen").is_same(weight));
  EXPECT_FALSE(back->find_attribute("frozen")->requires_grad);
  EXPECT_TRUE(back->find_attribute("fc.weight")->requires_grad);
  EXPECT_EQ(back->find_module("again"), back->find_module("fc"));
  EXPECT_FALSE(back->find_tensor("fc.bias").defined());
  EXPECT_TRUE(back->find_tensor("mask").same_bits(net->find_tensor("mask")));
  EXPECT_TRUE(back->find_tensor("c").same_bits(net->find_tensor("c")));
  EXPECT_FALSE(back->find_tensor("lazy").has_data());
  // Writing the module again results in an equal file.
  const std::string again = path_ + ".again";
  ASSERT_THAT(save_graph_module(*back, again), IsOk());
  auto bytes_of = [](const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(bytes_of(again), bytes_of(path_));
  std::remove(again.c_str());
}

TEST_F(GraphModuleFileTest, IsAValidSafetensorsFile) {
  ASSERT_THAT(save_graph_module(*make_net(), path_), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const Safetensors file, read_safetensors(path_));
  std::vector<std::string> names;
  for (const auto& [name, value] : file.tensors) names.push_back(name);
  // Tied tensors are written once, under their first path.
  EXPECT_THAT(names, UnorderedElementsAre("frozen", "mask", "c", kDocumentTensor));
  EXPECT_THAT(file.tensors.find("frozen")->values<float>(), ElementsAre(1, 2, 3, 4));
}

TEST_F(GraphModuleFileTest, MostlyEmptyMemoryIsNotAllocated) {
  FX_ASSERT_OK_AND_ASSIGN(const Tensor large, Tensor::zeros(DType::kUInt8, {5'000'000}));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor few, large.as_strided({2}, {4'000'000}, 1));
  Module root;
  ASSERT_THAT(root.register_buffer("few", few), IsOk());
  auto graph = std::make_unique<Graph>(context_);
  graph->output(graph->get_attr("few"));
  FX_ASSERT_OK_AND_ASSIGN(const auto net, GraphModule::create(root, std::move(graph)));
  ASSERT_THAT(save_graph_module(*net, path_), IsOk());
  EXPECT_LT(std::filesystem::file_size(path_), 2000u);
  FX_ASSERT_OK_AND_ASSIGN(const auto back, load_graph_module(context_, path_));
  EXPECT_THAT(back->find_tensor("few").strides(), ElementsAre(1));
  EXPECT_TRUE(back->find_tensor("few").same_bits(few));
}

// parity: S1 S2
TEST_F(GraphModuleFileTest, RandomGraphs) {
  testing::RandomGraphOptions options;
  options.max_graph_depth = 1;  // nested graphs of a module are read as modules
  for (uint64_t seed = 0; seed < 200; ++seed) {
    FX_ASSERT_OK_AND_ASSIGN(
        const auto net,
        GraphModule::create(absl::Span<const std::pair<std::string_view, Attribute>>(),
                            std::make_unique<Graph>(context_)));
    ASSERT_THAT(net->set_graph(testing::random_graph(context_, seed, options)), IsOk());
    ASSERT_THAT(save_graph_module(*net, path_), IsOk());
    FX_ASSERT_OK_AND_ASSIGN(const auto back, load_graph_module(context_, path_));
    const std::optional<GraphDifference> difference = first_difference(net->graph(), back->graph());
    EXPECT_FALSE(difference.has_value()) << "seed " << seed << ": " << difference->message;
  }
}

TEST_F(GraphModuleFileTest, Errors) {
  EXPECT_THAT(load_graph_module(context_, path_), StatusIs(absl::StatusCode::kNotFound));
  auto expect_error = [&](std::string_view message) {
    EXPECT_THAT(load_graph_module(context_, path_),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(path_), HasSubstr(std::string(message)))));
  };
  using Tensors = std::vector<std::pair<std::string, Tensor>>;
  using Texts = std::vector<std::pair<std::string, std::string>>;
  auto write = [&](const Tensors& tensors, const Texts& metadata) {
    FX_CHECK_OK(write_safetensors(path_, tensors, metadata));
  };
  auto document = [](std::string_view text) {
    return Tensor::copy_of(DType::kUInt8, {static_cast<int64_t>(text.size())},
                           {reinterpret_cast<const std::byte*>(text.data()), text.size()})
        .value();
  };
  const std::string name(kDocumentTensor);
  write({{"w", tensor({1})}}, {});
  expect_error("has tensors but no graph");
  write({{"w", tensor({1})}}, {{"fxcpp", "2"}});
  expect_error("version 2; only version 1 is supported");
  write({{"w", tensor({1})}}, {{"fxcpp", "1"}});
  expect_error("must have a tensor fxcpp.document");
  write({{name, tensor({1})}}, {{"fxcpp", "1"}});
  expect_error("must have a tensor fxcpp.document");
  write({{name, document("{")}}, {{"fxcpp", "1"}});
  expect_error("line 1, column 2");
  const std::string head = R"({"format":2,"graph":{"nodes":[]},"modules":[{"path":"","class":"C")";
  write({{name, document(head + "}]}")}, {"w", tensor({1})}}, {{"fxcpp", "1"}});
  expect_error("has no tensor w");
  write({{name, document(head + R"(,"parameters":{"w":{"t":"int8","shape":[1],"stride":[1]}}}]})")},
         {"w", tensor({1})}},
        {{"fxcpp", "1"}});
  expect_error("float32 in the file, but int8 in the module");

  ASSERT_THAT(save_graph_module(*make_net(), path_), IsOk());
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 1);
  EXPECT_THAT(load_graph_module(context_, path_), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace fx
