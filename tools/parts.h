// The parts of the command that require libtorch or Graphviz's library. Each part is a shared
// object in ../lib/fxcpp relative to the command. A part is loaded when a subcommand first uses it,
// so that other subcommands start without the libraries, and is never unloaded.
#pragma once

#include "fx/codegen/graphviz/svg.h"
#include "fx/interp/constant_evaluator.h"
#include "fx/ir/graph/graph.h"
#include "tools/command.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fx::tools {

/// Options of `shape --concrete`, which runs the graph with libtorch and sets the types of its
/// nodes. Inputs are read from `files`. Missing inputs, and the inputs in `always_generate`, are generated
/// from their types.
struct ConcreteRun {
  std::string path;  ///< the path of the graph; g.safetensors next to g.fx contains its tensors
  std::vector<std::string> files;
  std::vector<const Node*> always_generate;
  uint64_t seed = 0;
};

/// Options of `diff --run`, which runs both graphs with libtorch on the same inputs and prints the
/// differences. Inputs are read from `files`, or generated from the types of the first graph's
/// placeholders.
struct ComparedRun {
  std::string left,
      right;  ///< the paths of the graphs; g.safetensors next to g.fx contains tensors
  std::vector<std::string> files;
  double rtol = 0, atol = 0;
  uint64_t seed = 0;
  bool gradients = false;
  bool written_inputs = true;
};

/// The functions of the part `torch`.
struct TorchPart {
  const char* version;  ///< FXCPP_VERSION; must equal the version of the command
  Run (*add_capture)(CLI::App& app);
  Run (*add_import)(CLI::App& app);
  Run (*add_run)(CLI::App& app);
  Run (*add_minimize)(CLI::App& app);
  absl::Status (*type_by_running)(Graph& graph, const ConcreteRun& run);
  /// Returns true if the results are equal.
  absl::StatusOr<bool> (*compare_by_running)(const Graph& left, const Graph& right,
                                             const ComparedRun& run);
  absl::StatusOr<std::vector<Tensor>> (*evaluate_constants)(const Graph& graph, const Module& root);
};

/// The functions of the part `graphviz`.
struct GraphvizPart {
  const char* version;  ///< FXCPP_VERSION; must equal the version of the command
  absl::StatusOr<std::string> (*draw_svg)(const Graph& graph, const SvgOptions& options);
};

// These return Unimplemented if fxcpp was built without the library, and FailedPrecondition if
// the shared object cannot be loaded or belongs to a different release.
absl::StatusOr<const TorchPart*> torch_part();
absl::StatusOr<const GraphvizPart*> graphviz_part();

}  // namespace fx::tools
