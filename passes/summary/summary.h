// What a graph costs: parameters, operations, bytes, and the most memory that its forward and its
// backward pass hold; by operator and by module. From the types alone: nothing runs.
//
//   FX_ASSIGN_OR_RETURN(fx::GraphSummary summary, fx::summarize(graph));
//   summary.flops.backward;  summary.peak_backward.bytes;  summary.saved_bytes;
//
// Nodes whose meta data `region` is "bw" are the backward pass, all others the forward pass.
// Modules are those of the meta data `module` and of the parameters' names; a module's numbers
// include those of the modules in it. docs/summaries.md says how each number is found.
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

/// A number of the forward pass and one of the backward pass.
struct ByPass {
  int64_t forward = 0;
  int64_t backward = 0;
  int64_t total() const { return forward + backward; }
  friend bool operator==(const ByPass&, const ByPass&) = default;
};

/// Tensors of a kind.
struct TensorCount {
  int64_t tensors = 0;
  int64_t elements = 0;
  int64_t bytes = 0;  ///< of their storages
};

struct OperatorSummary {
  std::string op;
  ByPass calls;
  ByPass flops;
};

struct ModuleSummary {
  std::string path;  ///< "" is the whole graph
  TensorCount parameters;
  ByPass nodes;  ///< calls
  ByPass flops;
  ByPass made_bytes;        ///< of storages that its calls make
  int64_t saved_bytes = 0;  ///< of those that its forward calls make and the backward pass reads
};

/// Where the most memory is held.
struct MemoryPeak {
  const Node* node = nullptr;  ///< while it runs; null when the pass has no nodes
  uint32_t position = 0;       ///< in Liveness::nodes
  int64_t bytes = 0;           ///< with those of the caller
};

struct GraphSummary {
  ByPass nodes;                                         ///< calls
  TensorCount parameters, buffers, inputs, attributes;  ///< inputs: tangents too
  ByPass flops;
  std::vector<OperatorSummary> operators;  ///< the most operations first, then the most calls
  /// Operators that multiply matrices and have no formula: flops leaves them out.
  std::vector<std::string> uncounted;
  /// In the order of their first calls, each before the modules in it; the whole graph first.
  std::vector<ModuleSummary> modules;

  MemoryPeak peak_forward, peak_backward;
  /// Made by the forward pass and read by the backward pass: what training holds between them.
  int64_t saved_bytes = 0;
  /// Parameters, buffers and inputs that the backward pass reads.
  int64_t saved_caller_bytes = 0;
  int64_t returned_bytes = 0;  ///< of storages that calls make and the graph returns

  Liveness liveness;
  SymBindings bindings;  ///< the values of symbols

  explicit GraphSummary(const Graph& graph) : liveness(graph) {}
};

struct SummaryOptions {
  /// Values of symbols, before the hints that the graph states.
  SymBindings bindings = {};
  const FlopFormulas* formulas = nullptr;
};

/// InvalidArgument when a size has a symbol without a value, or a call does not fit its formula;
/// ResourceExhausted when a number exceeds 63 bits. Nested graphs: of a cond the branch with more
/// operations counts, of a scan the body as often as it runs, of a while_loop the body once.
absl::StatusOr<GraphSummary> summarize(const Graph& graph, const SummaryOptions& options = {});

/// "1.50 KiB", "12 B"; "2.31 M", "950": for people.
std::string bytes_text(int64_t bytes);
std::string count_text(int64_t count);

struct SummaryTextOptions {
  int module_depth = 2;    ///< modules with at most so many names in their path
  size_t operators = 12;   ///< how many operators
  size_t live_values = 5;  ///< how many of the storages that are held at the peak
};
/// The table that `fxcpp shape --summary` prints.
std::string summary_text(const GraphSummary& summary, const SummaryTextOptions& options = {});
/// The JSON that `fxcpp shape --summary --json` prints: docs/summaries.md has its keys. `values`
/// adds an entry per node: the bytes of its value, of the memory that it makes, held while it runs.
std::string summary_json(const GraphSummary& summary, bool values = true);

}  // namespace fx
