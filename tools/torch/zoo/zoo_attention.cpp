// Transformers with scaled_dot_product_attention: GPT-2 with nanoGPT's names, and the vision
// transformer with torchvision's names.
#include "fx/tools/torch/zoo/zoo_internal.h"

#include <torch/torch.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace fx::zoo {
namespace {

namespace nn = torch::nn;

nn::LayerNorm layer_norm(int64_t width, double epsilon) {
  return nn::LayerNorm(nn::LayerNormOptions({width}).eps(epsilon));
}

int64_t head_width(int64_t width, int64_t heads) {
  TORCH_CHECK(width % heads == 0, "the width, ", width,
              ", must be a multiple of the number of heads, ", heads);
  return width / heads;
}

/// Computes the attention of each token to all tokens or, if `is_causal`, to itself and the
/// preceding tokens. `projected` is [batch, length, 3 * width]: queries, keys and values.
at::Tensor attend(const at::Tensor& projected, int64_t heads, double dropout, bool is_causal) {
  const int64_t batch = projected.size(0), length = projected.size(1),
                width = projected.size(2) / 3;
  const auto parts = projected.split(width, 2);
  const auto by_head = [&](const at::Tensor& x) {
    return x.view({batch, length, heads, width / heads}).transpose(1, 2);
  };
  const at::Tensor y =
      torch::scaled_dot_product_attention(by_head(parts[0]), by_head(parts[1]), by_head(parts[2]),
                                          /*attn_mask=*/{}, dropout, is_causal);
  return y.transpose(1, 2).contiguous().view({batch, length, width});
}

// ---- gpt: Radford et al. 2019

struct GptConfig {
  int64_t length, vocabulary, layers, heads, width;
  double dropout;
  bool tied;  ///< the embedding is also the output matrix
};

constexpr double kGptEpsilon = 1e-5;

struct CausalSelfAttention : nn::Module {
  explicit CausalSelfAttention(const GptConfig& c)
      : heads(c.heads),
        dropout(c.dropout),
        c_attn(register_module("c_attn", nn::Linear(c.width, 3 * c.width))),
        c_proj(register_module("c_proj", nn::Linear(c.width, c.width))),
        resid_dropout(register_module("resid_dropout", nn::Dropout(c.dropout))) {}

  at::Tensor forward(const at::Tensor& x) {
    const at::Tensor y = attend(c_attn(x), heads, is_training() ? dropout : 0, /*is_causal=*/true);
    return resid_dropout(c_proj(y));
  }

  int64_t heads;
  double dropout;
  nn::Linear c_attn, c_proj;
  nn::Dropout resid_dropout;
};

struct GptMlp : nn::Module {
  explicit GptMlp(const GptConfig& c)
      : c_fc(register_module("c_fc", nn::Linear(c.width, 4 * c.width))),
        c_proj(register_module("c_proj", nn::Linear(4 * c.width, c.width))),
        dropout(register_module("dropout", nn::Dropout(c.dropout))) {}

  at::Tensor forward(const at::Tensor& x) {
    return dropout(c_proj(torch::gelu(c_fc(x), /*approximate=*/"tanh")));
  }

  nn::Linear c_fc, c_proj;
  nn::Dropout dropout;
};

struct GptBlock : nn::Module {
  explicit GptBlock(const GptConfig& c)
      : ln_1(register_module("ln_1", layer_norm(c.width, kGptEpsilon))),
        attn(register_module("attn", std::make_shared<CausalSelfAttention>(c))),
        ln_2(register_module("ln_2", layer_norm(c.width, kGptEpsilon))),
        mlp(register_module("mlp", std::make_shared<GptMlp>(c))) {}

  at::Tensor forward(at::Tensor x) {
    x = x + run_module("attn", attn, ln_1(x));
    return x + run_module("mlp", mlp, ln_2(x));
  }

  nn::LayerNorm ln_1;
  std::shared_ptr<CausalSelfAttention> attn;
  nn::LayerNorm ln_2;
  std::shared_ptr<GptMlp> mlp;
};

/// The embeddings, blocks and last norm, that is, all layers except the output matrix.
struct GptBody : nn::Module {
  explicit GptBody(const GptConfig& c)
      : wte(register_module("wte", nn::Embedding(c.vocabulary, c.width))),
        wpe(register_module("wpe", nn::Embedding(c.length, c.width))),
        drop(register_module("drop", nn::Dropout(c.dropout))),
        ln_f(nullptr) {
    for (int64_t i = 0; i < c.layers; ++i) h->push_back(std::make_shared<GptBlock>(c));
    register_module("h", h);
    ln_f = register_module("ln_f", layer_norm(c.width, kGptEpsilon));
  }

  at::Tensor forward(const at::Tensor& tokens) {
    const at::Tensor positions = wpe(torch::arange(tokens.size(1), torch::kLong));
    const at::Tensor x = drop(wte(tokens) + positions);
    return ln_f(run_sequential("h", h, x));
  }

  nn::Embedding wte, wpe;
  nn::Dropout drop;
  nn::Sequential h;
  nn::LayerNorm ln_f;
};

/// GPT-2. Tokens are [batch, length].
struct Gpt : nn::Module {
  explicit Gpt(const GptConfig& c)
      : transformer(register_module("transformer", std::make_shared<GptBody>(c))) {
    head_width(c.width, c.heads);
    if (!c.tied) {
      lm_head = register_module("lm_head",
                                nn::Linear(nn::LinearOptions(c.width, c.vocabulary).bias(false)));
    }
    // A residual path sums 2 * layers branches, so the last matrix of each branch has smaller
    // initial values.
    const double branch = 0.02 / std::sqrt(2.0 * static_cast<double>(c.layers));
    for (const auto& item : named_parameters()) {
      const std::string& name = item.key();
      if (name.ends_with("bias")) nn::init::zeros_(item.value());
      if (name.ends_with("weight") && item.value().dim() == 2) {
        nn::init::normal_(item.value(), 0, name.ends_with("c_proj.weight") ? branch : 0.02);
      }
    }
  }

  at::Tensor forward(const at::Tensor& tokens) {
    const at::Tensor x = run_module("transformer", transformer, tokens);
    if (!lm_head.is_empty()) return lm_head(x);
    const ModuleScope scope("lm_head");
    return nn::functional::linear(x, transformer->wte->weight);
  }

  std::shared_ptr<GptBody> transformer;
  nn::Linear lm_head{nullptr};
};

// ---- vit: Dosovitskiy et al. 2020

struct VitConfig {
  int64_t size, patch, layers, heads, width, hidden, classes;
  double dropout;
};

constexpr double kVitEpsilon = 1e-6;

/// nn.MultiheadAttention of a sequence to itself, with batch_first.
struct SelfAttention : nn::Module {
  explicit SelfAttention(const VitConfig& c)
      : heads(c.heads),
        in_proj_weight(register_parameter("in_proj_weight", torch::empty({3 * c.width, c.width}))),
        in_proj_bias(register_parameter("in_proj_bias", torch::zeros({3 * c.width}))),
        out_proj(register_module("out_proj", nn::Linear(c.width, c.width))) {
    nn::init::xavier_uniform_(in_proj_weight);
    nn::init::zeros_(out_proj->bias);
  }

  at::Tensor forward(const at::Tensor& x) {
    const at::Tensor projected = nn::functional::linear(x, in_proj_weight, in_proj_bias);
    return out_proj(attend(projected, heads, /*dropout=*/0, /*is_causal=*/false));
  }

  int64_t heads;
  at::Tensor in_proj_weight, in_proj_bias;
  nn::Linear out_proj;
};

nn::Sequential vit_mlp(const VitConfig& c) {
  nn::Sequential mlp(nn::Linear(c.width, c.hidden), nn::GELU(), nn::Dropout(c.dropout),
                     nn::Linear(c.hidden, c.width), nn::Dropout(c.dropout));
  for (const auto& item : mlp->named_parameters()) {
    if (item.key().ends_with("weight")) {
      nn::init::xavier_uniform_(item.value());
    } else {
      nn::init::normal_(item.value(), 0, 1e-6);
    }
  }
  return mlp;
}

struct EncoderBlock : nn::Module {
  explicit EncoderBlock(const VitConfig& c)
      : ln_1(register_module("ln_1", layer_norm(c.width, kVitEpsilon))),
        self_attention(register_module("self_attention", std::make_shared<SelfAttention>(c))),
        dropout(register_module("dropout", nn::Dropout(c.dropout))),
        ln_2(register_module("ln_2", layer_norm(c.width, kVitEpsilon))),
        mlp(register_module("mlp", vit_mlp(c))) {}

  at::Tensor forward(at::Tensor x) {
    x = x + dropout(run_module("self_attention", self_attention, ln_1(x)));
    return x + run_sequential("mlp", mlp, ln_2(x));
  }

  nn::LayerNorm ln_1;
  std::shared_ptr<SelfAttention> self_attention;
  nn::Dropout dropout;
  nn::LayerNorm ln_2;
  nn::Sequential mlp;
};

struct Encoder : nn::Module {
  Encoder(const VitConfig& c, int64_t length)
      : pos_embedding(register_parameter("pos_embedding", torch::empty({1, length, c.width}))),
        dropout(register_module("dropout", nn::Dropout(c.dropout))),
        ln(nullptr) {
    nn::init::normal_(pos_embedding, 0, 0.02);
    for (int64_t i = 0; i < c.layers; ++i) {
      layers->push_back("encoder_layer_" + std::to_string(i), std::make_shared<EncoderBlock>(c));
    }
    register_module("layers", layers);
    ln = register_module("ln", layer_norm(c.width, kVitEpsilon));
  }

  at::Tensor forward(at::Tensor x) {
    x = dropout(x + pos_embedding);
    {
      const ModuleScope scope("layers");
      for (auto& layer : layers->named_children()) {
        const ModuleScope name(layer.key());
        x = layer.value()->as<EncoderBlock>()->forward(x);
      }
    }
    return ln(x);
  }

  at::Tensor pos_embedding;
  nn::Dropout dropout;
  nn::Sequential layers;
  nn::LayerNorm ln;
};

/// A vision transformer. The scores are computed from a class token that precedes the patches of an
/// image.
struct VisionTransformer : nn::Module {
  explicit VisionTransformer(const VitConfig& c)
      : class_token(register_parameter("class_token", torch::zeros({1, 1, c.width}))),
        conv_proj(register_module(
            "conv_proj", nn::Conv2d(nn::Conv2dOptions(3, c.width, c.patch).stride(c.patch)))) {
    head_width(c.width, c.heads);
    TORCH_CHECK(c.size % c.patch == 0, "the size, ", c.size,
                ", must be a multiple of the patch size, ", c.patch);
    const int64_t side = c.size / c.patch;
    encoder = register_module("encoder", std::make_shared<Encoder>(c, side * side + 1));
    // torchvision initializes this layer with zeros, but the gradients of the other layers would
    // then be zero.
    heads->push_back("head", nn::Linear(c.width, c.classes));
    register_module("heads", heads);
  }

  at::Tensor forward(const at::Tensor& images) {
    const at::Tensor patches = conv_proj(images).flatten(2).transpose(1, 2);
    at::Tensor x = torch::cat({class_token.expand({images.size(0), -1, -1}), patches}, 1);
    x = run_module("encoder", encoder, x);
    return heads->forward(x.select(1, 0));
  }

  at::Tensor class_token;
  nn::Conv2d conv_proj;
  std::shared_ptr<Encoder> encoder;
  nn::Sequential heads;
};

}  // namespace

ModelInstance build_gpt(const ModelSettings& s) {
  const GptConfig config{.length = s["length"],
                         .vocabulary = s["vocabulary"],
                         .layers = s["layers"],
                         .heads = s["heads"],
                         .width = s["width"],
                         .dropout = fraction(s["dropout"]),
                         .tied = s["tied"] != 0};
  return make_token_classifier(std::make_shared<Gpt>(config),
                               torch::randint(s["vocabulary"], {s["batch"], s["length"]}),
                               s["vocabulary"]);
}

ModelInstance build_vit(const ModelSettings& s) {
  const VitConfig config{.size = s["size"],
                         .patch = s["patch"],
                         .layers = s["layers"],
                         .heads = s["heads"],
                         .width = s["width"],
                         .hidden = s["hidden"],
                         .classes = s["classes"],
                         .dropout = fraction(s["dropout"])};
  return make_classifier(std::make_shared<VisionTransformer>(config),
                         torch::randn({s["batch"], 3, s["size"], s["size"]}), s["classes"],
                         {s["batch"]});
}

}  // namespace fx::zoo
