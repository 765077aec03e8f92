// Backend splitter: splits a graph into the smallest number of modules that run alternately on a
// backend and on the host.
//
//   %a = torch.sin(%x)        backend       %run_on_acc_0 = call_module _run_on_acc_0(%x)
//   %b = torch.cos(%x)        backend   ->  ...
//   %c = user.function(%a, %b)              %run_on_cpu_1 = call_module _run_on_cpu_1(%a, %b)
//
// torch.fx's passes.splitter_base (_SplitterBase, FxNetAccNodesFinder) and
// tools_common.FxNetAccFusionsFinder create the same modules. Only tensors are passed between host
// and backend: calls that pass numbers or lists to each other are on the same side and in the same
// module. The type of a call determines whether its result is a tensor; a result without a type is
// not a tensor.
//
// Unlike in torch.fx, calls with effects keep their order, calls without inputs are also in a
// module, and nothing is printed or read from the command line.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/passes/partition/operator_support.h"
#include "fx/passes/partition/split_module.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <string>
#include <vector>

namespace fx {

/// Returns the calls that the backend runs, in program order: the supported calls, except calls
/// that exchange values other than tensors with a host call. These are removed repeatedly
/// until none remain. If `allow_non_tensor`, returns all supported calls. Corresponds to
/// torch.fx's FxNetAccNodesFinder.
std::vector<Node*> find_backend_nodes(const Graph& graph, const OperatorSupport& support,
                                      bool allow_non_tensor = false);

/// Returns groups of these calls that must be in one module because they exchange values that
/// contain no tensors, together with the calls between them, in the order of their first calls.
/// Groups that depend on each other are merged. A call belongs to at most one group. Groups with a
/// call that is not among `nodes` are omitted, and their calls are removed from `nodes`. Takes time
/// linear in calls and uses. Corresponds to torch.fx's FxNetAccFusionsFinder.
std::vector<std::vector<Node*>> find_fusion_groups(const Graph& graph, std::vector<Node*>& nodes);

struct BackendSplitOptions {
  /// A backend part with fewer calls is merged into the preceding host part.
  size_t min_backend_calls = 1;
  bool allow_non_tensor = false;
  /// The maximum number of parts; 0 for no limit.
  size_t max_parts = 0;
  /// The names of the modules: a prefix and the number of the part.
  std::string backend_prefix = "_run_on_acc_";
  std::string host_prefix = "_run_on_cpu_";
  /// Modules return tuples, even for a single value.
  bool return_tuple = false;
};

struct BackendPart {
  std::string name;
  bool on_backend = false;
  std::vector<Node*> nodes;  ///< in program order
};

/// Returns the parts into which split_for_backend would split the graph, in order. Takes linear
/// time, except for groups. Returns InvalidArgument if groups and effects form a cycle, and
/// ResourceExhausted if there are more than `max_parts` parts.
absl::StatusOr<std::vector<BackendPart>> propose_backend_parts(
    const Graph& graph, const OperatorSupport& support, const BackendSplitOptions& options = {});

/// Returns the number of calls of each target, one line per part: torch.fx's split_preview.
std::string describe(absl::Span<const BackendPart> parts, const Module* root = nullptr);

/// Splits a copy of `graph` into these parts. Returns errors of
/// propose_backend_parts and split_by_tags.
absl::StatusOr<SplitModuleResult> split_for_backend(const Graph& graph, const Module& root,
                                                    const OperatorSupport& support,
                                                    const BackendSplitOptions& options = {});

/// Splits `graph` itself: the modules become children of `root`, replacing children with the same
/// names, and the graph calls them. Returns the number of modules, 0 if there are no calls. Members
/// that `graph` still refers to need not exist. On error, nothing changes, except if `root` has a
/// tensor with the name of a module, or the prefixes are not legal paths.
absl::StatusOr<size_t> split_for_backend_in_place(Graph& graph, Module& root,
                                                  const OperatorSupport& support,
                                                  const BackendSplitOptions& options = {});

}  // namespace fx
