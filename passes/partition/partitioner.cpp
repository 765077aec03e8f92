// Partitions by capability: see partitioner.h.
#include "fx/passes/partition/partitioner.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/huge_pages.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/order_edges.h"
#include "fx/passes/analysis/place_queue.h"
#include "fx/passes/partition/operator_support_internal.h"
#include "fx/passes/partition/outline_internal.h"
#include "fx/passes/partition/subgraph.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "fmt/format.h"
#include "llvm/ADT/IntEqClasses.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

namespace fx {
namespace {

/// The call takes graphs that are nested in its own: they do not go into a module with it.
bool reads_nested_graph(const Node& node) {
  const Graph& graph = node.graph();
  if (graph.num_subgraphs() == 0) return false;
  bool found = false;
  node.for_each_input([&](const Node* input) {
    found = found ||
            (input->op() == Opcode::kGetAttr && graph.find_subgraph(input->target()) != nullptr);
  });
  return found;
}

/// Calls of the function only show another side of what they are given.
bool computes_nothing(Target function, Target getitem) {
  const ops::OpInfo* op = function.op();
  return function == getitem || (op != nullptr && op->is_view());
}

bool reads_behind_itself(const Node& node) {
  bool found = false;
  node.for_each_input([&](const Node* input) { found |= !input->comes_before(node); });
  return found;
}

// ---------------------------------------------------------------- levels

/// Finds the calls that are supported, and the order of effects, in one walk.
class SupportFinder {
 public:
  SupportFinder(const Graph& graph, const OperatorSupport& support)
      : support_(support),
        by_target_(support.target<internal::TargetSupport>()),
        getitem_(graph.context().function("operator.getitem")),
        has_nested_graphs_(graph.num_subgraphs() != 0) {}

  struct Answer {
    bool is_supported;  ///< joined_getitems has the last word
    bool is_idle;       ///< computes nothing
  };
  Answer visit(Node& call) {
    const Facts& facts = facts_of(call.function());
    if (!facts.is_plain) [[unlikely]]
      return {visit_in_full(call, facts.is_supported), facts.is_idle};
    effects_.visit(call, ops::Effects::none(), [&](Node& earlier) { add_edge(earlier, call); });
    return {*facts.is_supported, facts.is_idle};
  }
  /// Getitems in program order, and their operands: one is supported when the other is, and not
  /// otherwise.
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
  /// What is known of all calls of a function.
  struct Facts {
    Target function;
    bool is_plain = false;                  // no effects, no getitem, and support is known
    bool is_idle = false;                   // a view, or a getitem
    std::optional<bool> is_supported = {};  // nothing: each call must be asked about
  };
  static constexpr size_t kNumFacts = 64;  // most graphs call fewer functions

  const Facts& facts_of(Target function) {
    Facts& facts = facts_[function.symbol().place_among(kNumFacts)];
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
  const internal::TargetSupport* by_target_;  // null: each call must be asked about
  const Target getitem_;
  const bool has_nested_graphs_;
  std::array<Facts, kNumFacts> facts_;
  internal::OrderOfEffects effects_;
  std::vector<std::pair<Node*, Node*>> order_edges_;  // (earlier, later), by the later one
  std::vector<const Node*> getitems_;
};

/// Partitions, one behind the other: there may be many small ones.
struct Partitions {
  std::vector<Node*> nodes;
  std::vector<uint32_t> ends;  // of each, in nodes
  bool are_pieces = false;     // known: the nodes of each stand one behind the other

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

/// Each call's level, and whether it is supported: edges go from larger levels to smaller or equal
/// ones, and what is supported on one level is one partition.
class Levels {
 public:
  Levels(const Graph& graph, const OperatorSupport& support) : ranks_(graph.id_bound(), 0) {
    find_supported(graph, support);
    find_levels();
  }
  /// Of one partition, unless its parts are separated.
  bool same_partition(const Node& a, const Node& b) const {
    return is_supported(rank(a)) && rank(a) == rank(b);
  }
  const std::vector<std::pair<Node*, Node*>>& order_edges() const { return edges_; }
  /// No node reads one behind itself.
  bool is_legal_order() const { return is_legal_order_; }

  /// The supported calls of each level that has so many, and so many that compute something, in
  /// program order.
  Partitions partitions(size_t least_size, size_t least_computing) const {
    constexpr uint32_t kNone = UINT32_MAX;
    struct Level {
      uint32_t size = 0, num_computing = 0;
      uint32_t end = kNone;  // of its nodes so far, in its partition
      size_t last = 0;       // step
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
      if (level.size < least_size || level.num_computing < least_computing) continue;
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
  // A rank is twice the level, and one more of what is supported: a fact of four bytes.
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
  using Table = std::vector<T, internal::HugePageAllocator<T>>;

  [[gnu::noinline]] void find_supported(const Graph& graph, const OperatorSupport& support) {
    SupportFinder finder(graph, support);
    steps_.reserve(graph.size());
    for (Node& node : graph.nodes()) {
      if (node.is_output()) {
        is_legal_order_ = is_legal_order_ && !reads_behind_itself(node);
        output_is_last_ = output_is_last_ && node.next() == nullptr;
        continue;
      }
      Step& step = steps_.emplace_back(Step{.node = &node, .rank = 0, .is_idle = false});
      if (!node.is_call()) continue;
      const SupportFinder::Answer answer = finder.visit(node);
      step.is_idle = answer.is_idle;
      if (answer.is_supported) rank(node) = 1;
    }
    for (const auto& [node, operand] : finder.joined_getitems()) rank(*node) = rank(*operand);
    edges_ = finder.take_order_edges();
  }
  [[gnu::noinline]] void find_levels() {
    uint32_t highest = 0;
    bool is_legal = is_legal_order_;
    constexpr size_t kAhead = 32;
    auto edge = edges_.rbegin();  // by the later node: walked backwards, as the steps
    uint32_t* const ranks = ranks_.data();
    for (size_t i = steps_.size(); i-- > 0;) {
      // What it reads stands before it, mostly not far: that waits for memory, going backwards.
      if (i >= kAhead) __builtin_prefetch(steps_[i - kAhead].node);
      Step& step = steps_[i];
      const Node& node = *step.node;
      const uint32_t own = ranks[node.id()];
      step.rank = own;
      highest = std::max(highest, own);
      // What comes before is on this level, or on the next one where support changes.
      const uint32_t unsupported = is_supported(own) ? own + 1 : own;
      const uint32_t supported = is_supported(own) ? own : own + 3;
      const auto raise = [&](const Node& earlier) {
        uint32_t& known = ranks[earlier.id()];
        known = std::max(known, is_supported(known) ? supported : unsupported);
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
  Table<Step> steps_;      // all nodes but the output, in program order
  size_t num_levels_ = 0;
  bool is_legal_order_ = true;
  bool output_is_last_ = true;  // no step is beside one, but for the last
  std::vector<std::pair<Node*, Node*>> edges_;
};

/// The parts of a partition that neither read each other nor must keep an order, the one with the
/// last node first. `number`, by component, is for notes: all kNoPart before and after.
constexpr uint32_t kNoPart = UINT32_MAX;
std::vector<Partition> connected_parts(absl::Span<Node* const> partition,
                                       const llvm::IntEqClasses& components,
                                       std::vector<uint32_t>& number) {
  std::vector<Partition> parts;
  const auto part_of = [&](const Node* node) { return components[node->id()]; };
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
        enough_(options.allowed_single_node_ops.begin(), options.allowed_single_node_ops.end()) {}

  /// A partition is worth it when two of its calls compute something, whichever they are.
  bool is_plain() const { return idle_.empty() && enough_.empty(); }
  /// The fewest nodes of a partition that may be worth it.
  size_t least_size() const { return enough_.empty() ? 2 : 1; }
  bool is_worth_it(absl::Span<Node* const> partition) const {
    int count = 0;
    for (const Node* node : partition) {
      if (!enough_.empty() && enough_.contains(std::string(node->target()))) return true;
      if (count < 2) count += is_idle(*node) ? 0 : 1;
      if (count > 1 && enough_.empty()) return true;
    }
    return count > 1;
  }

 private:
  bool is_idle(const Node& node) const {
    if (!idle_.empty() && idle_.contains(std::string(node.target()))) return true;
    return computes_nothing(node.function(), getitem_);
  }

  Target getitem_;
  absl::flat_hash_set<std::string> idle_, enough_;
};

// ---------------------------------------------------------------- fusing

/// Finds an order of execution in which every partition is in one piece.
class FusedOrder {
 public:
  explicit FusedOrder(const Graph& graph) : graph_(graph), group_(graph, kNone) {}

  /// Puts the graph's nodes into that order. The partitions must stay until the last nodes_of.
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
  /// The nodes of a partition, in that order.
  absl::Span<Node* const> nodes_of(size_t partition) const {
    if (members_.empty()) return partitions_[partition];
    const Group& group = groups_[partition];
    return {members_.data() + group.first, group.size};
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Group {         // most are of one node
    uint32_t first = 0;  // of its nodes in members_
    uint32_t size = 0;
    uint32_t position = 0;   // of its last node; outputs are behind all others
    uint32_t waits_for = 0;  // edges from other groups
  };

  /// The groups of partitions, and whether all is well as it stands.
  absl::Status find_groups() {
    bool is_sorted = true;  // each partition
    for (uint32_t g = 0; g < partitions_.size(); ++g) {
      if (partitions_[g].empty()) return absl::InvalidArgumentError("a partition without nodes");
      const Node* last = nullptr;
      for (const Node* node : partitions_[g]) {
        if (!may_be_member(node)) return no_member(node);
        group_[*node] = g;
        is_sorted = is_sorted && (last == nullptr || last->comes_before(*node));
        last = node;
      }
    }
    size_t pieces = 0;  // of partitions
    uint32_t before = kNone;
    for (const Node& node : graph_.nodes()) {
      if (reads_behind_itself(node)) [[unlikely]] {
        is_in_order_ = false;
        FX_RETURN_IF_ERROR(check_reads_other_groups(node));
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
  absl::Status no_member(const Node* node) const {
    if (node == nullptr || node->is_erased() || &node->graph() != &graph_)
      return absl::InvalidArgumentError("a node of a partition is erased or of another graph");
    if (node->is_placeholder() || node->is_output()) {
      return absl::InvalidArgumentError(fmt::format("%{}, a {}, cannot be in a partition",
                                                    node->name(), opcode_name(node->op())));
    }
    return absl::InvalidArgumentError(fmt::format("%{} is in two partitions", node->name()));
  }
  absl::Status check_reads_other_groups(const Node& node) const {
    const uint32_t number = group_[node];
    const Node* late = nullptr;
    node.for_each_input([&](const Node* input) {
      if (!input->comes_before(node) && number != kNone && group_[*input] == number) late = input;
    });
    if (late == nullptr) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("%{} reads %{}, which stands behind it in the same partition; sort the graph "
                    "first (topological_sort)",
                    node.name(), late->name()));
  }
  /// The nodes, so that of those whose operands are there the first comes first.
  absl::StatusOr<std::vector<Node*>> find() {
    add_single_nodes();
    count_edges();
    internal::PlaceQueue ready(group_at_.size());
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
    if (done < groups_.size()) return circle();
    return order;
  }
  /// Groups of what is in no partition, and the positions of all.
  void add_single_nodes() {
    groups_.reserve(groups_.size() + graph_.size() - members_.size());
    members_.reserve(graph_.size());
    uint32_t position = 0;
    std::vector<uint32_t> outputs;  // groups
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
    edges_ = internal::order_edges(graph_);
    std::ranges::sort(edges_);  // by the earlier node, for looking up
    for (const auto& [earlier, later] : edges_)
      groups_[group_[*later]].waits_for += group_[*earlier] != group_[*later];
    for (const Node& node : graph_.nodes()) {
      node.for_each_input(
          [&](Node* input) { groups_[group_[node]].waits_for += group_[*input] != group_[node]; });
    }
  }
  absl::Status circle() const {
    for (size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].waits_for == 0 || groups_[g].size < 2) continue;
      return absl::InvalidArgumentError(fmt::format(
          "partitions depend on each other, or on themselves, in a circle; one is that of %{} and "
          "%{}: a node outside reads one of its nodes, or must stay behind it, and comes before "
          "another",
          nodes_of(g).front()->name(), nodes_of(g).back()->name()));
    }
    return absl::FailedPreconditionError("nodes read each other in a circle");
  }

  const Graph& graph_;
  absl::Span<const Partition> partitions_;
  NodeMap<uint32_t> group_;
  // Of partitions, and behind them of the other nodes; none when all is well as it stands.
  std::vector<Group> groups_;
  std::vector<Node*> members_;      // the groups' nodes, in the order of the graph
  std::vector<uint32_t> group_at_;  // by the position of its last node
  bool is_in_order_ = true;
  std::vector<std::pair<Node*, Node*>> edges_;
};

// ---------------------------------------------------------------- both

Partitions partitions_of(const Graph& graph, const Levels& levels,
                         const PartitionOptions& options) {
  const ComputeCounter counter(graph, options);
  const bool keep_all = options.allow_single_node;
  const size_t least_size = keep_all ? 1 : counter.least_size();
  const bool is_plain = keep_all || counter.is_plain();
  if (!options.only_connected && is_plain) return levels.partitions(least_size, keep_all ? 0 : 2);
  const Partitions found = levels.partitions(least_size, 0);
  Partitions result;
  const auto add = [&](absl::Span<Node* const> partition) {
    if (keep_all || counter.is_worth_it(partition)) result.add(partition);
  };
  if (!options.only_connected) {
    for (size_t i = 0; i < found.size(); ++i) add(found[i]);
    return result;
  }
  llvm::IntEqClasses components(static_cast<uint32_t>(graph.id_bound()));  // of ids
  for (const Node& node : graph.nodes()) {
    node.for_each_input([&](const Node* input) {
      if (levels.same_partition(*input, node)) components.join(input->id(), node.id());
    });
  }
  for (const auto& [earlier, later] : levels.order_edges())
    if (levels.same_partition(*earlier, *later)) components.join(earlier->id(), later->id());
  components.compress();
  std::vector<uint32_t> number(components.getNumClasses(), kNoPart);
  for (size_t i = 0; i < found.size(); ++i)
    for (const Partition& part : connected_parts(found[i], components, number)) add(part);
  return result;
}

/// The names of the modules: `<prefix>0`, `<prefix>1`, ..., but for those that are taken.
class PartNames {
 public:
  PartNames(const Graph& graph, const Module& root, const std::string& prefix)
      : root_(root), names_(graph, prefix) {
    // Most roots have no members that are called so, and need not be asked about each.
    const auto begins = [&](const auto& member) { return absl::StartsWith(member.key, prefix); };
    may_be_taken_ =
        absl::StrContains(prefix, '.') || std::ranges::any_of(root.attributes(), begins);
  }
  /// The next one; good until the one after.
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

/// Makes a module of each partition; `nodes_of` gives its nodes, which are in one piece.
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
                                                {.always_tuple = options.always_tuple}, table));
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
    // From the front what reads nothing of the partition, from the back what nothing of it reads.
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
