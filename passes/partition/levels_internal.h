// Finds the supported calls, and the levels from which partitions are created.
#pragma once

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/huge_pages.h"
#include "fx/passes/analysis/order_edges.h"
#include "fx/passes/analysis/position_queue.h"
#include "fx/passes/partition/operator_support_internal.h"
#include "fx/passes/partition/partitioner.h"

#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fx::internal {

/// True if nested graphs are arguments of the call. Such a call cannot be moved into a module.
inline bool reads_nested_graph(const Node& node) {
  const Graph& graph = node.graph();
  if (graph.num_subgraphs() == 0) return false;
  bool found = false;
  node.for_each_input([&](const Node* input) {
    found = found ||
            (input->op() == Opcode::kGetAttr && graph.find_subgraph(input->target()) != nullptr);
  });
  return found;
}

/// True if calls to the function only create views of their arguments.
inline bool computes_nothing(Target function, Target getitem) {
  const ops::OpInfo* op = function.op();
  return function == getitem || (op != nullptr && op->is_view());
}

inline bool uses_later_node(const Node& node) {
  bool found = false;
  node.for_each_input([&](const Node* input) { found |= !input->comes_before(node); });
  return found;
}

// ---------------------------------------------------------------- levels

/// Finds the calls that are supported, and the order of effects, in one pass over the nodes.
class SupportFinder {
 public:
  SupportFinder(const Graph& graph, const OperatorSupport& support)
      : support_(support),
        by_target_(support.target<TargetSupport>()),
        getitem_(graph.context().function("operator.getitem")),
        has_nested_graphs_(graph.num_subgraphs() != 0) {}

  struct CallFacts {
    bool is_supported;  ///< joined_getitems may override it
    bool is_idle;       ///< computes nothing
  };
  CallFacts visit(Node& call) {
    const Facts& facts = facts_of(call.function());
    if (!facts.is_plain) [[unlikely]]
      return {visit_in_full(call, facts.is_supported), facts.is_idle};
    effects_.visit(call, ops::Effects::none(), [&](Node& earlier) { add_edge(earlier, call); });
    return {*facts.is_supported, facts.is_idle};
  }
  /// Returns getitems in program order, with their operands. Such a getitem is supported if and
  /// only if its operand is supported.
  std::vector<std::pair<const Node*, const Node*>> joined_getitems() const {
    std::vector<std::pair<const Node*, const Node*>> joined;
    for (const Node* node : getitems_) {
      const Node* operand = node->arg(0).node();
      if (operand != nullptr && operand->is_call() && only_items_read(*operand))
        joined.emplace_back(node, operand);
    }
    return joined;
  }
  std::vector<std::pair<Node*, Node*>> take_order_edges() { return std::move(order_edges_); }

 private:
  /// Facts about all calls to a function.
  struct Facts {
    Target function;
    bool is_plain = false;                  // no effects, not a getitem, and support is known
    bool is_idle = false;                   // a view, or a getitem
    std::optional<bool> is_supported = {};  // nullopt: depends on the call
  };
  static constexpr size_t kNumFacts = 64;  // most graphs call fewer functions

  const Facts& facts_of(Target function) {
    Facts& facts = facts_[function.symbol().index_below(kNumFacts)];
    if (facts.function != function) [[unlikely]]
      facts = find_facts(function);
    return facts;
  }
  [[gnu::noinline]] Facts find_facts(Target function) const {
    Facts facts{.function = function};
    const ops::OpInfo* op = function.op();
    facts.is_idle = computes_nothing(function, getitem_);
    if (!function || by_target_ == nullptr || has_nested_graphs_) return facts;
    facts.is_supported = by_target_->of_function(function);
    facts.is_plain = facts.is_supported && function != getitem_ && op != nullptr &&
                     op->effects().is_pure() && !op->has(ops::OpTrait::kSubgraphs);
    return facts;
  }
  [[gnu::noinline]] bool visit_in_full(Node& call, std::optional<bool> is_supported) {
    effects_.visit(call, [&](Node& earlier) { add_edge(earlier, call); });
    if (call.is(getitem_) && call.num_args() > 0) getitems_.push_back(&call);
    if (is_supported) return *is_supported;
    return !(has_nested_graphs_ && reads_nested_graph(call)) && support_(call);
  }
  [[gnu::noinline]] void add_edge(Node& earlier, Node& later) {
    order_edges_.emplace_back(&earlier, &later);
  }
  bool only_items_read(const Node& node) const {
    return std::all_of(node.uses().begin(), node.uses().end(),
                       [&](const Use use) { return use.user()->is(getitem_); });
  }

  const OperatorSupport& support_;
  const TargetSupport* by_target_;  // null if support depends on the call
  const Target getitem_;
  const bool has_nested_graphs_;
  std::array<Facts, kNumFacts> facts_;
  OrderOfEffects effects_;
  std::vector<std::pair<Node*, Node*>> order_edges_;  // (earlier, later), sorted by the later node
  std::vector<const Node*> getitems_;
};

/// Partitions that are stored in one vector, since there may be many small ones.
struct Partitions {
  std::vector<Node*> nodes;
  std::vector<uint32_t> ends;  // end of each partition, in nodes
  bool are_pieces = false;     // whether the nodes of each partition are known to be contiguous

  size_t size() const { return ends.size(); }
  absl::Span<Node* const> operator[](size_t i) const {
    const uint32_t begin = i == 0 ? 0 : ends[i - 1];
    return {nodes.data() + begin, ends[i] - begin};
  }
  void add(absl::Span<Node* const> partition) {
    nodes.insert(nodes.end(), partition.begin(), partition.end());
    ends.push_back(static_cast<uint32_t>(nodes.size()));
  }
  std::vector<Partition> as_lists() const {
    std::vector<Partition> lists(size());
    for (size_t i = 0; i < size(); ++i) lists[i].assign((*this)[i].begin(), (*this)[i].end());
    return lists;
  }
};

/// The level of each call, and whether it is supported: edges go from larger levels to smaller or
/// equal ones, and the supported calls of a level are a partition.
class Levels {
 public:
  Levels(const Graph& graph, const OperatorSupport& support) : ranks_(graph.id_bound(), 0) {
    find_supported(graph, support);
    find_levels();
  }
  /// True if both are in the same partition, provided that unconnected calls are not separated.
  bool same_partition(const Node& a, const Node& b) const {
    return is_supported(rank(a)) && rank(a) == rank(b);
  }
  const std::vector<std::pair<Node*, Node*>>& order_edges() const { return edges_; }
  /// True if all operands come before their users.
  bool is_legal_order() const { return is_legal_order_; }

  /// Returns the supported calls of each level, in program order, for levels with at least these
  /// numbers of calls and of calls that compute something.
  Partitions partitions(size_t min_size, size_t min_computing) const {
    constexpr uint32_t kNone = UINT32_MAX;
    struct Level {
      uint32_t size = 0, num_computing = 0;
      uint32_t end = kNone;  // the end of its nodes so far, in its partition
      size_t last = 0;       // the last step
    };
    std::vector<Level> levels(num_levels_);
    for (const Step& step : steps_) {
      if (!is_supported(step.rank)) continue;
      Level& level = levels[level_of(step.rank)];
      ++level.size;
      level.num_computing += step.is_idle ? 0 : 1;
    }
    Partitions partitions;
    uint32_t size = 0;
    for (Level& level : levels) {
      if (level.size < min_size || level.num_computing < min_computing) continue;
      level.end = size;
      partitions.ends.push_back(size += level.size);
    }
    partitions.nodes.resize(size);
    size_t num_pieces = 0;
    for (size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      if (!is_supported(step.rank)) continue;
      Level& level = levels[level_of(step.rank)];
      if (level.end == kNone) continue;
      partitions.nodes[level.end++] = step.node;
      num_pieces += level.last == i && i > 0 ? 0 : 1;
      level.last = i + 1;
    }
    partitions.are_pieces = output_is_last_ && num_pieces == partitions.size();
    return partitions;
  }

 private:
  // A rank is twice the level, plus one for supported calls, in four bytes.
  static bool is_supported(uint32_t rank) { return (rank & 1) != 0; }
  static uint32_t level_of(uint32_t rank) { return rank / 2; }
  uint32_t& rank(const Node& node) { return ranks_[node.id()]; }
  uint32_t rank(const Node& node) const { return ranks_[node.id()]; }

  struct Step {
    Node* node;
    uint32_t rank;
    bool is_idle;
  };
  template <class T>
  using Table = std::vector<T, HugePageAllocator<T>>;

  [[gnu::noinline]] void find_supported(const Graph& graph, const OperatorSupport& support) {
    SupportFinder finder(graph, support);
    steps_.reserve(graph.size());
    for (Node& node : graph.nodes()) {
      if (node.is_output()) {
        is_legal_order_ = is_legal_order_ && !uses_later_node(node);
        output_is_last_ = output_is_last_ && node.next() == nullptr;
        continue;
      }
      Step& step = steps_.emplace_back(Step{.node = &node, .rank = 0, .is_idle = false});
      if (!node.is_call()) continue;
      const SupportFinder::CallFacts facts = finder.visit(node);
      step.is_idle = facts.is_idle;
      if (facts.is_supported) rank(node) = 1;
    }
    for (const auto& [node, operand] : finder.joined_getitems()) rank(*node) = rank(*operand);
    edges_ = finder.take_order_edges();
  }
  [[gnu::noinline]] void find_levels() {
    uint32_t highest = 0;
    bool is_legal = is_legal_order_;
    constexpr size_t kAhead = 32;
    auto edge = edges_.rbegin();  // sorted by the later node; walked in reverse, like the steps
    uint32_t* const ranks = ranks_.data();
    for (size_t i = steps_.size(); i-- > 0;) {
      // Prefetch the node, because processors predict backward traversals less well. Most of its
      // operands are a short distance before it.
      if (i >= kAhead) __builtin_prefetch(steps_[i - kAhead].node);
      Step& step = steps_[i];
      const Node& node = *step.node;
      const uint32_t node_rank = ranks[node.id()];
      step.rank = node_rank;
      highest = std::max(highest, node_rank);
      // Operands are on this level, or on the next level if their support differs.
      const uint32_t unsupported = is_supported(node_rank) ? node_rank + 1 : node_rank;
      const uint32_t supported = is_supported(node_rank) ? node_rank : node_rank + 3;
      const auto raise = [&](const Node& earlier) {
        uint32_t& earlier_rank = ranks[earlier.id()];
        earlier_rank = std::max(earlier_rank, is_supported(earlier_rank) ? supported : unsupported);
      };
      for (; edge != edges_.rend() && edge->second == &node; ++edge) raise(*edge->first);
      node.for_each_input([&](const Node* input) {
        is_legal &= input->comes_before(node);
        raise(*input);
      });
    }
    is_legal_order_ = is_legal;
    num_levels_ = level_of(highest) + 1;
  }

  Table<uint32_t> ranks_;  // by id
  Table<Step> steps_;      // all nodes except the output, in program order
  size_t num_levels_ = 0;
  bool is_legal_order_ = true;
  bool output_is_last_ = true;  // no node comes after the output
  std::vector<std::pair<Node*, Node*>> edges_;
};

}  // namespace fx::internal
