// Defines functions of libtorch's layers. The dynamic linker prefers these definitions to
// libtorch's.
#include "fx/importers/torch/layer_scopes/layer_scopes.h"

#include "fx/importers/torch/capture/scope.h"

#include <torch/nn.h>

#include <dlfcn.h>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace fx {
namespace {

using TensorPair = std::tuple<at::Tensor, at::Tensor>;
using LstmResult = std::tuple<at::Tensor, TensorPair>;

/// Returns the mangled name of torch::nn::LAYERImpl::forward. `parameters` is the mangled parameter
/// list.
std::string mangled_name(std::string_view layer, std::string_view parameters) {
  const std::string name = std::string(layer) + "Impl";
  return "_ZN5torch2nn" + std::to_string(name.size()) + name + "7forwardE" +
         std::string(parameters);
}

/// Converts the type of a member function to that of a free function whose first parameter is the
/// object. Both have the same calling convention.
template <class Member>
struct Free;
template <class Object, class Result, class... Parameters>
struct Free<Result (Object::*)(Parameters...)> {
  using Function = Result(Object*, Parameters...);
};

/// Returns libtorch's function. Throws c10::Error if this libtorch does not export it.
template <class Member>
typename Free<Member>::Function* libtorch_function(std::string_view layer,
                                                   std::string_view parameters) {
  void* const symbol = dlsym(RTLD_NEXT, mangled_name(layer, parameters).c_str());
  TORCH_CHECK(symbol != nullptr, "this libtorch does not export torch::nn::", layer,
              "Impl::forward, which fxcpp::torch_layer_scopes calls");
  return reinterpret_cast<typename Free<Member>::Function*>(
      symbol);  // POSIX defines this conversion
}

struct Layer {
  std::string_view name, parameters;
};

/// Returns the list of layers, to which static initializers add each layer.
std::vector<Layer>& layers() {
  static std::vector<Layer> layers;
  return layers;
}

struct AddLayer {
  AddLayer(std::string_view name, std::string_view parameters) {
    layers().push_back({name, parameters});
  }
};

}  // namespace

absl::Status check_layer_scopes() {
  for (const auto& [name, parameters] : layers()) {
    const std::string symbol = mangled_name(name, parameters);
    const void* const next = dlsym(RTLD_NEXT, symbol.c_str());
    const std::string function = "torch::nn::" + std::string(name) + "Impl::forward";
    if (next == nullptr)
      return absl::FailedPreconditionError("this libtorch does not export " + function);
    if (dlsym(RTLD_DEFAULT, symbol.c_str()) == next)
      return absl::FailedPreconditionError("the program calls libtorch's " + function +
                                           "; link fxcpp::torch_layer_scopes into the executable");
  }
  return absl::OkStatus();
}

}  // namespace fx

// Defines LAYERImpl::forward with the parameter list `parameters`, whose mangled form is `mangled`.
#define FX_LAYER(layer, mangled, result, parameters, ...)                                   \
  namespace {                                                                               \
  const fx::AddLayer add_##layer(#layer, mangled);                                          \
  }                                                                                         \
  result torch::nn::layer##Impl::forward parameters {                                       \
    static auto* const libtorch =                                                           \
        fx::libtorch_function<decltype(&torch::nn::layer##Impl::forward)>(#layer, mangled); \
    const fx::ModuleScope scope(*this);                                                     \
    return libtorch(this, __VA_ARGS__);                                                     \
  }
#define FX_UNARY(layer) FX_LAYER(layer, "RKN2at6TensorE", at::Tensor, (const at::Tensor& x), x)
#define FX_UNARY_BY_VALUE(layer) \
  FX_LAYER(layer, "N2at6TensorE", at::Tensor, (at::Tensor x), std::move(x))
#define FX_BINARY(layer) \
  FX_LAYER(layer, "RKN2at6TensorES5_", at::Tensor, (const at::Tensor& a, const at::Tensor& b), a, b)
#define FX_TERNARY(layer)                             \
  FX_LAYER(layer, "RKN2at6TensorES5_S5_", at::Tensor, \
           (const at::Tensor& a, const at::Tensor& b, const at::Tensor& c), a, b, c)
#define FX_RECURRENT(layer)                                                                        \
  FX_LAYER(layer, "RKN2at6TensorES3_", fx::TensorPair, (const at::Tensor& x, at::Tensor state), x, \
           std::move(state))
#define FX_CONV_TRANSPOSE(layer)                                                 \
  FX_LAYER(layer, "RKN2at6TensorERKSt8optionalIN3c108ArrayRefIlEEE", at::Tensor, \
           (const at::Tensor& x, const std::optional<at::IntArrayRef>& size), x, size)
#define FX_MAX_UNPOOL(layer)                                                       \
  FX_LAYER(layer, "RKN2at6TensorES5_RKSt8optionalISt6vectorIlSaIlEEE", at::Tensor, \
           (const at::Tensor& x, const at::Tensor& indices,                        \
            const std::optional<std::vector<int64_t>>& size),                      \
           x, indices, size)

// clang-format off
FX_UNARY(AdaptiveAvgPool1d)
FX_UNARY(AdaptiveAvgPool2d)
FX_UNARY(AdaptiveAvgPool3d)
FX_UNARY(AdaptiveMaxPool1d)
FX_UNARY(AdaptiveMaxPool2d)
FX_UNARY(AdaptiveMaxPool3d)
FX_UNARY(AlphaDropout)
FX_UNARY(AvgPool1d)
FX_UNARY(AvgPool2d)
FX_UNARY(AvgPool3d)
FX_UNARY(Conv1d)
FX_UNARY(Conv2d)
FX_UNARY(Conv3d)
FX_UNARY(CrossMapLRN2d)
FX_UNARY(Embedding)
FX_UNARY(FeatureAlphaDropout)
FX_UNARY(Flatten)
FX_UNARY(Fold)
FX_UNARY(FractionalMaxPool2d)
FX_UNARY(FractionalMaxPool3d)
FX_UNARY(GELU)
FX_UNARY(GLU)
FX_UNARY(GroupNorm)
FX_UNARY(Hardshrink)
FX_UNARY(Identity)
FX_UNARY(LPPool1d)
FX_UNARY(LPPool2d)
FX_UNARY(LPPool3d)
FX_UNARY(LayerNorm)
FX_UNARY(Linear)
FX_UNARY(LocalResponseNorm)
FX_UNARY(LogSigmoid)
FX_UNARY(LogSoftmax)
FX_UNARY(MaxPool1d)
FX_UNARY(MaxPool2d)
FX_UNARY(MaxPool3d)
FX_UNARY(Mish)
FX_UNARY(PReLU)
FX_UNARY(PixelShuffle)
FX_UNARY(PixelUnshuffle)
FX_UNARY(SiLU)
FX_UNARY(Sigmoid)
FX_UNARY(Softmax2d)
FX_UNARY(Softmax)
FX_UNARY(Softmin)
FX_UNARY(Softplus)
FX_UNARY(Softshrink)
FX_UNARY(Softsign)
FX_UNARY(Tanh)
FX_UNARY(Tanhshrink)
FX_UNARY(Unflatten)
FX_UNARY(Unfold)
FX_UNARY(Upsample)
FX_UNARY_BY_VALUE(CELU)
FX_UNARY_BY_VALUE(Dropout2d)
FX_UNARY_BY_VALUE(Dropout3d)
FX_UNARY_BY_VALUE(Dropout)
FX_UNARY_BY_VALUE(ELU)
FX_UNARY_BY_VALUE(Functional)
FX_UNARY_BY_VALUE(Hardtanh)
FX_UNARY_BY_VALUE(LeakyReLU)
FX_UNARY_BY_VALUE(RReLU)
FX_UNARY_BY_VALUE(ReLU6)
FX_UNARY_BY_VALUE(ReLU)
FX_UNARY_BY_VALUE(SELU)
FX_UNARY_BY_VALUE(Threshold)
FX_BINARY(BCELoss)
FX_BINARY(BCEWithLogitsLoss)
FX_BINARY(Bilinear)
FX_BINARY(CosineSimilarity)
FX_BINARY(CrossEntropyLoss)
FX_BINARY(GRUCell)
FX_BINARY(HingeEmbeddingLoss)
FX_BINARY(HuberLoss)
FX_BINARY(KLDivLoss)
FX_BINARY(L1Loss)
FX_BINARY(MSELoss)
FX_BINARY(MultiLabelMarginLoss)
FX_BINARY(MultiLabelSoftMarginLoss)
FX_BINARY(MultiMarginLoss)
FX_BINARY(NLLLoss)
FX_BINARY(PairwiseDistance)
FX_BINARY(PoissonNLLLoss)
FX_BINARY(RNNCell)
FX_BINARY(SmoothL1Loss)
FX_BINARY(SoftMarginLoss)
FX_TERNARY(CosineEmbeddingLoss)
FX_TERNARY(EmbeddingBag)
FX_TERNARY(MarginRankingLoss)
FX_TERNARY(TransformerEncoder)
FX_TERNARY(TransformerEncoderLayer)
FX_TERNARY(TripletMarginLoss)
FX_TERNARY(TripletMarginWithDistanceLoss)
FX_RECURRENT(GRU)
FX_RECURRENT(RNN)
FX_CONV_TRANSPOSE(ConvTranspose1d)
FX_CONV_TRANSPOSE(ConvTranspose2d)
FX_CONV_TRANSPOSE(ConvTranspose3d)
FX_MAX_UNPOOL(MaxUnpool1d)
FX_MAX_UNPOOL(MaxUnpool2d)
FX_MAX_UNPOOL(MaxUnpool3d)
// clang-format on
FX_LAYER(AdaptiveLogSoftmaxWithLoss, "RKN2at6TensorES5_", torch::nn::ASMoutput,
         (const at::Tensor& x, const at::Tensor& target), x, target)
FX_LAYER(CTCLoss, "RKN2at6TensorES5_S5_S5_", at::Tensor,
         (const at::Tensor& a, const at::Tensor& b, const at::Tensor& c, const at::Tensor& d), a, b,
         c, d)
FX_LAYER(LSTM, "RKN2at6TensorESt8optionalISt5tupleIJS3_S3_EEE", fx::LstmResult,
         (const at::Tensor& x, std::optional<fx::TensorPair> state), x, std::move(state))
FX_LAYER(LSTMCell, "RKN2at6TensorESt8optionalISt5tupleIJS3_S3_EEE", fx::TensorPair,
         (const at::Tensor& x, std::optional<fx::TensorPair> state), x, std::move(state))
FX_LAYER(MultiheadAttention, "RKN2at6TensorES5_S5_S5_bS5_b", fx::TensorPair,
         (const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
          const at::Tensor& key_padding_mask, bool need_weights, const at::Tensor& mask,
          bool average_weights),
         query, key, value, key_padding_mask, need_weights, mask, average_weights)
FX_LAYER(Transformer, "RKN2at6TensorES5_S5_S5_S5_S5_S5_S5_", at::Tensor,
         (const at::Tensor& a, const at::Tensor& b, const at::Tensor& c, const at::Tensor& d,
          const at::Tensor& e, const at::Tensor& f, const at::Tensor& g, const at::Tensor& h),
         a, b, c, d, e, f, g, h)
FX_LAYER(TransformerDecoder, "RKN2at6TensorES5_S5_S5_S5_S5_", at::Tensor,
         (const at::Tensor& a, const at::Tensor& b, const at::Tensor& c, const at::Tensor& d,
          const at::Tensor& e, const at::Tensor& f),
         a, b, c, d, e, f)
FX_LAYER(TransformerDecoderLayer, "N2at6TensorERKS3_S5_S5_S5_S5_", at::Tensor,
         (at::Tensor a, const at::Tensor& b, const at::Tensor& c, const at::Tensor& d,
          const at::Tensor& e, const at::Tensor& f),
         std::move(a), b, c, d, e, f)
