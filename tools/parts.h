// The parts of the command that need libtorch or Graphviz's library. Each is a shared object in
// ../lib/fxcpp relative to the command. It is loaded at the first use by a subcommand and never
// unloaded, so that other subcommands start without the libraries.
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

/// For `shape --concrete`: runs the graph with libtorch and sets the types of its nodes. Inputs are
/// read from `files`; missing inputs, and those in `made`, are generated from the graph's types.
struct ConcreteRun {
  std::string path;  ///< of the graph: g.safetensors next to g.fx has its tensors
  std::vector<std::string> files;
  std::vector<const Node*> made;
  uint64_t seed = 0;
};

/// For `diff --run`: runs both graphs with libtorch on the same inputs and prints the differences.
/// Inputs are read from `files`, or generated from the types of the first graph's placeholders.
struct ComparedRun {
  std::string left, right;  ///< paths of the graphs: g.safetensors next to g.fx has tensors
  std::vector<std::string> files;
  double rtol = 0, atol = 0;
  uint64_t seed = 0;
  bool gradients = false;
  bool written_inputs = true;
};

/// The functions of the part `torch`.
struct TorchPart {
  const char* version;  ///< FXCPP_VERSION; must equal the command's
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
  const char* version;  ///< FXCPP_VERSION; must equal the command's
  absl::StatusOr<std::string> (*draw_svg)(const Graph& graph, const SvgOptions& options);
};

// These return Unimplemented if this fxcpp was built without the library, and FailedPrecondition if
// the shared object cannot be loaded or belongs to another release.
absl::StatusOr<const TorchPart*> torch_part();
absl::StatusOr<const GraphvizPart*> graphviz_part();

}  // namespace fx::tools
