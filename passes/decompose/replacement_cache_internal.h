// ReplacementCache: what calls were replaced by, kept so that calls that are alike get copies of
// it. A layer that occurs a thousand times is decomposed twice. Private to passes/decompose/.
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

/// For decompositions that ask nothing but an operator, constants and types
/// (Decomposition::by_types), in one graph. Calls are alike when these are equal and the same items
/// of their results are read. Calls with symbolic sizes are not kept: what is made of them hangs on
/// what is known of the symbols.
class ReplacementCache {
 public:
  explicit ReplacementCache(Graph& graph) : graph_(graph) {}

  /// Puts a copy of what a call like this one was replaced by before the call, which is the graph's
  /// insert point. Returns the value that replaces the call: the call itself, where it has
  /// become the last node of the copy. Nothing when no such call is known. `items_read`: a bit for
  /// each item of its result.
  std::optional<Argument> copy_for(Node& call, uint64_t items_read);
  /// What the call that was given to copy_for last is replaced by: the nodes from `first` up to the
  /// call, and `value`. Kept from the second time on.
  void add(const Node& call, const Node* first, const Argument& value);

 private:
  using Words = std::vector<uint64_t>;
  struct Hash {  // the last word, by make_key
    using is_transparent = void;
    size_t operator()(absl::Span<const uint64_t> words) const { return words.back(); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(absl::Span<const uint64_t> a, absl::Span<const uint64_t> b) const {
      return a == b;
    }
  };
  /// A graph of its own, whose inputs are the call's operands in order, each as often as it occurs.
  struct Replacement {
    explicit Replacement(Context& context) : graph(context), copies(graph) {}
    Graph graph;
    CopyTable copies;
    const Node* becomes_call = nullptr;  ///< the last one, where it is the value and has no users
  };

  bool make_key(const Node& call, uint64_t items_read);
  Argument copy(Replacement& replacement, Node& call);

  /// When there are more calls, all are forgotten: a graph that repeats nothing takes no more
  /// memory than this.
  static constexpr size_t kMaxCalls = 4096;

  Graph& graph_;
  TypeCache::Key call_key_;
  Words key_;  // of the call given last
  absl::flat_hash_map<Words, std::unique_ptr<Replacement>, Hash, Equal> known_;
  std::unique_ptr<Replacement>* repeated_ = nullptr;  // its place, when it was seen before
};

}  // namespace fx
