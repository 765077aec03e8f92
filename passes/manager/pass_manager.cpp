// Runs passes: see pass_manager.h.
#include "fx/passes/manager/pass_manager.h"

#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/exceptions.h"
#include "fx/ir/support/status.h"
#include "fx/ir/verify/hash.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/analysis/topological_sort.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "fmt/format.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>

namespace fx {
namespace {

size_t count_nodes(const Graph& graph) {
  size_t count = 0;
  for (const Graph& g : all_graphs(graph)) count += g.size();
  return count;
}

GraphHash full_hash(const Graph& graph) {
  return structural_hash(graph, {.ignore_names = false, .ignore_meta = false});
}

/// Records the names of new and erased nodes.
class NodeRecorder final : public GraphObserver {
 public:
  explicit NodeRecorder(Graph& graph) : graph_(graph) { graph_.add_observer(this); }
  ~NodeRecorder() override { graph_.remove_observer(this); }
  NodeRecorder(const NodeRecorder&) = delete;
  NodeRecorder& operator=(const NodeRecorder&) = delete;

  void node_created(Node& node) override { created_.insert(node.id()); }
  void node_erased(Node& node) override {
    if (created_.erase(node.id()) == 0) erased_.push_back(node.name());
  }

  void finish(PassRecord& record) {
    if (!created_.empty()) {
      for (const Node& node : graph_.nodes())
        if (created_.contains(node.id())) record.created.push_back(node.name());
    }
    record.erased = std::move(erased_);
  }

 private:
  Graph& graph_;
  absl::flat_hash_set<uint32_t> created_;
  std::vector<std::string> erased_;
};

bool is_skipped(const PassManagerOptions& options, const PipelineStep& step, int64_t number) {
  return (options.bisect_limit >= 0 && number > options.bisect_limit) ||
         std::ranges::find(options.disabled, step.pass.name) != options.disabled.end();
}

/// Returns " of libmy.so" for a pass of a plugin.
std::string origin_text(std::string_view origin) {
  return origin.empty() ? "" : fmt::format(" of {}", origin);
}

/// Returns the error of a failed pass. The message names the passes that ran before it and the
/// command that reproduces it.
absl::Status pass_error(const PassManagerOptions& options, const absl::Status& status,
                        std::string_view origin, const PassRecord& record,
                        const PassReport& report) {
  // The message of a pass may end with a line break.
  std::string text =
      fmt::format("pass {}, {}{}: {}", record.number, record.step, origin_text(origin),
                  std::string(absl::StripTrailingAsciiWhitespace(status.message())));
  std::string earlier;
  for (const PassRecord& r : report.records)
    if (!r.skipped) earlier += (earlier.empty() ? "" : ", ") + r.step;
  if (!earlier.empty()) text += "\n  passes that ran before: " + earlier;
  if (!options.reproducer.empty()) {
    text += "\n  to reproduce it: " + options.reproducer;
    if (options.check_changed) text += " --check-changed";
  }
  return absl::Status(status.code(), text);
}

/// Returns the positions of a pass in the pipeline.
std::vector<size_t> steps_of(const Pipeline& pipeline, std::string_view pass) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < pipeline.size(); ++i)
    if (pipeline[i].pass.name == pass) positions.push_back(i);
  return positions;
}

}  // namespace

// ---------------------------------------------------------------- order

absl::Status PassManager::check_constraints() const {
  for (const auto& [first, second] : constraints_) {
    bool seen_second = false;
    for (const PipelineStep& step : pipeline_) {
      seen_second = seen_second || step.pass.name == second;
      if (step.pass.name == first && seen_second) {
        return absl::FailedPreconditionError(
            fmt::format("pass {} must run before {}, which comes earlier in the pipeline; "
                        "PassManager::sort_by_constraints fixes the order",
                        first, second));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status PassManager::sort_by_constraints() {
  // Kahn's algorithm over steps. Selects the first step in the current order that may come next.
  const size_t n = pipeline_.size();
  std::vector<std::vector<size_t>> after(n);
  std::vector<size_t> num_predecessors(n, 0);
  for (const auto& [first, second] : constraints_) {
    const std::vector<size_t> later = steps_of(pipeline_, second);
    for (const size_t i : steps_of(pipeline_, first)) {
      for (const size_t j : later) {
        after[i].push_back(j);
        ++num_predecessors[j];
      }
    }
  }
  std::set<size_t> ready;
  for (size_t i = 0; i < n; ++i)
    if (num_predecessors[i] == 0) ready.insert(i);
  Pipeline sorted;
  while (!ready.empty()) {
    const size_t i = *ready.begin();
    ready.erase(ready.begin());
    sorted.push_back(pipeline_[i]);
    for (const size_t j : after[i])
      if (--num_predecessors[j] == 0) ready.insert(j);
  }
  if (sorted.size() < n) {
    std::string names;
    for (size_t i = 0; i < n; ++i)
      if (num_predecessors[i] != 0) names += (names.empty() ? "" : ", ") + pipeline_[i].pass.name;
    return absl::InvalidArgumentError(
        fmt::format("the constraints on the order of passes form a cycle: {}", names));
  }
  pipeline_ = std::move(sorted);
  return absl::OkStatus();
}

// ---------------------------------------------------------------- running

absl::Status PassManager::write_reproducer(const PipelineStep& step, const Graph& graph) const {
  const std::unique_ptr<Graph> copy = graph.clone();
  copy->set_meta(kPipelineKey, Argument(step.str()));
  return write_graph_file(*copy, options_.reproducer);
}

/// Runs a pass, verifies the graph, and checks that the pass reports changes correctly.
absl::Status PassManager::run_checked(const PipelineStep& step, Graph& graph, Module* module,
                                      PassRecord& record) const {
  if (step.pass.requires_before) FX_RETURN_IF_ERROR(step.pass.requires_before(graph));
  const std::optional<GraphHash> hash =
      options_.check_changed ? std::make_optional(full_hash(graph)) : std::nullopt;
  {
    std::optional<NodeRecorder> recorder;
    std::optional<ProvenanceScope> provenance;
    if (options_.record_nodes) recorder.emplace(graph);
    if (options_.provenance) provenance.emplace(graph, step.pass.name);
    // Printed on a crash, in programs that call opt_main.
    const llvm::PrettyStackTraceFormat where(
        "in pass %d, %s%s%s", record.number, step.str().c_str(),
        options_.reproducer.empty() ? "" : "; the graph before it is in ",
        options_.reproducer.c_str());
    PassRun run(graph, module, step.options, options_.evaluate ? &options_.evaluate : nullptr);
    // In a later round, an earlier one may have removed what the options select.
    run.set_may_select_nothing(options_.is_part ||
                               static_cast<size_t>(record.number) > pipeline_.size());
    const auto start = std::chrono::steady_clock::now();
    const absl::StatusOr<bool> changed =
        without_exceptions([&] { return step.pass.run(run); },
                           [&](std::string_view what) -> absl::StatusOr<bool> {
                             return absl::InternalError(fmt::format("the pass threw {}", what));
                           });
    record.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (recorder) recorder->finish(record);
    record.counts = run.counts();
    record.notes = run.notes();
    if (!changed.ok()) return changed.status();
    record.changed = *changed;
  }
  record.nodes_after = count_nodes(graph);
  if (options_.verify) {
    if (const VerifierReport report = verify(graph, {.warnings = false}); !report.ok())
      return absl::InternalError("the graph is invalid after the pass:\n" + report.str());
  }
  if (hash && (full_hash(graph) != *hash) != record.changed) {
    return absl::InternalError(fmt::format("the pass reports that the graph {}, but it {}",
                                           record.changed ? "changed" : "did not change",
                                           record.changed ? "did not" : "did"));
  }
  if (step.pass.ensures_after) FX_RETURN_IF_ERROR(step.pass.ensures_after(graph));
  for (const GraphCheck& check : checks_) FX_RETURN_IF_ERROR(check(graph));
  return absl::OkStatus();
}

absl::Status PassManager::run_step(const PipelineStep& step, Graph& graph, Module* module,
                                   PassRecord& record) const {
  record.nodes_before = record.nodes_after = count_nodes(graph);
  if (record.skipped) return absl::OkStatus();
  if (options_.shuffle_seed != 0) {
    uint64_t seed = options_.shuffle_seed + static_cast<uint64_t>(record.number);
    for (Graph& g : all_graphs(graph)) shuffle_nodes(g, seed++);
  }
  if (!options_.reproducer.empty()) FX_RETURN_IF_ERROR(write_reproducer(step, graph));
  if (before_) before_(graph, record);
  const absl::Status status = run_checked(step, graph, module, record);
  record.failed = !status.ok();
  if (after_) after_(graph, record);
  return status;
}

absl::StatusOr<PassReport> PassManager::run(Graph& graph, Module* module) const {
  FX_RETURN_IF_ERROR(check_constraints());
  if (options_.verify) FX_RETURN_IF_ERROR(verify_status(graph, {.warnings = false}));
  if (!options_.reproducer.empty())  // an invalid path is not an error of a pass
    FX_RETURN_IF_ERROR(
        with_context(write_graph_file(graph, options_.reproducer), "the reproducer"));
  PassReport report;
  report.converged = false;
  while (!report.converged && report.rounds < std::max(options_.max_rounds, 1)) {
    ++report.rounds;
    report.converged = true;
    for (const PipelineStep& step : pipeline_) {
      PassRecord record{.step = step.str(),
                        .number = static_cast<int64_t>(report.records.size()) + 1};
      record.skipped = is_skipped(options_, step, record.number);
      if (absl::Status status = run_step(step, graph, module, record); !status.ok())
        return pass_error(options_, status, step.pass.origin, record, report);
      report.changed = report.changed || record.changed;
      report.converged = report.converged && !record.changed;
      report.records.push_back(std::move(record));
    }
  }
  if (options_.max_rounds <= 1) report.converged = true;
  if (!options_.reproducer.empty()) {
    std::error_code ignored;
    std::filesystem::remove(options_.reproducer, ignored);
  }
  return report;
}

PassFunction pass_from(std::function<absl::Status(Graph&)> function) {
  return [function = std::move(function)](PassRun& run) -> absl::StatusOr<bool> {
    const GraphHash before = full_hash(run.graph());
    FX_RETURN_IF_ERROR(function(run.graph()));
    return full_hash(run.graph()) != before;
  };
}

// ---------------------------------------------------------------- reports

std::string PassReport::str() const {
  size_t width = 4;
  for (const PassRecord& record : records) width = std::max(width, record.step.size());
  std::string text =
      fmt::format("{:>4}  {:{}}  {:>9}  {:>16}  {:>10}\n", "", "pass", width, "", "nodes", "ms");
  double sum = 0;
  for (const PassRecord& record : records) {
    sum += record.seconds;
    const std::string nodes =
        record.nodes_before == record.nodes_after
            ? fmt::format("{}", record.nodes_after)
            : fmt::format("{} -> {}", record.nodes_before, record.nodes_after);
    text +=
        fmt::format("{:>4}  {:{}}  {:>9}  {:>16}  {:>10.3f}\n", record.number, record.step, width,
                    record.skipped   ? "skipped"
                    : record.changed ? "changed"
                                     : "no change",
                    nodes, record.seconds * 1e3);
    for (const PassCount& count : record.counts)
      text += fmt::format("{:>12} {}\n", count.count, count.what);
  }
  text += fmt::format("{:>4}  {:{}}  {:>9}  {:>16}  {:>10.3f}\n", "", "sum", width,
                      changed ? "changed" : "no change", "", sum * 1e3);
  return text;
}

}  // namespace fx
