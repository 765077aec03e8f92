// fx::nn: the layers of torch.nn as modules that are traced. By default a layer is a leaf: calling
// it records a call_module, its hyper-parameters are data of the module, and its train or eval mode
// stays a switch of the module. Traced into (its forward), it records the operators that torch's
// layer calls, and the mode that it is in.
//
// Classes, options and members have libtorch's names, so that a model that is a template over a
// namespace of layers is written once. Weights are zeros until they are loaded.
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

namespace fx::nn {

class LinearImpl : public Module {
 public:
  LinearImpl(int64_t in_features, int64_t out_features)
      : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(const LinearOptions& options);
  Proxy forward(Proxy input);
  Parameter weight, bias;
};
using Linear = ModuleHolder<LinearImpl>;

class IdentityImpl : public Module {
 public:
  IdentityImpl() : Module("torch.nn.modules.linear.Identity") {}
  Proxy forward(Proxy input) { return input; }
};
using Identity = ModuleHolder<IdentityImpl>;

template <size_t dims>
class ConvImpl : public Module {
 public:
  ConvImpl(int64_t in_channels, int64_t out_channels, Extent kernel_size)
      : ConvImpl(ConvOptions<dims>(in_channels, out_channels, std::move(kernel_size))) {}
  explicit ConvImpl(const ConvOptions<dims>& options);
  Proxy forward(Proxy input);
  Parameter weight, bias;

 private:
  ConvOptions<dims> options_;
};
using Conv1d = ModuleHolder<ConvImpl<1>>;
using Conv2d = ModuleHolder<ConvImpl<2>>;
using Conv3d = ModuleHolder<ConvImpl<3>>;

template <size_t dims>
class ConvTransposeImpl : public Module {
 public:
  ConvTransposeImpl(int64_t in_channels, int64_t out_channels, Extent kernel_size)
      : ConvTransposeImpl(ConvOptions<dims>(in_channels, out_channels, std::move(kernel_size))) {}
  explicit ConvTransposeImpl(const ConvOptions<dims>& options);
  Proxy forward(Proxy input);
  Parameter weight, bias;

 private:
  ConvOptions<dims> options_;
};
using ConvTranspose1d = ModuleHolder<ConvTransposeImpl<1>>;
using ConvTranspose2d = ModuleHolder<ConvTransposeImpl<2>>;
using ConvTranspose3d = ModuleHolder<ConvTransposeImpl<3>>;

template <size_t dims>
class BatchNormImpl : public Module {
 public:
  explicit BatchNormImpl(int64_t num_features) : BatchNormImpl(BatchNormOptions(num_features)) {}
  explicit BatchNormImpl(const BatchNormOptions& options);
  Proxy forward(Proxy input);
  Parameter weight, bias, running_mean, running_var, num_batches_tracked;

 private:
  BatchNormOptions options_;
};
using BatchNorm1d = ModuleHolder<BatchNormImpl<1>>;
using BatchNorm2d = ModuleHolder<BatchNormImpl<2>>;
using BatchNorm3d = ModuleHolder<BatchNormImpl<3>>;

class LayerNormImpl : public Module {
 public:
  explicit LayerNormImpl(std::vector<int64_t> shape)
      : LayerNormImpl(LayerNormOptions(std::move(shape))) {}
  explicit LayerNormImpl(const LayerNormOptions& options);
  Proxy forward(Proxy input);
  Parameter weight, bias;

 private:
  LayerNormOptions options_;
};
using LayerNorm = ModuleHolder<LayerNormImpl>;

class GroupNormImpl : public Module {
 public:
  GroupNormImpl(int64_t num_groups, int64_t num_channels)
      : GroupNormImpl(GroupNormOptions(num_groups, num_channels)) {}
  explicit GroupNormImpl(const GroupNormOptions& options);
  Proxy forward(Proxy input);
  Parameter weight, bias;

 private:
  GroupNormOptions options_;
};
using GroupNorm = ModuleHolder<GroupNormImpl>;

class EmbeddingImpl : public Module {
 public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim)
      : EmbeddingImpl(EmbeddingOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingImpl(const EmbeddingOptions& options);
  Proxy forward(Proxy indices);
  Parameter weight;

 private:
  EmbeddingOptions options_;
};
using Embedding = ModuleHolder<EmbeddingImpl>;

template <size_t dims>
class MaxPoolImpl : public Module {
 public:
  explicit MaxPoolImpl(const Extent& kernel_size) : MaxPoolImpl(PoolOptions<dims>(kernel_size)) {}
  explicit MaxPoolImpl(const PoolOptions<dims>& options);
  Proxy forward(Proxy input);

 private:
  PoolOptions<dims> options_;
};
using MaxPool1d = ModuleHolder<MaxPoolImpl<1>>;
using MaxPool2d = ModuleHolder<MaxPoolImpl<2>>;
using MaxPool3d = ModuleHolder<MaxPoolImpl<3>>;

class AvgPool2dImpl : public Module {
 public:
  explicit AvgPool2dImpl(const Extent& kernel_size)
      : AvgPool2dImpl(AvgPool2dOptions(kernel_size)) {}
  explicit AvgPool2dImpl(const AvgPool2dOptions& options);
  Proxy forward(Proxy input);

 private:
  AvgPool2dOptions options_;
};
using AvgPool2d = ModuleHolder<AvgPool2dImpl>;

class AdaptiveAvgPool2dImpl : public Module {
 public:
  explicit AdaptiveAvgPool2dImpl(const Extent& output_size);
  Proxy forward(Proxy input);

 private:
  std::vector<int64_t> output_size_;
};
using AdaptiveAvgPool2d = ModuleHolder<AdaptiveAvgPool2dImpl>;

/// Off in eval mode. Traced into, the mode becomes an argument of the call.
class DropoutImpl : public Module {
 public:
  explicit DropoutImpl(double p = 0.5);
  Proxy forward(Proxy input);

 private:
  double p_;
};
using Dropout = ModuleHolder<DropoutImpl>;

class FlattenImpl : public Module {
 public:
  explicit FlattenImpl(int64_t start_dim = 1, int64_t end_dim = -1);
  Proxy forward(Proxy input);

 private:
  int64_t start_dim_, end_dim_;
};
using Flatten = ModuleHolder<FlattenImpl>;

/// One function without weights.
class ActivationImpl : public Module {
 public:
  Proxy forward(Proxy input) { return function_(input); }

 protected:
  ActivationImpl(std::string_view class_name, std::function<Proxy(Proxy)> function)
      : Module(class_name), function_(std::move(function)) {}

 private:
  std::function<Proxy(Proxy)> function_;
};
struct ReLUImpl : ActivationImpl {
  explicit ReLUImpl(bool inplace = false);
};
struct GELUImpl : ActivationImpl {
  explicit GELUImpl(std::string_view approximate = "none");
};
struct SiLUImpl : ActivationImpl {
  SiLUImpl();
};
struct SigmoidImpl : ActivationImpl {
  SigmoidImpl();
};
struct TanhImpl : ActivationImpl {
  TanhImpl();
};
struct ReLU6Impl : ActivationImpl {
  ReLU6Impl();
};
struct HardswishImpl : ActivationImpl {
  HardswishImpl();
};
struct LeakyReLUImpl : ActivationImpl {
  explicit LeakyReLUImpl(double negative_slope = 0.01);
};
struct ELUImpl : ActivationImpl {
  explicit ELUImpl(double alpha = 1.0);
};
struct SoftmaxImpl : ActivationImpl {
  explicit SoftmaxImpl(int64_t dim);
};
struct LogSoftmaxImpl : ActivationImpl {
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

/// Modules that are called one after the other; never a leaf. Members are "0", "1", ...
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

/// Modules of one class by number: `for (auto& block : *blocks) x = block(x);`
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
  /// A list has no forward of its own.
  Proxy forward() = delete;

 private:
  std::vector<ModuleHolder<M>> modules_;
};
template <class M>
using ModuleList = ModuleHolder<ModuleListImpl<M>>;

}  // namespace fx::nn
