#include "fx/tracer/nn/layer_graph.h"

#include "fx/ir/support/status.h"
#include "fx/tracer/nn/layer_settings_internal.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"

#include "absl/container/flat_hash_map.h"
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
  for (const auto functions : {internal::layer_functions(), internal::pooling_layers()}) {
    const auto row =
        std::ranges::lower_bound(functions, class_name, {}, &LayerFunction::class_name);
    if (row != functions.end() && row->class_name == class_name) return &*row;
  }
  return nullptr;
}

constexpr std::string_view kOneInput = "input";  // of what rows() has

/// The parameters of a layer's forward, as bind_signature has them; none of an unknown class.
std::optional<std::string_view> signature_of(const Module& layer) {
  if (find_row(layer.class_name()) != nullptr) return kOneInput;
  const LayerFunction* function = find_function(layer.class_name());
  return function ? std::optional(function->signature) : std::nullopt;
}

/// How many parameters stand in front of those with defaults.
size_t num_required(std::string_view signature) {
  const size_t defaults = std::min(signature.find('='), signature.size());
  const auto commas = std::ranges::count(signature.substr(0, defaults), ',');
  return static_cast<size_t>(commas) + (defaults == signature.size() ? 1 : 0);
}

absl::Status unknown_class(const Module& layer) {
  return absl::NotFoundError(
      fmt::format("what a {} computes is not known here; trace into it (Tracer::is_leaf_module), "
                  "or replace its calls",
                  layer.class_name()));
}

/// A graph under construction, with a placeholder for each value that a layer is called with.
class Recording {
 public:
  Recording(Context& context, const RecordOptions& options)
      : graph_(std::make_unique<Graph>(context)), tracer_(*graph_, options) {}

  Node* placeholder(Type type) {
    ++count_;
    Node* const node =
        tracer_.placeholder(count_ == 1 ? "input" : fmt::format("input{}", count_)).node();
    if (type) node->set_type(type);
    return node;
  }

  absl::StatusOr<std::unique_ptr<GraphModule>> finish(const Module& layer,
                                                      const LayerFunction& function,
                                                      absl::Span<const Argument> args,
                                                      absl::Span<const Kwarg> kwargs) {
    FX_ASSIGN_OR_RETURN(const ops::Values values,
                        ops::bind_signature(graph_->context(), layer.class_name(),
                                            function.signature, args, kwargs));
    std::vector<Proxy> inputs;
    std::string_view rest = function.signature;
    for (size_t i = 0; i < num_required(function.signature); ++i) {
      const std::string_view name = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(name.size() + 2, rest.size()));
      Node* const node = values.at(name).node();
      if (node == nullptr)
        return absl::InvalidArgumentError(
            fmt::format("the {} of a {} is no value", name, layer.class_name()));
      inputs.push_back(tracer_(node));
    }
    const Type type = inputs[0].node()->type();
    Settings settings(layer);
    LayerCall call{settings, tracer_, layer,
                   inputs,   values,  type.is_tensor() ? static_cast<int>(type.rank()) : -1};
    Argument result;
    if (function.record_several != nullptr) {
      result = function.record_several(call);
    } else {
      result = internal::result_of(function.record(call));
    }
    FX_RETURN_IF_ERROR(settings.status());
    FX_RETURN_IF_ERROR(tracer_.status());
    graph_->output(result);
    return GraphModule::create(layer, std::move(graph_), layer.class_name());
  }

 private:
  std::unique_ptr<Graph> graph_;
  GraphAppendingTracer tracer_;
  size_t count_ = 0;
};

}  // namespace

namespace internal {

std::optional<int64_t> LayerCall::known_size(int64_t dim) const {
  const Type type = x().node() ? x().node()->type() : Type();
  if (!type.is_tensor() || !type.has_rank() || -dim > type.rank()) return std::nullopt;
  const Dim& size = type.sizes()[static_cast<size_t>(type.rank() + dim)];
  return size.is_int() ? std::optional(size.value()) : std::nullopt;
}

Proxy LayerCall::needed(std::string_view name) const {
  if (settings.has(name)) return tracer.get_attr(name);
  tracer.fail(absl::InvalidArgumentError(fmt::format("a {} has no {}", layer.class_name(), name)));
  return Proxy::failed(tracer);
}

std::optional<Proxy> LayerCall::optional(std::string_view name) const {
  const Argument& value = values.at(name);
  if (value.is_none()) return std::nullopt;
  if (Node* const node = value.node()) return tracer(node);
  tracer.fail(absl::InvalidArgumentError(
      fmt::format("the {} of a {} is no value", name, layer.class_name())));
  return std::nullopt;
}

bool LayerCall::flag(std::string_view name) const {
  const Argument& value = values.at(name);
  if (value.is_bool()) return value.as_bool();
  tracer.fail(absl::InvalidArgumentError(
      fmt::format("the {} of a {} is True or False", name, layer.class_name())));
  return false;
}

}  // namespace internal

std::vector<std::string_view> layer_classes() {
  std::vector<std::string_view> names;
  for (const Row& row : rows()) names.push_back(row.class_name);
  for (const auto functions : {internal::layer_functions(), internal::pooling_layers()})
    for (const LayerFunction& function : functions) names.push_back(function.class_name);
  std::ranges::sort(names);
  return names;
}

bool is_known_layer(const Module& module) { return signature_of(module).has_value(); }

absl::StatusOr<std::unique_ptr<GraphModule>> layer_graph(Context& context, const Module& layer,
                                                         const RecordOptions& options,
                                                         absl::Span<const Type> inputs) {
  if (const Row* row = find_row(layer.class_name())) return row->trace(context, layer, options);
  const LayerFunction* const function = find_function(layer.class_name());
  if (function == nullptr) return unknown_class(layer);
  Recording recording(context, options);
  std::vector<Argument> args;
  for (size_t i = 0; i < std::max(num_required(function->signature), inputs.size()); ++i)
    args.emplace_back(recording.placeholder(i < inputs.size() ? inputs[i] : Type()));
  return recording.finish(layer, *function, args, {});
}

absl::StatusOr<std::unique_ptr<GraphModule>> layer_graph_of_call(const Node& call,
                                                                 const Module& layer,
                                                                 const RecordOptions& options) {
  Context& context = call.context();
  const std::optional<std::string_view> signature = signature_of(layer);
  if (!signature) return unknown_class(layer);
  Recording recording(context, options);
  absl::flat_hash_map<Node*, Node*> placeholders;
  for (Node* const input : call.all_input_nodes())
    placeholders.emplace(input, recording.placeholder(input->type()));
  const auto own = [&](ArgumentRef value) {
    return map_nodes(Argument(value), [&](Node* node) { return Argument(placeholders.at(node)); });
  };
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  args.reserve(call.num_args());
  kwargs.reserve(call.num_kwargs());
  for (size_t i = 0; i < call.num_args(); ++i) args.push_back(own(call.arg(i)));
  for (size_t i = 0; i < call.num_kwargs(); ++i)
    kwargs.emplace_back(call.kwarg_name(i), own(call.kwarg_value(i)));
  if (const LayerFunction* function = find_function(layer.class_name()))
    return recording.finish(layer, *function, args, kwargs);
  FX_ASSIGN_OR_RETURN(const ops::Values values,
                      ops::bind_signature(context, layer.class_name(), *signature, args, kwargs));
  if (!values.at(kOneInput).is_node())
    return absl::InvalidArgumentError(
        fmt::format("the input of a {} is no value", layer.class_name()));
  return find_row(layer.class_name())->trace(context, layer, options);
}

}  // namespace fx
