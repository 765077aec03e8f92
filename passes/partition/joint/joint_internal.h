// The steps of partition_joint: JointFacts describes the nodes of a prepared joint graph, a cut
// chooses the values that are saved, and build_parts creates the two graphs.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/partition/joint/joint_partition.h"

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace fx::internal {

/// Facts about a node. "Forward" nodes are all nodes that may run in the forward graph.
struct JointNode {
  bool backward = false;      ///< depends on a tangent: runs only in the backward graph
  bool required = false;      ///< a result of the forward graph depends on it
  bool runs_forward = false;  ///< always runs in the forward graph
  bool reaches = false;       ///< a forward node that the backward graph depends on
  bool direct = false;        ///< a backward node uses it, or it is a gradient
  bool once = false;          ///< cannot be recomputed
  bool random = false;        ///< draws random numbers, or is an item of such a result
  bool effectful = false;     ///< must run, although its value may have no users
  bool ordered = false;       ///< must keep its order relative to other ordered calls
  bool savable = false;       ///< may be saved; views and lists cannot be
  bool must_compute = false;  ///< the user requires it to be recomputed
  bool must_save = false;     ///< the user requires it not to be recomputed
  bool copied = false;        ///< saved as a clone
  bool cheap = false;         ///< JointMethod::kMinCut may recompute it
  bool in_forward = false;    ///< belongs to the forward region (metadata `region`)
  int64_t bytes = 0;          ///< memory for saving it; 0 for numbers and for inputs
  int64_t cost = 0;           ///< cost of recomputing it
  int64_t flops = 0;
};

class JointFacts {
 public:
  /// `graph` must be functional, and all calls must have users or effects.
  static absl::StatusOr<JointFacts> make(const Graph& graph, const JointPartitionOptions& options);

  const Graph& graph() const { return *graph_; }
  const JointNode& operator[](const Node& node) const { return nodes_[node]; }

  std::vector<Argument> results, gradients;                          ///< items of the output
  std::vector<Argument> result_descriptions, gradient_descriptions;  ///< empty without metadata
  SymBindings bindings;
  std::vector<std::string> assumed_sizes;

 private:
  explicit JointFacts(const Graph& graph) : graph_(&graph), nodes_(graph) {}
  absl::Status split_output();
  void split_by_description(const Argument& all, const Argument& descriptions);
  void split_pair(const Argument& first, const Argument& second);
  void bind_symbols(const SymBindings& given);
  absl::Status classify_nodes();
  void find_uses();
  void find_written_inputs();
  absl::flat_hash_set<const Node*> written_by_forward(const MemoryAnalysis& memory) const;
  absl::Status measure(const JointPartitionOptions& options);
  absl::Status apply_marks(const JointPartitionOptions& options);
  void find_cheap();

  const Graph* graph_;
  NodeMap<JointNode> nodes_;
};

/// Calls `f` with each node in an argument.
template <class F>
void for_each_node_in(const Argument& argument, F&& f) {
  map_nodes(argument, [&](Node* node) {
    f(*node);
    return Argument(node);
  });
}

/// True if JointMethod::kMinCut may recompute a call, given only its operator (recompute_ops.cpp).
bool is_cheap_operator(const Node& call);
/// True if a compiler can fuse the call with its neighbors.
bool is_fusible_operator(const Node& call);

/// What a partition saves and recomputes.
struct JointCut {
  explicit JointCut(const Graph& graph) : recomputed(graph, 0) {}
  std::vector<const Node*> saved;  ///< in program order
  NodeMap<char> recomputed;        ///< forward nodes that the backward graph computes
  int64_t bytes = 0;               ///< of saved values
  int64_t cost = 0;                ///< of recomputing the other values
};

/// Returns the cut of JointMethod::kDefault.
JointCut default_cut(const JointFacts& facts);
/// Returns the cut of JointMethod::kMinCut.
absl::StatusOr<JointCut> cheap_cut(const JointFacts& facts);
/// Returns the cut with the fewest bytes.
absl::StatusOr<JointCut> smallest_cut(const JointFacts& facts);
/// Returns a cut with at most `bytes`, or `smallest` if there is none. Sets `bound` to a lower
/// bound on the cost of all such cuts.
absl::StatusOr<JointCut> cut_within(const JointFacts& facts, int64_t bytes, JointCut cheap,
                                    JointCut smallest, double& bound);

absl::Status build_parts(const JointFacts& facts, const JointCut& cut, JointPartition& result);

}  // namespace fx::internal
