// The zoo's models must match the published models of the same names in their parameters, operators
// and results.
#include "fx/importers/torch/capture/capture.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fx {
namespace {

using testing::check_joint;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::make;
using testing::make_fake_model;
using ::testing::Not;
using testing::operator_counts;
using ::testing::Pair;
using testing::Settings;
using testing::StatusIs;

int64_t count_elements(const std::vector<NamedTensor>& tensors) {
  int64_t count = 0;
  for (const NamedTensor& t : tensors) count += t.tensor.numel();
  return count;
}

// ---- parameters

struct Reference {
  std::string_view model;
  Settings settings;
  int64_t num_elements;  ///< the number of elements in all parameters
  size_t num_parameters;
  size_t num_buffers;
};

const Settings kVitB16 = {{"batch", 1},  {"size", 224},  {"patch", 16},    {"layers", 12},
                          {"heads", 12}, {"width", 768}, {"hidden", 3072}, {"classes", 1000}};
const Settings kGpt2 = {{"batch", 1},   {"length", 1024}, {"vocabulary", 50257},
                        {"layers", 12}, {"heads", 12},    {"width", 768}};
const Settings kGpt2Xl = {{"batch", 1},   {"length", 1024}, {"vocabulary", 50257},
                          {"layers", 48}, {"heads", 25},    {"width", 1600}};

// Counts for torchvision's models with 1000 classes, milesial's U-Net, the VAE in pytorch/examples,
// GPT-2 as published, and the same modules in Python.
const Reference kReferences[] = {
    {"lenet", {}, 61'706, 10, 0},
    {"resnet18", {{"classes", 1000}}, 11'689'512, 62, 60},
    {"resnet50", {{"classes", 1000}}, 25'557'032, 161, 159},
    {"mobilenet_v2", {{"classes", 1000}}, 3'504'872, 158, 156},
    {"mobilenet_v2", {{"classes", 1000}, {"width", 50}}, 1'968'680, 158, 156},
    {"unet", {{"classes", 1}, {"width", 64}}, 31'037'633, 64, 54},
    {"vae", {}, 652'824, 10, 0},
    {"lstm_tagger", {}, 12'517, 19, 0},
    {"transformer_encoder", {}, 23'588, 27, 1},
    {"vit", kVitB16, 86'567'656, 152, 0},
    {"gpt", kGpt2, 124'439'808, 148, 0},
    {"gpt", kGpt2Xl, 1'557'611'200, 580, 0},
};

TEST(Zoo, ModelsHaveTheParametersOfTheirReferences) {
  Context context;
  for (const Reference& r : kReferences) {
    SCOPED_TRACE(r.model);
    const ModelInstance model = make_fake_model(context, r.model, r.settings);
    EXPECT_EQ(count_elements(model.state.parameters), r.num_elements);
    EXPECT_EQ(model.state.parameters.size(), r.num_parameters);
    EXPECT_EQ(model.state.buffers.size(), r.num_buffers);
  }
}

TEST(Zoo, ParametersHaveTheNamesOfTheirReferences) {
  const std::tuple<std::string_view, std::string_view, std::vector<int64_t>> kNames[] = {
      {"lenet", "conv2.weight", {16, 6, 5, 5}},
      {"resnet18", "layer2.0.downsample.0.weight", {128, 64, 1, 1}},
      {"resnet50", "layer1.0.conv3.weight", {256, 64, 1, 1}},
      {"mobilenet_v2", "features.1.conv.1.weight", {16, 32, 1, 1}},
      {"mobilenet_v2", "features.2.conv.1.0.weight", {96, 1, 3, 3}},
      {"mobilenet_v2", "classifier.1.weight", {10, 1280}},
      {"unet", "down4.maxpool_conv.1.double_conv.0.weight", {256, 128, 3, 3}},
      {"unet", "up1.up.weight", {256, 128, 2, 2}},
      {"unet", "outc.conv.weight", {2, 16, 1, 1}},
      {"vae", "fc21.weight", {20, 400}},
      {"lstm_tagger", "lstm.weight_ih_l1_reverse", {64, 32}},
      {"transformer_encoder", "transformer_encoder.layers.1.self_attn.in_proj_weight", {96, 32}},
      {"vit", "class_token", {1, 1, 32}},
      {"vit", "encoder.pos_embedding", {1, 17, 32}},
      {"vit", "encoder.layers.encoder_layer_1.self_attention.in_proj_weight", {96, 32}},
      {"vit", "encoder.layers.encoder_layer_1.mlp.3.weight", {32, 64}},
      {"vit", "heads.head.weight", {10, 32}},
      {"gpt", "transformer.wte.weight", {64, 32}},
      {"gpt", "transformer.h.1.attn.c_attn.weight", {96, 32}},
      {"gpt", "transformer.ln_f.bias", {32}},
  };
  for (const auto& [name, parameter, sizes] : kNames) {
    const ModelInstance model = make(name, {});
    const auto& all = model.state.parameters;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&path = parameter](const auto& p) { return p.name == path; });
    ASSERT_NE(found, all.end()) << name << ": " << parameter;
    EXPECT_EQ(found->tensor.sizes(), at::IntArrayRef(sizes)) << name << ": " << parameter;
  }
}

/// Returns the number of parameters according to the published formula: token and position
/// embeddings, blocks, the final norm.
int64_t gpt_size(int64_t layers, int64_t width, int64_t length, int64_t vocabulary, bool tied) {
  return (tied ? 1 : 2) * vocabulary * width + length * width +
         layers * (12 * width * width + 13 * width) + 2 * width;
}

TEST(Zoo, GptHasThePublishedNumberOfParameters) {
  EXPECT_EQ(gpt_size(12, 768, 1024, 50257, true), 124'439'808);
  EXPECT_EQ(gpt_size(24, 1024, 1024, 50257, true), 354'823'168);
  EXPECT_EQ(gpt_size(48, 1600, 1024, 50257, true), 1'557'611'200);
  for (const int64_t tied : {0, 1}) {
    const ModelInstance gpt = make("gpt", {{"layers", 3},
                                           {"width", 24},
                                           {"heads", 3},
                                           {"length", 9},
                                           {"vocabulary", 50},
                                           {"tied", tied}});
    EXPECT_EQ(count_elements(gpt.state.parameters), gpt_size(3, 24, 9, 50, tied == 1));
  }
}

/// Returns the peak memory of the process in bytes.
int64_t peak_bytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

TEST(Zoo, LargeModelsAreCapturedWithoutAllocatingTheirMemory) {
  const Settings kLarge = {{"batch", 1},   {"length", 4096}, {"vocabulary", 128256},
                           {"layers", 80}, {"heads", 64},    {"width", 8192}};
  for (const auto& [settings, size] : {std::pair(kGpt2Xl, gpt_size(48, 1600, 1024, 50257, true)),
                                       {kLarge, gpt_size(80, 8192, 4096, 128256, true)}}) {
    Context context;
    const int64_t before = peak_bytes();
    const ModelInstance gpt = make_fake_model(context, "gpt", settings);
    EXPECT_EQ(count_elements(gpt.state.parameters), size);
    FX_ASSERT_OK_AND_ASSIGN(
        const CapturedGraph joint,
        capture_joint(context, gpt.state, gpt.inputs, gpt.loss, {.execution = Execution::kFake}));
    EXPECT_GT(joint.graph->size(), 4000u);
    EXPECT_LT(peak_bytes() - before, int64_t{256} << 20);
  }
}

// ---- results

TEST(Zoo, OperatorsMatchTheModels) {
  using Counts = std::vector<std::pair<std::string, int>>;
  const std::pair<std::string_view, Counts> kModels[] = {
      {"lenet", {{"convolution", 2}, {"avg_pool2d", 2}, {"tanh", 4}, {"tanh_backward", 4}}},
      {"resnet50", {{"convolution", 53}, {"native_batch_norm", 53}, {"relu_", 49}}},
      {"mobilenet_v2", {{"convolution", 52}, {"hardtanh_", 35}, {"bernoulli_", 1}}},
      {"unet", {{"convolution", 18 + 4 + 1}, {"cat", 4}, {"max_pool2d_with_indices", 4}}},
      {"vae", {{"addmm", 5}, {"randn_like", 1}, {"binary_cross_entropy", 1}, {"exp", 2}}},
      // One operator for each layer and direction.
      {"lstm_tagger", {{"mkldnn_rnn_layer", 4}, {"mkldnn_rnn_layer_backward", 4}}},
      // Dropout after the position embedding, and in each layer in the attention, after the
      // attention, and twice in the feed-forward part.
      {"transformer_encoder", {{"native_layer_norm", 4}, {"_softmax", 2}, {"bernoulli_", 9}}},
      {"vit", {{"convolution", 1}, {"native_layer_norm", 5}, {"gelu", 2}}},
      {"gpt", {{"embedding", 2}, {"native_layer_norm", 5}, {"gelu", 2}}},
  };
  for (const auto& [name, counts] : kModels) {
    SCOPED_TRACE(name);
    Context context;
    const ModelInstance model = make(name);
    FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph joint,
                            capture_joint(context, model.state, model.inputs, model.loss));
    const auto got = operator_counts(*joint.graph);
    for (const auto& [op, count] : counts) EXPECT_THAT(got, Contains(Pair("aten." + op, count)));
  }
}

TEST(Zoo, GptOutputsDoNotDependOnLaterTokens) {
  const ModelInstance gpt = make("gpt");
  const at::Tensor tokens = gpt.inputs[0];
  const at::Tensor before = gpt.forward({tokens})[0];
  at::Tensor changed = tokens.clone();
  changed.select(1, 10).add_(1).remainder_(64);
  const at::Tensor after = gpt.forward({changed})[0];
  EXPECT_TRUE(at::equal(before.narrow(1, 0, 10), after.narrow(1, 0, 10)));
  for (int64_t i = 10; i < 16; ++i) {
    EXPECT_FALSE(at::equal(before.select(1, i), after.select(1, i))) << i;
  }
}

TEST(Zoo, TiedWeightsAreOneParameterWithOneGradient) {
  for (const int64_t tied : {1, 0}) {
    Context context;
    const ModelInstance gpt = make("gpt", {{"tied", tied}});
    FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph joint,
                            capture_joint(context, gpt.state, gpt.inputs, gpt.loss));
    std::vector<std::string> large;  // parameters with one row for each token
    for (const CapturedInput& input : joint.inputs) {
      if (input.kind == InputKind::kParameter && input.tensor.size(0) == 64 &&
          input.tensor.dim() == 2) {
        large.push_back(input.name);
      }
    }
    if (tied == 1) {
      EXPECT_THAT(large, ElementsAre("transformer.wte.weight"));
    } else {
      EXPECT_THAT(large, ElementsAre("transformer.wte.weight", "lm_head.weight"));
    }
    // The embedding looks up rows, and the output matrix is the transposed embedding.
    const Node* embedding = nullptr;
    size_t i = 0;
    for (const Node& node : joint.graph->nodes()) {
      if (node.is_placeholder() && joint.inputs[i++].name == "transformer.wte.weight") {
        embedding = &node;
      }
    }
    ASSERT_NE(embedding, nullptr);
    std::vector<std::string_view> readers;
    for (const Node* user : embedding->users()) readers.push_back(user->target());
    if (tied == 1) {
      EXPECT_THAT(readers, ElementsAre("aten.embedding.default", "aten.t.default"));
    } else {
      EXPECT_THAT(readers, ElementsAre("aten.embedding.default"));
    }
  }
}

TEST(Zoo, AttentionIsFusedUnlessDropoutIsUsed) {
  Context context;
  for (const int64_t dropout : {0, 10}) {
    const ModelInstance gpt = make("gpt", {{"dropout", dropout}});
    const CapturedGraph joint = check_joint(context, gpt.state, gpt.inputs, gpt.loss);
    const auto counts = operator_counts(*joint.graph);
    const auto fused = Pair("aten._scaled_dot_product_flash_attention_for_cpu", 2);
    if (dropout == 0) {
      EXPECT_THAT(counts, Contains(fused));
      EXPECT_FALSE(counts.contains("aten.bernoulli_"));
    } else {
      EXPECT_THAT(counts, Not(Contains(fused)));
      // Dropout after the embedding, and in each block in the attention, after the attention and
      // after the MLP.
      EXPECT_THAT(counts, Contains(Pair("aten.bernoulli_", 1 + 2 * 3)));
    }
  }
}

TEST(Zoo, UNetScoresEachPixelForAnyImageSize) {
  for (const int64_t size : {32, 37}) {
    const ModelInstance unet = make("unet", {{"size", size}, {"width", 2}, {"classes", 3}});
    const at::Tensor scores = unet.forward(unet.forward_inputs())[0];
    EXPECT_EQ(scores.sizes(), (std::vector<int64_t>{1, 3, size, size}));
  }
}

TEST(Zoo, VaeReturnsImageMeanAndVariance) {
  const ModelInstance vae = make("vae");
  const std::vector<at::Tensor> results = vae.forward(vae.forward_inputs());
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].sizes(), vae.inputs[0].sizes());
  EXPECT_GE(results[0].min().item<double>(), 0);
  EXPECT_LE(results[0].max().item<double>(), 1);
  EXPECT_EQ(results[1].sizes(), (std::vector<int64_t>{4, 20}));
  // A second run draws new codes, but has the same means.
  const std::vector<at::Tensor> again = vae.forward(vae.forward_inputs());
  EXPECT_FALSE(at::equal(results[0], again[0]));
  EXPECT_TRUE(at::equal(results[1], again[1]));
}

TEST(Zoo, IndivisibleSizesAreErrors) {
  for (const auto& [model, settings, message] :
       {std::tuple<std::string_view, Settings, std::string_view>{
            "gpt", {{"heads", 3}}, "the width, 32, must be a multiple of the number of heads, 3"},
        {"vit", {{"heads", 5}}, "the width, 32, must be a multiple of the number of heads, 5"},
        {"vit", {{"patch", 5}}, "the size, 32, must be a multiple of the patch size, 5"},
        {"gpt", {{"dropout", 101}}, "dropout probability"},
        {"gpt", {{"tied", -1}}, "\"tied\" must be at least 0, not -1"},
        {"transformer_encoder", {{"heads", 3}}, "embed_dim must be divisible by num_heads"}}) {
    EXPECT_THAT(make_zoo_model(model, settings),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string(message))));
  }
}

}  // namespace
}  // namespace fx
