// Kernels of libtorch whose rounding no decomposition and no functional form reproduces, for
// check_passes. A later operator that returns the bits of its operand, or whether a zero is
// negative, makes the difference arbitrarily large. The reference then computes these calls as
// decompose or functionalize does.
#pragma once

#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/check_equivalent.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/decompose/decompose.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// Vectorized kernels compute these in one step, or compute the last elements of a tensor
/// differently.
inline constexpr std::string_view kRoundedKernels[] = {
    "aten.silu.default", "aten.softplus.default", "aten.mish.default",   "aten.celu.default",
    "aten.lerp.Scalar",  "aten.addcmul.default",  "aten.addcdiv.default"};

/// Operators whose results may differ completely if their operands are rounded differently. A sum
/// that is 0 without rounding has any sign, and is zero or not (1086044086).
inline constexpr std::string_view kExactReaders[] = {
    "aten.view.dtype",          "aten.angle.default",      "aten.logical_not.default",
    "aten.logical_and.default", "aten.logical_or.default", "aten.logical_xor.default",
    "aten.eq.Scalar",           "aten.eq.Tensor",          "aten.ne.Scalar",
    "aten.ne.Tensor",           "aten.lt.Scalar",          "aten.lt.Tensor",
    "aten.le.Scalar",           "aten.le.Tensor",          "aten.gt.Scalar",
    "aten.gt.Tensor",           "aten.ge.Scalar",          "aten.ge.Tensor",
    "aten.sign.default",        "aten.sgn.default",        "aten.signbit.default"};

/// Writes that vectorized kernels compute differently if the strides of `out` are not those of the
/// functional form's result (docs/functionalize.md).
inline constexpr std::string_view kRoundedOuts[] = {"aten.silu.out"};
/// The same for complex results: the vectorized kernel of neg computes 0 - x, whose zeros are
/// positive (1116012959).
inline constexpr std::string_view kRoundedComplexOuts[] = {"aten.neg.out"};

/// Writes that are computed with different instructions if a complex result overwrites an operand
/// (docs/functionalize.md).
inline constexpr std::string_view kRoundedProducts[] = {
    "aten.mul_.Tensor",      "aten.div_.Tensor",        "aten.div_.Scalar", "aten.addcmul_.default",
    "aten.addcdiv_.default", "aten.add_.Tensor",        "aten.sub_.Tensor", "aten.divide_.Tensor",
    "aten.multiply_.Tensor", "aten.true_divide_.Tensor"};

/// Returns the calls to kRoundedKernels that come before a call to an operator of kExactReaders.
/// Either may be in a nested graph, which may run before or after any call.
inline std::vector<Node*> rounded_calls(Graph& graph) {
  const auto is_one_of = [](const Node& node, const auto& ops) {
    return std::ranges::find(ops, node.target()) != std::end(ops);
  };
  bool is_read = false, is_read_in_part = false;
  std::vector<Node*> in_parts;
  for (Graph& part : all_graphs(graph)) {
    const bool is_nested = &part != &graph;
    for (Node& node : part.nodes()) {
      const bool reads = is_one_of(node, kExactReaders);
      is_read = is_read || reads;
      is_read_in_part = is_read_in_part || (is_nested && reads);
      if (is_nested && is_one_of(node, kRoundedKernels)) in_parts.push_back(&node);
    }
  }
  std::vector<Node*> found;
  size_t count = 0;  // the number of calls in `found` that may be read
  for (Node& node : graph.nodes()) {
    if (is_one_of(node, kRoundedKernels)) found.push_back(&node);
    if (is_read_in_part || is_one_of(node, kExactReaders)) count = found.size();
  }
  found.resize(count);
  if (is_read) found.insert(found.end(), in_parts.begin(), in_parts.end());
  return found;
}

/// Infers types, and keeps the recorded types of calls for which none is inferred.
inline void infer_missing_types(Graph& graph) {
  std::vector<std::pair<Node*, Type>> recorded;
  for (Graph& part : all_graphs(graph))
    for (Node& node : part.nodes()) recorded.emplace_back(&node, node.type());
  propagate_types(graph);
  for (const auto& [node, type] : recorded) {
    const bool has_dtype = type.is_tensor() && type.dtype() != DType::kUndefined;
    const bool is_less =
        !node->type() || (has_dtype && node->type().is_tensor() &&
                          (node->type().dtype() == DType::kUndefined || !node->type().has_rank()));
    if (is_less) node->set_type(type);
  }
}

/// Decomposes these calls, and no other calls. First infers missing types of operands, since
/// decompose also has the types of the calls into which it decomposes the operands.
inline void decompose_only(Graph& graph, const std::vector<Node*>& calls) {
  infer_missing_types(graph);
  const absl::flat_hash_set<const Node*> chosen(calls.begin(), calls.end());
  DecompositionTable table;
  for (const std::string_view op : kRoundedKernels) {
    const DecompositionFunction& function = DecompositionTable::standard().find(op)->function;
    FX_CHECK_OK(table.add(op, [&chosen, &function](Decomposer& d) {
      return chosen.contains(&d.call()) ? function(d) : d.reject("it is kept");
    }));
  }
  FX_CHECK_OK(decompose(graph, {.table = &table, .all = true}).status());
}

/// True if the decomposition of the call agrees with it, up to rounding, on generated operands.
inline bool is_close(const Node& call, const EquivalenceOptions& options) {
  Graph before(call.context());
  absl::flat_hash_map<const Node*, Node*> operands;
  bool has_types = true;
  call.for_each_input([&](const Node* input) {
    has_types = has_types && is_static(input->type());
    if (!operands.contains(input))
      operands[input] = before.placeholder(input->name(), {.type = input->type()});
  });
  if (!has_types) return false;
  const absl::StatusOr<Node*> copy =
      before.node_copy(call, [&](Node* node) { return Argument(operands.at(node)); });
  FX_CHECK_OK(copy);
  before.output(*copy);
  const absl::StatusOr<GraphData> data =
      load_graph_data(before, {}, {.generate_missing = true, .both_signs = true});
  if (!data.ok()) return false;
  const std::unique_ptr<Graph> after = before.clone();
  decompose_only(*after, {after->find_node((*copy)->name())});
  const absl::StatusOr<EquivalenceReport> report =
      check_equivalent(before, *after, data->inputs, options);
  return report.ok() && report->equivalent();
}

/// True if the decompositions of the calls agree, up to rounding, with the calls themselves, each
/// on the operands that the graph computes; those in nested graphs on generated operands.
inline bool are_close(const Graph& graph, const std::vector<c10::IValue>& inputs,
                      EquivalenceOptions options) {
  const std::unique_ptr<Graph> both = graph.clone();
  std::vector<Argument> values, others;
  std::vector<Node*> copies;
  options.rtol = 1e-3;
  options.atol = 1e-4;
  for (Node* const call : rounded_calls(*both)) {
    const Type type = call->type();
    const bool is_short = !type.is_tensor() || type.dtype() == DType::kFloat16 ||
                          type.dtype() == DType::kBFloat16 || type.dtype() == DType::kUndefined;
    if (is_short) options.rtol = 1e-2;
    if (&call->graph() != both.get()) {
      EquivalenceOptions of_part;
      of_part.rtol = options.rtol;
      of_part.atol = options.atol;
      if (!is_close(*call, of_part)) return false;
      continue;
    }
    {
      const InsertPointGuard guard = both->inserting_before(call);
      copies.push_back(*both->node_copy(*call));
    }
    const InsertPointGuard guard = both->inserting_after(call);
    others.emplace_back(copies.back());
    // The graph may write to the call's value.
    values.emplace_back(
        both->call_function(both->context().function("aten.clone.default"), {call}));
  }
  FX_CHECK_OK(both->output_node()->update_arg(0, Argument::tuple(others)));
  const std::unique_ptr<Graph> before = both->clone();
  const auto find = [&](const Argument& value) {
    return Argument(before->find_node(value.as_node()->name()));
  };
  std::ranges::transform(values, values.begin(), find);
  FX_CHECK_OK(before->output_node()->update_arg(0, Argument::tuple(values)));
  decompose_only(*both, copies);
  options.written_inputs = false;
  const absl::StatusOr<EquivalenceReport> report =
      check_equivalent(*before, *both, inputs, options);
  return report.ok() && report->equivalent();
}

/// Returns a copy of the graph in which the calls to kRoundedKernels whose exact bits it may read
/// are decomposed. Returns null if there are none, or if a decomposition does not agree with its
/// call.
inline std::unique_ptr<Graph> with_rounded_calls(const Graph& graph,
                                                 const std::vector<c10::IValue>& inputs,
                                                 const EquivalenceOptions& options) {
  std::unique_ptr<Graph> result = graph.clone();
  const std::vector<Node*> calls = rounded_calls(*result);
  if (calls.empty() || !are_close(graph, inputs, options)) return nullptr;
  decompose_only(*result, calls);
  return result;
}

/// Returns `result` if its results differ from those of the graph by at most rounding; else null.
inline std::unique_ptr<Graph> if_close(const Graph& graph, std::unique_ptr<Graph> result,
                                       const std::vector<c10::IValue>& inputs,
                                       EquivalenceOptions options) {
  options.rtol = 1e-3;
  options.atol = 1e-4;
  const absl::StatusOr<EquivalenceReport> report =
      check_equivalent(graph, *result, inputs, options);
  return report.ok() && report->equivalent() ? std::move(result) : nullptr;
}

/// Returns a copy of the graph in which kRoundedOuts, kRoundedComplexOuts of complex tensors, and
/// kRoundedProducts of complex64 tensors, compute their functional form and copy it, as
/// functionalize does, including nested graphs. An unknown dtype may be complex. Returns null if there are none, or if the results differ by more than rounding.
inline std::unique_ptr<Graph> with_rounded_writes(const Graph& graph,
                                                  const std::vector<c10::IValue>& inputs,
                                                  EquivalenceOptions options) {
  std::unique_ptr<Graph> result = graph.clone();
  bool any = false;
  for (Graph& part : all_graphs(*result)) {
    for (Node& node : part.nodes()) {
      const auto is_one_of = [&](const auto& ops) {
        return std::ranges::find(ops, node.target()) != std::end(ops);
      };
      const DType dtype = node.type().is_tensor() ? node.type().dtype() : DType::kUndefined;
      const bool may_be_complex = dtype == DType::kUndefined || is_complex(dtype);
      const bool is_out =
          is_one_of(kRoundedOuts) || (may_be_complex && is_one_of(kRoundedComplexOuts));
      const bool is_product =
          is_one_of(kRoundedProducts) && (dtype == DType::kComplex64 || dtype == DType::kUndefined);
      const std::optional<Argument> target = node.argument(is_out ? "out" : "self");
      if ((!is_out && !is_product) || !target) continue;
      const ops::OpInfo* const form = ops::find_variants(*node.function().op()).functional;
      std::vector<Kwarg> kwargs = node.kwargs();
      std::erase_if(kwargs, [](const Kwarg& kwarg) { return kwarg.key == "out"; });
      const InsertPointGuard guard = part.inserting_before(&node);
      const Target function = part.context().function(form->name());
      Node* const value = part.call_function(function, node.args(), kwargs);
      node.set_function(part.context().function("aten.copy_.default"));
      FX_CHECK_OK(node.set_kwargs({}));
      FX_CHECK_OK(node.set_args({*target, value}));
      any = true;
    }
  }
  return any ? if_close(graph, std::move(result), inputs, std::move(options)) : nullptr;
}

/// Returns a copy of the graph in which products of matrices and vectors read copies of their operands,
/// including nested graphs: the rounding of BLAS depends on the alignment of an operand's address, which
/// differs between a view and a new tensor. Returns null if there are none, or if the results differ by
/// more than rounding.
inline std::unique_ptr<Graph> with_aligned_products(const Graph& graph,
                                                    const std::vector<c10::IValue>& inputs,
                                                    EquivalenceOptions options) {
  constexpr std::string_view kProducts[] = {
      "addbmm", "addmm", "addmv",  "addr",   "baddbmm", "bilinear", "bmm",   "dot",
      "einsum", "inner", "linear", "matmul", "mm",      "mv",       "outer", "vdot"};
  std::unique_ptr<Graph> result = graph.clone();
  bool any = false;
  for (Graph& part : all_graphs(*result)) {
    const Target clone = part.context().function("aten.clone.default");
    for (Node& node : part.nodes()) {
      if (!node.is_call()) continue;
      const ops::OpInfo* const op = node.function().op();
      std::string_view name = op != nullptr ? op->packet() : node.target();
      name = name.substr(name.rfind('.') + 1);
      if (std::ranges::find(kProducts, name) == std::end(kProducts)) continue;
      const InsertPointGuard guard = part.inserting_before(&node);
      for (Node* const operand : node.all_input_nodes()) {
        if (operand->type() && !operand->type().is_tensor()) continue;
        Node* const copy = part.call_function(clone, {operand}, {}, {.type = operand->type()});
        node.replace_input_with(operand, copy);
        any = true;
      }
    }
  }
  return any ? if_close(graph, std::move(result), inputs, std::move(options)) : nullptr;
}

}  // namespace fx
