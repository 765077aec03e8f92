// Decides whether a match may be replaced in a graph that writes to memory.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/rewrite/pattern_internal.h"

#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fx::rewrite {

/// The memory of a result of a replacement graph.
struct ResultMemory {
  std::vector<uint32_t> inputs;  ///< the inputs whose memory the result may share
  bool must_share = false;       ///< there is one such input, and the result shares its storage
  bool has_attribute = false;    ///< it may also share the memory of an attribute
};

/// The writes of a graph in which matches are replaced.
///
/// A replacement runs after the last node of the match, so no call between the first and the last
/// node of the match may write to memory that the match reads, and calls whose effects are ordered
/// (random numbers, state) keep their order. A result of the replacement is either new memory, like
/// the value that it replaces, or shares the storage of the same input; if neither is certain, no
/// call may write to the memory of either value. Unknown functions, methods and modules are assumed
/// to be pure.
///
/// A pattern with a call that writes to memory specifies that write, so the second rule does not
/// apply to its matches. But other nodes between the nodes of the match must not access the
/// written memory.
class MatchMemory {
 public:
  /// The graph must outlive this object.
  explicit MatchMemory(const Graph& graph) : graph_(graph) {}

  /// True if a call in the graph may write to memory.
  bool has_writes();
  /// True if a call in the graph has effects whose order matters, such as writes. Otherwise all
  /// matches may be replaced.
  bool has_ordered_calls() {
    find_effects();
    return is_ordered_;
  }
  /// True if the values of the match have the same contents after its last node as in the match.
  /// `values` are the values of the pattern's nodes.
  bool may_move(const CompiledPattern& pattern, absl::Span<const Argument> values);
  /// True if the results of a replacement, which refer to its `inputs`, may be used instead of the
  /// results of the match.
  bool may_use(const CompiledPattern& pattern, absl::Span<const Argument> values,
               absl::Span<const Argument> inputs, absl::Span<const ResultMemory> results);
  /// True if a call may change the sizes or strides of the value (`t_`, `resize_`, out=), so that
  /// its type describes it only before this call.
  bool may_change_sizes(const Node& value) {
    find_effects();
    return changes_sizes_ && memory().is_metadata_written(value);
  }
  /// Must be called after a call that writes to memory was erased. `adds_writes`: such a call was
  /// added.
  void invalidate(bool adds_writes);
  /// Must be called after the last match passed to may_use() was replaced with these nodes.
  void note_replaced(absl::Span<Node* const> inserted);

 private:
  void find_effects() {
    if (!is_known_) read_effects();
  }
  void read_effects();
  const MemoryAnalysis& memory();
  void find_matched(const CompiledPattern& pattern, absl::Span<const Argument> values);
  bool is_order_changed(const Node& first, const Node& last) const;
  bool is_accessed_between(const Node& first, const Node& last);
  bool may_replace_result(const Node& from, const ResultMemory& to,
                          absl::Span<const Argument> inputs);

  const Graph& graph_;
  bool is_known_ = false;       // whether the next three are known
  bool has_writes_ = false;     // a call may write to memory
  bool changes_sizes_ = false;  // a call may change sizes or strides
  bool is_ordered_ = false;     // a call has effects whose order matters
  std::optional<MemoryAnalysis> memory_;
  uint32_t analyzed_ids_ = 0;         // the graph's id_bound() when memory_ was created
  std::vector<const Node*> matched_;  // scratch: the calls of a match, in program order
  std::vector<const Node*> writers_;  // scratch: those that write to memory
};

}  // namespace fx::rewrite
