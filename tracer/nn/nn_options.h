// The options of fx::nn's layers, with libtorch's names: Conv2dOptions(3, 64, 7).stride(2).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx::nn {

/// One number for all dimensions, or one number per dimension.
class Extent {
 public:
  Extent(int64_t value) : values_{value} {}
  Extent(std::initializer_list<int64_t> values) : values_(values) {}
  Extent(std::vector<int64_t> values) : values_(std::move(values)) {}
  /// Returns one number for each of `dims` dimensions.
  std::vector<int64_t> expanded(size_t dims) const {
    return values_.size() == 1 ? std::vector<int64_t>(dims, values_[0]) : values_;
  }
  const std::vector<int64_t>& values() const { return values_; }

 private:
  std::vector<int64_t> values_;
};

/// A setting with libtorch's accessors: `options.stride(2)` sets it, `options.stride()` reads it.
#define FX_NN_SETTING(type, name)                         \
 public:                                                  \
  auto name(type value)& -> decltype(*this) {             \
    name##_ = std::move(value);                           \
    return *this;                                         \
  }                                                       \
  auto name(type value)&& -> decltype(std::move(*this)) { \
    name##_ = std::move(value);                           \
    return std::move(*this);                              \
  }                                                       \
  const type& name() const { return name##_; }            \
                                                          \
 private:                                                 \
  type name##_

class LinearOptions {
 public:
  LinearOptions(int64_t in_features, int64_t out_features)
      : in_features_(in_features), out_features_(out_features) {}
  FX_NN_SETTING(int64_t, in_features);
  FX_NN_SETTING(int64_t, out_features);
  FX_NN_SETTING(bool, bias) = true;
};

template <size_t dims>
class ConvOptions {
 public:
  ConvOptions(int64_t in_channels, int64_t out_channels, Extent kernel_size)
      : in_channels_(in_channels),
        out_channels_(out_channels),
        kernel_size_(std::move(kernel_size)) {}
  FX_NN_SETTING(int64_t, in_channels);
  FX_NN_SETTING(int64_t, out_channels);
  FX_NN_SETTING(Extent, kernel_size);
  FX_NN_SETTING(Extent, stride) = 1;
  FX_NN_SETTING(Extent, padding) = 0;
  FX_NN_SETTING(Extent, dilation) = 1;
  FX_NN_SETTING(Extent, output_padding) = 0;  // for transposed convolutions
  FX_NN_SETTING(int64_t, groups) = 1;
  FX_NN_SETTING(bool, bias) = true;
};
using Conv1dOptions = ConvOptions<1>;
using Conv2dOptions = ConvOptions<2>;
using Conv3dOptions = ConvOptions<3>;
using ConvTranspose1dOptions = ConvOptions<1>;
using ConvTranspose2dOptions = ConvOptions<2>;
using ConvTranspose3dOptions = ConvOptions<3>;

class BatchNormOptions {
 public:
  explicit BatchNormOptions(int64_t num_features) : num_features_(num_features) {}
  FX_NN_SETTING(int64_t, num_features);
  FX_NN_SETTING(double, eps) = 1e-5;
  FX_NN_SETTING(double, momentum) = 0.1;
  FX_NN_SETTING(bool, affine) = true;
  FX_NN_SETTING(bool, track_running_stats) = true;
};

class LayerNormOptions {
 public:
  explicit LayerNormOptions(std::vector<int64_t> normalized_shape)
      : normalized_shape_(std::move(normalized_shape)) {}
  FX_NN_SETTING(std::vector<int64_t>, normalized_shape);
  FX_NN_SETTING(double, eps) = 1e-5;
  FX_NN_SETTING(bool, elementwise_affine) = true;
};

class GroupNormOptions {
 public:
  GroupNormOptions(int64_t num_groups, int64_t num_channels)
      : num_groups_(num_groups), num_channels_(num_channels) {}
  FX_NN_SETTING(int64_t, num_groups);
  FX_NN_SETTING(int64_t, num_channels);
  FX_NN_SETTING(double, eps) = 1e-5;
  FX_NN_SETTING(bool, affine) = true;
};

class EmbeddingOptions {
 public:
  EmbeddingOptions(int64_t num_embeddings, int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  FX_NN_SETTING(int64_t, num_embeddings);
  FX_NN_SETTING(int64_t, embedding_dim);
  FX_NN_SETTING(std::optional<int64_t>, padding_idx);
};

template <size_t dims>
class PoolOptions {
 public:
  explicit PoolOptions(Extent kernel_size) : kernel_size_(std::move(kernel_size)) {}
  FX_NN_SETTING(Extent, kernel_size);
  FX_NN_SETTING(std::optional<Extent>, stride);  // if absent, the kernel's size
  FX_NN_SETTING(Extent, padding) = 0;
  FX_NN_SETTING(Extent, dilation) = 1;  // for max pooling
  FX_NN_SETTING(bool, ceil_mode) = false;
  FX_NN_SETTING(bool, count_include_pad) = true;  // for average pooling
};
using MaxPool1dOptions = PoolOptions<1>;
using MaxPool2dOptions = PoolOptions<2>;
using MaxPool3dOptions = PoolOptions<3>;
using AvgPool2dOptions = PoolOptions<2>;

#undef FX_NN_SETTING

}  // namespace fx::nn
