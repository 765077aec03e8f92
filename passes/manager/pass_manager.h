// PassManager: runs passes over a graph, checks what they did, and says which one was wrong.
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
  /// The pipeline runs again while it changes something, at most so often in all.
  int max_rounds = 1;
  /// The verifier looks at the graph before the first pass and after each (errors, no warnings).
  bool verify = true;
  /// What a pass says of having changed the graph is compared with the graph: structural hashes,
  /// names, types and meta data included. A pass that says otherwise is an Internal error. Nodes
  /// that are put into another order are a change.
#ifdef NDEBUG
  bool check_changed = false;
#else
  bool check_changed = true;
#endif
  /// New nodes have the nodes that they were made from or replace in their meta data, with the
  /// pass's name (ir/graph/provenance/provenance.h).
  bool provenance = false;
  /// Records say which nodes came and went.
  bool record_nodes = false;
  /// Not 0: before each pass the nodes are put into another legal order, drawn from this seed, to
  /// find passes that rely on an order. (shuffle_nodes of passes/analysis/topological_sort.h)
  uint64_t shuffle_seed = 0;
  /// Runs of passes are numbered from 1; later ones than this do not run, as with LLVM's
  /// opt-bisect-limit. Negative: all run. Halve it to find the pass after which a graph is wrong.
  int64_t bisect_limit = -1;
  /// For passes that compute constants: libtorch's is in interp/torch/interpret/constant_evaluator.h.
  ConstantEvaluator evaluate = {};
  /// Passes of these names do not run.
  std::vector<std::string> disabled = {};
  /// A path: before each pass the graph is written there (.fx, .json or .fxb), with the pass as its
  /// `pipeline`; the file is removed when all went well. So it shows what failed, or what crashed,
  /// and `fxcpp opt FILE` does it again. Modules and their tensors are not written.
  std::string reproducer = {};
};

/// One run of a pass, or one that was left out.
struct PassRecord {
  std::string step;    ///< with its options, as in the pipeline
  int64_t number = 0;  ///< from 1
  bool skipped = false;
  bool changed = false;
  bool failed = false;      ///< it, or a check of the graph after it
  double seconds = 0;       ///< of the pass alone
  size_t nodes_before = 0;  ///< nested graphs included
  size_t nodes_after = 0;
  std::vector<PassCount> counts = {};  ///< what the pass counted (PassRun::count)
  // With record_nodes, of the graph itself without nested ones, in order:
  std::vector<std::string> created = {};  ///< names of new nodes
  std::vector<std::string> erased = {};   ///< names of nodes that are gone
};

struct PassReport {
  bool changed = false;
  int rounds = 0;
  /// False: the last round that was allowed changed something still.
  bool settled = true;
  std::vector<PassRecord> records = {};

  /// A table: number, pass, change, nodes, time, and below it what the pass counted; the sum at the
  /// end.
  std::string str() const;
};

/// See the head of this file.
class PassManager {
 public:
  /// Told before and after each pass that runs; `record` is complete after it. After one that
  /// failed the graph may be broken.
  using Hook = std::function<void(const Graph& graph, const PassRecord& record)>;

  explicit PassManager(Pipeline pipeline = {}, PassManagerOptions options = {})
      : pipeline_(std::move(pipeline)), options_(std::move(options)) {}

  PassManager& add(PipelineStep step) {
    pipeline_.push_back(std::move(step));
    return *this;
  }
  const Pipeline& pipeline() const { return pipeline_; }

  /// Every pass called `first` must stand before every one called `second`.
  PassManager& add_constraint(std::string_view first, std::string_view second) {
    constraints_.emplace_back(first, second);
    return *this;
  }
  /// FailedPrecondition naming the first two passes that stand in the wrong order. run() asks this;
  /// torch.fx's sorts them instead, unasked.
  absl::Status check_constraints() const;
  /// Puts the passes into an order that the constraints allow, as near to the present one as can
  /// be. InvalidArgument, naming the passes, when the constraints go round in a circle.
  absl::Status sort_by_constraints();

  /// A check of the graph after each pass, which an error ends the run with.
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

  /// Runs the pipeline. An error keeps its code and names the pass and what ran before it;
  /// FailedPrecondition for a graph that is broken before the first pass, or whose pass's
  /// requirements it does not meet; Internal for one that a pass broke.
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

/// The function as a pass's: what it changed is found out by comparing structural hashes, for
/// functions that do not say. torch.fx's pass_result_wrapper, which always says that it did.
PassFunction pass_from(std::function<absl::Status(Graph&)> function);
/// As a pass's, of what fxcpp's pass libraries are made: `absl::StatusOr<bool> f(Graph&)`.
inline PassFunction pass_from(absl::StatusOr<bool> (*function)(Graph&)) {
  return [function](PassRun& run) { return function(run.graph()); };
}

}  // namespace fx
