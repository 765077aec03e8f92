// Backend splitter: see backend_splitter.h.
#include "fx/passes/partition/backend_splitter.h"

#include "fx/ir/node_map.h"
#include "fx/ir/support/status.h"
#include "fx/passes/partition/order_edges_internal.h"

#include "absl/container/btree_map.h"
#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace fx {
namespace {

/// The value is a tensor.
bool is_tensor(const Node& node) { return node.type().is_tensor(); }
/// There is a tensor in the value.
bool holds_tensor(const Node& node) {
  if (is_tensor(node)) return true;
  absl::InlinedVector<Type, 8> todo = {node.type()};
  while (!todo.empty()) {
    const Type type = todo.back();
    todo.pop_back();
    if (type.is_tensor()) return true;
    for (const Type item : type.items()) todo.push_back(item);
  }
  return false;
}

std::vector<Node*> calls_of(const Graph& graph) {
  std::vector<Node*> calls;
  for (Node& node : graph.nodes())
    if (node.is_call()) calls.push_back(&node);
  return calls;
}

/// Takes calls off the backend, with those that exchange anything but tensors with them, and so on.
void take_off(std::vector<Node*> leaving, NodeSet& backend) {
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

/// Which nodes belong together: union-find by place in program order.
class MergedGroups {
 public:
  explicit MergedGroups(size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  uint32_t find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The earlier place stands for both.
  void join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t> parent_;
};

}  // namespace

std::vector<Node*> find_backend_nodes(const Graph& graph, const OperatorSupport& support,
                                      bool allow_non_tensor) {
  const std::vector<Node*> calls = calls_of(graph);
  NodeSet backend(graph);
  for (Node* call : calls)
    if (support(*call)) backend.insert(*call);
  if (!allow_non_tensor) {
    std::vector<Node*> leaving;
    for (Node* call : calls) {
      if (is_tensor(*call)) continue;
      const std::vector<Node*> users = call->users();
      if (!backend.contains(*call)) {
        leaving.insert(leaving.end(), users.begin(), users.end());
      } else if (std::any_of(users.begin(), users.end(),
                             [&](const Node* user) { return !backend.contains(*user); })) {
        leaving.push_back(call);
      }
    }
    take_off(std::move(leaving), backend);
  }
  std::vector<Node*> nodes;
  for (Node* call : calls)
    if (backend.contains(*call)) nodes.push_back(call);
  return nodes;
}

namespace {

/// The groups of a graph, whose calls are numbered in program order.
class GroupFinder {
 public:
  GroupFinder(const Graph& graph, const std::vector<Node*>& nodes)
      : calls_(calls_of(graph)), place_(graph, kNone), backend_(graph), groups_(size()) {
    for (uint32_t i = 0; i < size(); ++i) place_[*calls_[i]] = i;
    for (Node* node : nodes) backend_.insert(*node);
  }

  std::vector<std::vector<Node*>> run(std::vector<Node*>& nodes) {
    join_exchanges();
    join_circles();
    struct Group {             // at its first call
      bool exchanges = false;  // of the backend, without tensors
      bool leaves = false;     // not all of the backend
      uint32_t size = 0;
      uint32_t number = kNone;
    };
    std::vector<Group> groups(size());
    for (uint32_t i = 0; i < size(); ++i) {
      Group& group = groups[groups_.find(i)];
      ++group.size;
      if (!backend_.contains(*calls_[i])) group.leaves = true;
    }
    for (const uint32_t i : without_tensors_)
      if (backend_.contains(*calls_[i])) groups[groups_.find(i)].exchanges = true;
    std::vector<std::vector<Node*>> result;  // by their first calls
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
    std::erase_if(nodes, [&](const Node* node) { return !backend_.contains(*node); });
    return result;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t size() const { return static_cast<uint32_t>(calls_.size()); }
  /// What a call without tensors gives is read in its group.
  void join_exchanges() {
    for (uint32_t i = 0; i < size(); ++i) {
      if (holds_tensor(*calls_[i])) continue;
      without_tensors_.push_back(i);
      for (const Use use : calls_[i]->uses()) {
        const uint32_t reader = place_[*use.user()];
        if (reader != kNone) groups_.join(i, reader);
      }
    }
  }

  /// Groups that read each other in a circle become one, with the calls on the way: neither can run
  /// before the other. Tarjan's algorithm, on groups for nodes.
  void join_circles() {
    struct Place {
      uint32_t group;                 // its first call, as groups are now
      uint32_t next = kNone;          // call of the same group
      uint32_t step = 0, lowest = 0;  // of a group; step: 0 before it is visited, kNone once closed
    };
    std::vector<Place> places(size());
    bool any = false;
    for (uint32_t i = 0; i < size(); ++i) {
      const uint32_t first = places[i].group = groups_.find(i);
      if (first == i) continue;
      places[i].next = std::exchange(places[first].next, i);
      any = true;
    }
    if (!any) return;  // calls alone make no circle
    std::vector<uint32_t> open;
    struct Visit {
      uint32_t group, call;
      UseIterator use;
    };
    std::vector<Visit> visits;
    uint32_t steps = 0;
    const auto visit = [&](uint32_t g) {
      places[g].step = places[g].lowest = ++steps;
      open.push_back(g);
      visits.push_back({g, g, calls_[g]->uses().begin()});
    };
    // The last first: what reads it is done then, and a long chain makes no long list of visits.
    for (uint32_t start = size(); start-- > 0;) {
      if (places[start].group != start || places[start].step != 0) continue;
      visit(start);
      while (!visits.empty()) {
        Visit& at = visits.back();
        const uint32_t g = at.group;
        Place& place = places[g];
        if (at.use != UseIterator()) {
          const uint32_t reader = place_[*(*at.use).user()];
          ++at.use;
          if (reader == kNone) continue;
          const uint32_t to = places[reader].group;
          if (places[to].step == 0)
            visit(to);
          else
            place.lowest = std::min(place.lowest, places[to].step);
        } else if (places[at.call].next != kNone) {
          at.call = places[at.call].next;
          at.use = calls_[at.call]->uses().begin();
        } else {
          visits.pop_back();
          if (!visits.empty()) {
            uint32_t& lowest = places[visits.back().group].lowest;
            lowest = std::min(lowest, place.lowest);
          }
          if (place.lowest != place.step) continue;
          for (uint32_t member = kNone; member != g;) {
            member = open.back();
            open.pop_back();
            places[member].step = kNone;
            groups_.join(member, g);
          }
        }
      }
    }
  }

  std::vector<Node*> calls_;
  NodeMap<uint32_t> place_;
  NodeSet backend_;
  MergedGroups groups_;
  std::vector<uint32_t> without_tensors_;  // calls
};

/// Puts calls into parts: of one side as long as one of it may run, then of the other.
class PartMaker {
 public:
  PartMaker(const Graph& graph, const OperatorSupport& support, bool allow_non_tensor)
      : calls_(calls_of(graph)), unit_(graph, kNone), on_backend_(graph) {
    std::vector<Node*> nodes = find_backend_nodes(graph, support, allow_non_tensor);
    const std::vector<std::vector<Node*>> groups = find_fusion_groups(graph, nodes);
    for (const Node* node : nodes) on_backend_.insert(*node);
    for (const std::vector<Node*>& group : groups) {
      for (const Node* node : group) unit_[*node] = units_.size();
      units_.push_back({.nodes = group});
    }
    for (Node* call : calls_) {
      if (unit_[*call] != kNone) continue;
      unit_[*call] = units_.size();
      units_.push_back({.nodes = {call}});
    }
    for (const Node* call : calls_) call->for_each_input([&](Node* n) { add_edge(*n, *call); });
    for (const auto& [earlier, later] : internal::order_edges(graph)) add_edge(*earlier, *later);
  }

  absl::StatusOr<std::vector<BackendPart>> run() {
    std::vector<size_t> ready[2];  // of the host, of the backend
    for (size_t u = 0; u < units_.size(); ++u)
      if (units_[u].waits == 0) ready[side(u)].push_back(u);
    bool on_backend = ready[0].empty();
    std::vector<BackendPart> parts;
    size_t placed = 0;
    while (!ready[0].empty() || !ready[1].empty()) {
      BackendPart part{.name = {}, .on_backend = on_backend, .nodes = {}};
      std::vector<size_t>& own = ready[on_backend ? 1 : 0];
      while (!own.empty()) {
        const size_t u = own.back();
        own.pop_back();
        placed += units_[u].nodes.size();
        part.nodes.insert(part.nodes.end(), units_[u].nodes.begin(), units_[u].nodes.end());
        for (const size_t reader : units_[u].readers)
          if (--units_[reader].waits == 0) ready[side(reader)].push_back(reader);
      }
      parts.push_back(std::move(part));
      on_backend = !on_backend;
    }
    if (placed == calls_.size()) return parts;
    for (const Unit& unit : units_) {
      if (unit.waits == 0) continue;
      return absl::InvalidArgumentError(
          fmt::format("calls that must stay together and the order of effects wait for each other "
                      "in a circle, with %{}",
                      unit.nodes[0]->name()));
    }
    return parts;
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;
  struct Unit {
    std::vector<Node*> nodes;
    std::vector<size_t> readers = {};  // once for each edge
    size_t waits = 0;
  };
  size_t side(size_t u) const { return on_backend_.contains(*units_[u].nodes[0]) ? 1 : 0; }
  void add_edge(const Node& from, const Node& to) {
    const size_t a = unit_[from], b = unit_[to];
    if (a == kNone || b == kNone || a == b) return;
    units_[a].readers.push_back(b);
    ++units_[b].waits;
  }

  std::vector<Node*> calls_;
  NodeMap<size_t> unit_;
  NodeSet on_backend_;
  std::vector<Unit> units_;
};

/// Small parts of the backend go to the host's before them.
std::vector<BackendPart> without_small_parts(std::vector<BackendPart> parts, size_t least) {
  std::vector<BackendPart> result;
  for (BackendPart& part : parts) {
    const bool is_small = part.on_backend && part.nodes.size() < least;
    const bool joins =
        !result.empty() && (is_small || (!part.on_backend && !result.back().on_backend));
    if (joins) {
      result.back().nodes.insert(result.back().nodes.end(), part.nodes.begin(), part.nodes.end());
    } else {
      part.on_backend = part.on_backend && !is_small;
      result.push_back(std::move(part));
    }
  }
  return result;
}

}  // namespace

std::vector<std::vector<Node*>> find_fusion_groups(const Graph& graph, std::vector<Node*>& nodes) {
  return GroupFinder(graph, nodes).run(nodes);
}

absl::StatusOr<std::vector<BackendPart>> propose_backend_parts(const Graph& graph,
                                                               const OperatorSupport& support,
                                                               const BackendSplitOptions& options) {
  PartMaker maker(graph, support, options.allow_non_tensor);
  FX_ASSIGN_OR_RETURN(std::vector<BackendPart> parts, maker.run());
  parts = without_small_parts(std::move(parts), options.min_backend_calls);
  if (options.max_parts != 0 && parts.size() > options.max_parts) {
    return absl::ResourceExhaustedError(
        fmt::format("the graph comes to {} parts, more than {}; raise max_parts or "
                    "min_backend_calls",
                    parts.size(), options.max_parts));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].name =
        fmt::format("{}{}", parts[i].on_backend ? options.backend_prefix : options.host_prefix, i);
    std::sort(parts[i].nodes.begin(), parts[i].nodes.end(),
              [](const Node* a, const Node* b) { return a->comes_before(*b); });
  }
  return parts;
}

std::string describe(absl::Span<const BackendPart> parts, const Module* root) {
  std::string text;
  for (const BackendPart& part : parts) {
    absl::btree_map<std::string, size_t> targets;
    for (const Node* node : part.nodes) {
      const std::string_view name = support_target(*node, root);
      ++targets[std::string(name.empty() ? node->target() : name)];
    }
    text += fmt::format("{}: {} calls", part.name, part.nodes.size());
    for (const auto& [target, count] : targets) text += fmt::format(", {} {}", count, target);
    text += '\n';
  }
  return text;
}

absl::StatusOr<SplitModuleResult> split_for_backend(const Graph& graph, const Module& root,
                                                    const OperatorSupport& support,
                                                    const BackendSplitOptions& options) {
  FX_ASSIGN_OR_RETURN(const std::vector<BackendPart> parts,
                      propose_backend_parts(graph, support, options));
  NodeMap<size_t> part_of(graph, 0);
  std::vector<std::string> tags;
  tags.reserve(parts.size());
  for (const BackendPart& part : parts) {
    for (const Node* node : part.nodes) part_of[*node] = tags.size();
    tags.push_back(part.name);
  }
  return split_by_tags(graph, root, tags, [&](const Node& call) { return tags[part_of[call]]; },
                       {.return_tuple = options.return_tuple});
}

}  // namespace fx
