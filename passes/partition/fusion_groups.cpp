// Calls of a backend, and groups of calls that must stay together: see backend_splitter.h.
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/huge_pages.h"
#include "fx/passes/analysis/disjoint_sets.h"
#include "fx/passes/partition/backend_calls_internal.h"
#include "fx/passes/partition/backend_splitter.h"
#include "fx/passes/partition/operator_support_internal.h"

#include "absl/container/inlined_vector.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace fx {
namespace {

/// True if the value is a tensor.
bool is_tensor(const Node& node) { return node.type().is_tensor(); }
/// True if the value contains a tensor.
bool contains_tensor(const Node& node) {
  if (is_tensor(node)) return true;
  absl::InlinedVector<Type, 8> worklist = {node.type()};
  while (!worklist.empty()) {
    const Type type = worklist.back();
    worklist.pop_back();
    if (type.is_tensor()) return true;
    for (const Type item : type.items()) worklist.push_back(item);
  }
  return false;
}

/// Removes calls from the backend, and, transitively, calls that exchange values other than tensors
/// with removed calls.
void remove_from_backend(std::vector<Node*> leaving, NodeSet& backend) {
  while (!leaving.empty()) {
    Node* const node = leaving.back();
    leaving.pop_back();
    if (!backend.contains(*node)) continue;
    backend.erase(*node);
    if (!is_tensor(*node)) {
      for (Node* user : node->users()) leaving.push_back(user);
    }
    node->for_each_input([&](Node* input) {
      if (!is_tensor(*input)) leaving.push_back(input);
    });
  }
}

template <class T>
using Table = std::vector<T, internal::HugePageAllocator<T>>;

/// The groups of a graph, whose calls are numbered in program order.
class GroupFinder {
 public:
  GroupFinder(const Graph& graph, NodeSet& backend)
      : index_(graph, kNone), backend_(backend), groups_(graph.num_calls()) {
    calls_.reserve(graph.num_calls());
    for (Node& node : graph.nodes()) {
      if (!node.is_call()) continue;
      index_[node] = size();
      calls_.push_back(&node);
    }
  }

  std::vector<std::vector<Node*>> run(const std::vector<Node*>& no_tensors) {
    for (const Node* call : no_tensors)
      if (!contains_tensor(*call)) join_users(*call);
    merge_cycles();
    struct Group {             // by the first call of the group
      bool exchanges = false;  // whether calls of the backend exchange values without tensors
      bool leaves = false;     // whether a call is not a call of the backend
      uint32_t size = 0;
      uint32_t number = kNone;
    };
    Table<Group> groups(size());
    for (uint32_t i = 0; i < size(); ++i) {
      Group& group = groups[groups_.find(i)];
      ++group.size;
      if (!backend_.contains(*calls_[i])) group.leaves = true;
    }
    for (const Node* call : no_tensors) {
      if (!contains_tensor(*call) && backend_.contains(*call))
        groups[groups_.find(index_[*call])].exchanges = true;
    }
    std::vector<std::vector<Node*>> result;  // sorted by their first calls
    for (uint32_t i = 0; i < size(); ++i) {
      Group& group = groups[groups_.find(i)];
      if (!group.exchanges) continue;
      if (group.leaves) {
        backend_.erase(*calls_[i]);
        continue;
      }
      if (group.number == kNone) {
        group.number = static_cast<uint32_t>(result.size());
        result.emplace_back().reserve(group.size);
      }
      result[group.number].push_back(calls_[i]);
    }
    return result;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t size() const { return static_cast<uint32_t>(calls_.size()); }
  /// Joins a call whose result has no tensors with its users.
  void join_users(const Node& call) {
    for (const Use use : call.uses()) {
      const uint32_t user = index_[*use.user()];
      if (user != kNone) groups_.join(index_[call], user);
    }
  }

  /// Merges groups that depend on each other in a cycle, with the calls on the cycle: none of them
  /// can run before another. Uses Tarjan's algorithm, with groups as nodes.
  void merge_cycles() {
    struct Member {
      uint32_t group;                 // the first call of its current group
      uint32_t next = kNone;          // the next call of the same group
      uint32_t step = 0, lowest = 0;  // for a group; step is 0 before the visit, kNone after it
    };
    Table<Member> members(size());
    bool any = false;
    for (uint32_t i = 0; i < size(); ++i) {
      const uint32_t first = members[i].group = groups_.find(i);
      if (first == i) continue;
      members[i].next = std::exchange(members[first].next, i);
      any = true;
    }
    if (!any) return;  // single calls do not form a cycle
    std::vector<uint32_t> open;
    struct Visit {
      uint32_t group, call;
      UseIterator use;
    };
    std::vector<Visit> visits;
    uint32_t steps = 0;
    const auto visit = [&](uint32_t g) {
      members[g].step = members[g].lowest = ++steps;
      open.push_back(g);
      visits.push_back({g, g, calls_[g]->uses().begin()});
    };
    // Starts from the last call: the users of a call are visited before it, so that a long chain
    // does not deepen the stack.
    for (uint32_t start = size(); start-- > 0;) {
      if (members[start].group != start || members[start].step != 0) continue;
      visit(start);
      while (!visits.empty()) {
        Visit& at = visits.back();
        const uint32_t g = at.group;
        Member& entry = members[g];
        if (at.use != UseIterator()) {
          const uint32_t user = index_[*(*at.use).user()];
          ++at.use;
          if (user == kNone) continue;
          const uint32_t to = members[user].group;
          if (members[to].step == 0)
            visit(to);
          else
            entry.lowest = std::min(entry.lowest, members[to].step);
        } else if (members[at.call].next != kNone) {
          at.call = members[at.call].next;
          at.use = calls_[at.call]->uses().begin();
        } else {
          visits.pop_back();
          if (!visits.empty()) {
            uint32_t& lowest = members[visits.back().group].lowest;
            lowest = std::min(lowest, entry.lowest);
          }
          if (entry.lowest != entry.step) continue;
          for (uint32_t member = kNone; member != g;) {
            member = open.back();
            open.pop_back();
            members[member].step = kNone;
            groups_.join(member, g);
          }
        }
      }
    }
  }

  Table<Node*> calls_;
  NodeMap<uint32_t> index_;
  NodeSet& backend_;
  internal::DisjointSets groups_;  // groups of indices
};

}  // namespace

internal::BackendCalls internal::find_backend_calls(const Graph& graph,
                                                    const OperatorSupport& support,
                                                    bool allow_non_tensor) {
  BackendCalls result{.on_backend = NodeSet(graph), .no_tensors = {}};
  NodeSet& backend = result.on_backend;
  SupportByFunction supports(support);
  for (Node& node : graph.nodes()) {
    if (!node.is_call()) continue;
    if (!is_tensor(node)) result.no_tensors.push_back(&node);
    if (supports(node)) backend.insert(node);
  }
  if (allow_non_tensor) return result;
  std::vector<Node*> leaving;
  for (Node* call : result.no_tensors) {
    const std::vector<Node*> users = call->users();
    if (!backend.contains(*call)) {
      leaving.insert(leaving.end(), users.begin(), users.end());
    } else if (std::any_of(users.begin(), users.end(),
                           [&](const Node* user) { return !backend.contains(*user); })) {
      leaving.push_back(call);
    }
  }
  remove_from_backend(std::move(leaving), backend);
  return result;
}

std::vector<std::vector<Node*>> internal::find_fusion_groups(const Graph& graph,
                                                             BackendCalls& calls) {
  const bool any = std::ranges::any_of(calls.no_tensors, [&](const Node* call) {
    return calls.on_backend.contains(*call) && !contains_tensor(*call);
  });
  if (!any) return {};
  return GroupFinder(graph, calls.on_backend).run(calls.no_tensors);
}

std::vector<Node*> find_backend_nodes(const Graph& graph, const OperatorSupport& support,
                                      bool allow_non_tensor) {
  const internal::BackendCalls calls =
      internal::find_backend_calls(graph, support, allow_non_tensor);
  std::vector<Node*> nodes;
  for (Node& node : graph.nodes())
    if (node.is_call() && calls.on_backend.contains(node)) nodes.push_back(&node);
  return nodes;
}

std::vector<std::vector<Node*>> find_fusion_groups(const Graph& graph, std::vector<Node*>& nodes) {
  internal::BackendCalls calls{.on_backend = NodeSet(graph), .no_tensors = {}};
  for (const Node* node : nodes) calls.on_backend.insert(*node);
  for (Node& node : graph.nodes())
    if (node.is_call() && !is_tensor(node)) calls.no_tensors.push_back(&node);
  auto groups = internal::find_fusion_groups(graph, calls);
  std::erase_if(nodes, [&](const Node* node) { return !calls.on_backend.contains(*node); });
  return groups;
}

}  // namespace fx
