// Offsets of values in their storages: see storage_offsets.h.
#include "fx/passes/analysis/storage_offsets.h"

#include "fx/interp/shared_inputs.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/view_ops.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/shape/type_updater.h"

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace fx {
namespace {

/// True if an argument of the call is a nested graph of its graph.
bool runs_nested_graph(const Node& node) {
  return node.graph().num_subgraphs() > 0 && !nested_graphs(node).empty();
}

/// Infers the types of a call and of the nested graphs that it runs. Creates `types` on first use.
/// The types of the values in `changed` have changed.
void type_with_graphs(Node& node, const NodeSet& changed, std::optional<TypeUpdater>& types,
                      OtherCallType other_call) {
  if (!runs_nested_graph(node)) return reinfer_type(node, other_call);
  if (!types) types.emplace(node.graph(), PropagateOptions{.other_call = other_call});
  types->mark(node);
  node.for_each_input([&](Node* input) {
    if (!input->type() && changed.contains(*input)) types->mark_untyped(*input);
  });
  types->update();
}

/// True if the call is to one of the methods, or its operator belongs to one of the packets.
bool is_any_of(const Node& node, std::span<const std::string_view> packets,
               std::span<const std::string_view> methods) {
  if (node.op() == Opcode::kCallMethod)
    return std::ranges::find(methods, node.target()) != methods.end();
  const ops::OpInfo* const op = node.function().op();
  return op != nullptr && std::ranges::find(packets, op->packet()) != packets.end();
}

/// True for calls, in any spelling, that address the storage of their first operand.
bool is_strided(const Node& node) {
  constexpr std::string_view kPackets[] = {"aten.as_strided",         "aten.as_strided_",
                                           "aten.as_strided_copy",    "aten.as_strided_scatter",
                                           "torch.as_strided",        "torch.as_strided_copy",
                                           "torch.as_strided_scatter"};
  constexpr std::string_view kMethods[] = {"as_strided", "as_strided_", "as_strided_scatter"};
  return is_any_of(node, kPackets, kMethods);
}

/// True for calls, in any spelling, that return the offset of their operand.
bool returns_offset(const Node& node) {
  constexpr std::string_view kPackets[] = {"aten.storage_offset", "aten.sym_storage_offset"};
  constexpr std::string_view kMethods[] = {"storage_offset"};
  return is_any_of(node, kPackets, kMethods);
}

/// Calls `f` with the first operand. In other spellings, or by keyword, other operands may be it.
template <class F>
void for_first_operand(const Node& call, F&& f) {
  const Node* const first = call.num_args() > 0 ? call.arg(0).node() : nullptr;
  call.for_each_input([&](const Node* input) {
    if (first == nullptr || input == first) f(*input);
  });
}

/// Returns the range that such a call addresses.
StorageRange addressed_by(const Node& call) {
  constexpr StorageRange kUnknown = {.kind = StorageRange::Kind::kUnknown};
  if (returns_offset(call)) return StorageRange::start();
  const ops::OpInfo* const op = call.function().op();
  const std::optional<Argument> self = call.argument("self"), sizes = call.argument("size"),
                                strides = call.argument("stride"),
                                offset = call.argument("storage_offset");
  const auto is_list = [](const std::optional<Argument>& value) {
    return value && (value->is_list() || value->is_tuple());
  };
  if (op == nullptr || op->is_function() || !self || !self->is_node() || !is_list(sizes) ||
      !is_list(strides) || sizes->size() != strides->size())
    return kUnknown;
  const Type source = self->as_node()->type();
  if (!source.is_tensor() || source.dtype() == DType::kUndefined) return kUnknown;
  TensorSpec spec{.dtype = source.dtype(), .offset = source.offset()};
  if (offset && !offset->is_none()) {
    if (!offset->is_int()) return kUnknown;
    spec.offset = Dim(offset->as_int());
  } else if (!source.has_strides()) {
    return kUnknown;
  }
  DimVector size, stride;
  for (size_t i = 0; i < sizes->size(); ++i) {
    if (!(*sizes)[i].is_int() || !(*strides)[i].is_int()) return kUnknown;
    size.emplace_back((*sizes)[i].as_int());
    stride.emplace_back((*strides)[i].as_int());
  }
  spec.sizes = size;
  spec.strides = stride;
  return bytes_of(call.context().types().tensor(spec));
}

/// The graph of a graph module that a call_module runs; null for other nodes and modules.
const Graph* graph_of_module(const Node& node) {
  const Module* const root = node.graph().owning_module();
  if (node.op() != Opcode::kCallModule || root == nullptr) return nullptr;
  const Module* const module = root->find_module(node.target());
  const GraphModule* const called = module == nullptr ? nullptr : module->as_graph_module();
  return called == nullptr ? nullptr : &called->graph();
}

/// Calls `f` with the operands whose memory the result of a call may share.
template <class F>
void for_each_source(const Node& call, F&& f) {
  if (!call.is_call() || MemoryAnalysis::returns_only_new_memory(call)) return;
  const ops::OpInfo* const op = call.op() == Opcode::kCallFunction ? call.function().op() : nullptr;
  const bool is_known = op != nullptr && !op->is_function() && !op->aliases_unknown() &&
                        !op->has(ops::OpTrait::kMayAlias) && !op->has(ops::OpTrait::kSubgraphs);
  if (!is_known) return call.for_each_input(f);
  for_each_aliased_input(call, *op, f);
}

}  // namespace

// ---------------------------------------------------------------- addressed ranges

void StorageRange::add(const StorageRange& other) {
  if (other.is_empty() || kind == Kind::kUnknown) return;
  if (is_empty() || other.kind == Kind::kUnknown) {
    *this = other;
    return;
  }
  first = std::min(first, other.first);
  end = std::max(end, other.end);
}

StorageRange bytes_of(Type type) {
  StorageRange range = {.kind = StorageRange::Kind::kUnknown};
  if (!type.is_tensor() || type.dtype() == DType::kUndefined) return range;
  const absl::StatusOr<Placement> place = placement_of(type);
  if (!place.ok()) return range;
  const int64_t bytes = dtype_item_size(type.dtype());
  return {.kind = StorageRange::Kind::kKnown,
          .first = place->offset * bytes,
          .end = place->end() * bytes};
}

bool copies_storage(const Node& call) {
  constexpr std::string_view kPackets[] = {"aten.copy", "torch.slice_scatter",
                                           "torch.select_scatter", "torch.as_strided_scatter",
                                           "torch.diagonal_scatter"};
  constexpr std::string_view kMethods[] = {"slice_scatter", "select_scatter", "as_strided_scatter",
                                           "diagonal_scatter"};
  if (!call.is_call()) return false;
  const ops::OpInfo* const op = call.function().op();
  return (op != nullptr && ops::view_of_scatter(*op) != nullptr) ||
         is_any_of(call, kPackets, kMethods);
}

bool contains(const StorageRange& outer, const StorageRange& inner) {
  if (inner.is_empty()) return true;
  using Kind = StorageRange::Kind;
  return outer.kind == Kind::kKnown && inner.kind == Kind::kKnown && outer.first <= inner.first &&
         inner.end <= outer.end;
}

/// The analysis of the graphs that calls run. Each is analyzed once.
struct AddressedRanges::Cache {
  /// The ranges that the graph addresses through its inputs.
  absl::flat_hash_map<const Graph*, std::unique_ptr<std::vector<StorageRange>>> inputs = {};
  /// inputs_of_results() of the graph.
  const std::vector<std::vector<uint32_t>>& shared_inputs_of(const Graph& graph) {
    const auto [found, is_new] = shared_inputs.try_emplace(&graph);
    if (is_new)
      found->second =
          std::make_unique<const std::vector<std::vector<uint32_t>>>(inputs_of_results(graph));
    return *found->second;
  }
  absl::flat_hash_map<const Graph*, std::unique_ptr<const std::vector<std::vector<uint32_t>>>>
      shared_inputs = {};
};

AddressedRanges::AddressedRanges(const Graph& graph, absl::Span<const StorageRange> results)
    : ranges_(graph), owned_(std::make_shared<Cache>()), cache_(owned_.get()) {
  const Node* const output = graph.output_node();
  for (size_t i = 0; output != nullptr && output->num_args() == 1 && i < results.size(); ++i) {
    const ArgumentRef value = output->arg(0);
    const bool is_list = value.is_list() || value.is_tuple();
    const size_t count = is_list ? value.size() : 1;
    if (i >= count) break;
    if (const Node* const result = (is_list ? value[i] : value).node())
      ranges_[*result].add(results[i]);
  }
  for (const Node& node : graph.nodes().reversed()) visit(node);
}

AddressedRanges::AddressedRanges(const Graph& graph, Cache& cache)
    : ranges_(graph), cache_(&cache) {
  for (const Node& node : graph.nodes().reversed()) visit(node);
}

bool AddressedRanges::may_address_outside(const Node& value) const {
  if (ranges_[value].is_empty()) return false;
  return !is_non_overlapping_and_dense(value.type()) ||
         !contains(bytes_of(value.type()), ranges_[value]);
}

StorageRange AddressedRanges::by_call(const Node& call, const Node& operand) const {
  StorageRange range;
  for_each_addressed(call, [&](const Node& input, const StorageRange& addressed) {
    if (&input == &operand) range.add(addressed);
  });
  return range;
}

// NOLINTNEXTLINE(misc-no-recursion): graphs are nested at most kMaxGraphDepth deep
const std::vector<StorageRange>& AddressedRanges::of_inputs(const Graph& graph) const {
  if (const auto found = cache_->inputs.find(&graph); found != cache_->inputs.end())
    return *found->second;
  auto& ranges = *(cache_->inputs[&graph] = std::make_unique<std::vector<StorageRange>>());
  // A module that calls itself finds these ranges.
  ranges.resize(graph.num_nodes(Opcode::kPlaceholder), {.kind = StorageRange::Kind::kUnknown});
  const AddressedRanges nested(graph, *cache_);
  size_t i = 0;
  for (const Node& node : graph.nodes())
    if (node.is_placeholder()) ranges[i++] = nested.ranges_[node];
  return ranges;
}

/// Calls `f` with the operands of the graphs that a call runs, and the range that one of the graphs
/// addresses through the operand.
template <class F>
// NOLINTNEXTLINE(misc-no-recursion): see of_inputs
void AddressedRanges::for_each_graph_operand(const Node& call, F&& f) const {
  std::optional<std::vector<const Node*>> operands;
  absl::InlinedVector<const Graph*, 2> graphs;
  if (const Graph* const called = graph_of_module(call)) {
    graphs.push_back(called);
    operands.emplace();
    for (size_t i = 0; i < call.num_args(); ++i) operands->push_back(call.arg(i).node());
    if (call.num_kwargs() > 0) operands.reset();
  } else if (const ops::OpInfo* const op = call.function().op();
             op != nullptr && op->has(ops::OpTrait::kSubgraphs)) {
    graphs = graphs_of_call(call, call.graph().owning_module());
    operands = operands_of_graphs(call);
  }
  if (graphs.empty()) return;
  StorageRange all;
  // A graph that is not available may address any memory.
  if (std::ranges::find(graphs, nullptr) != graphs.end())
    all.add({.kind = StorageRange::Kind::kUnknown});
  std::vector<StorageRange> inputs = of_operands(graphs);
  if (graphs.back() != nullptr) add_steps(call, *graphs.back(), inputs);
  const bool is_one_by_one = operands && operands->size() == inputs.size();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_one_by_one) all.add(inputs[i]);
    if (is_one_by_one && (*operands)[i] != nullptr) f(*(*operands)[i], inputs[i]);
  }
  if (!all.is_empty()) call.for_each_input([&](const Node* input) { f(*input, all); });
}

/// For the graphs that a call runs, returns the ranges that they address through their inputs.
/// Ignores null graphs.
// NOLINTNEXTLINE(misc-no-recursion): see of_inputs
std::vector<StorageRange> AddressedRanges::of_operands(
    absl::Span<const Graph* const> graphs) const {
  std::vector<StorageRange> inputs;
  for (const Graph* const graph : graphs) {
    if (graph == nullptr) continue;
    const std::vector<StorageRange>& ranges = of_inputs(*graph);
    if (inputs.size() < ranges.size()) inputs.resize(ranges.size());
    for (size_t i = 0; i < ranges.size(); ++i) inputs[i].add(ranges[i]);
  }
  return inputs;
}

/// Adds the ranges that the later steps of a loop address: result i of a step is input i of the
/// next one, and may share the memory of other inputs.
void AddressedRanges::add_steps(const Node& call, const Graph& step,
                                std::vector<StorageRange>& inputs) const {
  const size_t carried = num_carried_values(call).value_or(inputs.size());
  const auto is_addressed = [](const StorageRange& range) { return !range.is_empty(); };
  if (carried == 0 || std::ranges::none_of(inputs, is_addressed)) return;
  const std::vector<std::vector<uint32_t>>& shared = cache_->shared_inputs_of(step);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < std::min({carried, inputs.size(), shared.size()}); ++i) {
      const StorageRange range = inputs[i];
      for (const uint32_t k : shared[i]) {
        if (k >= inputs.size()) continue;
        const StorageRange before = inputs[k];
        inputs[k].add(range);
        changed = changed || inputs[k] != before;
      }
    }
  }
}

/// Calls `f` with the operands of a call, and the range that the call, or a graph that it runs,
/// addresses through the operand.
template <class F>
// NOLINTNEXTLINE(misc-no-recursion): see of_inputs
void AddressedRanges::for_each_addressed(const Node& call, F&& f) const {
  if (is_strided(call) || returns_offset(call)) {
    const StorageRange addressed = addressed_by(call);
    for_first_operand(call, [&](const Node& operand) { f(operand, addressed); });
  }
  for_each_graph_operand(call, f);
}

std::vector<StorageRange> AddressedRanges::of_results(const Node& call, const Graph& run) const {
  const absl::InlinedVector<const Graph*, 2> graphs =
      graphs_of_call(call, call.graph().owning_module());
  const std::vector<std::vector<uint32_t>>& shared = cache_->shared_inputs_of(run);
  std::vector<StorageRange> results(shared.size());
  const bool has_items = std::ranges::all_of(
      call.uses(), [](const Use use) { return constant_item(*use.user()).has_value(); });
  for (size_t i = 0; i < results.size() && !has_items; ++i) results[i].add(ranges_[call]);
  for (const Use use : call.uses()) {
    const int64_t item = constant_item(*use.user()).value_or(-1);
    const int64_t i = item < 0 ? item + static_cast<int64_t>(results.size()) : item;
    if (has_items && i >= 0 && i < static_cast<int64_t>(results.size()))
      results[static_cast<size_t>(i)].add(ranges_[*use.user()]);
  }
  if (graphs.empty() || graphs.back() != &run) return results;
  std::vector<StorageRange> inputs = of_operands(graphs);
  const size_t carried =
      std::min({num_carried_values(call).value_or(inputs.size()), inputs.size(), results.size()});
  for (size_t i = 0; i < carried; ++i) inputs[i].add(results[i]);
  add_steps(call, run, inputs);
  for (size_t i = 0; i < carried; ++i) results[i].add(inputs[i]);
  return results;
}

void AddressedRanges::visit(const Node& node) {  // NOLINT(misc-no-recursion): see of_inputs
  if (!node.is_call()) return;
  for_each_addressed(
      node, [&](const Node& operand, const StorageRange& range) { ranges_[operand].add(range); });
  const StorageRange of_result = ranges_[node];
  if (of_result.is_empty()) return;
  if (copies_storage(node))
    for_first_operand(node, [&](const Node& operand) { ranges_[operand].add(of_result); });
  for_each_source(node, [&](const Node* source) { ranges_[*source].add(of_result); });
}

// ---------------------------------------------------------------- types

void reinfer_type(Node& node, OtherCallType other_call) {
  const Type before = node.type();
  node.set_type({});
  if (node.op() == Opcode::kCallFunction) try_infer_type(node);
  if (!node.type() && other_call != nullptr) {
    ShapeEnv env(node.context());
    env.set_ranges_of(node.graph());
    if (const absl::StatusOr<Type> type = other_call(node, env); type.ok()) node.set_type(*type);
  }
  const Type now = node.type();
  if (!before.is_tensor() || !before.requires_grad() || !now.is_tensor()) return;
  TensorSpec spec = now.spec();
  spec.requires_grad = true;
  node.set_type(node.context().types().tensor(spec));
}

bool reads_storage_offset(const Node& node) {
  constexpr std::string_view kPackets[] = {"aten.view_as_complex", "aten.view_as_complex_copy",
                                           "torch.view_as_complex"};
  if (!node.is_call()) return false;
  if (is_strided(node) || returns_offset(node) || is_any_of(node, kPackets, {})) return true;
  if (node.op() == Opcode::kCallMethod) {
    return node.target() == "view" && node.num_args() > 1 &&
           node.arg(1).kind() == ArgumentKind::kDType;
  }
  if (node.op() == Opcode::kCallModule) return graph_of_module(node) != nullptr;
  const ops::OpInfo* const op = node.function().op();
  return op != nullptr && (op->has(ops::OpTrait::kSubgraphs) || op->name() == "aten.view.dtype" ||
                           op->name() == "aten.view_copy.dtype");
}

void retype_users(Graph& graph, NodeSet& changed, OtherCallType other_call) {
  std::optional<TypeUpdater> types;
  // The updater also changes the types of users of a call that runs nested graphs.
  std::optional<NodeMap<Type>> recorded;
  if (graph.num_subgraphs() > 0) {
    recorded.emplace(graph);
    for (const Node& node : graph.nodes()) (*recorded)[node] = node.type();
  }
  // After a call that changes sizes (`t_`), the type of a tensor is that before the call.
  std::optional<MemoryAnalysis> memory;
  if (graph.is_nested() || changes_metadata(graph))
    memory.emplace(graph, MemoryOptions{.changed_outside = graph.is_nested()});
  int mode_depth = 0;  // types depend on a mode
  for (Node& node : graph.nodes()) {
    mode_depth = std::max(0, mode_depth + dtype_mode_change(node));
    // A nested graph that the call runs has changed.
    bool uses_changed = changed.contains(node) && runs_nested_graph(node), is_stale = false;
    node.for_each_input([&](Node* input) {
      uses_changed |= changed.contains(*input);
      is_stale = is_stale || (memory && memory->is_metadata_written(*input));
    });
    if (!uses_changed || node.is_output()) continue;
    const Type before = recorded ? (*recorded)[node] : node.type();
    if (mode_depth > 0 || (is_stale && !runs_nested_graph(node))) {
      node.set_type({});
      changed.insert(node);
      continue;
    }
    if (before || runs_nested_graph(node)) type_with_graphs(node, changed, types, other_call);
    // A value without a type may also have changed.
    if (!before || node.type() != before) changed.insert(node);
  }
}

}  // namespace fx
