// Partitions by capability: the largest parts of a graph that a backend can run. Each part becomes
// one module.
//
//   %a = aten.relu.default(%x)      supported                    %f = call_module fused_0(%x)
//   %b = aten.neg.default(%a)       supported
//   %c = user.function(%b)          not                          %c = user.function(%f)
//   %d = aten.relu.default(%c)      supported                    %g = call_module fused_1(%c)
//   %e = aten.neg.default(%d)       supported
//
// Corresponds to torch.fx's CapabilityBasedPartitioner, but uses a different algorithm. The level
// of a call is the maximum number of changes between supported and unsupported on a path from it to
// the end; the supported calls of a level form one partition. No path leads from a level through
// another level back to it, so partitions do not depend on each other in a cycle, and their
// number is minimal (torch.fx merges pairs, and checks each pair). The algorithm is linear. The
// levels also preserve the order of calls with effects.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/passes/partition/operator_support.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// The nodes of a partition, in program order.
using Partition = std::vector<Node*>;

struct PartitionOptions {
  /// Keeps partitions with fewer than two calls that compute something. Calls of every opcode
  /// count; torch.fx counts only call_functions.
  bool allow_single_node = false;
  /// Calls of these targets compute nothing, in addition to operator.getitem, aten.view.default and
  /// other views.
  std::vector<std::string> non_compute_ops = {};
  /// A partition with a call to one of these targets may consist of a single call.
  std::vector<std::string> allowed_single_node_ops = {};
  /// If true, unconnected calls are in different partitions (torch.fx's skip_horizontal_fusion).
  bool only_connected = false;
};

/// Returns the partitions of a graph in a valid order, from the end of the graph to its start,
/// numbered as in torch.fx. Partitions contain only calls, and no calls with nested graphs as
/// arguments (higher_order.cond). An operator.getitem is in the partition of its operand.
std::vector<Partition> propose_partitions(const Graph& graph, const OperatorSupport& support,
                                          const PartitionOptions& options = {});

/// Removes calls to these targets, which compute nothing, from the start and the end of partitions:
/// calls that use no other call of the partition, and calls that no other call of the partition
/// uses. Corresponds to torch.fx's remove_bookend_non_compute_ops.
void remove_bookends(std::vector<Partition>& partitions, absl::Span<const std::string> targets);

struct FuseOptions {
  std::string prefix = "fused_";  ///< the modules are `<prefix>0`, `<prefix>1`, ...
  bool return_tuple = false;      ///< modules return tuples, even for a single value
};

/// Replaces each partition with a module inside `root` and a call to it (outline, subgraph.h).
/// Returns the calls. Checks all conditions before the graph changes: returns InvalidArgument,
/// naming nodes, if partitions overlap, contain nodes other than calls, have operands after their
/// users, or depend on each other in a cycle, including effects. Skips names that are in use. Takes
/// linear time, or O(n log n) if nodes must move.
absl::StatusOr<std::vector<Node*>> fuse_partitions(Graph& graph, Module& root,
                                                   absl::Span<const Partition> partitions,
                                                   const FuseOptions& options = {});

struct FusedCalls {
  std::vector<Node*> calls;  ///< the calls to the modules
  size_t num_moved = 0;      ///< the number of calls in the modules
};
/// Combines propose_partitions and fuse_partitions: torch.fx's partition_and_fuse. Faster than the
/// two calls for graphs whose nodes need not move.
absl::StatusOr<FusedCalls> partition_and_fuse(Graph& graph, Module& root,
                                              const OperatorSupport& support,
                                              const PartitionOptions& options = {},
                                              const FuseOptions& fuse = {});

}  // namespace fx
