#include "fx/tracer/nn/nn.h"

#include "fx/ir/module/tensor.h"
#include "fx/ir/support/status.h"

#include <algorithm>

namespace fx::nn {
namespace {

Tensor zeros(const std::vector<int64_t>& sizes, DType dtype = DType::kFloat32) {
  absl::StatusOr<Tensor> tensor = Tensor::zeros(dtype, sizes);
  FX_CHECK_OK(tensor.status());
  return *std::move(tensor);
}
Tensor zeros_if(bool condition, const std::vector<int64_t>& sizes) {
  return condition ? zeros(sizes) : Tensor();
}
Tensor ones_if(bool condition, int64_t size) {
  if (!condition) return Tensor();
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

/// Sets the hyperparameters of a convolution.
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

}  // namespace

// ---------------------------------------------------------------- linear

LinearImpl::LinearImpl(const LinearOptions& o) : Layer("torch.nn.modules.linear.Linear") {
  set_hyperparameter("in_features", o.in_features());
  set_hyperparameter("out_features", o.out_features());
  set_hyperparameter("bias", o.bias());
  weight = register_parameter("weight", zeros({o.out_features(), o.in_features()}));
  bias = register_parameter("bias", zeros_if(o.bias(), {o.out_features()}));
}

// ---------------------------------------------------------------- convolutions

template <size_t dims>
ConvImpl<dims>::ConvImpl(const ConvOptions<dims>& o) : Layer(conv_class("Conv", dims)) {
  describe(*this, o);
  weight = register_parameter(
      "weight", zeros(weight_sizes(o.out_channels(), o.in_channels() / o.groups(), o)));
  bias = register_parameter("bias", zeros_if(o.bias(), {o.out_channels()}));
}
template class ConvImpl<1>;
template class ConvImpl<2>;
template class ConvImpl<3>;

template <size_t dims>
ConvTransposeImpl<dims>::ConvTransposeImpl(const ConvOptions<dims>& o)
    : Layer(conv_class("ConvTranspose", dims)) {
  describe(*this, o);
  set_hyperparameter("output_padding", tuple_of(o.output_padding().expanded(dims)));
  weight = register_parameter(
      "weight", zeros(weight_sizes(o.in_channels(), o.out_channels() / o.groups(), o)));
  bias = register_parameter("bias", zeros_if(o.bias(), {o.out_channels()}));
}
template class ConvTransposeImpl<1>;
template class ConvTransposeImpl<2>;
template class ConvTransposeImpl<3>;

// ---------------------------------------------------------------- norms

template <size_t dims>
BatchNormImpl<dims>::BatchNormImpl(const BatchNormOptions& o)
    : Layer("torch.nn.modules.batchnorm.BatchNorm" + std::to_string(dims) + "d") {
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
template class BatchNormImpl<1>;
template class BatchNormImpl<2>;
template class BatchNormImpl<3>;

LayerNormImpl::LayerNormImpl(const LayerNormOptions& o)
    : Layer("torch.nn.modules.normalization.LayerNorm") {
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

GroupNormImpl::GroupNormImpl(const GroupNormOptions& o)
    : Layer("torch.nn.modules.normalization.GroupNorm") {
  set_hyperparameter("num_groups", o.num_groups());
  set_hyperparameter("num_channels", o.num_channels());
  set_hyperparameter("eps", o.eps());
  set_hyperparameter("affine", o.affine());
  weight = register_parameter("weight", ones_if(o.affine(), o.num_channels()));
  bias = register_parameter("bias", zeros_if(o.affine(), {o.num_channels()}));
}

// ---------------------------------------------------------------- embedding

EmbeddingImpl::EmbeddingImpl(const EmbeddingOptions& o)
    : Layer("torch.nn.modules.sparse.Embedding") {
  set_hyperparameter("num_embeddings", o.num_embeddings());
  set_hyperparameter("embedding_dim", o.embedding_dim());
  set_hyperparameter("padding_idx", o.padding_idx() ? Argument(*o.padding_idx()) : Argument());
  weight = register_parameter("weight", zeros({o.num_embeddings(), o.embedding_dim()}));
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
    : Layer("torch.nn.modules.pooling.MaxPool" + std::to_string(dims) + "d") {
  describe_pool(*this, o);
  set_hyperparameter("dilation", tuple_of(o.dilation().expanded(dims)));
}
template class MaxPoolImpl<1>;
template class MaxPoolImpl<2>;
template class MaxPoolImpl<3>;

AvgPool2dImpl::AvgPool2dImpl(const AvgPool2dOptions& o)
    : Layer("torch.nn.modules.pooling.AvgPool2d") {
  describe_pool(*this, o);
  set_hyperparameter("count_include_pad", o.count_include_pad());
}

AdaptiveAvgPool2dImpl::AdaptiveAvgPool2dImpl(const Extent& output_size)
    : Layer("torch.nn.modules.pooling.AdaptiveAvgPool2d") {
  set_hyperparameter("output_size", tuple_of(output_size.expanded(2)));
}

// ---------------------------------------------------------------- without weights

DropoutImpl::DropoutImpl(double p) : Layer("torch.nn.modules.dropout.Dropout") {
  set_hyperparameter("p", p);
  set_hyperparameter("inplace", false);
}

FlattenImpl::FlattenImpl(int64_t start_dim, int64_t end_dim)
    : Layer("torch.nn.modules.flatten.Flatten") {
  set_hyperparameter("start_dim", start_dim);
  set_hyperparameter("end_dim", end_dim);
}

ReLUImpl::ReLUImpl(bool inplace) : Layer("torch.nn.modules.activation.ReLU") {
  set_hyperparameter("inplace", inplace);
}
GELUImpl::GELUImpl(std::string_view approximate) : Layer("torch.nn.modules.activation.GELU") {
  set_hyperparameter("approximate", approximate);
}
SiLUImpl::SiLUImpl() : Layer("torch.nn.modules.activation.SiLU") {}
SigmoidImpl::SigmoidImpl() : Layer("torch.nn.modules.activation.Sigmoid") {}
TanhImpl::TanhImpl() : Layer("torch.nn.modules.activation.Tanh") {}
ReLU6Impl::ReLU6Impl() : Layer("torch.nn.modules.activation.ReLU6") {
  set_hyperparameter("min_val", 0.0);
  set_hyperparameter("max_val", 6.0);
}
HardswishImpl::HardswishImpl() : Layer("torch.nn.modules.activation.Hardswish") {}
LeakyReLUImpl::LeakyReLUImpl(double negative_slope)
    : Layer("torch.nn.modules.activation.LeakyReLU") {
  set_hyperparameter("negative_slope", negative_slope);
}
ELUImpl::ELUImpl(double alpha) : Layer("torch.nn.modules.activation.ELU") {
  set_hyperparameter("alpha", alpha);
}
SoftmaxImpl::SoftmaxImpl(int64_t dim) : Layer("torch.nn.modules.activation.Softmax") {
  set_hyperparameter("dim", dim);
}
LogSoftmaxImpl::LogSoftmaxImpl(int64_t dim) : Layer("torch.nn.modules.activation.LogSoftmax") {
  set_hyperparameter("dim", dim);
}

}  // namespace fx::nn
