// split_module: splits a graph into a graph of modules, by a function or by tags of calls.
//
//   graph(%x) {                                       graph(%x) {
//     %a = torch.relu(%x)        partition 0            %submod_0 = call_module submod_0(%x)
//     %b = torch.neg(%a)         partition 1            %submod_1 = call_module submod_1(%submod_0)
//     return %b                                         return %submod_1
//   }                                                 }
//
// torch.fx's passes.split_module and split_by_tags create the same modules, calls, names and
// orders. Differences: nodes are not marked, paths keep their dots (unless flatten_paths is set),
// and calls with effects keep their order.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct SplitModuleOptions {
  /// Calls to the modules are in the order of their first nodes; otherwise they are in the order in
  /// which torch.fx's topological sort visits them.
  bool keep_original_order = false;
  /// Nodes keep their names; otherwise names come from targets.
  bool keep_original_node_name = false;
  /// Inputs of modules have the names of the corresponding nodes; otherwise `arg_0`, ...
  bool keep_original_input_name = true;
  /// The modules are named `submod_<affix>_<id>`; without an affix, `submod_<id>`.
  std::string partition_affix = {};
  /// Modules return tuples, even for a single value.
  bool return_tuple = false;
  /// In the modules, dots of paths become underscores, as in torch.fx.
  bool flatten_paths = false;
};

struct SplitModuleResult {
  std::unique_ptr<GraphModule> module;
  /// Maps paths in the new module to paths in `root`, for modules and for members of nested graphs.
  /// Corresponds to torch.fx's qualname_map.
  absl::flat_hash_map<std::string, std::string> paths = {};
  /// The modules that are partitions, in the order of their calls.
  std::vector<std::string> partitions = {};
};

/// Returns the partition of a call. It is called once per call.
using PartitionOf = std::function<int64_t(const Node& call)>;

/// Splits a copy of `graph`, whose members are in `root`. Calls that turn autocast and gradients on
/// and off (torch.amp, torch._C._set_grad_enabled) apply to later partitions, which repeat them. In
/// a graph with such calls, partition ids must not decrease.
///
/// InvalidArgument if partitions depend on each other in a cycle, by values or effects; the message
/// also names the partitions that depend on the cycle. NotFound if `root` lacks a member.
absl::StatusOr<SplitModuleResult> split_module(const Graph& graph, const Module& root,
                                               const PartitionOf& partition_of,
                                               const SplitModuleOptions& options = {});

/// Splits `graph` itself: the modules become children of `root`, replacing children with the same
/// names, and the graph calls them. Members that `graph` still refers to need not exist. Returns
/// true if there were calls to split. On error, nothing changes, except if `root` has a tensor
/// with the name of a module.
absl::StatusOr<bool> split_module_in_place(Graph& graph, Module& root,
                                           const PartitionOf& partition_of,
                                           const SplitModuleOptions& options = {});

struct SplitByTagsOptions {
  bool return_tuple = false;  ///< modules return tuples, even for a single value
};
/// Returns the tag of a call.
using TagOf = std::function<std::string(const Node& call)>;

/// Splits a copy of `graph` into one module per tag, called in the order of `tags`; a module is
/// empty if no call has its tag. get_attr nodes are copied into the modules that use them, and
/// named after their paths. Unlike in torch.fx, inputs keep their defaults. `paths` of the result
/// maps each path in a module to the path in `root`.
///
/// InvalidArgument, naming the node, for a tag that is not in `tags` or is listed twice, for a call
/// that uses a call with a later tag or a call that does not come before it, and for a call that
/// must run after a call with a later tag because of effects.
absl::StatusOr<SplitModuleResult> split_by_tags(const Graph& graph, const Module& root,
                                                absl::Span<const std::string> tags,
                                                const TagOf& tag_of,
                                                const SplitByTagsOptions& options = {});

}  // namespace fx
