#include "fx/tracer/nn/layer_graph.h"

#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/tracer/nn/layer_settings_internal.h"
#include "fx/tracer/nn/nn.h"

#include "absl/container/flat_hash_map.h"
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace fx {
namespace {

using internal::LayerCall;
using internal::LayerFunction;
using internal::Settings;

std::array<absl::Span<const LayerFunction>, 4> tables() {
  return {internal::layer_functions(), internal::weighted_layers(), internal::loss_layers(),
          internal::pooling_layers()};
}

/// Returns the number of parameters before those with default values.
size_t num_required(std::string_view signature) {
  const size_t defaults = std::min(signature.find('='), signature.size());
  const auto commas = std::ranges::count(signature.substr(0, defaults), ',');
  return static_cast<size_t>(commas) + (defaults == signature.size() ? 1 : 0);
}

absl::Status unknown_class(const Module& layer) {
  return absl::NotFoundError(
      fmt::format("the code of a {} is unknown; trace into it (Tracer::is_leaf_module), or replace "
                  "its calls",
                  layer.class_name()));
}

/// Records a call to the layer and returns its result. `owner`: see LayerCall.
absl::StatusOr<Argument> record_layer(const Module& layer, const nn::Module* owner,
                                      const LayerFunction& function, TracerBase& tracer,
                                      absl::Span<const Argument> args,
                                      absl::Span<const Kwarg> kwargs) {
  FX_ASSIGN_OR_RETURN(
      const ops::Values values,
      ops::bind_signature(tracer.context(), layer.class_name(), function.signature, args, kwargs));
  std::vector<Proxy> inputs;
  std::string_view rest = function.signature;
  const size_t num_inputs = std::min(num_required(function.signature), function.max_inputs);
  for (size_t i = 0; i < num_inputs; ++i) {
    const std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(name.size() + 2, rest.size()));
    Node* const node = values.at(name).node();
    if (node == nullptr)
      return absl::InvalidArgumentError(
          fmt::format("the {} of a {} must be a value of the graph", name, layer.class_name()));
    inputs.emplace_back(*node, tracer);
  }
  const Type type = inputs[0].node()->type();
  Settings settings(layer);
  const int rank = type.is_tensor() && type.has_rank() ? static_cast<int>(type.rank()) : -1;
  LayerCall call{settings, tracer, layer, inputs, values, rank, owner};
  Argument result;
  if (function.record_several != nullptr) {
    result = function.record_several(call);
  } else {
    result = internal::result_of(function.record(call));
  }
  FX_RETURN_IF_ERROR(settings.status());
  FX_RETURN_IF_ERROR(tracer.status());
  return result;
}

/// A graph under construction, with a placeholder for each argument of a layer's call.
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
    FX_ASSIGN_OR_RETURN(const Argument result,
                        record_layer(layer, nullptr, function, tracer_, args, kwargs));
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

bool LayerCall::is_batched(int batched) const {
  if (rank != batched && rank != batched - 1) {
    tracer.fail(absl::InvalidArgumentError(
        fmt::format("the input of a {} must have rank {} or {}; propagate types first, so that the "
                    "rank is known",
                    layer.class_name(), batched - 1, batched)));
  }
  return rank == batched;
}

std::optional<int64_t> LayerCall::known_size(int64_t dim) const {
  const Type type = x().node() ? x().node()->type() : Type();
  if (!type.is_tensor() || !type.has_rank() || -dim > type.rank()) return std::nullopt;
  const Dim& size = type.sizes()[static_cast<size_t>(type.rank() + dim)];
  return size.is_int() ? std::optional(size.value()) : std::nullopt;
}

Proxy LayerCall::required(std::string_view name) const {
  if (settings.has(name)) return attribute(name);
  tracer.fail(
      absl::InvalidArgumentError(fmt::format("a {} must have {}", layer.class_name(), name)));
  return Proxy::failed(tracer);
}

std::optional<Proxy> LayerCall::optional(std::string_view name) const {
  const Argument& value = values.at(name);
  if (value.is_none()) return std::nullopt;
  if (Node* const node = value.node()) return proxy(node);
  tracer.fail(absl::InvalidArgumentError(
      fmt::format("the {} of a {} must be a value of the graph", name, layer.class_name())));
  return std::nullopt;
}

bool LayerCall::flag(std::string_view name) const {
  const Argument& value = values.at(name);
  if (value.is_bool()) return value.as_bool();
  tracer.fail(absl::InvalidArgumentError(
      fmt::format("the {} of a {} must be True or False", name, layer.class_name())));
  return false;
}

const LayerFunction* find_layer_function(std::string_view class_name) {
  for (const auto table : tables()) {
    const auto row = std::ranges::lower_bound(table, class_name, {}, &LayerFunction::class_name);
    if (row != table.end() && row->class_name == class_name) return &*row;
  }
  return nullptr;
}

}  // namespace internal

namespace nn {

Proxy Layer::forward(const Proxy& input) {
  TracerBase* const tracer = this->tracer();
  FX_CHECK(tracer != nullptr, "a layer must be called through its ModuleHolder");
  if (!input.defined()) return Proxy::failed(*tracer);
  const Argument args[] = {Argument(input.node())};
  const absl::StatusOr<Argument> result = record_layer(*this, this, *function_, *tracer, args, {});
  if (!result.ok()) tracer->fail(result.status());
  if (!result.ok() || !result->is_node()) return Proxy::failed(*tracer);
  return Proxy(*result->node(), *tracer);
}

Layer::Layer(std::string_view class_name)
    : Module(class_name), function_(fx::internal::find_layer_function(class_name)) {
  FX_CHECK(function_ != nullptr, "the class of a layer must have a row");
}

}  // namespace nn

std::vector<std::string_view> layer_classes() {
  std::vector<std::string_view> names;
  for (const auto table : tables())
    for (const LayerFunction& function : table) names.push_back(function.class_name);
  std::ranges::sort(names);
  return names;
}

bool is_known_layer(const Module& module) {
  return internal::find_layer_function(module.class_name()) != nullptr;
}

absl::StatusOr<std::unique_ptr<GraphModule>> layer_graph(Context& context, const Module& layer,
                                                         const RecordOptions& options,
                                                         absl::Span<const Type> inputs) {
  const LayerFunction* const function = internal::find_layer_function(layer.class_name());
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
  const LayerFunction* const function = internal::find_layer_function(layer.class_name());
  if (function == nullptr) return unknown_class(layer);
  Recording recording(context, options);
  absl::flat_hash_map<Node*, Node*> placeholders;
  for (Node* const input : call.all_input_nodes())
    placeholders.emplace(input, recording.placeholder(input->type()));
  const auto mapped = [&](ArgumentRef value) {
    return map_nodes(Argument(value), [&](Node* node) { return Argument(placeholders.at(node)); });
  };
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  args.reserve(call.num_args());
  kwargs.reserve(call.num_kwargs());
  for (size_t i = 0; i < call.num_args(); ++i) args.push_back(mapped(call.arg(i)));
  for (size_t i = 0; i < call.num_kwargs(); ++i)
    kwargs.emplace_back(call.kwarg_name(i), mapped(call.kwarg_value(i)));
  return recording.finish(layer, *function, args, kwargs);
}

}  // namespace fx
