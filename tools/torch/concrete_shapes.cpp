// fxcpp shape --concrete: sets types by running the graph.
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/shape_prop.h"
#include "fx/ir/support/status.h"
#include "tools/torch/commands.h"
#include "tools/torch/data_files.h"

#include <ATen/Context.h>

#include <string>
#include <utility>
#include <vector>

namespace fx::tools {

absl::Status type_by_running(Graph& graph, const ConcreteRun& run) {
  FX_ASSIGN_OR_RETURN(const std::vector<std::string> files, data_files(graph, run.path, run.files));
  FX_ASSIGN_OR_RETURN(GraphData data, load_data(graph, files,
                                                {.generate_missing = true,
                                                 .always_generate = run.always_generate,
                                                 .seed = run.seed}));
  at::manual_seed(run.seed);
  return propagate_concrete_types(graph, std::move(data.inputs), data.constants);
}

}  // namespace fx::tools
