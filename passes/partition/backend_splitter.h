// Backend splitter: a graph as modules that run in turn on a backend and on the host, as few as can
// be.
//
//   %a = torch.sin(%x)        backend       %run_on_acc_0 = call_module _run_on_acc_0(%x)
//   %b = torch.cos(%x)        backend   ->  ...
//   %c = user.function(%a, %b)              %run_on_cpu_1 = call_module _run_on_cpu_1(%a, %b)
//
// torch.fx's passes.splitter_base (_SplitterBase, FxNetAccNodesFinder) and
// tools_common.FxNetAccFusionsFinder: the same modules. Only tensors go between host and backend:
// what passes numbers or lists to each other stays on one side, and in one module. A call gives a
// tensor when its type says so; one without a type gives none.
//
// Unlike torch.fx's, calls with effects keep their order, calls without inputs have a module too,
// and nothing is printed or read from the command line.
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

/// The calls that the backend runs, in program order: those that it supports, less those that
/// exchange anything but tensors with a call of the host, until none does. `allow_non_tensor`: all
/// that it supports. torch.fx's FxNetAccNodesFinder.
std::vector<Node*> find_backend_nodes(const Graph& graph, const OperatorSupport& support,
                                      bool allow_non_tensor = false);

/// Groups of these calls that must stay in one module, since they pass something to each other that
/// holds no tensor, with what lies between them; in order of their first calls. Groups that read
/// each other are one. A call belongs to at most one. Groups with a call that is not among `nodes`
/// are left out, and their calls leave `nodes`. Linear in calls and uses. torch.fx's
/// FxNetAccFusionsFinder.
std::vector<std::vector<Node*>> find_fusion_groups(const Graph& graph, std::vector<Node*>& nodes);

struct BackendSplitOptions {
  /// A part of the backend with fewer calls goes to the host's part before it.
  size_t min_backend_calls = 1;
  bool allow_non_tensor = false;
  /// Not 0: more parts than this are an error.
  size_t max_parts = 0;
  /// The parts' modules: these, and the part's number.
  std::string backend_prefix = "_run_on_acc_";
  std::string host_prefix = "_run_on_cpu_";
  /// Modules return tuples, also of one value.
  bool return_tuple = false;
};

struct BackendPart {
  std::string name;
  bool on_backend = false;
  std::vector<Node*> nodes;  ///< in program order
};

/// The parts in which the graph would run, in order. Linear, groups aside. InvalidArgument when
/// groups and effects wait for each other in a circle; ResourceExhausted beyond `max_parts`.
absl::StatusOr<std::vector<BackendPart>> propose_backend_parts(
    const Graph& graph, const OperatorSupport& support, const BackendSplitOptions& options = {});

/// How many calls of which targets each part has, a line each: torch.fx's split_preview.
std::string describe(absl::Span<const BackendPart> parts, const Module* root = nullptr);

/// Splits a copy of `graph` so. Errors of propose_backend_parts and split_by_tags.
absl::StatusOr<SplitModuleResult> split_for_backend(const Graph& graph, const Module& root,
                                                    const OperatorSupport& support,
                                                    const BackendSplitOptions& options = {});

/// The same to `graph` itself: the modules become children of `root`, in the place of children that
/// are called like them, and the graph calls them. How many there are, none when there are no
/// calls. Members that `graph` itself goes on to read are not looked for. On an error nothing has
/// changed, unless it is that `root` has a tensor called like a module, or the prefixes make no
/// path.
absl::StatusOr<size_t> split_for_backend_in_place(Graph& graph, Module& root,
                                                  const OperatorSupport& support,
                                                  const BackendSplitOptions& options = {});

}  // namespace fx
