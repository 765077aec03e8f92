// Partitions by capability: the largest parts of a graph that a backend can run, each of which
// becomes one module.
//
//   %a = aten.relu.default(%x)      supported                    %f = call_module fused_0(%x)
//   %b = aten.neg.default(%a)       supported
//   %c = user.function(%b)          not                          %c = user.function(%f)
//   %d = aten.relu.default(%c)      supported                    %g = call_module fused_1(%c)
//   %e = aten.neg.default(%d)       supported
//
// torch.fx's CapabilityBasedPartitioner, by another algorithm: each call has as its level the
// number of times that the way from it to the end changes between supported and not, at most; what
// is supported on one level is one partition. No path leads from one node of a level over another
// level back to it, so that partitions never depend on each other in a circle, and no way to
// partition needs fewer (torch.fx merges pairs, and checks each pair). Linear. Calls with effects
// keep their order, by the same levels.
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

/// Nodes in program order.
using Partition = std::vector<Node*>;

struct PartitionOptions {
  /// Partitions with fewer than two calls that compute are kept too. Calls of every opcode count;
  /// torch.fx counts call_functions only.
  bool allow_single_node = false;
  /// Calls of these targets compute nothing, beside operator.getitem, aten.view.default and other
  /// views.
  std::vector<std::string> non_compute_ops = {};
  /// A partition with one of these needs no second call.
  std::vector<std::string> allowed_single_node_ops = {};
  /// True: what does not depend on each other is not put together (torch.fx's
  /// skip_horizontal_fusion).
  bool only_connected = false;
};

/// The partitions of a graph in a legal order, from its end to its start as torch.fx numbers them.
/// Only calls are put into partitions, and none that takes nested graphs (higher_order.cond).
/// operator.getitem goes where its operand is.
std::vector<Partition> propose_partitions(const Graph& graph, const OperatorSupport& support,
                                          const PartitionOptions& options = {});

/// Takes calls of these targets off the borders of partitions, where they compute nothing: views
/// that only feed it or only read it. torch.fx's remove_bookend_non_compute_ops.
void remove_bookends(std::vector<Partition>& partitions, absl::Span<const std::string> targets);

struct FuseOptions {
  std::string prefix = "fused_";  ///< the modules are `<prefix>0`, `<prefix>1`, ...
  bool always_tuple = false;
};

/// Makes each partition a module below `root` and a call of it (outline, subgraph.h), all checked
/// before anything changes, together: InvalidArgument, naming nodes, when they overlap, hold
/// anything but calls, read behind themselves what is in the same partition, or depend on each
/// other in a circle, effects included. Linear in the graph,
/// n log n where nodes must move. Names that are taken are passed over. Returns the calls.
absl::StatusOr<std::vector<Node*>> fuse_partitions(Graph& graph, Module& root,
                                                   absl::Span<const Partition> partitions,
                                                   const FuseOptions& options = {});

struct FusedCalls {
  std::vector<Node*> calls;  ///< of the modules
  size_t num_moved = 0;      ///< calls that are in them
};
/// propose_partitions, then fuse_partitions of what it gives: torch.fx's partition_and_fuse. Knows
/// of most graphs that their nodes can stay where they are without another look at them.
absl::StatusOr<FusedCalls> partition_and_fuse(Graph& graph, Module& root,
                                              const OperatorSupport& support,
                                              const PartitionOptions& options = {},
                                              const FuseOptions& fuse = {});

}  // namespace fx
