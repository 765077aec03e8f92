#include "fx/passes/summary/summary.h"

#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/liveness.h"
#include "fx/passes/analysis/module_tree.h"
#include "fx/passes/analysis/training_step.h"

#include "absl/container/flat_hash_map.h"
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>

namespace fx {
namespace {

absl::Status add_to(int64_t& sum, int64_t number) {
  if (__builtin_add_overflow(sum, number, &sum))
    return absl::ResourceExhaustedError("more than 2^63 operations or bytes");
  return absl::OkStatus();
}

/// Adds with saturation, for numbers that are not part of an exact total.
void add_saturated(int64_t& sum, int64_t number) {
  if (__builtin_add_overflow(sum, number, &sum)) sum = INT64_MAX;
}

int64_t& number_of(StepPartCounts& numbers, StepPart part) {
  if (part == StepPart::kOptimizer) return numbers.optimizer;
  return part == StepPart::kBackward ? numbers.backward : numbers.forward;
}

class Summarizer {
 public:
  Summarizer(const Graph& graph, const SummaryOptions& options)
      : graph_(graph), options_(options), result_(graph), parts_(find_step_parts(graph)) {}

  absl::StatusOr<GraphSummary> run() {
    result_.bindings = bindings_of(graph_, options_.bindings);
    FX_ASSIGN_OR_RETURN(result_.liveness, analyze_liveness(graph_, result_.bindings));
    module_summary("");
    for (const Node& node : graph_.nodes()) FX_RETURN_IF_ERROR(add_node(node));
    for (const StorageLifetime& life : result_.liveness.storages)
      FX_RETURN_IF_ERROR(add_storage(life));
    find_peaks();
    finish_modules();
    std::ranges::sort(result_.operators, [](const auto& a, const auto& b) {
      return std::tuple(b.flops.total(), b.calls.total(), std::string_view(a.op)) <
             std::tuple(a.flops.total(), a.calls.total(), std::string_view(b.op));
    });
    std::ranges::sort(result_.uncounted);
    return std::move(result_);
  }

 private:
  struct FlopCount {
    int64_t total = 0;
    absl::flat_hash_map<Symbol, std::pair<int64_t, int64_t>> by_op;  // operations, calls
  };

  absl::Status add_node(const Node& node) {
    if (node.is_placeholder() || node.op() == Opcode::kGetAttr || node.is_output())
      return add_input(node);
    const StepPart part = parts_[node];
    FX_RETURN_IF_ERROR(add_to(number_of(result_.nodes, part), 1));
    ModuleSummary& module = module_summary(module_path(node));
    add_saturated(number_of(module.nodes, part), 1);
    add_saturated(number_of(module.allocated_bytes, part), result_.liveness.allocated_bytes(node));
    if (node.op() != Opcode::kCallFunction) return absl::OkStatus();
    int64_t total = 0;
    if (graph_.num_subgraphs() == 0) {
      FX_ASSIGN_OR_RETURN(total, flops_of(node));
      FX_RETURN_IF_ERROR(add_operator(node.target_symbol(), total, 1, part));
    } else {
      FlopCount count;
      FX_RETURN_IF_ERROR(count_node(node, 1, 0, count));
      for (const auto& [op, numbers] : count.by_op)
        FX_RETURN_IF_ERROR(add_operator(op, numbers.first, numbers.second, part));
      total = count.total;
    }
    FX_RETURN_IF_ERROR(add_to(number_of(result_.flops, part), total));
    add_saturated(number_of(module.flops, part), total);
    return absl::OkStatus();
  }

  /// Records the number of elements of an input or attribute.
  absl::Status add_input(const Node& node) {
    if (node.is_output() || !node.type().is_tensor() || !node.type().has_rank())
      return absl::OkStatus();
    FX_ASSIGN_OR_RETURN(const int64_t elements,
                        eval_int(numel(node.type().sizes()), result_.bindings));
    input_elements_[&node] = elements;
    return absl::OkStatus();
  }

  absl::Status add_storage(const StorageLifetime& life) {
    const bool from_caller = life.kind < StorageKind::kForward;
    if (!from_caller) {
      if (life.saved && life.kind == StorageKind::kForward) {
        FX_RETURN_IF_ERROR(add_to(result_.saved_bytes, life.bytes));
        add_saturated(module_summary(module_path(*life.producer)).saved_bytes, life.bytes);
      }
      if (life.last + 1 == result_.liveness.nodes.size())
        add_saturated(result_.returned_bytes, life.bytes);
      return absl::OkStatus();
    }
    TensorCount* count = &result_.inputs;
    if (life.kind == StorageKind::kParameter) count = &result_.parameters;
    if (life.kind == StorageKind::kBuffer) count = &result_.buffers;
    if (life.kind == StorageKind::kState) count = &result_.state;
    if (life.kind == StorageKind::kAttribute) count = &result_.attributes;
    const auto elements = input_elements_.find(life.producer);
    const int64_t n = elements == input_elements_.end() ? 0 : elements->second;
    const auto add = [&](TensorCount& to) {
      to.tensors += 1;
      add_saturated(to.elements, n);
      add_saturated(to.bytes, life.bytes);
    };
    add(*count);
    if (life.saved) add_saturated(result_.saved_caller_bytes, life.bytes);
    if (life.kind != StorageKind::kParameter) return absl::OkStatus();
    add(module_summary(module_path(*life.producer)).parameters);
    return absl::OkStatus();
  }

  // ---- Operations

  absl::StatusOr<int64_t> flops_of(const Node& node) {
    if (const ops::OpInfo* op = node.function().op(); op && is_uncounted_product(*op)) {
      const std::string name(op->name());
      if (std::ranges::find(result_.uncounted, name) == result_.uncounted.end())
        result_.uncounted.push_back(name);
    }
    FX_ASSIGN_OR_RETURN(const Dim symbolic, count_flops(node, options_.formulas));
    if (symbolic.is_int()) return symbolic.value();
    absl::StatusOr<int64_t> flops = eval_int(symbolic, result_.bindings);
    if (!flops.ok())
      return with_context(flops.status(), fmt::format("operations of {}", node.name()));
    return flops;
  }

  absl::Status count_node(const Node& node, int64_t times, int depth, FlopCount& count) {
    FX_ASSIGN_OR_RETURN(const int64_t flops, flops_of(node));
    int64_t total = 0;
    if (__builtin_mul_overflow(flops, times, &total))
      return absl::ResourceExhaustedError("more than 2^63 operations");
    auto& [sum, calls] = count.by_op[node.target_symbol()];
    FX_RETURN_IF_ERROR(add_to(sum, total));
    FX_RETURN_IF_ERROR(add_to(count.total, total));
    calls += 1;
    return node.graph().num_subgraphs() == 0 ? absl::OkStatus()
                                             : count_nested(node, times, depth, count);
  }

  absl::Status count_nested(const Node& node, int64_t times, int depth, FlopCount& count) {
    if (depth >= kMaxGraphNesting) return absl::OkStatus();
    const std::string_view name = node.target();
    int64_t runs = 1;
    if (name == "higher_order.scan") {
      FX_ASSIGN_OR_RETURN(runs, scan_length(node));
    }
    FlopCount max_branch;  // the branch of a cond with the most operations
    for (const Graph* nested : nested_graphs(node)) {
      FX_ASSIGN_OR_RETURN(const FlopCount* body, count_graph(*nested, depth + 1));
      if (name == "higher_order.cond") {
        if (max_branch.by_op.empty() || body->total > max_branch.total) max_branch = *body;
      } else {
        FX_RETURN_IF_ERROR(add_counts(*body, runs * times, count));
      }
    }
    return add_counts(max_branch, times, count);
  }

  static absl::Status add_counts(const FlopCount& body, int64_t times, FlopCount& count) {
    for (const auto& [op, numbers] : body.by_op) {
      int64_t flops = 0;
      if (__builtin_mul_overflow(numbers.first, times, &flops))
        return absl::ResourceExhaustedError("more than 2^63 operations");
      FX_RETURN_IF_ERROR(add_to(count.by_op[op].first, flops));
      FX_RETURN_IF_ERROR(add_to(count.total, flops));
      add_saturated(count.by_op[op].second, numbers.second);
    }
    return absl::OkStatus();
  }

  /// Counts each nested graph once; the count is cached for all of its calls.
  absl::StatusOr<const FlopCount*> count_graph(const Graph& graph, int depth) {
    std::unique_ptr<FlopCount>& known = nested_counts_[&graph];
    if (known) return known.get();
    auto count = std::make_unique<FlopCount>();
    for (const Node& node : graph.nodes())
      if (node.op() == Opcode::kCallFunction)
        FX_RETURN_IF_ERROR(count_node(node, 1, depth, *count));
    std::unique_ptr<FlopCount>& entry = nested_counts_[&graph];  // the table may have grown
    entry = std::move(count);
    return entry.get();
  }

  /// Returns the number of iterations of scan(combine, init, xs, additional_inputs): the size of
  /// dimension 0 of the first tensor in xs.
  absl::StatusOr<int64_t> scan_length(const Node& node) {
    if (node.num_args() < 3 || node.arg(2).size() == 0) return 1;
    const Node* const xs = node.arg(2)[0].node();
    if (!xs || !xs->type().is_tensor() || xs->type().rank() == 0) return 1;
    return eval_int(xs->type().sizes()[0], result_.bindings);
  }

  absl::Status add_operator(Symbol op, int64_t flops, int64_t calls, StepPart part) {
    const auto [entry, is_new] = operator_index_.try_emplace(op, result_.operators.size());
    if (is_new) result_.operators.push_back({std::string(op.str()), {}, {}});
    OperatorSummary& row = result_.operators[entry->second];
    add_saturated(number_of(row.calls, part), calls);
    return add_to(number_of(row.flops, part), flops);
  }

  // ---- Modules

  /// Returns the summary of a module, without its submodules until finish_modules(). Adds missing
  /// modules.
  ModuleSummary& module_summary(std::string_view path) {
    const uint32_t module = tree_.add(path);
    while (module_summaries_.size() < tree_.size()) {
      module_summaries_.emplace_back();
      module_summaries_.back().path =
          tree_.path(static_cast<uint32_t>(module_summaries_.size() - 1));
    }
    return module_summaries_[module];
  }

  /// Adds the numbers of each module to those of its ancestors, and orders the modules as a tree.
  void finish_modules() {
    for (auto i = static_cast<uint32_t>(module_summaries_.size()); i-- > 1;) {
      const ModuleSummary& from = module_summaries_[i];
      ModuleSummary& to = module_summaries_[tree_.parent(i)];
      add_saturated(to.parameters.tensors, from.parameters.tensors);
      add_saturated(to.parameters.elements, from.parameters.elements);
      add_saturated(to.parameters.bytes, from.parameters.bytes);
      for (auto number :
           {&ModuleSummary::nodes, &ModuleSummary::flops, &ModuleSummary::allocated_bytes}) {
        add_saturated((to.*number).forward, (from.*number).forward);
        add_saturated((to.*number).backward, (from.*number).backward);
        add_saturated((to.*number).optimizer, (from.*number).optimizer);
      }
      add_saturated(to.saved_bytes, from.saved_bytes);
    }
    for (const uint32_t module : tree_.preorder())
      result_.modules.push_back(std::move(module_summaries_[module]));
  }

  void find_peaks() {
    const Liveness& liveness = result_.liveness;
    const auto peak = [&](auto in) {
      const int64_t position = liveness.peak_position(in);
      if (position < 0) return MemoryPeak();
      const auto i = static_cast<size_t>(position);
      return MemoryPeak{liveness.nodes[i], static_cast<uint32_t>(position), liveness.live_bytes[i]};
    };
    const auto peak_of = [&](StepPart part) {
      return peak([&](const Node& n) { return parts_[n] == part && !n.is_output(); });
    };
    result_.peak_forward = peak_of(StepPart::kForward);
    result_.peak_backward = peak_of(StepPart::kBackward);
    result_.peak_optimizer = peak_of(StepPart::kOptimizer);
  }

  const Graph& graph_;
  const SummaryOptions& options_;
  GraphSummary result_;
  NodeMap<StepPart> parts_;
  absl::flat_hash_map<const Node*, int64_t> input_elements_;
  absl::flat_hash_map<Symbol, size_t> operator_index_;
  absl::flat_hash_map<const Graph*, std::unique_ptr<FlopCount>> nested_counts_;
  ModuleTree tree_;
  std::vector<ModuleSummary>
      module_summaries_;  // indexed by module; without submodules until finish_modules()
};

}  // namespace

absl::StatusOr<GraphSummary> summarize(const Graph& graph, const SummaryOptions& options) {
  return Summarizer(graph, options).run();
}

}  // namespace fx
