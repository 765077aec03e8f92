// The trials of check_passes: options that make a pass change the graph, the graph that the result
// is compared with, and graphs in float64.
#pragma once

#include "fx/interp/torch/dispatch/convert.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/manager/pass_manager.h"
#include "tests/testing/random_graph.h"

#include <ATen/core/ivalue.h>
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// A pass with options, the graph that it runs on, and the graph that the result is compared with.
struct Trial {
  std::string pipeline;
  std::unique_ptr<Graph> before, reference;
  std::string setup = {};                  ///< a pass that runs on `before` first
  std::unique_ptr<Graph> unprepared = {};  ///< `before` without `setup`
};

/// Options that preserve the guarantees of a pass; used with a probability of 50%.
inline constexpr std::pair<std::string_view, std::string_view> kVariants[] = {
    {"eliminate_common_subexpressions", "{commutative}"},
    {"fold_constants", "{fold_factories=false}"},
    {"normalize_args", "{only_kwargs}"},
    {"normalize_operators", "{torch}"},
    {"topological_sort", "{breadth_first}"},
};

/// Assigns nodes to numbered parts; each node starts a new part with a probability of 15%.
inline void number_parts(Graph& graph, testing::Random& random) {
  int64_t part = 0;
  for (Node& node : graph.nodes()) {
    part += random.chance(15) ? 1 : 0;
    node.meta().set("partition", Argument(part));
  }
}

inline std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

/// Calls `f` with the graph and its nested graphs.
inline void for_each_graph(Graph& graph,
                           const std::function<void(Graph&)>& f) {  // NOLINT: nested graphs
  f(graph);
  for (size_t i = 0; i < graph.num_subgraphs(); ++i) for_each_graph(graph.subgraph(i), f);
}

/// Returns a trial whose options make the pass change this graph, if possible.
inline Trial trial_of(const Pass& pass, const Graph& graph, testing::Random& random) {
  Trial trial{pass.name, graph.clone(), nullptr};
  if (pass.name == "partition" || pass.name == "split_for_backend") {
    std::set<std::string> ops;
    for (const Node& node : graph.nodes())
      if (node.op() == Opcode::kCallFunction && random.chance(60))
        ops.insert(std::string(node.target()));
    if (ops.empty()) ops.insert("aten.relu.default");  // they require an option
    std::string list;
    for (const std::string& op : ops) list += (list.empty() ? "" : " ") + op;
    const bool single = pass.name == "partition";
    trial.pipeline += (single ? "{allow_single_node,ops=" : "{ops=") + in_quotes(list) + "}";
  } else if (pass.name == "split_module") {
    number_parts(*trial.before, random);
  } else if (pass.name == "inline_calls") {
    number_parts(*trial.before, random);
    trial.setup = "split_module";
  } else if (pass.name == "extract_subgraph") {
    std::vector<Node*> calls;
    for (Node& node : trial.before->nodes())
      if (node.op() == Opcode::kCallFunction && node.type().is_tensor()) calls.push_back(&node);
    if (calls.empty()) return trial;
    const std::string name = calls[random.below(calls.size())]->name();
    std::string inputs;
    for (const Node* input : trial.before->find_nodes(Opcode::kPlaceholder))
      inputs += (inputs.empty() ? "" : " ") + input->name();
    trial.pipeline += "{inputs=" + in_quotes(inputs) + ",outputs=" + in_quotes(name) + "}";
    trial.reference = trial.before->clone();
    FX_CHECK_OK(
        trial.reference->output_node()->update_arg(0, Argument(trial.reference->find_node(name))));
  } else if (pass.name == "replace_targets") {
    // The trial replaces relu with neg: neither produces indices.
    trial.pipeline += "{from=aten.relu.default,to=aten.neg.default}";
    trial.reference = graph.clone();
    const Target neg = graph.context().function("aten.neg.default");
    const Target relu = graph.context().function("aten.relu.default");
    for_each_graph(*trial.reference, [&](Graph& part) {
      for (Node* node : part.find_nodes(relu)) node->set_function(neg);
    });
  } else if (pass.name == "replace_pattern") {
    trial.pipeline += fmt::format("{{seed={}}}", random.below(1000000));
  } else if (pass.name == "remove_dropout") {
    trial.pipeline += "{training=false}";
    trial.reference = graph.clone();
  }
  // All passes must support graphs that call modules.
  const bool may_split = trial.setup.empty() && !trial.reference && pass.name != "split_module" &&
                         pass.values != PassValues::kOther;
  if (may_split && random.chance(10)) {
    trial.reference = trial.before->clone();
    number_parts(*trial.before, random);
    trial.setup = "split_module";
  }
  for (const auto& [name, options] : kVariants)
    if (pass.name == name && random.chance(50)) trial.pipeline += options;
  if (!trial.reference && pass.values != PassValues::kOther)
    trial.reference = trial.before->clone();
  return trial;
}

/// True if a call writes through `detach` or a view of a different dtype. Autograd does not record
/// such a write: users of the tensor get the new value but the old gradient history, which a graph
/// without writes cannot express. functionalize loses the gradient there, as
/// torch.func.functionalize does (docs/functionalize.md).
inline bool writes_behind_autograd(const Graph& graph) {
  const auto is_detached = [](const Node* value) {
    while (value != nullptr && !value->is_placeholder() &&
           !MemoryAnalysis::returns_only_new_memory(*value)) {
      if (value->target().find("detach") != std::string_view::npos ||
          value->target() == "aten.view.dtype")
        return true;
      const ops::OpInfo* const op = value->function().op();
      const std::optional<ArgumentRef> source =
          op != nullptr ? passed_argument(*value, *op, 0) : std::nullopt;
      value = source ? source->node() : nullptr;
    }
    return false;
  };
  for (const Graph& part : all_graphs(graph)) {
    for (const Node& node : part.nodes()) {
      if (node.op() != Opcode::kCallFunction || node.function().op() == nullptr) continue;
      for (const size_t i : node.function().op()->written_arguments()) {
        const std::optional<ArgumentRef> written =
            passed_argument(node, *node.function().op(), static_cast<int>(i));
        bool found = false;
        if (written) {
          (void)map_nodes(Argument(*written), [&](Node* value) {
            found = found || is_detached(value);
            return Argument(value);
          });
        }
        if (found) return true;
      }
    }
  }
  return false;
}

/// Returns a copy of the graph that reads each view before a write to it. Until libtorch computes the
/// history of a view that is older than a write to its base, the view counts as a leaf, and autograd
/// rejects writes to it. A call that reads the view computes its history; a pass may remove that call
/// if nothing uses its result.
inline std::unique_ptr<Graph> with_histories(const Graph& graph) {
  std::unique_ptr<Graph> copy = graph.clone();
  for_each_graph(*copy, [](Graph& part) {
    std::vector<std::pair<Node*, Node*>> writes;  // a call and a view among its operands
    for (Node& node : part.nodes()) {
      if (!node.is_call() || !effects(node).has(ops::Effect::kWritesArguments)) continue;
      node.for_each_input([&](Node* value) {
        const bool is_other = value->type() && !value->type().is_tensor();
        if (!is_other && !value->is_placeholder() &&
            !MemoryAnalysis::returns_only_new_memory(*value))
          writes.emplace_back(&node, value);
      });
    }
    const Target alias = part.context().function("aten.alias.default");
    for (const auto& [call, view] : writes) {
      const auto guard = part.inserting_before(call);
      part.call_function(alias, {view});
    }
  });
  return copy;
}

/// True if a call to as_strided reads, or may read, a view. Its derivative drops the elements of
/// the storage that are not elements of the view. In a graph without writes, the call may read the
/// entire tensor instead (docs/functionalize.md); a write to the result has the derivative with
/// respect to the entire tensor.
inline bool strides_over_view(const Graph& graph) {
  for (const Graph& part : all_graphs(graph)) {
    for (const Node& node : part.nodes()) {
      if (node.target() != "aten.as_strided.default") continue;
      const std::optional<ArgumentRef> source = passed_argument(node, *node.function().op(), 0);
      const Node* const value = source ? source->node() : nullptr;
      if (value == nullptr) continue;
      // An input of a nested graph may be a view.
      const bool is_whole = value->is_placeholder()
                                ? &part == &graph
                                : MemoryAnalysis::returns_only_new_memory(*value);
      if (!is_whole) return true;
    }
  }
  return false;
}

/// True if a list operator writes to a tensor that another item reads or writes. libtorch prepares
/// the gradients of all items before it writes, so the gradient of a later item is wrong. The error
/// depends on whether that item is a view of the tensor or the tensor itself
/// (docs/functionalize.md).
inline bool reads_written_items(const Graph& graph) {
  for (const Graph& part : all_graphs(graph)) {
    const MemoryAnalysis memory(part);
    for (const Node& node : part.nodes()) {
      if (!node.target().starts_with("aten._foreach_") ||
          !effects(node).has(ops::Effect::kWritesArguments))
        continue;
      std::vector<std::pair<const Node*, size_t>> items;  // each with its index in its list
      for (size_t i = 0; i < node.function().op()->schema().arguments().size(); ++i) {
        const std::optional<ArgumentRef> list =
            passed_argument(node, *node.function().op(), static_cast<int>(i));
        if (!list || (!list->is_list() && !list->is_tuple())) continue;
        for (size_t k = 0; k < list->size(); ++k)
          if ((*list)[k].is_node()) items.emplace_back((*list)[k].as_node(), k);
      }
      for (const auto& [a, i] : items)
        for (const auto& [b, k] : items)
          if (i != k && memory.may_share(*a, *b)) return true;
    }
  }
  return false;
}

/// True if a logical operator writes its result to an argument. libtorch has no derivatives for
/// these writes, and autograd ignores them.
inline bool writes_logically(const Graph& graph) {
  for (const Graph& part : all_graphs(graph))
    for (const Node& node : part.nodes())
      if (node.target().starts_with("aten.logical_") &&
          effects(node).has(ops::Effect::kWritesArguments))
        return true;
  return false;
}

/// True if the graph calls as_strided_scatter. libtorch's derivative with respect to the first
/// argument is the derivative with respect to the overwritten elements (docs/functionalize.md).
inline bool scatters_by_strides(const Graph& graph) {
  for (const Graph& part : all_graphs(graph))
    for (const Node& node : part.nodes())
      if (node.target() == "aten.as_strided_scatter.default") return true;
  return false;
}

/// True if a call changes the sizes or strides of a view in place (t_) that strides do not describe: a
/// conjugate, or the real and imaginary parts. For a later write to the view, autograd repeats the
/// view without the change, so that the gradient is wrong (docs/functionalize.md).
inline bool changes_lazy_view(const Graph& graph) {
  constexpr std::string_view kViews[] = {"aten._conj.default",       "aten._neg_view.default",
                                         "aten.conj.default",        "aten.imag.default",
                                         "aten.real.default",        "aten.view_as_complex.default",
                                         "aten.view_as_real.default"};
  const auto operator_of = [](const Node& call) {
    return call.op() == Opcode::kCallMethod ? call.context().ops().find_method(call.target())
                                            : call.function().op();
  };
  const auto source_of = [&](const Node& call) {
    const ops::OpInfo* const op = operator_of(call);
    const auto source = op != nullptr ? passed_argument(call, *op, 0) : std::nullopt;
    return source ? source->node() : nullptr;
  };
  for (const Graph& part : all_graphs(graph)) {
    for (const Node& node : part.nodes()) {
      if (!node.is_call()) continue;
      const ops::OpInfo* const op = operator_of(node);
      if (op == nullptr || !op->has(ops::OpTrait::kWritesMetadata)) continue;
      for (const Node* value = source_of(node);
           value != nullptr && value->is_call() && !MemoryAnalysis::returns_only_new_memory(*value);
           value = source_of(*value)) {
        const ops::OpInfo* const view = operator_of(*value);
        if (view != nullptr && std::ranges::find(kViews, view->name()) != std::end(kViews))
          return true;
      }
    }
  }
  return false;
}

/// Returns the number of calls to sgn whose result may be real, including nested graphs. libtorch's
/// derivative of sgn of a real tensor is an efficient zero tensor: its product with infinity is 0.
/// The derivative of sign, which decompose uses instead, is an ordinary tensor.
inline size_t num_efficient_zeros(const Graph& graph) {
  size_t count = 0;
  for (const Graph& part : all_graphs(graph)) {
    for (const Node& node : part.nodes()) {
      const bool is_complex_result = node.type().is_tensor() && is_complex(node.type().dtype());
      if (node.target().find("sgn") != std::string_view::npos && !is_complex_result) ++count;
    }
  }
  return count;
}

/// True if addcmul multiplies an integer tensor. libtorch's derivative with respect to the other
/// factor is grad * (value * tensor), whose second product overflows in the integer dtype. The
/// derivative of the products that decompose uses instead is correct.
inline bool may_overflow_derivative(const Graph& graph) {
  for (const Graph& part : all_graphs(graph)) {
    for (const Node& node : part.nodes()) {
      if (node.target().find("addcmul") == std::string_view::npos) continue;
      for (const std::string_view name : {"tensor1", "tensor2"}) {
        const std::optional<Argument> factor = node.argument(name);
        const Type type = factor && factor->is_node() ? factor->as_node()->type() : Type();
        if (!type.is_tensor() || type.dtype() == DType::kUndefined || is_integral(type.dtype()))
          return true;
      }
    }
  }
  return false;
}

/// True if a value is bfloat16.
inline bool has_bfloat16(const Graph& graph) {
  for (const Graph& part : all_graphs(graph))
    for (const Node& node : part.nodes())
      if (node.type().is_tensor() && node.type().dtype() == DType::kBFloat16) return true;
  return false;
}

/// True if a call views the bits of a tensor as a different dtype, which creates NaNs with any bits.
inline bool views_bits(const Graph& graph) {
  for (const Graph& part : all_graphs(graph)) {
    for (const Node& node : part.nodes()) {
      if (node.target() == "aten.view.dtype") return true;
      if (node.op() == Opcode::kCallMethod && node.target() == "view" && node.num_args() == 2 &&
          node.arg(1).kind() == ArgumentKind::kDType)
        return true;
    }
  }
  return false;
}

inline bool is_narrow(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat16 || dtype == DType::kBFloat16;
}

inline Type widened(TypeTable& types, Type type) {  // NOLINT(misc-no-recursion): types nest
  if (type.is_tensor()) {
    TensorSpec spec = type.spec();
    if (is_narrow(spec.dtype)) spec.dtype = DType::kFloat64;
    return types.tensor(spec);
  }
  if (!type.is_tuple() && !type.is_list()) return type;
  std::vector<Type> items;
  for (const Type item : type.items()) items.push_back(widened(types, item));
  return types.with_items(type, items);
}

/// If a call of aten.to changes the dtype of its operand, makes it a copy, as it is now, in float64 too.
inline void keep_copy(Node& node) {
  const ops::OpInfo* const op = node.function().op();
  if (op == nullptr || op->packet() != "aten.to" || !node.type().is_tensor()) return;
  const std::optional<Argument> self = node.argument("self");
  const Node* const operand = self ? self->node() : nullptr;
  if (operand == nullptr || !operand->type().is_tensor()) return;
  const DType from = operand->type().dtype(), to = node.type().dtype();
  if (from == to || from == DType::kUndefined || to == DType::kUndefined) return;
  const auto i = static_cast<size_t>(op->schema().find_argument("copy"));
  FX_CHECK_OK(i < node.num_args() ? node.update_arg(i, true) : node.update_kwarg("copy", true));
}

/// Returns the graph in float64, where differences from rounding vanish and errors remain.
inline std::unique_ptr<Graph> widened(const Graph& graph) {
  std::unique_ptr<Graph> wide = graph.clone();
  const auto widen = [](const Argument& leaf) {
    const bool narrow = leaf.kind() == ArgumentKind::kDType && is_narrow(leaf.as_dtype());
    return narrow ? Argument(DType::kFloat64) : leaf;
  };
  for_each_graph(*wide, [&](Graph& part) {
    for (Node& node : part.nodes()) keep_copy(node);
    for (Node& node : part.nodes()) {
      node.set_type(widened(graph.context().types(), node.type()));
      for (size_t i = 0; i < node.num_args(); ++i)
        FX_CHECK_OK(node.update_arg(i, map_leaves(Argument(node.arg(i)), widen)));
      for (const Kwarg& kwarg : node.kwargs())  // a copy
        FX_CHECK_OK(node.update_kwarg(kwarg.key, map_leaves(kwarg.value, widen)));
    }
  });
  return wide;
}
inline c10::IValue widened(const c10::IValue& value) {
  const bool narrow = value.isTensor() && value.toTensor().defined() &&
                      is_narrow(from_torch(value.toTensor().scalar_type()));
  return narrow ? c10::IValue(value.toTensor().to(at::kDouble)) : value;
}

inline bool draws(const Graph& graph) {
  for (const Node& node : graph.nodes())
    if (effects(node).has(ops::Effect::kRandom)) return true;
  return false;
}

}  // namespace fx
