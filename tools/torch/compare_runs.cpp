// fxcpp diff --run: two graphs, compared by running them.
#include "fx/interp/torch/check_equivalent.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/support/status.h"
#include "tools/command.h"
#include "tools/torch/data_files.h"

#include <ATen/Context.h>

#include <string>
#include <utility>
#include <vector>

namespace fx::tools {
absl::StatusOr<bool> compare_by_running_in_torch(const Graph& left, const Graph& right,
                                                 const ComparedRun& run) {
  const GraphDataOptions make = {.make_missing = true, .seed = run.seed};
  FX_ASSIGN_OR_RETURN(std::vector<std::string> files, data_files(left, run.left, run.files));
  FX_ASSIGN_OR_RETURN(GraphData data, load_graph_data(left, files, make));
  // Of the second graph only the constants count: its inputs are those of the first.
  FX_ASSIGN_OR_RETURN(const std::vector<std::string> beside, data_files(right, run.right, {}));
  files.insert(files.begin(), beside.begin(), beside.end());
  FX_ASSIGN_OR_RETURN(GraphData other, load_graph_data(right, files, make));
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
