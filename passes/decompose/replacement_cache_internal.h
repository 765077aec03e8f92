// ReplacementCache: stores the replacements of calls, so that similar calls are replaced with
// copies. A layer that occurs a thousand times is decomposed only twice. Private to
// passes/decompose/.
#pragma once

#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/graph/graph.h"
#include "fx/passes/shape/type_cache.h"

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fx {

/// A cache for one graph and for decompositions that depend only on the operator, constants and
/// types (Decomposition::by_types). Calls are similar if these are equal and the same items of
/// their results have users. Calls with symbolic sizes are not cached: their replacements depend on
/// the ranges of the symbols.
class ReplacementCache {
 public:
  explicit ReplacementCache(Graph& graph) : graph_(graph) {}

  /// Inserts a copy of the replacement of a similar call before this call, which is the graph's
  /// insert point. Returns the value that replaces the call: the call itself if it has become the
  /// last node of the copy. Returns nullopt if there is no similar call. `used_items` is a
  /// bit mask of the items of the call's result that have users.
  std::optional<Argument> copy_for(Node& call, uint64_t used_items);
  /// Adds the replacement of the call that was last passed to copy_for: the nodes from `first` up
  /// to the call, and `value`. Stores it when the second similar call is added.
  void add(const Node& call, const Node* first, const Argument& value);

 private:
  using Words = std::vector<uint64_t>;
  struct Hash {  // returns the last word, which make_key computes
    using is_transparent = void;
    size_t operator()(absl::Span<const uint64_t> words) const { return words.back(); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(absl::Span<const uint64_t> a, absl::Span<const uint64_t> b) const {
      return a == b;
    }
  };
  /// A graph whose inputs are the call's operands in order, once per occurrence.
  struct Replacement {
    explicit Replacement(Context& context) : graph(context), copies(graph) {}
    Graph graph;
    CopyTable copies;
    const Node* becomes_call = nullptr;  ///< the last node, if it is the value and has no users
  };

  bool make_key(const Node& call, uint64_t used_items);
  Argument copy(Replacement& replacement, Node& call);

  /// The cache is cleared when it contains more calls: this bounds its memory for graphs without
  /// repetition.
  static constexpr size_t kMaxCalls = 4096;

  Graph& graph_;
  TypeCache::Key call_key_;
  Words key_;  // the key of the last call
  absl::flat_hash_map<Words, std::unique_ptr<Replacement>, Hash, Equal> known_;
  std::unique_ptr<Replacement>* repeated_ = nullptr;  // the last call's entry, if there is one
};

}  // namespace fx
