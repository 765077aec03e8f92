// split_module: a graph as a graph of modules, by what a function or tags say of each call.
//
//   graph(%x) {                                       graph(%x) {
//     %a = torch.relu(%x)        partition 0            %submod_0 = call_module submod_0(%x)
//     %b = torch.neg(%a)         partition 1            %submod_1 = call_module submod_1(%submod_0)
//     return %b                                         return %submod_1
//   }                                                 }
//
// torch.fx's passes.split_module and split_by_tags: the same modules, calls, names and orders. What
// differs: no marks stay on the nodes, paths keep their dots (flatten_paths gives torch.fx's), and
// calls with effects keep their order.
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
  /// Calls of the modules stand in the order in which their first nodes stood; otherwise in the
  /// order in which torch.fx finds them free of what they wait for.
  bool keep_original_order = false;
  /// Nodes keep their names; otherwise names come from targets.
  bool keep_original_node_name = false;
  /// Inputs of modules are named like the nodes that they stand for; otherwise `arg_0`, ...
  bool keep_original_input_name = true;
  /// The modules are `submod_<affix>_<id>`.
  std::string partition_affix = {};
  /// Modules return tuples, also of one value.
  bool tuple_return = false;
  /// In the modules, dots of paths become underscores: torch.fx's way.
  bool flatten_paths = false;
};

struct SplitModuleResult {
  std::unique_ptr<GraphModule> module;
  /// Path in the new module -> path in `root`, for called modules. torch.fx's qualname_map.
  absl::flat_hash_map<std::string, std::string> paths = {};
  /// The modules that are partitions, in the order of their calls.
  std::vector<std::string> partitions = {};
};

/// The partition of a call. Asked once for each.
using PartitionOf = std::function<int64_t(const Node& call)>;

/// Splits a copy of `graph`; `root` has its members. Calls that turn autocast and gradients on and
/// off (torch.amp, torch._C._set_grad_enabled) hold for the partitions behind them, which repeat
/// them; their partitions' ids must not fall then.
///
/// InvalidArgument, naming partitions, when they depend on each other in a circle, effects
/// included; NotFound when `root` lacks a member.
absl::StatusOr<SplitModuleResult> split_module(const Graph& graph, const Module& root,
                                               const PartitionOf& partition_of,
                                               const SplitModuleOptions& options = {});

/// The same to `graph` itself: the modules become children of `root`, in the place of children that
/// are called like them, and the graph calls them. Members that `graph` itself goes on to read are
/// not looked for. Whether there were calls to split; on an error nothing has changed, unless it is
/// that `root` has a tensor called like a module.
absl::StatusOr<bool> split_module_in_place(Graph& graph, Module& root,
                                           const PartitionOf& partition_of,
                                           const SplitModuleOptions& options = {});

struct SplitByTagsOptions {
  bool return_tuple = false;  ///< modules return tuples, also of one value
};
/// The tag of a call.
using TagOf = std::function<std::string(const Node& call)>;

/// Splits a copy of `graph` into one module a tag, called in the order of `tags`, an empty one
/// where no call has the tag. get_attr nodes are copied into the modules that read them, named by
/// their paths. Unlike torch.fx's, inputs keep their defaults. `paths` of the result take each path
/// that a module has to the one in `root`.
///
/// InvalidArgument, naming the node, for a tag that is not listed or listed twice, and for a call
/// that reads one of a later tag or one that does not stand before it, or must not run before one
/// of a later tag for its effects.
absl::StatusOr<SplitModuleResult> split_by_tags(const Graph& graph, const Module& root,
                                                absl::Span<const std::string> tags,
                                                const TagOf& tag_of,
                                                const SplitByTagsOptions& options = {});

}  // namespace fx
