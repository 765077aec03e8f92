#include "fx/tracer/layer_graph.h"

#include "fx/ir/support/status.h"
#include "fx/tracer/layer_settings_internal.h"
#include "fx/tracer/nn.h"
#include "fx/tracer/tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace fx {
namespace {

using internal::LayerCall;
using internal::LayerFunction;
using internal::Settings;

template <size_t dims>
nn::ConvOptions<dims> conv_transpose_options(Settings& s) {
  return nn::ConvOptions<dims>(1, 1, 1)
      .stride(s.extent("stride", dims, 1))
      .padding(s.extent("padding", dims, 0))
      .output_padding(s.extent("output_padding", dims, 0))
      .dilation(s.extent("dilation", dims, 1))
      .groups(s.positive("groups", 1))
      .bias(s.has("bias"));
}
template <size_t dims>
nn::PoolOptions<dims> pool_options(Settings& s) {
  const nn::Extent kernel = s.extent("kernel_size", dims);
  s.only("return_indices", false);
  s.only("divisor_override", Argument());
  return nn::PoolOptions<dims>(kernel)
      .stride(s.extent("stride", dims))
      .padding(s.extent("padding", dims, 0))
      .dilation(s.extent("dilation", dims, 1))
      .ceil_mode(s.flag("ceil_mode", false))
      .count_include_pad(s.flag("count_include_pad", true));
}

/// Everything becomes operators.
class LayerTracer final : public Tracer {
 public:
  using Tracer::Tracer;
  bool is_leaf_module(const Module&, std::string_view) const override { return false; }
};

/// Gives `layer` the tensors and the mode of `source`, and traces it.
template <class M>
absl::StatusOr<std::unique_ptr<GraphModule>> trace_as(Context& context, const Module& source,
                                                      const nn::ModuleHolder<M>& layer,
                                                      const RecordOptions& options) {
  for (const auto& [name, own] : layer->attributes()) {
    const Attribute* given = source.attributes().find(name);
    const bool is_given = given != nullptr && given->tensor.defined();
    if (own.tensor.defined() && !is_given && std::string_view(name) != "bias") {
      return absl::InvalidArgumentError(
          fmt::format("a {} has no {}", source.class_name(), std::string_view(name)));
    }
    layer->find_attribute(name)->tensor = is_given ? given->tensor : Tensor();
  }
  layer->set_training(source.training());
  LayerTracer tracer(context, options);
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, tracer.trace(layer, {"input"}));
  return GraphModule::create(tracer.root(), std::move(graph), source.class_name());
}

using Trace = absl::StatusOr<std::unique_ptr<GraphModule>> (*)(Context&, const Module&,
                                                               const RecordOptions&);
/// `make(settings)` gives a layer of fx::nn.
template <auto make>
absl::StatusOr<std::unique_ptr<GraphModule>> trace(Context& context, const Module& source,
                                                   const RecordOptions& options) {
  Settings settings(source);
  const auto layer = make(settings);
  FX_RETURN_IF_ERROR(settings.status());
  return trace_as(context, source, layer, options);
}

template <size_t dims>
Trace conv_transpose() {
  return trace<[](Settings& s) {
    return nn::ModuleHolder<nn::ConvTransposeImpl<dims>>(conv_transpose_options<dims>(s));
  }>;
}
template <size_t dims>
Trace batch_norm() {
  return trace<[](Settings& s) {
    return nn::ModuleHolder<nn::BatchNormImpl<dims>>(
        nn::BatchNormOptions(1)
            .eps(s.number("eps", 1e-5))
            .momentum(s.number("momentum", 0.1))
            .affine(s.has("weight"))
            .track_running_stats(s.has("running_mean")));
  }>;
}
template <size_t dims>
Trace max_pool() {
  return trace<[](Settings& s) {
    return nn::ModuleHolder<nn::MaxPoolImpl<dims>>(pool_options<dims>(s));
  }>;
}
/// A class without settings.
template <class M>
Trace plain() {
  return trace<[](Settings&) { return nn::ModuleHolder<M>(); }>;
}

nn::LayerNorm make_layer_norm(Settings& s) {
  const std::vector<int64_t> shape = s.extent("normalized_shape", 0).values();
  // Sizes that no tensor confirms are not allocated.
  const bool affine = s.has("weight") && s.fits("weight", shape, "normalized_shape");
  return nn::LayerNorm(
      nn::LayerNormOptions(shape).eps(s.number("eps", 1e-5)).elementwise_affine(affine));
}

struct Row {
  std::string_view class_name;
  Trace trace;
};

/// By class name.
const std::vector<Row>& rows() {
  static const auto* table = [] {
    auto* all = new std::vector<Row>{
        {"torch.nn.modules.linear.Linear", trace<[](Settings& s) {
           return nn::Linear(nn::LinearOptions(1, 1).bias(s.has("bias")));
         }>},
        {"torch.nn.modules.linear.Identity", plain<nn::IdentityImpl>()},
        {"torch.nn.modules.conv.ConvTranspose1d", conv_transpose<1>()},
        {"torch.nn.modules.conv.ConvTranspose2d", conv_transpose<2>()},
        {"torch.nn.modules.conv.ConvTranspose3d", conv_transpose<3>()},
        {"torch.nn.modules.batchnorm.BatchNorm1d", batch_norm<1>()},
        {"torch.nn.modules.batchnorm.BatchNorm2d", batch_norm<2>()},
        {"torch.nn.modules.batchnorm.BatchNorm3d", batch_norm<3>()},
        {"torch.nn.modules.normalization.LayerNorm", trace<make_layer_norm>},
        {"torch.nn.modules.normalization.GroupNorm", trace<[](Settings& s) {
           return nn::GroupNorm(nn::GroupNormOptions(s.integer("num_groups"), 1)
                                    .eps(s.number("eps", 1e-5))
                                    .affine(s.has("weight")));
         }>},
        {"torch.nn.modules.sparse.Embedding", trace<[](Settings& s) {
           s.only("max_norm", Argument());
           s.only("scale_grad_by_freq", false);
           s.only("sparse", false);
           nn::EmbeddingOptions options(1, 1);
           return nn::Embedding(options.padding_idx(s.optional_integer("padding_idx")));
         }>},
        {"torch.nn.modules.pooling.MaxPool1d", max_pool<1>()},
        {"torch.nn.modules.pooling.MaxPool2d", max_pool<2>()},
        {"torch.nn.modules.pooling.MaxPool3d", max_pool<3>()},
        {"torch.nn.modules.pooling.AdaptiveAvgPool2d",
         trace<[](Settings& s) { return nn::AdaptiveAvgPool2d(s.extent("output_size", 2)); }>},
        {"torch.nn.modules.flatten.Flatten", trace<[](Settings& s) {
           return nn::Flatten(s.integer("start_dim", 1), s.integer("end_dim", -1));
         }>},
        {"torch.nn.modules.activation.ReLU",
         trace<[](Settings& s) { return nn::ReLU(s.flag("inplace", false)); }>},
        {"torch.nn.modules.activation.GELU",
         trace<[](Settings& s) { return nn::GELU(s.text("approximate", "none")); }>},
        {"torch.nn.modules.activation.Sigmoid", plain<nn::SigmoidImpl>()},
        {"torch.nn.modules.activation.Tanh", plain<nn::TanhImpl>()},
        {"torch.nn.modules.activation.Softmax",
         trace<[](Settings& s) { return nn::Softmax(s.integer("dim")); }>},
        {"torch.nn.modules.activation.LogSoftmax",
         trace<[](Settings& s) { return nn::LogSoftmax(s.integer("dim")); }>},
    };
    std::ranges::sort(*all, {}, &Row::class_name);
    return all;
  }();
  return *table;
}

const Row* find_row(std::string_view class_name) {
  const auto row = std::ranges::lower_bound(rows(), class_name, {}, &Row::class_name);
  return row == rows().end() || row->class_name != class_name ? nullptr : &*row;
}

const LayerFunction* find_function(std::string_view class_name) {
  const absl::Span<const LayerFunction> functions = internal::layer_functions();
  const auto row = std::ranges::lower_bound(functions, class_name, {}, &LayerFunction::class_name);
  return row == functions.end() || row->class_name != class_name ? nullptr : &*row;
}

absl::StatusOr<std::unique_ptr<GraphModule>> record(Context& context, const LayerFunction& function,
                                                    const Module& layer,
                                                    const RecordOptions& options,
                                                    absl::Span<const Type> inputs) {
  auto graph = std::make_unique<Graph>(context);
  GraphAppendingTracer tracer(*graph, options);
  std::vector<Proxy> proxies;
  proxies.reserve(function.num_inputs);
  for (size_t i = 0; i < function.num_inputs; ++i)
    proxies.push_back(tracer.placeholder(i == 0 ? "input" : fmt::format("input{}", i + 1)));
  Settings settings(layer);
  const bool has_rank = !inputs.empty() && inputs[0].is_tensor();
  LayerCall call{settings, tracer, layer, proxies,
                 has_rank ? static_cast<int>(inputs[0].rank()) : -1};
  const Proxy result = function.record(call);
  FX_RETURN_IF_ERROR(settings.status());
  FX_RETURN_IF_ERROR(tracer.status());
  graph->output(function.results ? function.results(result) : Argument(result.node()));
  return GraphModule::create(layer, std::move(graph), layer.class_name());
}

}  // namespace

std::vector<std::string_view> layer_classes() {
  std::vector<std::string_view> names;
  for (const Row& row : rows()) names.push_back(row.class_name);
  for (const LayerFunction& function : internal::layer_functions())
    names.push_back(function.class_name);
  std::ranges::sort(names);
  return names;
}

bool is_known_layer(const Module& module) { return num_layer_inputs(module).has_value(); }

std::optional<size_t> num_layer_inputs(const Module& module) {
  if (find_row(module.class_name()) != nullptr) return 1;
  const LayerFunction* function = find_function(module.class_name());
  return function ? std::optional(function->num_inputs) : std::nullopt;
}

absl::StatusOr<std::unique_ptr<GraphModule>> layer_graph(Context& context, const Module& layer,
                                                         const RecordOptions& options,
                                                         absl::Span<const Type> inputs) {
  if (const Row* row = find_row(layer.class_name())) return row->trace(context, layer, options);
  if (const LayerFunction* function = find_function(layer.class_name()))
    return record(context, *function, layer, options, inputs);
  return absl::NotFoundError(
      fmt::format("what a {} computes is not known here; trace into it (Tracer::is_leaf_module), "
                  "or replace its calls",
                  layer.class_name()));
}

}  // namespace fx
