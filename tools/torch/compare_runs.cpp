// fxcpp diff --run: two graphs, compared by running them.
#include "fx/interp/torch/check_equivalent.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/support/status.h"
#include "tools/command.h"

#include <ATen/Context.h>

#include <filesystem>
#include <utility>

namespace fx::tools {
namespace {

/// The tensors beside a graph, then other files.
std::vector<std::string> files_of(const std::string& path, const std::vector<std::string>& files) {
  std::vector<std::string> all;
  if (path != "-" && std::filesystem::exists(data_path(path))) all.push_back(data_path(path));
  all.insert(all.end(), files.begin(), files.end());
  return all;
}

}  // namespace

absl::StatusOr<bool> compare_by_running_in_torch(const Graph& left, const Graph& right,
                                                 const ComparedRun& run) {
  const GraphDataOptions make = {.make_missing = true, .seed = run.seed};
  FX_ASSIGN_OR_RETURN(GraphData data, load_graph_data(left, files_of(run.left, run.files), make));
  // Of the second graph only the constants count: its inputs are those of the first.
  FX_ASSIGN_OR_RETURN(
      GraphData other,
      load_graph_data(right, files_of(run.right, files_of(run.left, run.files)), make));
  EquivalenceOptions options;
  options.rtol = run.rtol;
  options.atol = run.atol;
  options.seed = run.seed;
  options.gradients = run.gradients;
  options.constants_a = std::move(data.constants);
  options.constants_b = std::move(other.constants);
  FX_ASSIGN_OR_RETURN(const EquivalenceReport report,
                      check_equivalent(left, right, data.inputs, options));
  FX_RETURN_IF_ERROR(write_file("-", report.str()));
  return report.equivalent();
}

}  // namespace fx::tools
