#include "fx/tracer/nn/nn.h"

#include "fx/ir/module/tensor.h"
#include "fx/ir/support/status.h"
#include "fx/tracer/generated/functions.h"

#include <algorithm>

namespace fx::nn {
namespace {

Tensor zeros(const std::vector<int64_t>& sizes, DType dtype = DType::kFloat32) {
  absl::StatusOr<Tensor> tensor = Tensor::zeros(dtype, sizes);
  FX_CHECK_OK(tensor.status());
  return *std::move(tensor);
}
Tensor zeros_if(bool wanted, const std::vector<int64_t>& sizes) {
  return wanted ? zeros(sizes) : Tensor();
}
Tensor ones_if(bool wanted, int64_t size) {
  if (!wanted) return Tensor();
  Tensor tensor = zeros({size});
  const absl::Span<float> values = tensor.mutable_values<float>();
  std::fill(values.begin(), values.end(), 1.0F);
  return tensor;
}
Argument tuple_of(const std::vector<int64_t>& values) {
  return Argument::tuple(std::vector<Argument>(values.begin(), values.end()));
}
std::string conv_class(std::string_view name, size_t dims) {
  return "torch.nn.modules.conv." + std::string(name) + std::to_string(dims) + "d";
}

/// The hyper-parameters of a convolution; gives its weight's sizes behind the channels.
template <size_t dims>
void describe(Module& module, const ConvOptions<dims>& o) {
  module.set_hyperparameter("in_channels", o.in_channels());
  module.set_hyperparameter("out_channels", o.out_channels());
  module.set_hyperparameter("kernel_size", tuple_of(o.kernel_size().expanded(dims)));
  module.set_hyperparameter("stride", tuple_of(o.stride().expanded(dims)));
  module.set_hyperparameter("padding", tuple_of(o.padding().expanded(dims)));
  module.set_hyperparameter("dilation", tuple_of(o.dilation().expanded(dims)));
  module.set_hyperparameter("groups", o.groups());
  module.set_hyperparameter("bias", o.bias());
  module.set_hyperparameter("padding_mode", "zeros");
}
template <size_t dims>
std::vector<int64_t> weight_sizes(int64_t first, int64_t second, const ConvOptions<dims>& o) {
  std::vector<int64_t> sizes = {first, second};
  for (const int64_t k : o.kernel_size().expanded(dims)) sizes.push_back(k);
  return sizes;
}

/// Parameters read in torch's order: C++ leaves the order of arguments open.
struct Weights {
  Weights(const Parameter& w, const Parameter& b) : weight(w), bias(b) {}
  Proxy weight;
  OptionalTensor bias;
};

}  // namespace

// ---------------------------------------------------------------- linear

LinearImpl::LinearImpl(const LinearOptions& o) : Module("torch.nn.modules.linear.Linear") {
  set_hyperparameter("in_features", o.in_features());
  set_hyperparameter("out_features", o.out_features());
  set_hyperparameter("bias", o.bias());
  weight = register_parameter("weight", zeros({o.out_features(), o.in_features()}));
  bias = register_parameter("bias", zeros_if(o.bias(), {o.out_features()}));
}
Proxy LinearImpl::forward(Proxy input) {
  const Weights p(weight, bias);
  return linear(input, p.weight, p.bias);
}

// ---------------------------------------------------------------- convolutions

template <size_t dims>
ConvImpl<dims>::ConvImpl(const ConvOptions<dims>& o)
    : Module(conv_class("Conv", dims)), options_(o) {
  describe(*this, o);
  weight = register_parameter(
      "weight", zeros(weight_sizes(o.out_channels(), o.in_channels() / o.groups(), o)));
  bias = register_parameter("bias", zeros_if(o.bias(), {o.out_channels()}));
}
template <size_t dims>
Proxy ConvImpl<dims>::forward(Proxy input) {
  const Weights p(weight, bias);
  const IntList stride = options_.stride().expanded(dims);
  const IntList padding = options_.padding().expanded(dims);
  const IntList dilation = options_.dilation().expanded(dims);
  const int64_t groups = options_.groups();
  if constexpr (dims == 1) {
    return conv1d(input, p.weight, p.bias, stride, padding, dilation, groups);
  } else if constexpr (dims == 2) {
    return conv2d(input, p.weight, p.bias, stride, padding, dilation, groups);
  } else {
    return conv3d(input, p.weight, p.bias, stride, padding, dilation, groups);
  }
}
template class ConvImpl<1>;
template class ConvImpl<2>;
template class ConvImpl<3>;

template <size_t dims>
ConvTransposeImpl<dims>::ConvTransposeImpl(const ConvOptions<dims>& o)
    : Module(conv_class("ConvTranspose", dims)), options_(o) {
  describe(*this, o);
  set_hyperparameter("output_padding", tuple_of(o.output_padding().expanded(dims)));
  weight = register_parameter(
      "weight", zeros(weight_sizes(o.in_channels(), o.out_channels() / o.groups(), o)));
  bias = register_parameter("bias", zeros_if(o.bias(), {o.out_channels()}));
}
template <size_t dims>
Proxy ConvTransposeImpl<dims>::forward(Proxy input) {
  const Weights p(weight, bias);
  const IntList stride = options_.stride().expanded(dims);
  const IntList padding = options_.padding().expanded(dims);
  const IntList output_padding = options_.output_padding().expanded(dims);
  const IntList dilation = options_.dilation().expanded(dims);
  const int64_t groups = options_.groups();
  if constexpr (dims == 1) {
    return conv_transpose1d(input, p.weight, p.bias, stride, padding, output_padding, groups,
                            dilation);
  } else if constexpr (dims == 2) {
    return conv_transpose2d(input, p.weight, p.bias, stride, padding, output_padding, groups,
                            dilation);
  } else {
    return conv_transpose3d(input, p.weight, p.bias, stride, padding, output_padding, groups,
                            dilation);
  }
}
template class ConvTransposeImpl<1>;
template class ConvTransposeImpl<2>;
template class ConvTransposeImpl<3>;

// ---------------------------------------------------------------- norms

template <size_t dims>
BatchNormImpl<dims>::BatchNormImpl(const BatchNormOptions& o)
    : Module("torch.nn.modules.batchnorm.BatchNorm" + std::to_string(dims) + "d"), options_(o) {
  set_hyperparameter("num_features", o.num_features());
  set_hyperparameter("eps", o.eps());
  set_hyperparameter("momentum", o.momentum());
  set_hyperparameter("affine", o.affine());
  set_hyperparameter("track_running_stats", o.track_running_stats());
  const bool tracks = o.track_running_stats();
  weight = register_parameter("weight", ones_if(o.affine(), o.num_features()));
  bias = register_parameter("bias", zeros_if(o.affine(), {o.num_features()}));
  running_mean = register_buffer("running_mean", zeros_if(tracks, {o.num_features()}));
  running_var = register_buffer("running_var", ones_if(tracks, o.num_features()));
  num_batches_tracked =
      register_buffer("num_batches_tracked", tracks ? zeros({}, DType::kInt64) : Tensor());
}
template <size_t dims>
Proxy BatchNormImpl<dims>::forward(Proxy input) {
  // torch's layer counts batches while it trains.
  if (training() && options_.track_running_stats()) num_batches_tracked().add_(1);
  const OptionalTensor w = weight, b = bias, mean = running_mean, variance = running_var;
  return batch_norm(input, w, b, mean, variance, training() || !options_.track_running_stats(),
                    options_.momentum(), options_.eps(), true);
}
template class BatchNormImpl<1>;
template class BatchNormImpl<2>;
template class BatchNormImpl<3>;

LayerNormImpl::LayerNormImpl(const LayerNormOptions& o)
    : Module("torch.nn.modules.normalization.LayerNorm"), options_(o) {
  set_hyperparameter("normalized_shape", tuple_of(o.normalized_shape()));
  set_hyperparameter("eps", o.eps());
  set_hyperparameter("elementwise_affine", o.elementwise_affine());
  Tensor ones = zeros_if(o.elementwise_affine(), o.normalized_shape());
  if (ones.defined()) {
    const absl::Span<float> values = ones.mutable_values<float>();
    std::fill(values.begin(), values.end(), 1.0F);
  }
  weight = register_parameter("weight", ones);
  bias = register_parameter("bias", zeros_if(o.elementwise_affine(), o.normalized_shape()));
}
Proxy LayerNormImpl::forward(Proxy input) {
  const OptionalTensor w = weight, b = bias;
  return layer_norm(input, options_.normalized_shape(), w, b, options_.eps());
}

GroupNormImpl::GroupNormImpl(const GroupNormOptions& o)
    : Module("torch.nn.modules.normalization.GroupNorm"), options_(o) {
  set_hyperparameter("num_groups", o.num_groups());
  set_hyperparameter("num_channels", o.num_channels());
  set_hyperparameter("eps", o.eps());
  set_hyperparameter("affine", o.affine());
  weight = register_parameter("weight", ones_if(o.affine(), o.num_channels()));
  bias = register_parameter("bias", zeros_if(o.affine(), {o.num_channels()}));
}
Proxy GroupNormImpl::forward(Proxy input) {
  const OptionalTensor w = weight, b = bias;
  return group_norm(input, options_.num_groups(), w, b, options_.eps());
}

// ---------------------------------------------------------------- embedding

EmbeddingImpl::EmbeddingImpl(const EmbeddingOptions& o)
    : Module("torch.nn.modules.sparse.Embedding"), options_(o) {
  set_hyperparameter("num_embeddings", o.num_embeddings());
  set_hyperparameter("embedding_dim", o.embedding_dim());
  set_hyperparameter("padding_idx", o.padding_idx() ? Argument(*o.padding_idx()) : Argument());
  weight = register_parameter("weight", zeros({o.num_embeddings(), o.embedding_dim()}));
}
Proxy EmbeddingImpl::forward(Proxy indices) {
  return embedding(weight, indices, options_.padding_idx().value_or(-1));
}

// ---------------------------------------------------------------- pooling

namespace {

template <size_t dims>
void describe_pool(Module& module, const PoolOptions<dims>& o) {
  const Extent stride = o.stride() ? *o.stride() : o.kernel_size();
  module.set_hyperparameter("kernel_size", tuple_of(o.kernel_size().expanded(dims)));
  module.set_hyperparameter("stride", tuple_of(stride.expanded(dims)));
  module.set_hyperparameter("padding", tuple_of(o.padding().expanded(dims)));
  module.set_hyperparameter("ceil_mode", o.ceil_mode());
}

}  // namespace

template <size_t dims>
MaxPoolImpl<dims>::MaxPoolImpl(const PoolOptions<dims>& o)
    : Module("torch.nn.modules.pooling.MaxPool" + std::to_string(dims) + "d"), options_(o) {
  describe_pool(*this, o);
  set_hyperparameter("dilation", tuple_of(o.dilation().expanded(dims)));
}
template <size_t dims>
Proxy MaxPoolImpl<dims>::forward(Proxy input) {
  const Extent step = options_.stride() ? *options_.stride() : options_.kernel_size();
  const IntList kernel = options_.kernel_size().expanded(dims), stride = step.expanded(dims);
  const IntList padding = options_.padding().expanded(dims);
  const IntList dilation = options_.dilation().expanded(dims);
  if constexpr (dims == 1) {
    return max_pool1d(input, kernel, stride, padding, dilation, options_.ceil_mode());
  } else if constexpr (dims == 2) {
    return max_pool2d(input, kernel, stride, padding, dilation, options_.ceil_mode());
  } else {
    return max_pool3d(input, kernel, stride, padding, dilation, options_.ceil_mode());
  }
}
template class MaxPoolImpl<1>;
template class MaxPoolImpl<2>;
template class MaxPoolImpl<3>;

AvgPool2dImpl::AvgPool2dImpl(const AvgPool2dOptions& o)
    : Module("torch.nn.modules.pooling.AvgPool2d"), options_(o) {
  describe_pool(*this, o);
  set_hyperparameter("count_include_pad", o.count_include_pad());
}
Proxy AvgPool2dImpl::forward(Proxy input) {
  const Extent step = options_.stride() ? *options_.stride() : options_.kernel_size();
  return avg_pool2d(input, options_.kernel_size().expanded(2), step.expanded(2),
                    options_.padding().expanded(2), options_.ceil_mode(),
                    options_.count_include_pad());
}

AdaptiveAvgPool2dImpl::AdaptiveAvgPool2dImpl(const Extent& output_size)
    : Module("torch.nn.modules.pooling.AdaptiveAvgPool2d"), output_size_(output_size.expanded(2)) {
  set_hyperparameter("output_size", tuple_of(output_size_));
}
Proxy AdaptiveAvgPool2dImpl::forward(Proxy input) {
  return adaptive_avg_pool2d(input, output_size_);
}

// ---------------------------------------------------------------- without weights

DropoutImpl::DropoutImpl(double p) : Module("torch.nn.modules.dropout.Dropout"), p_(p) {
  set_hyperparameter("p", p);
  set_hyperparameter("inplace", false);
}
Proxy DropoutImpl::forward(Proxy input) { return dropout(input, p_, training()); }

FlattenImpl::FlattenImpl(int64_t start_dim, int64_t end_dim)
    : Module("torch.nn.modules.flatten.Flatten"), start_dim_(start_dim), end_dim_(end_dim) {
  set_hyperparameter("start_dim", start_dim);
  set_hyperparameter("end_dim", end_dim);
}
Proxy FlattenImpl::forward(Proxy input) { return input.flatten(start_dim_, end_dim_); }

ReLUImpl::ReLUImpl(bool inplace)
    : ActivationImpl("torch.nn.modules.activation.ReLU",
                     [inplace](Proxy x) { return inplace ? relu_(x) : relu(x); }) {
  set_hyperparameter("inplace", inplace);
}
GELUImpl::GELUImpl(std::string_view approximate)
    : ActivationImpl("torch.nn.modules.activation.GELU",
                     [text = std::string(approximate)](Proxy x) { return gelu(x, text); }) {
  set_hyperparameter("approximate", approximate);
}
SiLUImpl::SiLUImpl()
    : ActivationImpl("torch.nn.modules.activation.SiLU", [](Proxy x) { return silu(x); }) {}
SigmoidImpl::SigmoidImpl()
    : ActivationImpl("torch.nn.modules.activation.Sigmoid", [](Proxy x) { return sigmoid(x); }) {}
TanhImpl::TanhImpl()
    : ActivationImpl("torch.nn.modules.activation.Tanh", [](Proxy x) { return tanh(x); }) {}
ReLU6Impl::ReLU6Impl()
    : ActivationImpl("torch.nn.modules.activation.ReLU6", [](Proxy x) { return relu6(x); }) {}
HardswishImpl::HardswishImpl()
    : ActivationImpl("torch.nn.modules.activation.Hardswish",
                     [](Proxy x) { return hardswish(x); }) {}
LeakyReLUImpl::LeakyReLUImpl(double negative_slope)
    : ActivationImpl("torch.nn.modules.activation.LeakyReLU",
                     [=](Proxy x) { return leaky_relu(x, negative_slope); }) {
  set_hyperparameter("negative_slope", negative_slope);
}
ELUImpl::ELUImpl(double alpha)
    : ActivationImpl("torch.nn.modules.activation.ELU", [=](Proxy x) { return elu(x, alpha); }) {
  set_hyperparameter("alpha", alpha);
}
SoftmaxImpl::SoftmaxImpl(int64_t dim)
    : ActivationImpl("torch.nn.modules.activation.Softmax",
                     [=](Proxy x) { return softmax(x, dim); }) {
  set_hyperparameter("dim", dim);
}
LogSoftmaxImpl::LogSoftmaxImpl(int64_t dim)
    : ActivationImpl("torch.nn.modules.activation.LogSoftmax",
                     [=](Proxy x) { return log_softmax(x, dim); }) {
  set_hyperparameter("dim", dim);
}

}  // namespace fx::nn
