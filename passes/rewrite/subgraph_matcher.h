// Finds the occurrences of a pattern in a graph, and explains why there is none.
//
//   FX_ASSIGN_OR_RETURN(const fx::Pattern pattern, fx::Pattern::create(*pattern_graph));
//   FX_ASSIGN_OR_RETURN(const fx::MatchList matches, fx::find_matches(pattern, graph));
//   for (const fx::Match match : matches)
//     std::cout << match.anchor()->name() << " " << match.node("mm")->name() << "\n";
//
// A match maps the nodes of the pattern to nodes of the graph, and placeholders also to constants
// and lists. It is contained: values that the pattern does not return have no users outside the
// match. It can be replaced by one node: no path leaves it and returns to it.
//
// Takes time linear in the size of the graph for patterns whose anchors are connected; limits bound
// the time for other patterns. torch.fx's counterpart is SubgraphMatcher.
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

/// An occurrence. It is a view, valid as long as its MatchList exists. Refers to nodes of the graph
/// at the time of the search: the graph must not change while they are accessed.
class Match {
 public:
  Match(const MatchList* list, size_t index) : list_(list), index_(index) {}

  /// Returns the match of a node of the pattern: a node or, for a placeholder, possibly a constant
  /// or a list. Null for a node of an alternative that did not match, and for the output.
  const Argument* value(const Node& pattern_node) const;
  /// Returns the match of the pattern's node with this name.
  const Argument* value(std::string_view pattern_node_name) const;
  /// Returns the match if it is a node; otherwise null.
  Node* node(const Node& pattern_node) const;
  Node* node(std::string_view pattern_node_name) const;

  /// Return the pattern's first anchor, and its match.
  const Node* pattern_anchor() const;
  Node* anchor() const;
  /// Returns the values of the pattern's placeholders, in order.
  std::vector<Argument> inputs() const;
  /// Returns the values that the pattern returns, without duplicates; nodes except for returned
  /// placeholders.
  std::vector<Argument> returned() const;
  /// Returns the matched nodes, without inputs and output, in the order of the pattern.
  std::vector<Node*> nodes() const;

 private:
  const MatchList* list_;
  size_t index_;
};

/// Matches in the order in which they were found, which is by the position of the first anchor in
/// the graph.
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
  size_t width_;  // the number of nodes of the pattern
  size_t size_ = 0;
  bool may_hold_nodes_in_lists_ = false;  // a value is a list, tuple, dict or slice
  // width_ entries per match. An id is the id of the bound node, or one of the constants below.
  static constexpr uint32_t kUnbound = ~uint32_t{0};
  static constexpr uint32_t kLiteral = kUnbound - 1;
  std::vector<Argument> values_;
  std::vector<uint32_t> ids_;
};

/// The choice among matches that share nodes. Inputs may always be shared.
enum class Overlap : uint8_t {
  kFirst,  ///< the earlier matches, by the position of the first anchor
  kLast,   ///< the later matches
  kAll,    ///< all matches: one for each choice of nodes for the anchors
};

using MatchFilter = std::function<bool(const Match& match)>;

/// Returns a filter that accepts a match if `only` returns true for all matched nodes
/// (Match::nodes); for an empty function, an empty filter, which accepts all matches.
MatchFilter all_nodes(std::function<bool(const Node&)> only);

struct MatchOptions {
  Overlap overlap = Overlap::kFirst;
  /// Accepts or rejects a match.
  MatchFilter filter = {};
  /// Applies the filter after overlapping matches are removed, as in torch.fx; otherwise before, so
  /// that a rejected match does not exclude other matches.
  bool filter_last = false;
  /// Rejects matches whose replacement by one node would form a cycle. torch.fx accepts them with
  /// kAll.
  bool check_cycles = true;
  /// If not empty, nodes whose names contain this text match an anchor, regardless of their
  /// targets.
  std::string_view anchor_name = {};
  /// The maximum number of steps (comparisons of an argument or node) for one node as the first
  /// anchor. Patterns with alternatives, commutative calls or multiple anchors may need more steps
  /// than their size.
  uint64_t max_steps = 1 << 20;
};

/// Finds the pattern. Returns InvalidArgument if pattern and graph have different Contexts, and
/// ResourceExhausted, naming the node, if the search exceeds `max_steps`.
absl::StatusOr<MatchList> find_matches(const Pattern& pattern, const Graph& graph,
                                       const MatchOptions& options = {});

/// The reason why a pattern does not match, or does not match at a node.
struct Mismatch {
  bool matches = false;                ///< the pattern matches
  size_t num_matched = 0;              ///< nodes of the pattern matched by the furthest attempt
  const Node* root = nullptr;          ///< the match of the first anchor in that attempt
  const Node* pattern_node = nullptr;  ///< the node of the pattern that failed
  const Node* node = nullptr;          ///< the node it was compared with; null if there is none
  std::string reason;
  /// Returns the mismatch as text.
  std::string str() const;
};

/// Finds the attempt that matches most of the pattern, or with `at` the attempt with this node as
/// the first anchor, and explains why it fails. Returns the errors of find_matches.
absl::StatusOr<Mismatch> explain_mismatch(const Pattern& pattern, const Graph& graph,
                                          const Node* at = nullptr,
                                          const MatchOptions& options = {});

}  // namespace fx
