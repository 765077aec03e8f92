// The list of models.
#include "fx/tools/torch/zoo/zoo.h"

#include "fx/ir/support/status.h"
#include "fx/tools/torch/zoo/zoo_internal.h"

#include <vector>

namespace fx {
namespace {

std::vector<ModelSetting> resnet_settings() {
  return {{"batch", 2, "images"},
          {"size", 64, "height and width of an image"},
          {"width", 64, "channels of the first stage"},
          {"classes", 10, "number of classes"}};
}

}  // namespace

absl::Span<const ModelEntry> zoo_models() {
  static const auto* const entries = new std::vector<ModelEntry>{
      {"mlp",
       "two hidden layers, ReLU and GELU, cross-entropy",
       {{"batch", 8, "rows of the input"},
        {"features", 16, "columns of the input"},
        {"hidden", 32, "width of both hidden layers"},
        {"classes", 4, "number of classes"}},
       zoo::build_mlp},
      {"lenet",
       "LeNet-5 on 28 x 28 images: convolutions, tanh, average pooling, cross-entropy",
       {{"batch", 4, "images"}, {"classes", 10, "number of classes"}},
       zoo::build_lenet},
      {"resnet18",
       "ResNet-18: convolutions, batch norms, in-place ReLU and addition, cross-entropy",
       resnet_settings(), zoo::build_resnet18},
      {"resnet50", "ResNet-50: the same with bottleneck blocks", resnet_settings(),
       zoo::build_resnet50},
      {"mobilenet_v2",
       "MobileNetV2: depthwise convolutions, inverted residuals, ReLU6, dropout",
       {{"batch", 2, "images"},
        {"size", 64, "height and width of an image"},
        {"width", 100, "channels of all layers, as a percentage of the paper's"},
        {"classes", 10, "number of classes"},
        {"dropout", 20, "probability of dropout, in percent", 0}},
       zoo::build_mobilenet_v2},
      {"unet",
       "U-Net: skip connections, transposed convolutions, cross-entropy per pixel",
       {{"batch", 1, "images"},
        {"size", 32, "height and width of an image"},
        {"width", 16, "channels of the first level; four levels down it is 16 times that"},
        {"classes", 2, "classes per pixel"}},
       zoo::build_unet},
      {"vae",
       "variational autoencoder: random latent codes, binary cross-entropy and KL divergence",
       {{"batch", 4, "images"},
        {"size", 28, "height and width of an image"},
        {"hidden", 400, "width of the hidden layers"},
        {"code", 20, "size of the latent code"}},
       zoo::build_vae},
      {"lstm_tagger",
       "embedding and bidirectional LSTM, cross-entropy per word",
       {{"batch", 4, "sentences"},
        {"length", 12, "words in a sentence"},
        {"vocabulary", 100, "number of words"},
        {"width", 16, "size of the embedding of a word"},
        {"hidden", 16, "size of the LSTM's hidden state, for each direction"},
        {"layers", 2, "layers of the LSTM"},
        {"classes", 5, "number of tags"}},
       zoo::build_lstm_tagger},
      {"transformer_encoder",
       "language model on nn::TransformerEncoder: sinusoidal positions, mask, dropout",
       {{"batch", 4, "sequences"},
        {"length", 16, "tokens in a sequence"},
        {"vocabulary", 100, "number of tokens"},
        {"layers", 2, "encoder layers"},
        {"heads", 2, "attention heads; must divide the width"},
        {"width", 32, "size of the embedding of a token"},
        {"hidden", 64, "width of the feed-forward layers"},
        {"dropout", 10, "probability of dropout, in percent", 0}},
       zoo::build_transformer_encoder},
      {"gpt",
       "GPT-2: causal scaled_dot_product_attention, learned positions, cross-entropy per token",
       {{"batch", 2, "sequences"},
        {"length", 16, "tokens in a sequence"},
        {"vocabulary", 64, "number of tokens"},
        {"layers", 2, "blocks"},
        {"heads", 2, "attention heads; must divide the width"},
        {"width", 32, "size of the embedding of a token"},
        {"dropout", 0, "probability of dropout, in percent", 0},
        {"tied", 1, "1: the embedding is also the output matrix; 0: they are separate", 0}},
       zoo::build_gpt},
      {"vit",
       "vision transformer: patches, class token, cross-entropy",
       {{"batch", 2, "images"},
        {"size", 32, "height and width of an image"},
        {"patch", 8, "height and width of a patch; must divide the size"},
        {"layers", 2, "blocks"},
        {"heads", 2, "attention heads; must divide the width"},
        {"width", 32, "size of the embedding of a patch"},
        {"hidden", 64, "width of the feed-forward layers"},
        {"classes", 10, "number of classes"},
        {"dropout", 0, "probability of dropout, in percent", 0}},
       zoo::build_vit},
  };
  return *entries;
}

absl::StatusOr<ModelInstance> make_zoo_model(std::string_view name, SettingValues settings,
                                             uint64_t seed) {
  FX_ASSIGN_OR_RETURN(const ModelEntry* entry, find_model(zoo_models(), name));
  return build_model(*entry, settings, seed);
}

}  // namespace fx
