// Finding the occurrences of a pattern in a graph, and saying why there is none.
//
//   FX_ASSIGN_OR_RETURN(const fx::Pattern pattern, fx::Pattern::create(*pattern_graph));
//   FX_ASSIGN_OR_RETURN(const fx::MatchList matches, fx::find_matches(pattern, graph));
//   for (const fx::Match match : matches)
//     std::cout << match.anchor()->name() << " " << match.node("mm")->name() << "\n";
//
// A match maps the nodes of the pattern to nodes of the graph, placeholders also to constants and
// lists. It is contained: values inside, those that the pattern does not return, have no readers
// outside. And it can be replaced by one node: no path leaves it and comes back.
//
// Time is linear in the graph's size for patterns whose anchors hang together; limits bound it for
// all others. torch.fx's counterpart is SubgraphMatcher.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/rewrite/pattern.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class MatchList;
namespace rewrite {
class MatchFinder;
class Replacer;
}  // namespace rewrite

/// One occurrence; a view that is valid as long as its MatchList. The nodes are those of the graph
/// when it was found: do not change the graph while you look at them.
class Match {
 public:
  Match(const MatchList* list, size_t index) : list_(list), index_(index) {}

  /// What a node of the pattern was found to be: a node, or, for a placeholder, perhaps a constant
  /// or a list. Null for a node of an alternative that was not taken, and for the output.
  const Argument* value(const Node& pattern_node) const;
  /// The same by the name of the pattern's node.
  const Argument* value(std::string_view pattern_node_name) const;
  /// The node, or null when there is none or it is something else.
  Node* node(const Node& pattern_node) const;
  Node* node(std::string_view pattern_node_name) const;

  /// The pattern's first anchor, and where it was found.
  const Node* pattern_anchor() const;
  Node* anchor() const;
  /// What the pattern's placeholders stand for, in order.
  std::vector<Argument> inputs() const;
  /// What the pattern returns, each once; nodes but for returned placeholders.
  std::vector<Argument> returned() const;
  /// The nodes matched, without inputs and output, in the pattern's order.
  std::vector<Node*> nodes() const;

 private:
  const MatchList* list_;
  size_t index_;
};

/// Matches in the order in which they were found: by the place of the first anchor in the graph.
class MatchList {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Match;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Match;
    Iterator(const MatchList* list, size_t index) : list_(list), index_(index) {}
    Match operator*() const { return {list_, index_}; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }

   private:
    const MatchList* list_;
    size_t index_;
  };

  explicit MatchList(const Pattern& pattern);
  MatchList(MatchList&&) noexcept;
  MatchList& operator=(MatchList&&) noexcept;
  ~MatchList();

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Match operator[](size_t i) const { return {this, i}; }
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }
  const Graph& pattern_graph() const;

 private:
  friend class Match;
  friend class rewrite::MatchFinder;
  friend class rewrite::Replacer;
  std::shared_ptr<const rewrite::CompiledPattern> pattern_;
  size_t width_;  // nodes of the pattern
  size_t size_ = 0;
  bool may_hold_nodes_in_lists_ = false;  // a value is a list, tuple, dict or slice
  // width_ entries a match. An id is that of the bound node, or one of those below.
  static constexpr uint32_t kUnbound = ~uint32_t{0};
  static constexpr uint32_t kLiteral = kUnbound - 1;
  std::vector<Argument> values_;
  std::vector<uint32_t> ids_;
};

/// Which of several matches that share nodes count. Inputs may be shared freely.
enum class Overlap : uint8_t {
  kFirst,  ///< the earlier ones, by the place of the first anchor
  kLast,   ///< the later ones
  kAll,    ///< all: one for each choice of places for the anchors
};

using MatchFilter = std::function<bool(const Match& match)>;

struct MatchOptions {
  Overlap overlap = Overlap::kFirst;
  /// A match counts when this says so.
  MatchFilter filter = {};
  /// The filter is asked after overlapping matches are removed, as in torch.fx; otherwise before,
  /// so that a refused match does not stand in the way of others.
  bool filter_last = false;
  /// Drops matches whose replacement by one node would make a cycle. torch.fx does not with kAll.
  bool check_cycles = true;
  /// When not empty: nodes whose names contain this match an anchor whatever they call.
  std::string_view anchor_name = {};
  /// Steps of matching (one argument compared, or one node looked at) from one place of the first
  /// anchor. Patterns with alternatives, commutative calls or several anchors can take more than
  /// their size.
  uint64_t max_steps = 1 << 20;
};

/// Finds the pattern. InvalidArgument when pattern and graph have different Contexts;
/// ResourceExhausted, naming the node, when `max_steps` were not enough.
absl::StatusOr<MatchList> find_matches(const Pattern& pattern, const Graph& graph,
                                       const MatchOptions& options = {});

/// Why a pattern does not match, or not at a place.
struct Mismatch {
  bool matches = false;                ///< it does match
  size_t num_matched = 0;              ///< nodes of the pattern found, where it came furthest
  const Node* root = nullptr;          ///< the place of the first anchor there
  const Node* pattern_node = nullptr;  ///< the node of the pattern that failed
  const Node* node = nullptr;          ///< what it was compared with; null: a constant, or nothing
  std::string reason;
  /// All of it in words.
  std::string str() const;
};

/// Looks where the pattern comes furthest, or, with `at`, how far it comes from this node as the
/// first anchor, and says what is in the way. Errors as find_matches.
absl::StatusOr<Mismatch> explain_mismatch(const Pattern& pattern, const Graph& graph,
                                          const Node* at = nullptr,
                                          const MatchOptions& options = {});

}  // namespace fx
