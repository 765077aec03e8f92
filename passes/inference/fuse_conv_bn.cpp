// fuse_conv_bn: see fuse_conv_bn.h.
#include "fx/passes/inference/fuse_conv_bn.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/graph_queries.h"

#include "fmt/format.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// A tensor of a layer: a value of the graph, a member of a module, or none, as for a missing bias.
struct Parameter {
  Argument value;
  std::string path = {};
  bool exists() const { return !path.empty() || !value.is_none(); }
};

/// A batch norm in evaluation mode.
struct Norm {
  Node* node;    ///< the call
  Node* result;  ///< the call, or its item 0
  Parameter weight, bias, mean, variance;
  double eps;
};

/// A convolution or linear layer.
struct Layer {
  Node* node;
  Target function;
  Parameter weight, bias;
  std::vector<Argument> other_args = {};  ///< the arguments after input, weight and bias
  int weight_rank = 2;
};

class Fuser {
 public:
  Fuser(Graph& graph, const Module* root) : graph_(graph), root_(root), writes_before_(graph, 0) {}

  absl::StatusOr<bool> run() {
    bool changed = false;
    uint32_t writes = 0;
    for (const Node& node : graph_.nodes()) {
      if (!node.is_output() && module_of(node) == nullptr)
        writes += effects(node).has(ops::Effect::kWritesArguments) ? 1 : 0;
      writes_before_[node] = writes;
    }
    for (Node& node : graph_.nodes()) {
      const std::optional<Norm> norm = norm_of(node);
      if (!norm) continue;
      const std::optional<Layer> layer = layer_of(*norm);
      // Between the two calls, nothing may write to operands of the layer.
      if (!layer || writes_before_[*layer->node] != writes_before_[node]) continue;
      if (!can_fuse(*layer, *norm)) continue;
      FX_RETURN_IF_ERROR(fuse(*layer, *norm));
      changed = true;
    }
    return changed;
  }

 private:
  // ---- Matching
  static Parameter argument(const Node& node, std::string_view name) {
    return {.value = node.argument(name).value_or(Argument())};
  }
  static Parameter member(const Module& module, std::string_view path, std::string_view name) {
    if (!module.find_tensor(name).defined()) return {};
    return {.value = {}, .path = fmt::format("{}.{}", path, name)};
  }
  const Module* module_of(const Node& node) const {
    return node.op() == Opcode::kCallModule && root_ != nullptr ? root_->find_module(node.target())
                                                                : nullptr;
  }
  static std::string_view class_of(const Module& module) {
    const std::string_view name = module.class_name();
    return name.substr(name.rfind('.') + 1);
  }

  /// Returns the input of a layer or batch norm, passed by position or keyword.
  static Argument input_of(const Node& node) {
    if (node.num_args() > 0) return Argument(node.arg(0));
    return node.argument("input").value_or(Argument());
  }

  std::optional<Norm> norm_of(Node& node) const {
    if (const Module* module = module_of(node)) {
      const std::string_view name = class_of(*module);
      if ((name != "BatchNorm1d" && name != "BatchNorm2d" && name != "BatchNorm3d") ||
          module->training() || node.num_args() != 1) {
        return std::nullopt;
      }
      const Argument* eps = module->hyperparameter("eps");
      Norm norm{.node = &node,
                .result = &node,
                .weight = member(*module, node.target(), "weight"),
                .bias = member(*module, node.target(), "bias"),
                .mean = member(*module, node.target(), "running_mean"),
                .variance = member(*module, node.target(), "running_var"),
                .eps = eps != nullptr && eps->is_float() ? eps->as_float() : -1};
      return norm.mean.exists() && norm.variance.exists() && norm.eps >= 0 ? std::optional(norm)
                                                                           : std::nullopt;
    }
    const bool has_items = node.target() == "aten._native_batch_norm_legit_no_training.default";
    if (node.op() != Opcode::kCallFunction ||
        (!has_items && node.target() != "aten.batch_norm.default")) {
      return std::nullopt;
    }
    const auto training = node.argument("training");
    if (!has_items && (!training || !training->is_bool() || training->as_bool()))
      return std::nullopt;
    const auto eps = node.argument("eps");
    if (!eps || !eps->is_float()) return std::nullopt;
    Norm norm{.node = &node,
              .result = &node,
              .weight = argument(node, "weight"),
              .bias = argument(node, "bias"),
              .mean = argument(node, "running_mean"),
              .variance = argument(node, "running_var"),
              .eps = eps->as_float()};
    if (!norm.mean.exists() || !norm.variance.exists()) return std::nullopt;
    if (has_items) {  // only the first of its results may have users
      if (!node.has_one_user()) return std::nullopt;
      norm.result = node.users().front();
      if (constant_item(*norm.result) != 0) return std::nullopt;
    }
    return norm;
  }

  std::optional<Layer> layer_of(const Norm& norm) const {
    Node* node = input_of(*norm.node).node();
    if (node == nullptr || !node->has_one_user() || node->num_uses() != 1) return std::nullopt;
    if (const Module* module = module_of(*node)) return layer_module(*node, *module);
    if (node->op() != Opcode::kCallFunction) return std::nullopt;
    static constexpr std::pair<std::string_view, int> kLayerFunctions[] = {
        {"aten.linear.default", 2}, {"aten.conv1d.default", 3},      {"aten.conv2d.default", 4},
        {"aten.conv3d.default", 5}, {"aten.convolution.default", 0},
    };
    for (const auto& [name, rank] : kLayerFunctions) {
      if (node->target() != name) continue;
      Layer layer{.node = node,
                  .function = node->function(),
                  .weight = argument(*node, "weight"),
                  .bias = argument(*node, "bias"),
                  .weight_rank = rank};
      if (name != "aten.linear.default") {
        for (const char* name_of_arg : {"stride", "padding", "dilation"}) {
          const auto value = node->argument(name_of_arg);
          if (!value) return std::nullopt;
          layer.other_args.push_back(*value);
        }
        if (rank == 0) {
          const auto transposed = node->argument("transposed");
          if (!transposed || !transposed->is_bool() || transposed->as_bool()) return std::nullopt;
          layer.weight_rank = static_cast<int>(layer.other_args[0].size()) + 2;
          layer.other_args.emplace_back(false);
          layer.other_args.push_back(node->argument("output_padding").value_or(Argument()));
        }
        layer.other_args.push_back(node->argument("groups").value_or(Argument(1)));
      }
      return layer.weight.value.is_node() ? std::optional(layer) : std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<Layer> layer_module(Node& node, const Module& module) const {
    if (node.num_args() != 1 || node.num_kwargs() != 0) return std::nullopt;
    const std::string_view name = class_of(module);
    const bool is_linear = name == "Linear";
    if (!is_linear && name != "Conv1d" && name != "Conv2d" && name != "Conv3d") return std::nullopt;
    Layer layer{.node = &node,
                .function = {},
                .weight = member(module, node.target(), "weight"),
                .bias = member(module, node.target(), "bias")};
    if (!layer.weight.exists()) return std::nullopt;
    Context& context = graph_.context();
    if (is_linear) {
      layer.function = context.function("aten.linear.default");
      return layer;
    }
    const Argument* mode = module.hyperparameter("padding_mode");
    if (mode != nullptr && !(mode->is_string() && mode->as_string() == "zeros"))
      return std::nullopt;
    const int dims = name[4] - '0';
    layer.weight_rank = dims + 2;
    const Argument* padding = module.hyperparameter("padding");
    layer.function = context.function(
        fmt::format("aten.conv{}d.{}", dims,
                    padding != nullptr && padding->is_string() ? "padding" : "default"));
    for (const char* hyperparameter : {"stride", "padding", "dilation", "groups"}) {
      const Argument* value = module.hyperparameter(hyperparameter);
      if (value == nullptr) return std::nullopt;
      layer.other_args.push_back(list_of(*value));
    }
    return layer;
  }
  /// Converts a tuple to a list: modules have tuples of sizes, and operators have lists.
  static Argument list_of(const Argument& value) {
    if (!value.is_tuple()) return value;
    std::vector<Argument> items;
    items.reserve(value.size());
    for (size_t i = 0; i < value.size(); ++i) items.push_back(value[i]);
    return Argument::list(items);
  }

  /// Returns the type of a parameter; null if it is unknown.
  Type type_of(const Parameter& parameter) const {
    std::string_view path = parameter.path;
    if (const Node* node = parameter.value.node()) {
      if (node->type()) return node->type();
      if (node->op() != Opcode::kGetAttr) return Type();
      path = node->target();
    }
    if (root_ == nullptr || path.empty()) return Type();
    const Tensor tensor = root_->find_tensor(path);
    return tensor.defined() ? tensor.type(graph_.context().types()) : Type();
  }
  /// Returns the rank of the layer's result; -1 if it is unknown.
  int rank_of(const Layer& layer, const Norm& norm) const {
    const Node* input = input_of(*layer.node).node();
    for (const Node* node :
         {static_cast<const Node*>(layer.node), static_cast<const Node*>(norm.result), input}) {
      if (node != nullptr && node->type().is_tensor() && node->type().has_rank())
        return node->type().rank();
    }
    // BatchNorm2d and BatchNorm3d check the rank of their input; BatchNorm1d accepts two ranks.
    const Module* module = module_of(*norm.node);
    const std::string_view name = module == nullptr ? std::string_view() : class_of(*module);
    return name == "BatchNorm2d" ? 4 : name == "BatchNorm3d" ? 5 : -1;
  }
  /// True if the batch norm normalizes the output dimension of the layer, and all tensors have the
  /// same floating-point dtype and device. A scale of a different dtype would change the dtype of
  /// the weight. False if ranks or dtypes are unknown.
  bool can_fuse(const Layer& layer, const Norm& norm) const {
    const Type weight = type_of(layer.weight);
    if (!weight.is_tensor() || !weight.has_rank() || !is_floating_point(weight.dtype()) ||
        weight.rank() != layer.weight_rank || rank_of(layer, norm) != layer.weight_rank) {
      return false;
    }
    for (const Parameter* parameter :
         {&layer.bias, &norm.weight, &norm.bias, &norm.mean, &norm.variance}) {
      if (!parameter->exists()) continue;
      const Type type = type_of(*parameter);
      if (!type.is_tensor() || type.dtype() != weight.dtype() || type.device() != weight.device())
        return false;
    }
    return true;
  }

  // ---- Rewriting
  Node* call(std::string_view function, const std::vector<Argument>& args) {
    Node* node = graph_.call_function(graph_.context().function(function), args);
    try_infer_type(*node);
    return node;
  }
  Node* read(const Parameter& parameter) {
    if (parameter.path.empty()) return parameter.value.node();
    Node* node = graph_.get_attr(parameter.path);
    if (const Tensor tensor = root_->find_tensor(parameter.path); tensor.defined())
      node->set_type(tensor.type(graph_.context().types()));
    return node;
  }

  absl::Status fuse(const Layer& layer, const Norm& norm) {
    const auto guard = graph_.inserting_before(norm.node);
    Node* weight = read(layer.weight);
    Node* rsqrt =
        call("aten.rsqrt.default", {call("aten.add.Scalar", {read(norm.variance), norm.eps})});
    Node* gamma = norm.weight.exists() ? read(norm.weight) : nullptr;
    Node* scale = gamma == nullptr ? rsqrt : call("aten.mul.Tensor", {gamma, rsqrt});
    std::vector<int64_t> shape(static_cast<size_t>(layer.weight_rank), 1);
    shape[0] = -1;
    Node* new_weight = call("aten.mul.Tensor",
                            {weight, call("aten.reshape.default", {scale, Argument::ints(shape)})});
    Node* mean = read(norm.mean);
    Node* bias = layer.bias.exists() ? call("aten.sub.Tensor", {read(layer.bias), mean})
                                     : call("aten.neg.default", {mean});
    bias = call("aten.mul.Tensor", {bias, rsqrt});
    if (gamma != nullptr) bias = call("aten.mul.Tensor", {bias, gamma});
    if (norm.bias.exists()) bias = call("aten.add.Tensor", {bias, read(norm.bias)});
    std::vector<Argument> args = {input_of(*layer.node), new_weight, bias};
    args.insert(args.end(), layer.other_args.begin(), layer.other_args.end());
    Node* fused = graph_.call_function(layer.function, args, {},
                                       {.name = layer.node->name(), .type = norm.result->type()});
    inherit_meta(*fused, *layer.node);
    norm.result->replace_all_uses_with(fused);
    if (norm.result != norm.node) FX_RETURN_IF_ERROR(graph_.erase_node(norm.result));
    FX_RETURN_IF_ERROR(graph_.erase_node(norm.node));
    return graph_.erase_node(layer.node);
  }

  Graph& graph_;
  const Module* root_;
  NodeMap<uint32_t> writes_before_;
};

}  // namespace

absl::StatusOr<bool> fuse_conv_bn(Graph& graph, const Module* root) {
  bool changed = false;
  for (Graph& g : all_graphs(graph)) {
    FX_ASSIGN_OR_RETURN(const bool has_fused, Fuser(g, root).run());
    changed = changed || has_fused;
  }
  return changed;
}

}  // namespace fx
