// The table of torch.nn's layers: the forward function of each class, from the hyperparameters and
// tensors of a module. fx::nn's layers and layer_graph use it.
#pragma once

#include "fx/ir/calls/python_forms.h"
#include "fx/ir/module/module.h"
#include "fx/ir/text/text.h"
#include "fx/tracer/nn/nn_options.h"
#include "fx/tracer/nn_module.h"
#include "fx/tracer/proxy.h"
#include "fx/tracer/tracer_base.h"

#include "absl/status/status.h"
#include "absl/types/span.h"
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::internal {

/// Reads hyperparameters and keeps an error for the first one that does not match the class.
class Settings {
 public:
  explicit Settings(const Module& layer) : layer_(layer) {}
  const absl::Status& status() const { return status_; }

  /// True if the setting is None; false if it is missing.
  bool is_none(std::string_view name) const {
    const Argument* value = layer_.hyperparameter(name);
    return value != nullptr && value->is_none();
  }
  bool flag(std::string_view name, bool fallback) {
    const Argument* value = layer_.hyperparameter(name);
    if (value == nullptr) return fallback;
    if (value->is_bool()) return value->as_bool();
    return reject(name, "True or False", fallback);
  }
  int64_t integer(std::string_view name, std::optional<int64_t> fallback = {}) {
    const Argument* value = layer_.hyperparameter(name);
    if (value == nullptr && fallback) return *fallback;
    if (value != nullptr && value->is_int()) return value->as_int();
    return reject(name, "an integer", int64_t{1});
  }
  int64_t positive(std::string_view name, int64_t fallback) {
    const int64_t value = integer(name, fallback);
    return value > 0 ? value : reject(name, "a positive integer", int64_t{1});
  }
  double number(std::string_view name, double fallback) {
    const Argument* value = layer_.hyperparameter(name);
    if (value == nullptr) return fallback;
    if (value->is_float()) return value->as_float();
    if (value->is_int()) return static_cast<double>(value->as_int());
    return reject(name, "a number", fallback);
  }
  std::string text(std::string_view name, std::string_view fallback) {
    const Argument* value = layer_.hyperparameter(name);
    if (value == nullptr) return std::string(fallback);
    if (value->is_string()) return std::string(value->as_string());
    return reject(name, "a string", std::string(fallback));
  }
  std::optional<int64_t> optional_integer(std::string_view name) {
    const Argument* value = layer_.hyperparameter(name);
    if (value == nullptr || value->is_none()) return std::nullopt;
    return integer(name);
  }
  /// Returns one integer, or `dims` integers (any number of integers if `dims` is 0).
  nn::Extent extent(std::string_view name, size_t dims, std::optional<int64_t> fallback = {}) {
    const Argument* value = layer_.hyperparameter(name);
    if (value == nullptr && fallback) return *fallback;
    std::vector<int64_t> items;
    if (value != nullptr && value->is_int()) return value->as_int();
    if (value != nullptr && (value->is_list() || value->is_tuple())) {
      for (size_t i = 0; i < value->size(); ++i)
        if ((*value)[i].is_int()) items.push_back((*value)[i].as_int());
      if (items.size() == value->size() && (dims == 0 || items.size() == dims)) return items;
    }
    return reject(name,
                  dims == 0 ? "an integer or a list of integers"
                            : fmt::format("an integer or {} integers", dims),
                  nn::Extent(1));
  }
  std::optional<double> optional_number(std::string_view name) {
    const Argument* value = layer_.hyperparameter(name);
    if (value == nullptr || value->is_none()) return std::nullopt;
    return number(name, 0.0);
  }
  std::optional<nn::Extent> optional_extent(std::string_view name) {
    const Argument* value = layer_.hyperparameter(name);
    if (value == nullptr || value->is_none()) return std::nullopt;
    return extent(name, 0);
  }
  /// Returns `dims` items, each an integer or None. A single value is repeated.
  std::vector<std::optional<int64_t>> optional_extents(std::string_view name, size_t dims) {
    const Argument* value = layer_.hyperparameter(name);
    const bool is_list = value != nullptr && (value->is_list() || value->is_tuple());
    std::vector<std::optional<int64_t>> items;
    for (size_t i = 0; value != nullptr && i < dims && (!is_list || i < value->size()); ++i) {
      const Argument& item = is_list ? (*value)[i] : *value;
      if (!item.is_int() && !item.is_none()) break;
      items.push_back(item.is_int() ? std::optional(item.as_int()) : std::nullopt);
    }
    if (items.size() == dims && (!is_list || value->size() == dims)) return items;
    return reject(name, fmt::format("an integer or None, or {} of these", dims),
                  std::vector<std::optional<int64_t>>(dims, 1));
  }
  /// Returns a flag; None is false.
  bool flag_or_none(std::string_view name) {
    const Argument* value = layer_.hyperparameter(name);
    return value != nullptr && !value->is_none() && flag(name, false);
  }
  /// Returns one or more numbers; empty for None.
  std::vector<double> numbers(std::string_view name) {
    const Argument* value = layer_.hyperparameter(name);
    if (value == nullptr || value->is_none()) return {};
    if (!value->is_list() && !value->is_tuple()) return {number(name, 1.0)};
    std::vector<double> items;
    for (size_t i = 0; i < value->size(); ++i) {
      const Argument& item = (*value)[i];
      if (item.is_float()) items.push_back(item.as_float());
      if (item.is_int()) items.push_back(static_cast<double>(item.as_int()));
    }
    if (items.size() == value->size()) return items;
    return reject(name, "a number or a list of numbers", std::vector<double>());
  }
  void reject_setting(std::string_view name, std::string_view expected) {
    reject(name, expected, false);
  }
  bool has(std::string_view tensor) const { return layer_.find_tensor(tensor).defined(); }
  /// True if a tensor has these sizes, which follow from the setting `name`; otherwise sets an
  /// error.
  bool has_sizes(std::string_view tensor, const std::vector<int64_t>& sizes,
                 std::string_view name) {
    if (layer_.find_tensor(tensor).sizes() == absl::MakeConstSpan(sizes)) return true;
    return reject(name, fmt::format("the sizes of {}", tensor), false);
  }
  /// Sets an error if a setting is not `value`, the only value that fx::nn supports.
  void require(std::string_view name, const Argument& value) {
    const Argument* actual = layer_.hyperparameter(name);
    if (actual == nullptr || *actual == value || !status_.ok()) return;
    status_ = absl::UnimplementedError(
        fmt::format("{} with {}={} is not supported", layer_.class_name(), name, print(*actual)));
  }

 private:
  template <class T>
  T reject(std::string_view name, std::string_view expected, T fallback) {
    const Argument* value = layer_.hyperparameter(name);
    if (status_.ok()) {
      status_ = absl::InvalidArgumentError(
          fmt::format("the {} of a {} is {}, expected {}", name, layer_.class_name(),
                      value ? print(*value) : "missing", expected));
    }
    return fallback;
  }

  const Module& layer_;
  absl::Status status_;
};

/// A call to a layer that is being recorded.
struct LayerCall {
  Settings& settings;
  TracerBase& tracer;
  const Module& layer;
  absl::Span<const Proxy> inputs;  ///< inputs that every call has, up to max_inputs
  const ops::Values& values;       ///< of all parameters of forward
  int rank;                        ///< of the first input; -1: unknown
  /// The layer whose forward is being traced; null for the graph of a single layer.
  const nn::Module* owner = nullptr;

  const Proxy& x() const { return inputs[0]; }
  /// True if the first input has rank `batched`, false if it lacks the batch dimension. Sets an
  /// error for any other rank, and if the rank is unknown.
  bool is_batched(int batched) const;
  Proxy proxy(Node* node) const { return Proxy(*node, tracer); }
  /// Returns the layer's tensor of this name, which must exist.
  Proxy attribute(std::string_view name) const {
    if (owner != nullptr) return Parameter(*owner, name);
    return tracer.get_attr(name);
  }
  /// Returns the first input's size at `dim`, where -1 is the last dimension; nullopt if its type
  /// does not specify it.
  std::optional<int64_t> known_size(int64_t dim) const;
  /// Returns the layer's tensor of this name, or None.
  OptionalTensor tensor(std::string_view name) const {
    if (!settings.has(name)) return std::nullopt;
    return attribute(name);
  }
  /// Returns the layer's tensor of this name; sets an error if it does not exist.
  Proxy required(std::string_view name) const;
  /// Returns a parameter of forward that may be None.
  std::optional<Proxy> optional(std::string_view name) const;
  /// Returns a flag of forward; sets an error if it is not a constant.
  bool flag(std::string_view name) const;
};

/// Returns the value of a result; None after a failure.
inline Argument result_of(const Proxy& value) {
  return value.defined() ? Argument(value.node()) : Argument();
}

/// A layer's forward: its parameters in the form of bind_signature, and its function, which returns
/// one result, or a tuple.
struct LayerFunction {
  std::string_view class_name;
  std::string_view signature;
  Proxy (*record)(LayerCall&);
  Argument (*record_several)(LayerCall&) = nullptr;
  /// LayerCall::inputs has at most this many inputs; the others need not be values of the graph.
  size_t max_inputs = std::string_view::npos;
};

// layer_recurrent.cpp
Argument lstm_layer(LayerCall& c);
Argument gru_layer(LayerCall& c);
Argument rnn_layer(LayerCall& c);
Argument lstm_cell_layer(LayerCall& c);
Proxy gru_cell_layer(LayerCall& c);
Proxy rnn_cell_layer(LayerCall& c);
// layer_attention.cpp
Argument multihead_attention_layer(LayerCall& c);
inline constexpr std::string_view kAttentionSignature =
    "query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, "
    "average_attn_weights=True, is_causal=False";
// layer_transformer.cpp
Proxy transformer_encoder_layer(LayerCall& c);
Proxy transformer_decoder_layer(LayerCall& c);
Proxy transformer_encoder(LayerCall& c);
Proxy transformer_decoder(LayerCall& c);
Proxy transformer(LayerCall& c);

/// Returns an integer or `dims` of them, as `dims` integers.
inline std::vector<int64_t> extents(LayerCall& c, std::string_view name, size_t dims) {
  return c.settings.extent(name, dims).expanded(dims);
}

// output_sizes.cpp
/// A window that moves along one dimension.
struct Window {
  int64_t kernel, stride, padding, dilation;
};
/// Returns the sizes of the last `dims` dimensions in the parameter output_size of forward, each an
/// integer or a value; empty for None. The parameter lists these dimensions, or also `others`
/// before them. Sets an error for other values.
std::vector<Argument> given_output_size(LayerCall& c, size_t dims, size_t others);
/// Returns the size that n windows cover without the padding, where n is the first input's size at
/// `dim` (-1: last): an integer if n is known, otherwise a value.
Argument covered_size(LayerCall& c, int64_t dim, const Window& w);
/// Returns a size from the functions above as an argument of a function.
IntArg as_integer(LayerCall& c, const Argument& size);

// The tables, each sorted by class name.
absl::Span<const LayerFunction> layer_functions();
absl::Span<const LayerFunction> weighted_layers();  // layer_weights.cpp
absl::Span<const LayerFunction> loss_layers();      // layer_losses.cpp
absl::Span<const LayerFunction> pooling_layers();   // layer_pooling.cpp
/// Returns the row of a class; null if none exists.
const LayerFunction* find_layer_function(std::string_view class_name);

}  // namespace fx::internal
