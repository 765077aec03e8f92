// Models of token sequences with libtorch's layers: an LSTM that tags words, and a language model
// with nn::TransformerEncoder.
#include "fx/tools/torch/zoo/zoo_internal.h"

#include <torch/torch.h>

#include <cmath>
#include <memory>
#include <tuple>

namespace fx::zoo {
namespace {

namespace nn = torch::nn;

/// A bidirectional LSTM over words. Tokens are [batch, length].
struct LstmTagger : nn::Module {
  explicit LstmTagger(const ModelSettings& s)
      : word_embeddings(
            register_module("word_embeddings", nn::Embedding(s["vocabulary"], s["width"]))),
        lstm(register_module("lstm", nn::LSTM(nn::LSTMOptions(s["width"], s["hidden"])
                                                  .num_layers(s["layers"])
                                                  .batch_first(true)
                                                  .bidirectional(true)))),
        hidden2tag(register_module("hidden2tag", nn::Linear(2 * s["hidden"], s["classes"]))) {}

  at::Tensor forward(const at::Tensor& tokens) {
    const auto [states, last] = lstm(word_embeddings(tokens));
    return hidden2tag(states);
  }

  nn::Embedding word_embeddings;
  nn::LSTM lstm;
  nn::Linear hidden2tag;
};

/// Adds a sine or cosine of the position of a token to each number of its embedding (Vaswani et al.
/// 2017), then applies dropout.
struct PositionalEncoding : nn::Module {
  PositionalEncoding(int64_t length, int64_t width, double dropout_probability)
      : dropout(register_module("dropout", nn::Dropout(dropout_probability))) {
    const at::Tensor position = torch::arange(length, torch::kFloat).unsqueeze(1);
    const at::Tensor frequency = torch::exp(torch::arange(0, width, 2, torch::kFloat) *
                                            (-std::log(10000.0) / static_cast<double>(width)));
    const at::Tensor angle = position * frequency;
    const at::Tensor waves =
        torch::stack({torch::sin(angle), torch::cos(angle)}, -1).flatten(1).narrow(1, 0, width);
    pe = register_buffer("pe", waves.unsqueeze(1).contiguous());
  }

  at::Tensor forward(const at::Tensor& x) { return dropout(x + pe.narrow(0, 0, x.size(0))); }

  nn::Dropout dropout;
  at::Tensor pe;
};

/// The language model in PyTorch's tutorial on nn.Transformer. Tokens are [length, batch], and
/// attention is causal.
struct TransformerModel : nn::Module {
  explicit TransformerModel(const ModelSettings& s)
      : width(s["width"]),
        embedding(register_module("embedding", nn::Embedding(s["vocabulary"], width))),
        pos_encoder(register_module(
            "pos_encoder",
            std::make_shared<PositionalEncoding>(s["length"], width, fraction(s["dropout"])))),
        transformer_encoder(register_module(
            "transformer_encoder", nn::TransformerEncoder(nn::TransformerEncoderOptions(
                                       nn::TransformerEncoderLayerOptions(width, s["heads"])
                                           .dim_feedforward(s["hidden"])
                                           .dropout(fraction(s["dropout"])),
                                       s["layers"])))),
        linear(register_module("linear", nn::Linear(width, s["vocabulary"]))) {
    nn::init::uniform_(embedding->weight, -0.1, 0.1);
    nn::init::uniform_(linear->weight, -0.1, 0.1);
    nn::init::zeros_(linear->bias);
  }

  at::Tensor forward(const at::Tensor& tokens) {
    at::Tensor x = embedding(tokens) * std::sqrt(static_cast<double>(width));
    x = run_module("pos_encoder", pos_encoder, x);
    const at::Tensor mask = nn::TransformerImpl::generate_square_subsequent_mask(tokens.size(0));
    {
      const ModuleScope scope("transformer_encoder");
      x = transformer_encoder(x, mask);
    }
    return linear(x);
  }

  int64_t width;
  nn::Embedding embedding;
  std::shared_ptr<PositionalEncoding> pos_encoder;
  nn::TransformerEncoder transformer_encoder;
  nn::Linear linear;
};

}  // namespace

ModelInstance build_lstm_tagger(const ModelSettings& s) {
  return make_token_classifier(std::make_shared<LstmTagger>(s),
                               torch::randint(s["vocabulary"], {s["batch"], s["length"]}),
                               s["classes"]);
}

ModelInstance build_transformer_encoder(const ModelSettings& s) {
  return make_token_classifier(std::make_shared<TransformerModel>(s),
                               torch::randint(s["vocabulary"], {s["length"], s["batch"]}),
                               s["vocabulary"]);
}

}  // namespace fx::zoo
