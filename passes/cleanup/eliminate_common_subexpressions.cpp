// eliminate_common_subexpressions: see eliminate_common_subexpressions.h.
//
// Walks the graph in program order, with a table of visited calls. Repeats the walk if users of a
// call without a type now use an equal call with a type. If the graph writes to memory, the time of
// the last write to the operands of a call is part of its key (WriteClock).
// MemoryAnalysis::may_replace determines whether one call may replace another.
#include "fx/passes/cleanup/eliminate_common_subexpressions.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/hash_mix.h"
#include "fx/ir/support/huge_pages.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/shape/shape_prop.h"

#include <bit>
#include <optional>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using ops::Effect;

/// True if a call in the graph may write to memory. (std::any_of copies iterators for every node,
/// and a graph counts its iterators.)
bool may_write(const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    if (effects(node).has_any(Effect::kWritesArguments | Effect::kWritesState)) return true;
  }
  return false;
}

/// The visited calls by hash, in a flat table that is at most three quarters full.
class SeenCalls {
 public:
  SeenCalls(const Graph& graph, bool has_writes)
      : mask_(std::bit_ceil(graph.size() + graph.size() / 3 + 2) - 1), entries_(mask_ + 1) {
    nodes_.reserve(graph.size() + 1);
    nodes_.push_back(nullptr);
    if (has_writes) stamps_.push_back(0);
  }

  /// Prefetches the memory that find_or_add() reads for this hash.
  void prefetch(uint64_t hash) const { __builtin_prefetch(&entries_[hash & mask_]); }

  /// Returns the visited call that is equal to `node`, whose hash is `hash`. If there is none, adds
  /// `node` and returns null.
  Node* find_or_add(Node& node, uint64_t hash, uint32_t stamp) {
    if (!stamps_.empty()) hash = internal::hash_mix(hash, stamp);
    const auto tag = static_cast<uint32_t>(hash >> 32);
    for (size_t i = hash & mask_;; i = (i + 1) & mask_) {
      Entry& entry = entries_[i];
      if (entry.index == 0) {
        entry = {tag, static_cast<uint32_t>(nodes_.size())};
        nodes_.push_back(&node);
        if (!stamps_.empty()) stamps_.push_back(stamp);
        return nullptr;
      }
      if (entry.tag != tag || entry.index < first_ ||
          (!stamps_.empty() && stamps_[entry.index] != stamp))
        continue;
      Node& other = *nodes_[entry.index];
      if (node.type() && other.type() && node.type() != other.type()) continue;
      if (node.same_computation(other)) return &other;
    }
  }

  /// Forgets the calls so far.
  void forget() { first_ = static_cast<uint32_t>(nodes_.size()); }

 private:
  struct Entry {
    uint32_t tag = 0;
    uint32_t index = 0;  // in nodes_; 0 for a free entry
  };
  uint32_t first_ = 0;  // calls with smaller indices are forgotten
  size_t mask_;
  std::vector<Entry, internal::HugePageAllocator<Entry>> entries_;
  std::vector<Node*, internal::HugePageAllocator<Node*>> nodes_;
  std::vector<uint32_t> stamps_;  // parallel to nodes_, if the graph writes
};

/// Computes the hash of each call a few nodes before its lookup, so that the memory of the table
/// can be prefetched.
class HashLookahead {
 public:
  HashLookahead(const Graph& graph, const SeenCalls& seen)
      : seen_(seen), next_(graph.nodes().begin()), end_(graph.nodes().end()) {
    for (Entry& entry : ring_) fetch(entry);
  }

  /// Returns the hash of the next node. Must be called for every node, in program order.
  uint64_t next(const Node& node) {
    Entry& entry = ring_[at_++ % kDistance];
    const uint64_t hash = entry.round == round_ ? entry.hash : node.computation_hash();
    fetch(entry);
    return hash;
  }
  /// Discards the computed hashes. Must be called after operands of later nodes have changed.
  void discard() { ++round_; }

 private:
  static constexpr size_t kDistance = 16;
  struct Entry {
    uint64_t hash = 0;
    uint64_t round = 0;
  };

  void fetch(Entry& entry) {
    if (next_ == end_) return;
    entry = {next_->computation_hash(), round_};
    seen_.prefetch(entry.hash);
    ++next_;
  }

  const SeenCalls& seen_;
  NodeIterator next_, end_;
  Entry ring_[kDistance];
  size_t at_ = 0;
  uint64_t round_ = 0;  // the number of calls of discard()
};

bool is_number_or_tensor(Type type) {
  return type.is_tensor() || type.kind() == TypeKind::kInt || type.kind() == TypeKind::kFloat ||
         type.kind() == TypeKind::kBool || type.kind() == TypeKind::kComplex;
}

bool has_integral_dtype(Type type) {
  return type.is_tensor() && type.dtype() != DType::kUndefined &&
         !is_floating_point(type.dtype()) && !is_complex(type.dtype());
}

/// Returns the type of the result, or of both operands, if the result has the same type when the
/// two operands are swapped. The strides and the dtype of a result may depend on which operand is
/// first.
std::optional<Type> type_in_both_orders(const Node& node, Type a, Type b) {
  if (has_unspecified_strides(a) || has_unspecified_strides(b)) return std::nullopt;
  if (known_equal(a, b)) return a;
  const auto swapped = infer_call(node.context(), node.function(), {b, a});
  const auto written = infer_call(node.context(), node.function(), {a, b});
  if (!swapped.ok() || !written.ok() || !known_equal(swapped->type, written->type))
    return std::nullopt;
  return written->type;
}

bool has_complex_values(Type type) {
  return type.is_tensor() ? is_complex(type.dtype()) : type.kind() == TypeKind::kComplex;
}

bool has_16_bit_floats(Type type) {
  return type.is_tensor() && (type.dtype() == DType::kFloat16 || type.dtype() == DType::kBFloat16 ||
                              type.dtype() == DType::kComplex32);
}

/// True if libtorch's kernel computes the same numbers when two operands with types `a` and `b` are
/// swapped. `result` is the result of type_in_both_orders.
bool keeps_values_when_swapped(std::string_view op, Type result, Type a, Type b) {
  // maximum(0.0, -0.0) is the first of the two.
  if (op == "maximum" || op == "minimum") return has_integral_dtype(a) && has_integral_dtype(b);
  // The kernel multiplies the second operand by alpha, a complex 1: (inf, 0) becomes (inf, nan).
  if (op == "add") return !has_complex_values(result);
  // The kernels for 16-bit numbers convert a second operand with one element to float32, and other
  // operands to 16 bits: 100000 becomes infinite as the first operand.
  if (op == "mul" || op == "multiply")
    return !has_16_bit_floats(result) || (a.is_tensor() && b.is_tensor() && a.dtype() == b.dtype());
  return true;
}

/// Sorts the operands of a commutative call in program order. Returns true if they were swapped.
absl::StatusOr<bool> order_operands(Node& node) {
  if (node.op() != Opcode::kCallFunction || node.num_args() != 2 || node.num_kwargs() > 0)
    return false;
  using Commutes = ops::OpAlgebra::Commutes;
  const ops::OpInfo* op = node.function().op();
  const Commutes commutes = op != nullptr ? op->algebra().commutes : Commutes::kNever;
  if (commutes == Commutes::kNever) return false;
  Node* a = node.arg(0).node();
  Node* b = node.arg(1).node();
  if (a == nullptr || b == nullptr || !b->comes_before(*a)) return false;
  if (commutes == Commutes::kNumbers &&
      !(is_number_or_tensor(a->type()) && is_number_or_tensor(b->type())))
    return false;
  const std::optional<Type> type = type_in_both_orders(node, a->type(), b->type());
  if (!type || !keeps_values_when_swapped(op->base_name(), *type, a->type(), b->type()))
    return false;
  FX_RETURN_IF_ERROR(node.set_args({b, a}));
  return true;
}

/// Facts about memory and writes. Computed in advance if a call may write; otherwise when the first
/// two equal calls are found.
class Writes {
 public:
  Writes(const Graph& graph, const MemoryOptions& options) : graph_(graph), options_(options) {
    if (!may_write(graph)) return;
    memory_.emplace(graph, options);
    clock_.emplace(*memory_);
  }
  bool has_clock() const { return clock_.has_value(); }

  /// Returns the time of the last write to the node's operands; nullopt if a call writes to its
  /// value. Must be called in program order, and only if has_clock().
  std::optional<uint32_t> time_of(const Node& node) {
    clock_->advance(node);
    // The value of a get_attr is the tensor itself, whether or not calls write to it.
    if (node.op() == Opcode::kGetAttr) return 0;
    if (memory_->is_written(node)) return std::nullopt;
    return clock_->last_write_time(node);
  }

  /// True if the users of the node may use `first`, which is equal to it
  /// (MemoryAnalysis::may_replace).
  bool may_replace(const Node& node, const Node& first) {
    if (!clock_ && !may_be_part_of_result(node)) return true;
    if (!memory_) memory_.emplace(graph_, options_);
    return memory_->may_replace(node, first, MemoryAnalysis::allocates_nothing(node));
  }
  /// True if a call may change sizes or strides of an operand, whose recorded type may be outdated.
  bool may_change_operands(const Node& node) const {
    bool any = false;
    if (clock_)
      node.for_each_input(
          [&](const Node* input) { any = any || memory_->is_metadata_written(*input); });
    return any;
  }
  /// Records that the users of the node now use `first`.
  void record_replacement(const Node& node, const Node& first) {
    if (memory_) memory_->record_replacement(node, first);
  }

 private:
  /// False if every user returns new memory. Examines only the users, because a full analysis of
  /// the graph takes longer than the rest of the pass.
  static bool may_be_part_of_result(const Node& node) {
    for (const Use use : node.uses()) {
      if (!MemoryAnalysis::returns_only_new_memory(*use.user())) return true;
    }
    return false;
  }

  const Graph& graph_;
  MemoryOptions options_;
  std::optional<MemoryAnalysis> memory_;
  std::optional<WriteClock> clock_;
};

/// What a walk over the graph changed.
struct Changes {
  bool any = false;
  bool types = false;  ///< users of a call without a type now use one with a type
};

/// Replaces a call with an equal earlier call, unless that changes which values share memory.
absl::Status replace_with(Node& node, Node& first, Writes& writes, Changes& changes) {
  if (!writes.may_replace(node, first)) return absl::OkStatus();
  if (!first.type() != !node.type()) {
    changes.types = true;
    if (!first.type()) first.set_type(node.type());
  }
  changes.any = true;
  node.replace_all_uses_with(&first);
  writes.record_replacement(node, first);
  return node.graph().erase_node(&node);
}

absl::StatusOr<Changes> walk(Graph& graph, const EliminateCommonSubexpressionsOptions& options,
                             const MemoryOptions& memory) {
  Changes changes;
  Writes writes(graph, memory);
  const bool has_writes = writes.has_clock();
  SeenCalls seen(graph, has_writes);
  HashLookahead hashes(graph, seen);
  const bool has_dtype_modes = graph.context().has_dtype_modes();
  for (Node& node : graph.nodes()) {
    uint64_t hash = hashes.next(node);
    // The same call has another dtype after such a call.
    if (has_dtype_modes && dtype_mode_change(node) != 0) seen.forget();
    if (node.is_placeholder() || node.is_output()) continue;
    if (options.commutative && !writes.may_change_operands(node)) {
      // The operands have already been merged.
      FX_ASSIGN_OR_RETURN(const bool swapped, order_operands(node));
      if (swapped) hash = node.computation_hash();
      changes.any |= swapped;
    }
    uint32_t stamp = 0;
    if (has_writes) {
      const std::optional<uint32_t> time = writes.time_of(node);
      if (!time) continue;
      stamp = *time;
    }
    if (!effects(node).is_dedupable() || (options.keep && options.keep(node))) continue;
    Node* first = seen.find_or_add(node, hash, stamp);
    if (!first) continue;
    if (node.has_uses()) hashes.discard();  // its users will use `first`
    FX_RETURN_IF_ERROR(replace_with(node, *first, writes, changes));
  }
  return changes;
}

absl::StatusOr<bool> run_on(Graph& graph, const EliminateCommonSubexpressionsOptions& options,
                            const MemoryOptions& memory) {
  FX_ASSIGN_OR_RETURN(Changes changes, walk(graph, options, memory));
  const bool changed = changes.any;
  // With more types, the facts about memory are more precise. The loop terminates, because each
  // iteration follows a walk that erased a node.
  while (changes.types) {
    FX_ASSIGN_OR_RETURN(changes, walk(graph, options, memory));
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> eliminate_common_subexpressions(
    Graph& graph, const EliminateCommonSubexpressionsOptions& options) {
  bool changed = false;
  const bool distinguishes =
      graph.is_nested() || (graph.num_subgraphs() > 0 && distinguishes_aliases(graph));
  for (Graph* const g : inner_graphs_first(graph)) {
    const MemoryOptions memory = {.changed_outside = distinguishes && g->is_nested()};
    FX_ASSIGN_OR_RETURN(const bool graph_changed, run_on(*g, options, memory));
    changed |= graph_changed;
  }
  return changed;
}

}  // namespace fx
