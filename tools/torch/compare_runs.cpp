// fxcpp diff --run: compares two graphs by running them.
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/check_equivalent.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "tools/torch/commands.h"
#include "tools/torch/data_files.h"

#include <ATen/Context.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx::tools {
namespace {

/// Returns sizes for the symbols of both graphs that satisfy the guards of both graphs. Omits
/// symbols for which no sizes were found.
SymBindings sizes_of(const Graph& left, const Graph& right) {
  const std::unique_ptr<Graph> both = left.clone();
  add_guards(*both, guards_of(right));
  SymBindings sizes;
  for (const Graph& graph : {std::cref<const Graph>(*both), std::cref(right)}) {
    const absl::StatusOr<SymBindings> found = example_sizes(graph);
    if (found.ok()) sizes.insert(found->begin(), found->end());
  }
  return sizes;
}

}  // namespace

absl::StatusOr<bool> compare_by_running(const Graph& left, const Graph& right,
                                        const ComparedRun& run) {
  GraphDataOptions make = {
      .generate_missing = true, .seed = run.seed, .sizes = sizes_of(left, right)};
  FX_ASSIGN_OR_RETURN(std::vector<std::string> files, data_files(left, run.left, run.files));
  FX_ASSIGN_OR_RETURN(GraphData data, load_data(left, files, make));
  // Use only the constants of the second graph, because it runs on the inputs of the first graph.
  FX_ASSIGN_OR_RETURN(const std::vector<std::string> constants, data_files(right, run.right, {}));
  files.insert(files.begin(), constants.begin(), constants.end());
  FX_ASSIGN_OR_RETURN(GraphData other, load_data(right, files, make));
  EquivalenceOptions options;
  options.rtol = run.rtol;
  options.atol = run.atol;
  options.seed = run.seed;
  options.gradients = run.gradients;
  options.written_inputs = run.written_inputs;
  options.constants_a = std::move(data.constants);
  options.constants_b = std::move(other.constants);
  FX_ASSIGN_OR_RETURN(const EquivalenceReport report,
                      check_equivalent(left, right, data.inputs, options));
  FX_RETURN_IF_ERROR(write_file("-", report.str()));
  if (!report.equivalent() || data.num_generated + other.num_generated == 0)
    return report.equivalent();
  // The generated inputs are not negative. A second run uses both signs, but a graph may reject
  // such inputs.
  make.both_signs = true;
  FX_ASSIGN_OR_RETURN(data, load_data(left, files, make));
  FX_ASSIGN_OR_RETURN(other, load_data(right, files, make));
  options.constants_a = std::move(data.constants);
  options.constants_b = std::move(other.constants);
  const absl::StatusOr<EquivalenceReport> below =
      check_equivalent(left, right, data.inputs, options);
  if (!below.ok() || below->equivalent()) return true;
  FX_RETURN_IF_ERROR(write_file("-", "with inputs between -1 and 1:\n" + below->str()));
  return false;
}

}  // namespace fx::tools
