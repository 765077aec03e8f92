// fx::nn: the layers of torch.nn as traceable modules. By default a layer is a leaf: a call to it
// records a call_module, its hyperparameters are data of the module, and train or eval mode is a
// flag of the module. If a tracer traces into the layer, its forward records the operators that
// torch's layer calls in the mode of the module.
//
// Classes, options and members have libtorch's names, so that one model can be a template over the
// namespace of its layers. Weights are zeros until they are loaded.
#pragma once

#include "fx/tracer/nn/nn_options.h"
#include "fx/tracer/nn_module.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::internal {
struct LayerFunction;
}

namespace fx::nn {

/// The base class of layers. Its forward records the operators of torch.nn's layer of that class,
/// based on the hyperparameters, tensors and mode of the module; layer_graph does the same for a
/// module without code.
class Layer : public Module {
 public:
  Proxy forward(const Proxy& input);

 protected:
  /// The class must be in layer_classes(); checked.
  explicit Layer(std::string_view class_name);

 private:
  const fx::internal::LayerFunction* function_;
};

class LinearImpl : public Layer {
 public:
  LinearImpl(int64_t in_features, int64_t out_features)
      : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(const LinearOptions& options);
  Parameter weight, bias;
};
using Linear = ModuleHolder<LinearImpl>;

class IdentityImpl : public Layer {
 public:
  IdentityImpl() : Layer("torch.nn.modules.linear.Identity") {}
};
using Identity = ModuleHolder<IdentityImpl>;

template <size_t dims>
class ConvImpl : public Layer {
 public:
  ConvImpl(int64_t in_channels, int64_t out_channels, Extent kernel_size)
      : ConvImpl(ConvOptions<dims>(in_channels, out_channels, std::move(kernel_size))) {}
  explicit ConvImpl(const ConvOptions<dims>& options);
  Parameter weight, bias;
};
using Conv1d = ModuleHolder<ConvImpl<1>>;
using Conv2d = ModuleHolder<ConvImpl<2>>;
using Conv3d = ModuleHolder<ConvImpl<3>>;

template <size_t dims>
class ConvTransposeImpl : public Layer {
 public:
  ConvTransposeImpl(int64_t in_channels, int64_t out_channels, Extent kernel_size)
      : ConvTransposeImpl(ConvOptions<dims>(in_channels, out_channels, std::move(kernel_size))) {}
  explicit ConvTransposeImpl(const ConvOptions<dims>& options);
  Parameter weight, bias;
};
using ConvTranspose1d = ModuleHolder<ConvTransposeImpl<1>>;
using ConvTranspose2d = ModuleHolder<ConvTransposeImpl<2>>;
using ConvTranspose3d = ModuleHolder<ConvTransposeImpl<3>>;

template <size_t dims>
class BatchNormImpl : public Layer {
 public:
  explicit BatchNormImpl(int64_t num_features) : BatchNormImpl(BatchNormOptions(num_features)) {}
  explicit BatchNormImpl(const BatchNormOptions& options);
  Parameter weight, bias, running_mean, running_var, num_batches_tracked;
};
using BatchNorm1d = ModuleHolder<BatchNormImpl<1>>;
using BatchNorm2d = ModuleHolder<BatchNormImpl<2>>;
using BatchNorm3d = ModuleHolder<BatchNormImpl<3>>;

class LayerNormImpl : public Layer {
 public:
  explicit LayerNormImpl(std::vector<int64_t> shape)
      : LayerNormImpl(LayerNormOptions(std::move(shape))) {}
  explicit LayerNormImpl(const LayerNormOptions& options);
  Parameter weight, bias;
};
using LayerNorm = ModuleHolder<LayerNormImpl>;

class GroupNormImpl : public Layer {
 public:
  GroupNormImpl(int64_t num_groups, int64_t num_channels)
      : GroupNormImpl(GroupNormOptions(num_groups, num_channels)) {}
  explicit GroupNormImpl(const GroupNormOptions& options);
  Parameter weight, bias;
};
using GroupNorm = ModuleHolder<GroupNormImpl>;

class EmbeddingImpl : public Layer {
 public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim)
      : EmbeddingImpl(EmbeddingOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingImpl(const EmbeddingOptions& options);
  Parameter weight;
};
using Embedding = ModuleHolder<EmbeddingImpl>;

template <size_t dims>
class MaxPoolImpl : public Layer {
 public:
  explicit MaxPoolImpl(const Extent& kernel_size) : MaxPoolImpl(PoolOptions<dims>(kernel_size)) {}
  explicit MaxPoolImpl(const PoolOptions<dims>& options);
};
using MaxPool1d = ModuleHolder<MaxPoolImpl<1>>;
using MaxPool2d = ModuleHolder<MaxPoolImpl<2>>;
using MaxPool3d = ModuleHolder<MaxPoolImpl<3>>;

class AvgPool2dImpl : public Layer {
 public:
  explicit AvgPool2dImpl(const Extent& kernel_size)
      : AvgPool2dImpl(AvgPool2dOptions(kernel_size)) {}
  explicit AvgPool2dImpl(const AvgPool2dOptions& options);
};
using AvgPool2d = ModuleHolder<AvgPool2dImpl>;

class AdaptiveAvgPool2dImpl : public Layer {
 public:
  explicit AdaptiveAvgPool2dImpl(const Extent& output_size);
};
using AdaptiveAvgPool2d = ModuleHolder<AdaptiveAvgPool2dImpl>;

/// Inactive in eval mode. If a tracer traces into it, the mode becomes an argument of the call.
class DropoutImpl : public Layer {
 public:
  explicit DropoutImpl(double p = 0.5);
};
using Dropout = ModuleHolder<DropoutImpl>;

class FlattenImpl : public Layer {
 public:
  explicit FlattenImpl(int64_t start_dim = 1, int64_t end_dim = -1);
};
using Flatten = ModuleHolder<FlattenImpl>;

struct ReLUImpl : Layer {
  explicit ReLUImpl(bool inplace = false);
};
struct GELUImpl : Layer {
  explicit GELUImpl(std::string_view approximate = "none");
};
struct SiLUImpl : Layer {
  SiLUImpl();
};
struct SigmoidImpl : Layer {
  SigmoidImpl();
};
struct TanhImpl : Layer {
  TanhImpl();
};
struct ReLU6Impl : Layer {
  ReLU6Impl();
};
struct HardswishImpl : Layer {
  HardswishImpl();
};
struct LeakyReLUImpl : Layer {
  explicit LeakyReLUImpl(double negative_slope = 0.01);
};
struct ELUImpl : Layer {
  explicit ELUImpl(double alpha = 1.0);
};
struct SoftmaxImpl : Layer {
  explicit SoftmaxImpl(int64_t dim);
};
struct LogSoftmaxImpl : Layer {
  explicit LogSoftmaxImpl(int64_t dim);
};
using ReLU = ModuleHolder<ReLUImpl>;
using GELU = ModuleHolder<GELUImpl>;
using SiLU = ModuleHolder<SiLUImpl>;
using Sigmoid = ModuleHolder<SigmoidImpl>;
using Tanh = ModuleHolder<TanhImpl>;
using ReLU6 = ModuleHolder<ReLU6Impl>;
using Hardswish = ModuleHolder<HardswishImpl>;
using LeakyReLU = ModuleHolder<LeakyReLUImpl>;
using ELU = ModuleHolder<ELUImpl>;
using Softmax = ModuleHolder<SoftmaxImpl>;
using LogSoftmax = ModuleHolder<LogSoftmaxImpl>;

/// Modules that are called in sequence; never a leaf. Members are "0", "1", ...
class SequentialImpl : public Module {
 public:
  SequentialImpl() : Module("torch.nn.modules.container.Sequential") {}
  template <class... M>
    requires(sizeof...(M) > 0)
  explicit SequentialImpl(const ModuleHolder<M>&... modules) : SequentialImpl() {
    (push_back(modules), ...);
  }
  template <class M>
  void push_back(const ModuleHolder<M>& module) {
    register_module(std::to_string(steps_.size()), module);
    steps_.push_back([module](const Proxy& input) { return module(input); });
  }
  Proxy forward(Proxy input) {
    for (const auto& step : steps_) input = step(input);
    return input;
  }
  size_t size() const { return steps_.size(); }

 private:
  std::vector<std::function<Proxy(const Proxy&)>> steps_;
};
using Sequential = ModuleHolder<SequentialImpl>;

/// A list of modules of one class: `for (auto& block : *blocks) x = block(x);`
template <class M>
class ModuleListImpl : public Module {
 public:
  ModuleListImpl() : Module("torch.nn.modules.container.ModuleList") {}
  void push_back(const ModuleHolder<M>& module) {
    modules_.push_back(register_module(std::to_string(modules_.size()), module));
  }
  const ModuleHolder<M>& operator[](size_t i) const { return modules_[i]; }
  size_t size() const { return modules_.size(); }
  auto begin() const { return modules_.begin(); }
  auto end() const { return modules_.end(); }
  /// A list does not have a forward.
  Proxy forward() = delete;

 private:
  std::vector<ModuleHolder<M>> modules_;
};
template <class M>
using ModuleList = ModuleHolder<ModuleListImpl<M>>;

}  // namespace fx::nn
