// eliminate_common_subexpressions: see eliminate_common_subexpressions.h.
//
// One walk in program order with a table of the calls seen. When the graph writes to memory, a walk
// before it joins values that may share memory into classes (inputs, parameters and the world
// outside are one), and each write stamps the classes that it may reach: a call's stamp is the last
// write to what it reads, and calls with different stamps differ.
#include "fx/passes/cleanup/eliminate_common_subexpressions.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"


#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using ops::Effect;
using ops::Effects;
using ops::OpTrait;

/// Values that may share memory, and when each such class was written to last.
class Memory {
 public:
  explicit Memory(const Graph& graph) {
    for (const Node& node : graph.nodes()) {
      if (writes(effects(node))) {
        has_writes_ = true;
        break;
      }
    }
    if (!has_writes_) return;
    parents_.resize(graph.id_bound() + size_t{1});
    std::iota(parents_.begin(), parents_.end(), 0U);
    for (const Node& node : graph.nodes()) join_aliases(node);
    last_write_.resize(parents_.size());
    is_written_.resize(parents_.size());
    for (const Node& node : graph.nodes()) {
      const Effects what = effects(node);
      if (!writes(what)) continue;
      if (may_write_anything(what)) is_all_written_ = true;
      is_written_[kOutside] = is_written_[kOutside] || what.has(Effect::kWritesState);
      node.for_each_input([&](const Node* input) { is_written_[find(*input)] = true; });
    }
    is_written_[find(kOutside)] = is_written_[find(kOutside)] || is_written_[kOutside];
  }

  bool has_writes() const { return has_writes_; }

  /// Notes what a call writes. Calls come in program order.
  void pass(const Node& node, Effects what) {
    if (!has_writes_ || !writes(what)) return;
    ++now_;
    if (may_write_anything(what)) last_write_to_all_ = now_;
    if (what.has(Effect::kWritesState)) last_write_[find(kOutside)] = now_;
    node.for_each_input([&](const Node* input) { last_write_[find(*input)] = now_; });
  }
  /// The last write to what the call reads.
  uint32_t stamp(const Node& node) {
    uint32_t last = std::max(last_write_to_all_, last_write_[find(kOutside)]);
    node.for_each_input(
        [&](const Node* input) { last = std::max(last, last_write_[find(*input)]); });
    return last;
  }
  /// Something writes to the value, or to what may share memory with it, somewhere in the graph.
  bool is_written(const Node& node) { return is_all_written_ || is_written_[find(node)]; }

 private:
  static constexpr uint32_t kOutside = 0;  // inputs, parameters, state; node `id` is at id + 1

  static bool writes(Effects what) {
    return what.has_any(Effect::kWritesArguments | Effect::kWritesState);
  }
  static bool may_write_anything(Effects what) { return what == Effects::all(); }

  uint32_t find(uint32_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  uint32_t find(const Node& node) { return find(node.id() + 1); }
  void join(uint32_t a, uint32_t b) { parents_[find(a)] = find(b); }

  void join_aliases(const Node& node) {
    const uint32_t self = node.id() + 1;
    bool from_operands = true, from_outside = false;
    switch (node.op()) {
      case Opcode::kPlaceholder:
      case Opcode::kGetAttr:
        from_outside = true;
        break;
      case Opcode::kCallFunction:
        if (const ops::OpInfo* op = node.function().op()) {
          // A composite operator may return its argument as it is (dropout in evaluation), and a
          // Python function hands on what it was given (getitem).
          from_operands = !op->output_aliases().empty() || op->aliases_unknown() ||
                          op->has(OpTrait::kComposite) || op->has(OpTrait::kMayAlias) ||
                          op->is_function();
          from_outside = op->aliases_unknown();
          break;
        }
        from_outside = true;
        break;
      case Opcode::kCallMethod:
      case Opcode::kCallModule:
        from_outside = effects(node) == Effects::all() || node.op() == Opcode::kCallModule;
        break;
      case Opcode::kOutput:
        return;
    }
    if (from_outside) join(self, kOutside);
    if (from_operands) node.for_each_input([&](const Node* input) { join(self, input->id() + 1); });
  }

  bool has_writes_ = false;
  bool is_all_written_ = false;
  uint32_t now_ = 0;
  uint32_t last_write_to_all_ = 0;
  std::vector<uint32_t> parents_, last_write_;
  std::vector<bool> is_written_;
};

/// The calls seen, by their hash: a flat table that is never more than three quarters full.
class SeenCalls {
 public:
  explicit SeenCalls(const Graph& graph, const Memory& memory)
      : mask_(std::bit_ceil(graph.size() + graph.size() / 3 + 2) - 1), entries_(mask_ + 1) {
    nodes_.reserve(graph.size() + 1);
    nodes_.push_back(nullptr);
    if (memory.has_writes()) stamps_.push_back(0);
  }

  /// Asks for the memory that a look-up of this hash will read.
  void prefetch(uint64_t hash) const { __builtin_prefetch(&entries_[hash & mask_]); }

  /// The call seen that is the same as this one, whose hash is given; else null, and this one
  /// counts as seen.
  Node* find_or_add(Node& node, uint64_t hash, uint32_t stamp) {
    if (!stamps_.empty()) hash += stamp * 0x9e3779b97f4a7c15;
    const auto tag = static_cast<uint32_t>(hash >> 32);
    for (size_t i = hash & mask_;; i = (i + 1) & mask_) {
      Entry& entry = entries_[i];
      if (entry.index == 0) {
        entry = {tag, static_cast<uint32_t>(nodes_.size())};
        nodes_.push_back(&node);
        if (!stamps_.empty()) stamps_.push_back(stamp);
        return nullptr;
      }
      if (entry.tag != tag || (!stamps_.empty() && stamps_[entry.index] != stamp)) continue;
      Node& other = *nodes_[entry.index];
      if (node.type() && other.type() && node.type() != other.type()) continue;
      if (node.same_computation(other)) return &other;
    }
  }

 private:
  struct Entry {
    uint32_t tag = 0;
    uint32_t index = 0;  // in nodes_; 0: free
  };
  size_t mask_;
  std::vector<Entry> entries_;
  std::vector<Node*> nodes_;
  std::vector<uint32_t> stamps_;  // beside nodes_, when the graph writes
};

/// The hashes of calls, computed some nodes before they are looked up, so that the table's memory
/// has come by then.
class HashesAhead {
 public:
  HashesAhead(const Graph& graph, const SeenCalls& seen)
      : graph_(graph), seen_(seen), next_(graph.nodes().begin()), end_(graph.nodes().end()) {
    for (Ahead& ahead : ring_) fetch(ahead);
  }

  /// The hash of the next node. To be asked for every node, in program order.
  uint64_t next(const Node& node) {
    Ahead& ahead = ring_[at_++ % kDistance];
    // Whoever replaced a value may have changed the node since.
    const uint64_t hash = ahead.version == graph_.version() ? ahead.hash : node.computation_hash();
    fetch(ahead);
    return hash;
  }

 private:
  static constexpr size_t kDistance = 16;
  struct Ahead {
    uint64_t hash = 0;
    uint64_t version = 0;
  };

  void fetch(Ahead& ahead) {
    if (next_ == end_) return;
    ahead = {next_->computation_hash(), graph_.version()};
    seen_.prefetch(ahead.hash);
    ++next_;
  }

  const Graph& graph_;
  const SeenCalls& seen_;
  NodeIterator next_, end_;
  Ahead ring_[kDistance];
  size_t at_ = 0;
};

bool is_number_or_tensor(Type type) {
  return type.is_tensor() || type.kind() == TypeKind::kInt || type.kind() == TypeKind::kFloat ||
         type.kind() == TypeKind::kBool || type.kind() == TypeKind::kComplex;
}

/// Puts the operands of a commutative call into program order. Returns whether they changed places.
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
  FX_RETURN_IF_ERROR(node.set_args({b, a}));
  return true;
}

absl::StatusOr<bool> run_on(Graph& graph, const EliminateCommonSubexpressionsOptions& options) {
  bool changed = false;
  Memory memory(graph);
  SeenCalls seen(graph, memory);
  HashesAhead hashes(graph, seen);
  for (Node& node : graph.nodes()) {
    uint64_t hash = hashes.next(node);
    if (node.is_placeholder() || node.is_output()) continue;
    if (options.commutative) {  // of what the operands are now, each computed once
      FX_ASSIGN_OR_RETURN(const bool swapped, order_operands(node));
      if (swapped) hash = node.computation_hash();
      changed |= swapped;
    }
    uint32_t stamp = 0;
    const Effects what = effects(node);
    if (memory.has_writes()) {
      memory.pass(node, what);
      // A get_attr gives the tensor itself, whatever was written to it.
      if (node.op() != Opcode::kGetAttr) {
        if (memory.is_written(node)) continue;
        stamp = memory.stamp(node);
      }
    }
    if (!what.is_dedupable() || (options.keep && options.keep(node))) continue;
    Node* first = seen.find_or_add(node, hash, stamp);
    if (!first) continue;
    if (!first->type() && node.type()) first->set_type(node.type());
    node.replace_all_uses_with(first);
    FX_RETURN_IF_ERROR(graph.erase_node(&node));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> eliminate_common_subexpressions(
    Graph& graph, const EliminateCommonSubexpressionsOptions& options) {
  bool changed = false;
  for (Graph& g : all_graphs(graph)) {
    FX_ASSIGN_OR_RETURN(const bool some, run_on(g, options));
    changed |= some;
  }
  return changed;
}

}  // namespace fx
