// Partitions by capability: see partitioner.h.
#include "fx/passes/partition/partitioner.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/disjoint_sets.h"
#include "fx/passes/analysis/order_edges.h"
#include "fx/passes/partition/fused_order_internal.h"
#include "fx/passes/partition/levels_internal.h"
#include "fx/passes/partition/operator_support_internal.h"
#include "fx/passes/partition/outline_internal.h"
#include "fx/passes/partition/subgraph.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace fx {
namespace {

using internal::computes_nothing;
using internal::FusedOrder;
using internal::Levels;
using internal::Partitions;

constexpr uint32_t kNoPart = UINT32_MAX;

/// Returns the components of a partition, which do not depend on each other and need no fixed
/// order. The component with the last node is first. `number`, by component, is scratch memory: all
/// entries must be kNoPart, and are kNoPart again afterward.
std::vector<Partition> connected_parts(absl::Span<Node* const> partition,
                                       const internal::DisjointSets& components,
                                       std::vector<uint32_t>& number) {
  std::vector<Partition> parts;
  const auto part_of = [&](const Node* node) { return components.find(node->id()); };
  for (size_t i = partition.size(); i-- > 0;) {
    uint32_t& part = number[part_of(partition[i])];
    if (part == kNoPart) {
      part = static_cast<uint32_t>(parts.size());
      parts.emplace_back();
    }
    parts[part].push_back(partition[i]);
  }
  for (Partition& part : parts) {
    number[part_of(part.front())] = kNoPart;
    std::ranges::reverse(part);
  }
  return parts;
}

class ComputeCounter {
 public:
  ComputeCounter(const Graph& graph, const PartitionOptions& options)
      : getitem_(graph.context().function("operator.getitem")),
        idle_(options.non_compute_ops.begin(), options.non_compute_ops.end()),
        single_targets_(options.allowed_single_node_ops.begin(),
                        options.allowed_single_node_ops.end()) {}

  /// True if any two calls that compute something suffice for a partition.
  bool is_plain() const { return idle_.empty() && single_targets_.empty(); }
  /// Returns the minimum number of nodes of a partition.
  size_t min_size() const { return single_targets_.empty() ? 2 : 1; }
  bool is_large_enough(absl::Span<Node* const> partition) const {
    int count = 0;
    for (const Node* node : partition) {
      if (!single_targets_.empty() && single_targets_.contains(std::string(node->target())))
        return true;
      if (count < 2) count += is_idle(*node) ? 0 : 1;
      if (count > 1 && single_targets_.empty()) return true;
    }
    return count > 1;
  }

 private:
  bool is_idle(const Node& node) const {
    if (!idle_.empty() && idle_.contains(std::string(node.target()))) return true;
    return computes_nothing(node.function(), getitem_);
  }

  Target getitem_;
  absl::flat_hash_set<std::string> idle_, single_targets_;
};

// ---------------------------------------------------------------- proposing

Partitions partitions_of(const Graph& graph, const Levels& levels,
                         const PartitionOptions& options) {
  const ComputeCounter counter(graph, options);
  const bool keep_all = options.allow_single_node;
  const size_t min_size = keep_all ? 1 : counter.min_size();
  const bool is_plain = keep_all || counter.is_plain();
  if (!options.only_connected && is_plain) return levels.partitions(min_size, keep_all ? 0 : 2);
  const Partitions found = levels.partitions(min_size, 0);
  Partitions result;
  const auto add = [&](absl::Span<Node* const> partition) {
    if (keep_all || counter.is_large_enough(partition)) result.add(partition);
  };
  if (!options.only_connected) {
    for (size_t i = 0; i < found.size(); ++i) add(found[i]);
    return result;
  }
  internal::DisjointSets components(graph.id_bound());  // of ids
  for (const Node& node : graph.nodes()) {
    node.for_each_input([&](const Node* input) {
      if (levels.same_partition(*input, node)) components.join(input->id(), node.id());
    });
  }
  for (const auto& [earlier, later] : levels.order_edges())
    if (levels.same_partition(*earlier, *later)) components.join(earlier->id(), later->id());
  std::vector<uint32_t> number(components.size(), kNoPart);
  for (size_t i = 0; i < found.size(); ++i)
    for (const Partition& part : connected_parts(found[i], components, number)) add(part);
  return result;
}

/// Generates the names of the modules: `<prefix>0`, `<prefix>1`, ..., skipping names in use.
class PartNames {
 public:
  PartNames(const Graph& graph, const Module& root, const std::string& prefix)
      : root_(root), names_(graph, prefix) {
    // Names need no check if the root has no member with the prefix, which is common.
    const auto begins = [&](const auto& member) { return absl::StartsWith(member.key, prefix); };
    may_be_taken_ =
        absl::StrContains(prefix, '.') || std::ranges::any_of(root.attributes(), begins);
  }
  /// Returns the next name; valid until the next call.
  internal::PartName next() {
    internal::PartName name = names_.name(number_++);
    while (may_be_taken_ && root_.has_attribute(name.text)) name = names_.name(number_++);
    return name;
  }

 private:
  const Module& root_;
  internal::NumberedNames names_;
  bool may_be_taken_ = false;
  size_t number_ = 0;
};

/// Creates a module from each partition; `nodes_of` returns its nodes, which are contiguous.
template <class NodesOf>
absl::StatusOr<std::vector<Node*>> fuse_pieces(Graph& graph, Module& root, size_t count,
                                               NodesOf&& nodes_of, const FuseOptions& options) {
  std::vector<Node*> calls;
  calls.reserve(count);
  internal::PartTable table(graph);
  PartNames names(graph, root, options.prefix);
  root.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    FX_ASSIGN_OR_RETURN(Node * call,
                        internal::outline_block(graph, root, nodes_of(i), names.next(),
                                                {.return_tuple = options.return_tuple}, table));
    calls.push_back(call);
  }
  return calls;
}

}  // namespace

std::vector<Partition> propose_partitions(const Graph& graph, const OperatorSupport& support,
                                          const PartitionOptions& options) {
  return partitions_of(graph, Levels(graph, support), options).as_lists();
}

void remove_bookends(std::vector<Partition>& partitions, absl::Span<const std::string> targets) {
  const absl::flat_hash_set<std::string> idle(targets.begin(), targets.end());
  for (Partition& partition : partitions) {
    absl::flat_hash_set<const Node*> inside(partition.begin(), partition.end());
    const auto is_idle = [&](const Node& node) {
      return idle.contains(std::string(node.target()));
    };
    // Removes idle nodes: first, from the front, those that use no node of the partition; then,
    // from the back, those that no node of the partition uses.
    for (const Node* node : partition) {
      bool reads = false;
      node->for_each_input([&](Node* input) { reads = reads || inside.contains(input); });
      if (!reads && is_idle(*node)) inside.erase(node);
    }
    for (size_t i = partition.size(); i-- > 0;) {
      const Node& node = *partition[i];
      const bool is_read = std::any_of(node.uses().begin(), node.uses().end(),
                                       [&](const Use use) { return inside.contains(use.user()); });
      if (!is_read && is_idle(node)) inside.erase(&node);
    }
    std::erase_if(partition, [&](const Node* node) { return !inside.contains(node); });
  }
  std::erase_if(partitions, [](const Partition& partition) { return partition.empty(); });
}

absl::StatusOr<std::vector<Node*>> fuse_partitions(Graph& graph, Module& root,
                                                   absl::Span<const Partition> partitions,
                                                   const FuseOptions& options) {
  FusedOrder fused(graph);
  FX_RETURN_IF_ERROR(fused.arrange(graph, partitions));
  return fuse_pieces(
      graph, root, partitions.size(), [&](size_t i) { return fused.nodes_of(i); }, options);
}

absl::StatusOr<FusedCalls> partition_and_fuse(Graph& graph, Module& root,
                                              const OperatorSupport& support,
                                              const PartitionOptions& options,
                                              const FuseOptions& fuse) {
  FusedCalls result;
  Partitions partitions;
  bool is_in_order = false;
  {
    const Levels levels(graph, support);
    partitions = partitions_of(graph, levels, options);
    is_in_order = levels.is_legal_order() && partitions.are_pieces;
  }
  result.num_moved = partitions.nodes.size();
  if (is_in_order) {
    const auto nodes_of = [&](size_t i) { return partitions[i]; };
    FX_ASSIGN_OR_RETURN(result.calls, fuse_pieces(graph, root, partitions.size(), nodes_of, fuse));
    return result;
  }
  FX_ASSIGN_OR_RETURN(result.calls, fuse_partitions(graph, root, partitions.as_lists(), fuse));
  return result;
}

}  // namespace fx
