// Reorders a graph's nodes so that every partition is contiguous.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/order_edges.h"
#include "fx/passes/analysis/position_queue.h"
#include "fx/passes/partition/levels_internal.h"
#include "fx/passes/partition/partitioner.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace fx::internal {

/// Finds an order of execution in which every partition is contiguous.
class FusedOrder {
 public:
  explicit FusedOrder(const Graph& graph) : graph_(graph), group_(graph, kNone) {}

  /// Reorders the graph's nodes into that order. The partitions must outlive the last call to
  /// nodes_of.
  absl::Status arrange(Graph& graph, absl::Span<const Partition> partitions) {
    partitions_ = partitions;
    FX_RETURN_IF_ERROR(find_groups());
    if (is_in_order_) return absl::OkStatus();
    FX_ASSIGN_OR_RETURN(const std::vector<Node*> order, find());
    Node* last = nullptr;
    for (Node* node : order) {
      if ((last == nullptr ? graph.front() : last->next()) != node)
        FX_RETURN_IF_ERROR(last == nullptr ? node->move_before(*graph.front())
                                           : node->move_after(*last));
      last = node;
    }
    return absl::OkStatus();
  }
  /// Returns the nodes of a partition, in that order.
  absl::Span<Node* const> nodes_of(size_t partition) const {
    if (members_.empty()) return partitions_[partition];
    const Group& group = groups_[partition];
    return {members_.data() + group.first, group.size};
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Group {         // most have one node
    uint32_t first = 0;  // index into members_, of its first node
    uint32_t size = 0;
    uint32_t position = 0;   // position of its last node; outputs come after all other nodes
    uint32_t waits_for = 0;  // edges from other groups
  };

  /// Finds the groups of partitions, and tests whether the current order suffices.
  absl::Status find_groups() {
    bool is_sorted = true;  // whether each partition is sorted
    for (uint32_t g = 0; g < partitions_.size(); ++g) {
      if (partitions_[g].empty())
        return absl::InvalidArgumentError("a partition must not be empty");
      const Node* last = nullptr;
      for (const Node* node : partitions_[g]) {
        if (!may_be_member(node)) return member_error(node);
        group_[*node] = g;
        is_sorted = is_sorted && (last == nullptr || last->comes_before(*node));
        last = node;
      }
    }
    size_t pieces = 0;  // the number of contiguous pieces of partitions
    uint32_t before = kNone;
    for (const Node& node : graph_.nodes()) {
      if (uses_later_node(node)) [[unlikely]] {
        is_in_order_ = false;
        FX_RETURN_IF_ERROR(check_order_in_partition(node));
      }
      if (const uint32_t number = group_[node]; number != before) {
        if (number != kNone) ++pieces;
        before = number;
      }
    }
    is_in_order_ = is_in_order_ && pieces == partitions_.size();
    if (!is_sorted || !is_in_order_) find_members();
    return absl::OkStatus();
  }
  void find_members() {
    uint32_t first = 0;
    for (const Partition& partition : partitions_) {
      groups_.push_back({.first = first});
      first += static_cast<uint32_t>(partition.size());
    }
    members_.resize(first);
    for (Node& node : graph_.nodes()) {
      if (group_[node] == kNone) continue;
      Group& group = groups_[group_[node]];
      members_[group.first + group.size++] = &node;
    }
  }
  bool may_be_member(const Node* node) const {
    return node != nullptr && !node->is_erased() && &node->graph() == &graph_ &&
           !node->is_placeholder() && !node->is_output() && group_[*node] == kNone;
  }
  absl::Status member_error(const Node* node) const {
    if (node == nullptr || node->is_erased() || &node->graph() != &graph_)
      return absl::InvalidArgumentError("the nodes of a partition must be live nodes of the graph");
    if (node->is_placeholder() || node->is_output()) {
      return absl::InvalidArgumentError(fmt::format("%{}, a {}, cannot be in a partition",
                                                    node->name(), opcode_name(node->op())));
    }
    return absl::InvalidArgumentError(fmt::format("%{} is in two partitions", node->name()));
  }
  absl::Status check_order_in_partition(const Node& node) const {
    const uint32_t number = group_[node];
    const Node* late = nullptr;
    node.for_each_input([&](const Node* input) {
      if (!input->comes_before(node) && number != kNone && group_[*input] == number) late = input;
    });
    if (late == nullptr) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("%{} uses %{}, which comes after it in the same partition; sort the graph "
                    "first (topological_sort)",
                    node.name(), late->name()));
  }
  /// Returns the nodes in the new order: repeatedly selects the first group whose operands have
  /// been placed.
  absl::StatusOr<std::vector<Node*>> find() {
    add_single_nodes();
    count_edges();
    PositionQueue ready(group_at_.size());
    for (const Group& group : groups_)
      if (group.waits_for == 0) ready.push(group.position);
    std::vector<Node*> order;
    order.reserve(members_.size());
    size_t done = 0;
    const auto follow = [&](uint32_t from, const Node& to) {
      const uint32_t group = group_[to];
      if (group != from && --groups_[group].waits_for == 0) ready.push(groups_[group].position);
    };
    while (!ready.empty()) {
      const uint32_t g = group_at_[ready.pop()];
      ++done;
      for (Node* node : nodes_of(g)) {
        order.push_back(node);
        for (const Use use : node->uses()) follow(g, *use.user());
        if (edges_.empty()) continue;
        const auto [first, last] =
            std::ranges::equal_range(edges_, node, {}, &std::pair<Node*, Node*>::first);
        for (const auto& edge : std::ranges::subrange(first, last)) follow(g, *edge.second);
      }
    }
    if (done < groups_.size()) return cycle_error();
    return order;
  }
  /// Adds groups of nodes that are not in a partition, and the positions of all groups.
  void add_single_nodes() {
    groups_.reserve(groups_.size() + graph_.size() - members_.size());
    members_.reserve(graph_.size());
    uint32_t position = 0;
    std::vector<uint32_t> outputs;  // groups of outputs
    for (Node& node : graph_.nodes()) {
      uint32_t& number = group_[node];
      if (number == kNone) {
        number = static_cast<uint32_t>(groups_.size());
        groups_.push_back({.first = static_cast<uint32_t>(members_.size()), .size = 1});
        members_.push_back(&node);
      }
      if (node.is_output())
        outputs.push_back(number);
      else
        groups_[number].position = position++;
    }
    for (const uint32_t output : outputs) groups_[output].position = position++;
    group_at_.resize(position);
    for (uint32_t g = 0; g < groups_.size(); ++g) group_at_[groups_[g].position] = g;
  }
  void count_edges() {
    edges_ = order_edges(graph_);
    std::ranges::sort(edges_);  // by the earlier node, for lookups
    for (const auto& [earlier, later] : edges_)
      groups_[group_[*later]].waits_for += group_[*earlier] != group_[*later];
    for (const Node& node : graph_.nodes()) {
      node.for_each_input(
          [&](Node* input) { groups_[group_[node]].waits_for += group_[*input] != group_[node]; });
    }
  }
  absl::Status cycle_error() const {
    for (size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].waits_for == 0 || groups_[g].size < 2) continue;
      return absl::InvalidArgumentError(
          fmt::format("the partition with %{} and %{} is in a cycle: a node outside it must run "
                      "between its nodes",
                      nodes_of(g).front()->name(), nodes_of(g).back()->name()));
    }
    return absl::FailedPreconditionError("nodes depend on each other in a cycle");
  }

  const Graph& graph_;
  absl::Span<const Partition> partitions_;
  NodeMap<uint32_t> group_;
  // The groups of partitions, then of the other nodes; empty if the current order suffices.
  std::vector<Group> groups_;
  std::vector<Node*> members_;      // the groups' nodes, in the order of the graph
  std::vector<uint32_t> group_at_;  // by the position of the group's last node
  bool is_in_order_ = true;
  std::vector<std::pair<Node*, Node*>> edges_;
};

}  // namespace fx::internal
