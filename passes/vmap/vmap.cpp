// vmap: see vmap.h. Prepares the graph and selects its batched inputs; batcher.cpp
// replaces the calls.
#include "fx/passes/vmap/vmap.h"

#include "fx/interp/shared_inputs.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/module_tree.h"
#include "fx/passes/cleanup/eliminate_common_subexpressions.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/decompose/decompose.h"
#include "fx/passes/vmap/batcher_internal.h"
#include "fx/passes/vmap/functional_aten.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx {
namespace {

constexpr int kMaxNestingDepth = 50;

/// True for a call that requires a rule but has none, and can be decomposed.
bool must_be_decomposed(const Node& call, const VmapRun& run, const NodeSet& batched) {
  if (call.op() != Opcode::kCallFunction || call.target() == "operator.getitem") return false;
  const ops::OpInfo* const op = call.function().op();
  const BatchingRule* const rule = run.table.find(call.target());
  if (rule != nullptr && rule->kind == BatchKind::kLeadingFirst) {
    bool has_others = false;
    bool is_first = true;
    call.for_each_input([&](const Node* operand) {
      has_others |= !is_first && batched.contains(*operand);
      is_first = false;
    });
    if (!has_others) return false;
  } else if (rule != nullptr || (op != nullptr && op->has(ops::OpTrait::kPointwise))) {
    return false;
  }
  return DecompositionTable::of(call.context()).find(call.target()) != nullptr;
}

/// Decomposes operators without a rule, until each operator has a rule or cannot be decomposed.
absl::Status decompose_missing(Graph& graph, const std::vector<BatchDim>& dims,
                               const VmapRun& run) {
  for (;;) {
    NodeSet batched(graph);
    DecomposeOptions options{.core = false};
    size_t next = 0;
    for (const Node& node : graph.nodes()) {
      if (node.is_placeholder()) {
        if (next < dims.size() && dims[next]) batched.insert(node);
        ++next;
        continue;
      }
      bool depends = false;
      node.for_each_input([&](const Node* operand) { depends |= batched.contains(*operand); });
      if (!depends || !node.is_call()) continue;
      batched.insert(node);
      if (must_be_decomposed(node, run, batched) &&
          std::ranges::find(options.ops, node.target()) == options.ops.end())
        options.ops.emplace_back(node.target());
    }
    if (options.ops.empty()) return absl::OkStatus();
    FX_ASSIGN_OR_RETURN(const DecomposeReport report, decompose(graph, options));
    if (report.decomposed == 0) return absl::OkStatus();
  }
}

absl::StatusOr<std::vector<BatchDim>> choose_dims(const Graph& graph, const VmapOptions& options) {
  std::vector<BatchDim> dims;
  std::vector<const Node*> inputs;
  NodeSet chosen(graph);
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    inputs.push_back(&node);
    const std::string_view kind = input_fact(node, "kind");
    const bool is_shared = !node.type().is_tensor() || kind == "parameter" || kind == "buffer";
    dims.push_back(options.in_dims.empty() && !is_shared ? BatchDim(0) : std::nullopt);
  }
  for (const auto& [name, dim] : options.in_dims) {
    const auto found = std::ranges::find_if(
        inputs, [&](const Node* node) { return node->name() == name || node->target() == name; });
    if (found == inputs.end()) return absl::NotFoundError(fmt::format("unknown input {}", name));
    const Node& input = **found;
    if (chosen.contains(input))
      return absl::InvalidArgumentError(fmt::format("duplicate input {}", name));
    chosen.insert(input);
    if (dim && !input.type().is_tensor()) {
      return absl::InvalidArgumentError(
          fmt::format("the input {} must be a tensor, not {}", name, to_string(input.type())));
    }
    const int64_t rank = dim ? input.type().rank() + 1 : 0;
    const bool has_rank = dim && input.type().has_rank();  // checked later
    if (has_rank && (*dim < -rank || *dim >= rank)) {
      return absl::InvalidArgumentError(
          fmt::format("dimension {2} is out of range for the input {0}, which has {1} dimensions "
                      "including the batch dimension",
                      name, rank, *dim));
    }
    dims[static_cast<size_t>(found - inputs.begin())] = dim;
  }
  if (std::ranges::none_of(dims, [](const BatchDim& dim) { return dim.has_value(); }))
    return absl::InvalidArgumentError("at least one input must be batched");
  return dims;
}

/// Removes the record that inputs with a batch share memory, because the positions of the examples in
/// the memory are unknown. Returns an error if the graph writes to memory.
absl::Status remove_shared_memory(Graph& graph, const std::vector<BatchDim>& dims) {
  for (const SharedPair& pair : required_sharing(graph)) {
    if (!dims[pair.first] && !dims[pair.second]) continue;
    return absl::UnimplementedError(
        fmt::format("the inputs {} and {} share memory, and the graph writes to memory: they must "
                    "not have a batch dimension",
                    pair.first_name, pair.second_name));
  }
  const std::vector<SharedInputs> groups = shared_inputs(graph);
  std::vector<Node*> inputs;
  for (Node& node : graph.nodes())
    if (node.is_placeholder()) inputs.push_back(&node);
  for (const SharedInputs& group : groups) {
    const auto is_batched = [&](size_t input) { return dims[input].has_value(); };
    if (std::ranges::none_of(group.indices, is_batched)) continue;
    for (const size_t input : group.indices) inputs[input]->meta().remove(meta::kSharedMemory.name);
  }
  return absl::OkStatus();
}

/// Returns a size whose symbol does not occur in the types of the graph's inputs.
Dim unused_size(const Graph& graph) {
  SymExprTable& exprs = graph.context().types().exprs();
  std::vector<Symbol> taken;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder() || !node.type()) continue;
    if (node.type().is_symbolic()) {
      const std::vector<Symbol> symbols = free_symbols(node.type().expr());
      taken.insert(taken.end(), symbols.begin(), symbols.end());
    }
    if (!node.type().is_tensor()) continue;
    for (const Dim& size : node.type().sizes()) {
      if (size.is_int()) continue;
      const std::vector<Symbol> symbols = free_symbols(size.expr());
      taken.insert(taken.end(), symbols.begin(), symbols.end());
    }
  }
  std::string name = "batch";
  for (int i = 1; std::ranges::find(taken, graph.context().symbol(name)) != taken.end(); ++i)
    name = fmt::format("batch_{}", i);
  return Dim(exprs.symbol(name));
}

}  // namespace

absl::StatusOr<BatchedGraph> batch_graph(std::unique_ptr<Graph> graph,
                                         const std::vector<BatchDim>& dims, BatchedResults results,
                                         VmapRun& run) {
  if (graph->output_node() == nullptr)
    return absl::InvalidArgumentError("the graph must have an output");
  if (run.depth >= kMaxNestingDepth)
    return absl::InvalidArgumentError("graphs are nested too deeply");
  ++run.depth;
  FX_RETURN_IF_ERROR(to_functional_aten(
      *graph, [&](std::string_view target) { return run.table.find(target) != nullptr; }));
  FX_RETURN_IF_ERROR(decompose_missing(*graph, dims, run));
  BatchedGraph result;
  FX_ASSIGN_OR_RETURN(result.is_batched, Batcher(*graph, run).replace(dims, results));
  FX_RETURN_IF_ERROR(eliminate_common_subexpressions(*graph).status());
  FX_RETURN_IF_ERROR(eliminate_dead_code(*graph).status());
  --run.depth;
  result.graph = std::move(graph);
  return result;
}

absl::StatusOr<std::unique_ptr<Graph>> vmap(const Graph& graph, const VmapOptions& options,
                                            VmapReport* report) {
  std::unique_ptr<Graph> copy = graph.clone();
  copy->set_owning_module(graph.owning_module());
  FX_ASSIGN_OR_RETURN(const std::vector<BatchDim> dims, choose_dims(*copy, options));
  FX_RETURN_IF_ERROR(remove_shared_memory(*copy, dims));
  VmapRun run{
      .options = options,
      .table = options.table != nullptr ? *options.table : BatchingTable::of(graph.context()),
      .size = options.size ? *options.size : unused_size(graph)};
  if (run.size.is_int() && run.size.value() < 0)
    return absl::InvalidArgumentError(
        fmt::format("the batch size must not be negative, but is {}", run.size.value()));
  FX_ASSIGN_OR_RETURN(BatchedGraph result,
                      batch_graph(std::move(copy), dims, BatchedResults::kOut, run));
  if (report != nullptr) *report = std::move(run.report);
  return std::move(result.graph);
}

}  // namespace fx
