// PassManager: runs passes over a graph, checks their results, and reports the pass that failed.
//
//   FX_ASSIGN_OR_RETURN(fx::Pipeline pipeline,
//                       fx::parse_pipeline(fx::standard_passes(), "functionalize"));
//   fx::PassManager manager(std::move(pipeline), {.max_rounds = 5});
//   manager.add(fx::Pass{"multiply", "multiplies instead of adding", multiply});
//   FX_ASSIGN_OR_RETURN(const fx::PassReport report, manager.run(graph));
//   if (report.changed) std::cout << report.str();
//
// torch.fx's counterparts: passes.infra.PassManager, PassBase, PassResult, GraphTransformObserver.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/passes/manager/pipeline.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

struct PassManagerOptions {
  /// The maximum number of runs of the pipeline, which is repeated while it changes the graph.
  int max_rounds = 1;
  /// Verify the graph before the first pass and after each pass (errors, no warnings).
  bool verify = true;
  /// Check that each pass reports correctly whether it changed the graph, by comparing structural
  /// hashes with names, types and metadata. A wrong report is an Internal error. A different order
  /// of nodes counts as a change.
#ifdef NDEBUG
  bool check_changed = false;
#else
  bool check_changed = true;
#endif
  /// Record in the metadata of each new node the nodes that it is based on or replaces, with the
  /// name of the pass (ir/graph/provenance/provenance.h).
  bool provenance = false;
  /// Record the names of new and erased nodes.
  bool record_nodes = false;
  /// If not 0, the nodes are shuffled into a random valid order with this seed before each pass, to
  /// find passes that depend on the order (shuffle_nodes in passes/analysis/topological_sort.h).
  uint64_t shuffle_seed = 0;
  /// Runs of passes are numbered from 1. Runs with greater numbers are skipped, as with LLVM's
  /// opt-bisect-limit. If negative, no run is skipped. Bisecting the limit finds the pass that
  /// miscompiles a graph.
  int64_t bisect_limit = -1;
  /// Evaluates constants for passes. interp/torch/interpret/constant_evaluator.h declares an
  /// evaluator that uses libtorch.
  ConstantEvaluator evaluate = {};
  /// Passes with these names do not run.
  std::vector<std::string> disabled = {};
  /// The graph is part of a larger graph, so selections in the options of passes may select
  /// nothing (PassRun::may_select_nothing).
  bool is_part = false;
  /// A path (.fx, .json or .fxb) to which the graph is written before each pass, with the pass in
  /// its metadata `pipeline`. The file is removed after success. After a failure or a crash, `fxcpp
  /// opt FILE` reproduces it. Modules and their tensors are not written.
  std::string reproducer = {};
};

/// One run of a pass, or a skipped run.
struct PassRecord {
  std::string step;    ///< with its options, as in the pipeline
  int64_t number = 0;  ///< from 1
  bool skipped = false;
  bool changed = false;
  bool failed = false;      ///< the pass failed, or the graph check that followed it
  double seconds = 0;       ///< the time of the pass, without checks
  size_t nodes_before = 0;  ///< including nested graphs
  size_t nodes_after = 0;
  std::vector<PassCount> counts = {};  ///< the pass's counters (PassRun::count)
  // With record_nodes, nodes of the graph, excluding nested graphs, in order:
  std::vector<std::string> created = {};  ///< names of new nodes
  std::vector<std::string> erased = {};   ///< names of erased nodes
  std::vector<std::string> notes = {};    ///< the pass's notes for the user (PassRun::note)
};

struct PassReport {
  bool changed = false;
  int rounds = 0;
  /// False if `max_rounds` is greater than 1 and the last round still changed the graph.
  bool converged = true;
  std::vector<PassRecord> records = {};

  /// Returns a table with one row for each run: number, pass, change, nodes and time. The counters
  /// of the pass follow its row. The last row contains the totals.
  std::string str() const;
};

/// Runs a pipeline of passes; see the top of this file.
class PassManager {
 public:
  /// Called before and after each pass that runs; `record` is complete only after the pass. If the
  /// pass failed, the graph may be invalid.
  using Hook = std::function<void(const Graph& graph, const PassRecord& record)>;

  explicit PassManager(Pipeline pipeline = {}, PassManagerOptions options = {})
      : pipeline_(std::move(pipeline)), options_(std::move(options)) {}

  PassManager& add(PipelineStep step) {
    pipeline_.push_back(std::move(step));
    return *this;
  }
  const Pipeline& pipeline() const { return pipeline_; }

  /// Requires every pass named `first` to come before every pass named `second`.
  PassManager& add_constraint(std::string_view first, std::string_view second) {
    constraints_.emplace_back(first, second);
    return *this;
  }
  /// Returns FailedPrecondition if two passes are in the wrong order; the message names them. run()
  /// returns this error; torch.fx's PassManager sorts the passes instead.
  absl::Status check_constraints() const;
  /// Sorts the passes to satisfy the constraints, in an order close to the current one.
  /// Returns InvalidArgument, with the names of the passes, if the constraints form a cycle.
  absl::Status sort_by_constraints();

  /// Adds a check of the graph after each pass. An error ends the run.
  PassManager& add_check(GraphCheck check) {
    checks_.push_back(std::move(check));
    return *this;
  }
  PassManager& set_before_pass(Hook hook) {
    before_ = std::move(hook);
    return *this;
  }
  PassManager& set_after_pass(Hook hook) {
    after_ = std::move(hook);
    return *this;
  }

  /// Runs the pipeline. Returns the error of a pass with its code; the message names the pass and
  /// the passes that ran before. Returns FailedPrecondition for a graph that is invalid before the
  /// first pass or does not satisfy the requirements of a pass, and Internal for a graph that is
  /// invalid after a pass.
  absl::StatusOr<PassReport> run(Graph& graph, Module* module = nullptr) const;
  absl::StatusOr<PassReport> run(GraphModule& module) const { return run(module.graph(), &module); }

 private:
  absl::Status run_step(const PipelineStep& step, Graph& graph, Module* module,
                        PassRecord& record) const;
  absl::Status run_checked(const PipelineStep& step, Graph& graph, Module* module,
                           PassRecord& record) const;
  absl::Status write_reproducer(const PipelineStep& step, const Graph& graph) const;

  Pipeline pipeline_;
  PassManagerOptions options_;
  std::vector<std::pair<std::string, std::string>> constraints_;
  std::vector<GraphCheck> checks_;
  Hook before_, after_;
};

/// Returns a PassFunction for a function that does not report whether it changed the graph. The
/// PassFunction compares structural hashes; torch.fx's pass_result_wrapper always reports a change.
PassFunction pass_from(std::function<absl::Status(Graph&)> function);
/// Returns a PassFunction for a function with the signature of most of fxcpp's passes.
inline PassFunction pass_from(absl::StatusOr<bool> (*function)(Graph&)) {
  return [function](PassRun& run) { return function(run.graph()); };
}

}  // namespace fx
