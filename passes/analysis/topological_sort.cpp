// topological_sort: see topological_sort.h.
#include "fx/passes/analysis/topological_sort.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/position_queue.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Nodes that torch.fx's legalize_graph places before all other ready nodes.
constexpr std::string_view kFirst[] = {
    "operator.add",
    "operator.mul",
    "operator.sub",
    "operator.floordiv",
    "operator.truediv",
    "operator.mod",
    "operator.le",
    "operator.lt",
    "operator.ge",
    "operator.gt",
    "operator.eq",
    "operator.ne",
    "aten.sym_constrain_range.default",
    "aten.sym_constrain_range_for_size.default",
    "aten._assert_async.msg",
    "aten.scalar_tensor.default",
    "aten._assert_scalar.default",
};

/// A queue of the nodes whose operands have been placed. Positions are in the sequence
/// to be sorted.
class StableQueue {
 public:
  explicit StableQueue(size_t count) : positions_(count) {}
  void push(uint32_t position, const Node&) { positions_.push(position); }
  uint32_t pop() { return static_cast<uint32_t>(positions_.pop()); }
  bool empty() const { return positions_.empty(); }

 private:
  internal::PositionQueue positions_;
};

class BreadthFirstQueue {
 public:
  explicit BreadthFirstQueue(Context& context) {
    for (const std::string_view name : kFirst) first_.insert(context.function(name));
  }
  void push(uint32_t position, const Node& node) {
    if (started_ && node.op() == Opcode::kCallFunction && first_.contains(node.function()))
      queue_.push_front(position);
    else
      queue_.push_back(position);
  }
  uint32_t pop() {
    started_ = true;
    const uint32_t position = queue_.front();
    queue_.pop_front();
    return position;
  }
  bool empty() const { return queue_.empty(); }

 private:
  absl::flat_hash_set<Target> first_;
  std::deque<uint32_t> queue_;
  bool started_ = false;  // nodes without operands keep their order
};

class RandomQueue {
 public:
  explicit RandomQueue(uint64_t seed) : random_(seed) {}
  void push(uint32_t position, const Node&) { ready_.push_back(position); }
  uint32_t pop() {
    std::swap(ready_[random_() % ready_.size()], ready_.back());
    const uint32_t position = ready_.back();
    ready_.pop_back();
    return position;
  }
  bool empty() const { return ready_.empty(); }

 private:
  std::mt19937_64 random_;
  std::vector<uint32_t> ready_;
};

/// Sorts sequences of nodes of one graph by Kahn's algorithm.
class Sorter {
 public:
  explicit Sorter(const Graph& graph) : position_(graph, 0), seen_(graph, 0) {}

  /// Returns `nodes` in an order that `queue` chooses, with operands before their users. Returns
  /// fewer nodes if there is a cycle.
  template <class Queue>
  std::vector<Node*> sort(const std::vector<Node*>& nodes, Queue& queue) {
    std::vector<uint32_t> waits_for(nodes.size(), 0);
    for (uint32_t i = 0; i < nodes.size(); ++i) position_[*nodes[i]] = i + 1;
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      ++mark_;
      nodes[i]->for_each_input([&](Node* input) {
        if (position_[*input] != 0 && std::exchange(seen_[*input], mark_) != mark_) ++waits_for[i];
      });
      if (waits_for[i] == 0) queue.push(i, *nodes[i]);
    }
    std::vector<Node*> sorted;
    sorted.reserve(nodes.size());
    while (!queue.empty()) {
      Node* node = nodes[queue.pop()];
      sorted.push_back(node);
      ++mark_;
      for (const Use use : node->uses()) {
        Node* user = use.user();
        const uint32_t position = position_[*user];
        if (position == 0 || std::exchange(seen_[*user], mark_) == mark_) continue;
        if (--waits_for[position - 1] == 0) queue.push(position - 1, *user);
      }
    }
    for (Node* node : nodes) position_[*node] = 0;
    return sorted;
  }

 private:
  NodeMap<uint32_t> position_;  // in the sequence, from 1
  NodeMap<uint64_t> seen_;
  uint64_t mark_ = 0;
};

bool is_legal(const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    bool legal = true;
    node.for_each_input([&](Node* input) { legal = legal && input->comes_before(node); });
    if (!legal) return false;
  }
  return true;
}

/// True if no node may be moved past this one: its operands do not determine everything that it
/// reads or writes.
bool is_barrier(const Node& node) {
  return node.op() != Opcode::kPlaceholder && node.op() != Opcode::kGetAttr &&
         (node.is_output() || !effects(node).is_movable());
}

/// Arranges the graph's nodes in the order of `order`, which contains all nodes. Returns whether a
/// node moved.
absl::StatusOr<bool> arrange(Graph& graph, const std::vector<Node*>& order) {
  bool moved = false;
  Node* last = nullptr;
  for (Node* node : order) {
    if ((last == nullptr ? graph.front() : last->next()) != node) {
      FX_RETURN_IF_ERROR(last == nullptr ? node->move_before(*graph.front())
                                         : node->move_after(*last));
      moved = true;
    }
    last = node;
  }
  return moved;
}

std::vector<Node*> list_nodes(const Graph& graph) {
  std::vector<Node*> nodes;
  nodes.reserve(graph.size());
  std::vector<Node*> outputs;
  for (Node& node : graph.nodes()) (node.is_output() ? outputs : nodes).push_back(&node);
  nodes.insert(nodes.end(), outputs.begin(), outputs.end());
  return nodes;
}

absl::Status cycle_error(const Graph& graph, const std::vector<Node*>& sorted) {
  NodeSet done(graph);
  for (const Node* node : sorted) done.insert(*node);
  // Follows operands that have not been placed until a node repeats, which closes a cycle.
  NodeMap<uint32_t> step(graph, 0);
  std::vector<const Node*> path;
  const Node* node = nullptr;
  for (const Node& n : graph.nodes())
    if (node == nullptr && !done.contains(n)) node = &n;
  while (node != nullptr && step[*node] == 0) {
    path.push_back(node);
    step[*node] = static_cast<uint32_t>(path.size());
    const Node* next = nullptr;
    node->for_each_input([&](Node* input) {
      if (next == nullptr && !done.contains(*input)) next = input;
    });
    node = next;
  }
  std::string names;
  const size_t first = node == nullptr ? 0 : step[*node] - 1;
  for (size_t i = first; i < path.size() && i < first + 20; ++i)
    names += fmt::format("{}%{}", names.empty() ? "" : " uses ", path[i]->name());
  if (path.size() > first + 20) names += " uses ...";
  return absl::FailedPreconditionError(
      fmt::format("the nodes cannot be sorted, because they depend on each other in a cycle: {}{}",
                  names, node == nullptr ? "" : fmt::format(" uses %{}", node->name())));
}

/// Sorts the sequences between calls with effects separately.
template <class MakeQueue, class IsBarrier>
std::vector<Node*> sort_parts(const std::vector<Node*>& nodes, Sorter& sorter,
                              const MakeQueue& make_queue, const IsBarrier& barrier) {
  std::vector<Node*> order, part;
  order.reserve(nodes.size());
  const auto flush = [&] {
    auto queue = make_queue();
    const std::vector<Node*> sorted = sorter.sort(part, queue);
    order.insert(order.end(), sorted.begin(), sorted.end());
    part.clear();
  };
  for (Node* node : nodes) {
    if (barrier(*node)) {
      flush();
      order.push_back(node);
    } else {
      part.push_back(node);
    }
  }
  flush();
  return order;
}

absl::StatusOr<bool> sort_one(Graph& graph, const TopologicalSortOptions& options) {
  const bool legal = is_legal(graph);
  std::vector<Node*> nodes = list_nodes(graph);
  Sorter sorter(graph);
  const bool breadth_first = options.order == NodeOrder::kBreadthFirst;
  const bool has_barriers = breadth_first && std::ranges::any_of(nodes, [](const Node* node) {
                              return !node->is_output() && is_barrier(*node);
                            });
  if (!legal && (!breadth_first || has_barriers)) {
    StableQueue queue(nodes.size());
    std::vector<Node*> sorted = sorter.sort(nodes, queue);
    if (sorted.size() < nodes.size()) return cycle_error(graph, sorted);
    nodes = std::move(sorted);
  }
  if (breadth_first) {
    std::vector<Node*> sorted = sort_parts(
        nodes, sorter, [&] { return BreadthFirstQueue(graph.context()); },
        [](const Node& node) { return is_barrier(node); });
    if (sorted.size() < nodes.size()) return cycle_error(graph, sorted);
    nodes = std::move(sorted);
  }
  return arrange(graph, nodes);
}

}  // namespace

absl::StatusOr<bool> topological_sort(Graph& graph, const TopologicalSortOptions& options) {
  bool changed = false;
  for (Graph& g : all_graphs(graph)) {
    FX_ASSIGN_OR_RETURN(const bool moved, sort_one(g, options));
    changed = changed || moved;
  }
  return changed;
}

void shuffle_nodes(Graph& graph, uint64_t seed) {
  std::vector<Node*> nodes;
  nodes.reserve(graph.size());
  for (Node& node : graph.nodes()) nodes.push_back(&node);
  Sorter sorter(graph);
  const std::vector<Node*> order = sort_parts(
      nodes, sorter, [&] { return RandomQueue(seed++); },
      [](const Node& node) { return node.is_placeholder() || is_barrier(node); });
  // A graph with a cycle does not change.
  if (order.size() == nodes.size()) FX_CHECK_OK(arrange(graph, order));
}

}  // namespace fx
