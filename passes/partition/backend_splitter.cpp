// Backend splitter: see backend_splitter.h.
#include "fx/passes/partition/backend_splitter.h"

#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/huge_pages.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/order_edges.h"
#include "fx/passes/partition/backend_calls_internal.h"
#include "fx/passes/partition/operator_support_internal.h"
#include "fx/passes/partition/outline_internal.h"
#include "fx/passes/partition/split_in_order_internal.h"

#include "absl/container/btree_map.h"
#include "absl/types/span.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace fx {
namespace {

/// The turn in which each call runs: even turns belong to the host, odd turns to the backend. Each
/// call runs in the first possible turn. 0 for nodes that are not calls.
class Turns {
 public:
  explicit Turns(const Graph& graph) : turn_of_(graph, 0) {}

  /// Returns the first turn of a side.
  static uint32_t first_of(bool on_backend) { return on_backend ? 3 : 2; }
  /// Returns the first turn of the same side that is at least `turn` and not before `earlier`.
  static uint32_t turn_after(uint32_t turn, uint32_t earlier) {
    return std::max(turn, earlier + ((earlier ^ turn) & 1));
  }
  uint32_t operator[](const Node& node) const { return turn_of_[node]; }
  void set(const Node& call, uint32_t turn) {
    turn_of_[call] = turn;
    if (turn - kFirst >= sizes_.size()) sizes_.resize(turn - kFirst + 1, 0);
    ++sizes_[turn - kFirst];
  }
  /// Returns the number of calls of each turn, starting with the host's first.
  absl::Span<const uint32_t> sizes() const { return sizes_; }
  /// Returns the index of the turn in sizes().
  static uint32_t index(uint32_t turn) { return turn - kFirst; }

 private:
  static constexpr uint32_t kFirst = 2;
  NodeMap<uint32_t> turn_of_;
  std::vector<uint32_t> sizes_;
};

enum class Side : uint8_t { kHost, kBackend, kUnknown };

/// Computes the turns in one pass over the nodes. Returns false if a call comes before an operand,
/// or its side is unknown.
template <class SideOf>
bool find_turns_in_order(const Graph& graph, SideOf&& side_of, Turns& turns) {
  internal::OrderOfEffects order;
  bool is_sorted = true;
  for (Node& node : graph.nodes()) {
    if (!node.is_call()) continue;
    const Side side = side_of(node);
    if (side == Side::kUnknown) return false;
    uint32_t turn = Turns::first_of(side == Side::kBackend);
    node.for_each_input([&](const Node* input) {
      if (const uint32_t input_turn = turns[*input])
        turn = Turns::turn_after(turn, input_turn);
      else
        is_sorted = is_sorted && !input->is_call();
    });
    if (!is_sorted) return false;
    order.visit(node, [&](const Node& earlier) { turn = Turns::turn_after(turn, turns[earlier]); });
    turns.set(node, turn);
  }
  return true;
}

/// Computes the turns of calls in any order, with groups of calls that must have the same turn.
class GroupedTurns {
 public:
  GroupedTurns(const Graph& graph, const NodeSet& backend,
               const std::vector<std::vector<Node*>>& groups)
      : unit_of_(graph, kNone) {
    calls_.reserve(graph.num_calls());
    units_.reserve(graph.num_calls());
    internal::OrderOfEffects order;
    for (Node& node : graph.nodes()) {
      if (!node.is_call()) continue;
      const auto index = static_cast<uint32_t>(calls_.size());
      unit_of_[node] = index;
      calls_.push_back(&node);
      units_.push_back({.turn = Turns::first_of(backend.contains(node))});
      order.visit(node, [&](const Node& earlier) {
        order_edges_.push_back({.earlier = unit_of_[earlier], .later = index});
      });
    }
    std::ranges::stable_sort(order_edges_, {}, &Edge::earlier);
    for (const std::vector<Node*>& group : groups) {
      const uint32_t unit = unit_of_[*group[0]];
      for (uint32_t last = unit; const Node* node : absl::MakeConstSpan(group).subspan(1)) {
        last = units_[last].next = std::exchange(unit_of_[*node], unit);
        units_[last].waits = kOfOther;
      }
    }
    const auto wait = [&](uint32_t from, uint32_t to) {
      if (from != kNone && from != to) ++units_[to].waits;
    };
    for (const Node* call : calls_) {
      const uint32_t unit = unit_of_[*call];
      call->for_each_input([&](const Node* input) { wait(unit_of_[*input], unit); });
    }
    for (const Edge& edge : order_edges_) wait(unit_at(edge.earlier), unit_at(edge.later));
  }

  absl::Status find(Turns& turns) {
    std::vector<uint32_t> ready;
    for (uint32_t i = 0; i < units_.size(); ++i)
      if (units_[i].waits == 0) ready.push_back(i);
    size_t placed = 0;
    while (!ready.empty()) {
      const uint32_t unit = ready.back();
      const uint32_t turn = units_[unit].turn;
      ready.pop_back();
      const auto follow = [&](uint32_t later) {
        if (later == kNone || later == unit) return;
        units_[later].turn = Turns::turn_after(units_[later].turn, turn);
        if (--units_[later].waits == 0) ready.push_back(later);
      };
      for (uint32_t index = unit; index != kNone; index = units_[index].next) {
        turns.set(*calls_[index], turn);
        ++placed;
        for (const Use use : calls_[index]->uses()) follow(unit_of_[*use.user()]);
        for (const Edge& edge : std::ranges::equal_range(order_edges_, index, {}, &Edge::earlier))
          follow(unit_at(edge.later));
      }
    }
    if (placed == calls_.size()) return absl::OkStatus();
    const auto waits = std::ranges::find_if(
        units_, [](const Unit& unit) { return unit.waits != 0 && unit.waits != kOfOther; });
    return absl::InvalidArgumentError(
        fmt::format("groups of calls and the order of effects form a cycle that contains %{}",
                    calls_[static_cast<size_t>(waits - units_.begin())]->name()));
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX, kOfOther = UINT32_MAX;
  struct Unit {             // the call at this index, and the calls with the same turn
    uint32_t next = kNone;  // index of the unit's next call
    uint32_t turn = 0;      // the turn so far
    uint32_t waits = 0;     // edges from units without a turn; kOfOther: in a different unit
  };
  struct Edge {
    uint32_t earlier, later;  // indices
  };
  uint32_t unit_at(uint32_t index) const { return unit_of_[*calls_[index]]; }

  template <class T>
  using Table = std::vector<T, internal::HugePageAllocator<T>>;
  Table<Node*> calls_;
  Table<Unit> units_;
  NodeMap<uint32_t> unit_of_;      // the index of the unit's first call
  std::vector<Edge> order_edges_;  // sorted by the earlier call
};

/// The part of each call.
class PartNumbers {
 public:
  /// Returns the errors of propose_backend_parts.
  static absl::StatusOr<PartNumbers> find(const Graph& graph, const OperatorSupport& support,
                                          const BackendSplitOptions& options) {
    FX_ASSIGN_OR_RETURN(Turns turns, find_turns(graph, support, options.allow_non_tensor));
    PartNumbers numbers(std::move(turns), options.min_backend_calls);
    if (options.max_parts != 0 && numbers.count() > options.max_parts) {
      return absl::ResourceExhaustedError(
          fmt::format("the graph has {}, more than {}; raise max_parts or "
                      "min_backend_calls",
                      pluralize(numbers.count(), "part"), options.max_parts));
    }
    return numbers;
  }

  size_t count() const { return on_backend_.size(); }
  bool on_backend(size_t part) const { return on_backend_[part]; }
  uint32_t operator[](const Node& call) const { return part_of_[Turns::index(turns_[call])]; }

 private:
  static absl::StatusOr<Turns> find_turns(const Graph& graph, const OperatorSupport& support,
                                          bool allow_non_tensor) {
    Turns turns(graph);
    // If the results of all calls are tensors, each call may be on either side.
    internal::SupportByFunction supports(support);
    const auto side_of = [&](const Node& call) {
      if (!call.type().is_tensor()) return Side::kUnknown;
      return supports(call) ? Side::kBackend : Side::kHost;
    };
    if (find_turns_in_order(graph, side_of, turns)) return turns;

    internal::BackendCalls calls = internal::find_backend_calls(graph, support, allow_non_tensor);
    const std::vector<std::vector<Node*>> groups = internal::find_fusion_groups(graph, calls);
    const auto known_side = [&](const Node& call) {
      return calls.on_backend.contains(call) ? Side::kBackend : Side::kHost;
    };
    turns = Turns(graph);
    if (groups.empty()) {
      if (find_turns_in_order(graph, known_side, turns)) return turns;
      turns = Turns(graph);
    }
    FX_RETURN_IF_ERROR(GroupedTurns(graph, calls.on_backend, groups).find(turns));
    return turns;
  }

  /// Merges small backend parts into the preceding host part.
  PartNumbers(Turns turns, size_t min_calls) : turns_(std::move(turns)) {
    const absl::Span<const uint32_t> sizes = turns_.sizes();
    part_of_.resize(sizes.size(), 0);
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] == 0) continue;  // the first turn of the host
      const bool is_backend = i % 2 != 0, is_small = is_backend && sizes[i] < min_calls;
      const bool joins = !on_backend_.empty() && (is_small || (!is_backend && !on_backend_.back()));
      if (!joins) on_backend_.push_back(is_backend && !is_small);
      part_of_[i] = static_cast<uint32_t>(on_backend_.size()) - 1;
    }
  }

  Turns turns_;
  std::vector<uint32_t> part_of_;  // by turn
  std::vector<bool> on_backend_;   // by part
};

/// The names of the parts.
class BackendPartNames {
 public:
  BackendPartNames(const Graph& graph, const BackendSplitOptions& options)
      : backend_(graph, options.backend_prefix), host_(graph, options.host_prefix) {}
  internal::PartName name(const PartNumbers& numbers, size_t part) {
    return (numbers.on_backend(part) ? backend_ : host_).name(part);
  }

 private:
  internal::NumberedNames backend_, host_;
};

/// Calls `split` with the parts in the form of split_in_order.
template <class Split>
auto with_parts(const Graph& graph, const OperatorSupport& support,
                const BackendSplitOptions& options, Split&& split)
    -> decltype(split(std::declval<const internal::OrderedParts&>())) {
  FX_ASSIGN_OR_RETURN(const PartNumbers numbers, PartNumbers::find(graph, support, options));
  BackendPartNames names(graph, options);
  const auto number_of = [&](const Node& call) { return numbers[call]; };
  const auto name_of = [&](size_t part) { return names.name(numbers, part); };
  return split({.count = numbers.count(), .number_of = number_of, .name_of = name_of});
}

}  // namespace

absl::StatusOr<std::vector<BackendPart>> propose_backend_parts(const Graph& graph,
                                                               const OperatorSupport& support,
                                                               const BackendSplitOptions& options) {
  FX_ASSIGN_OR_RETURN(const PartNumbers numbers, PartNumbers::find(graph, support, options));
  BackendPartNames names(graph, options);
  std::vector<BackendPart> parts(numbers.count());
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].name = names.name(numbers, i).text;
    parts[i].on_backend = numbers.on_backend(i);
  }
  for (Node& node : graph.nodes())
    if (node.is_call()) parts[numbers[node]].nodes.push_back(&node);
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
    text += fmt::format("{}: {}", part.name, pluralize(part.nodes.size(), "call"));
    for (const auto& [target, count] : targets) text += fmt::format(", {} {}", count, target);
    text += '\n';
  }
  return text;
}

absl::StatusOr<SplitModuleResult> split_for_backend(const Graph& graph, const Module& root,
                                                    const OperatorSupport& support,
                                                    const BackendSplitOptions& options) {
  return with_parts(graph, support, options, [&](const internal::OrderedParts& parts) {
    return internal::split_in_order(graph, root, parts, {.return_tuple = options.return_tuple});
  });
}

absl::StatusOr<size_t> split_for_backend_in_place(Graph& graph, Module& root,
                                                  const OperatorSupport& support,
                                                  const BackendSplitOptions& options) {
  return with_parts(
      graph, support, options, [&](const internal::OrderedParts& parts) -> absl::StatusOr<size_t> {
        FX_RETURN_IF_ERROR(internal::split_in_order_in_place(graph, root, parts,
                                                             {.return_tuple = options.return_tuple})
                               .status());
        return parts.count;
      });
}

}  // namespace fx
