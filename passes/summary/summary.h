// The cost of a graph, by operator and by module: parameters, operations, bytes, and the peak
// memory of its forward and its backward pass. Computed from types, without running the graph.
//
//   FX_ASSIGN_OR_RETURN(fx::GraphSummary summary, fx::summarize(graph));
//   summary.flops.backward;  summary.peak_backward.bytes;  summary.saved_bytes;
//
// Nodes whose metadata `region` is "bw" form the backward pass. In a training step, the calls that
// use gradients or state form the optimizer (passes/analysis/training_step.h). All other calls form
// the forward pass. The metadata `module` and the names of parameters determine the modules; the
// numbers of a module include its submodules. docs/summaries.md describes how each number
// is computed.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/analysis/flops.h"
#include "fx/passes/analysis/liveness.h"

#include "absl/status/statusor.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// One number for each part of a training step: forward pass, backward pass and optimizer.
struct StepPartCounts {
  int64_t forward = 0;
  int64_t backward = 0;
  int64_t optimizer = 0;
  int64_t total() const { return forward + backward + optimizer; }
  friend bool operator==(const StepPartCounts&, const StepPartCounts&) = default;
};

/// The tensors of one kind.
struct TensorCount {
  int64_t tensors = 0;
  int64_t elements = 0;
  int64_t bytes = 0;  ///< the size of their storages
};

struct OperatorSummary {
  std::string op;
  StepPartCounts calls;
  StepPartCounts flops;
};

struct ModuleSummary {
  std::string path;  ///< "" is the whole graph
  TensorCount parameters;
  StepPartCounts nodes;  ///< numbers of calls
  StepPartCounts flops;
  StepPartCounts allocated_bytes;  ///< the size of the storages that its calls allocate
  int64_t saved_bytes =
      0;  ///< the size of the storages that its forward calls allocate and the backward pass uses
};

/// The peak of memory use.
struct MemoryPeak {
  const Node* node = nullptr;  ///< the node that runs at the peak; null if the pass has no nodes
  uint32_t position = 0;       ///< index in Liveness::nodes
  int64_t bytes = 0;           ///< includes the tensors of the caller
};

struct GraphSummary {
  StepPartCounts nodes;  ///< numbers of calls
  TensorCount parameters, buffers, attributes;
  TensorCount state;   ///< the state of an optimizer
  TensorCount inputs;  ///< other inputs, including tangents
  StepPartCounts flops;
  std::vector<OperatorSummary> operators;  ///< sorted by operations, then calls, descending
  /// Operators that multiply matrices but have no formula: flops does not include them.
  std::vector<std::string> uncounted;
  /// The whole graph first, then modules in the order of their first calls, each before its
  /// submodules.
  std::vector<ModuleSummary> modules;

  MemoryPeak peak_forward, peak_backward, peak_optimizer;
  /// Bytes that the forward pass allocates and the backward pass uses. In training, this memory is
  /// live between the two passes.
  int64_t saved_bytes = 0;
  /// Bytes of parameters, buffers and inputs that the backward pass uses.
  int64_t saved_caller_bytes = 0;
  int64_t returned_bytes = 0;  ///< bytes of storages that calls allocate and the graph returns

  Liveness liveness;
  SymBindings bindings;  ///< the values of symbols

  explicit GraphSummary(const Graph& graph) : liveness(graph) {}
};

struct SummaryOptions {
  /// Values of symbols; they override the hints in the graph.
  SymBindings bindings = {};
  const FlopFormulas* formulas = nullptr;
};

/// Computes the cost of a graph. Returns InvalidArgument if a size has a symbol without a value or
/// a call does not match its formula, and ResourceExhausted if a number exceeds 63 bits. Of the
/// branches of a cond, only the branch with the most operations counts. The body of a scan counts
/// once for each iteration, and the body of a while_loop counts once.
absl::StatusOr<GraphSummary> summarize(const Graph& graph, const SummaryOptions& options = {});

/// Returns text such as "1.50 KiB" or "12 B".
std::string bytes_text(int64_t bytes);
/// Returns text such as "2.31 M" or "950".
std::string count_text(int64_t count);

struct SummaryTextOptions {
  int module_depth = 2;    ///< the maximum number of components in the path of a module
  size_t operators = 12;   ///< the maximum number of operators
  size_t live_values = 5;  ///< the maximum number of storages that are listed at the peak
};
/// Returns the table that `fxcpp shape --summary` prints.
std::string summary_text(const GraphSummary& summary, const SummaryTextOptions& options = {});
/// Returns the JSON that `fxcpp shape --summary --json` prints; docs/summaries.md lists its keys.
/// With `values`, adds an entry for each node: its name, the bytes that it allocates, and the bytes
/// that are live while it runs.
std::string summary_json(const GraphSummary& summary, bool values = true);

}  // namespace fx
