// Finds all occurrences of a pattern in one graph: selects the nodes at which the search starts,
// and the matches that are accepted.
#pragma once

#include "fx/passes/rewrite/match_direct_internal.h"
#include "fx/passes/rewrite/match_engine_internal.h"
#include "fx/passes/rewrite/subgraph_matcher.h"

#include <cstdint>
#include <vector>

namespace fx::rewrite {

class MatchFinder {
 public:
  /// `marks` must belong to this graph. It, the graph and the options must outlive the finder.
  MatchFinder(const Pattern& pattern, const Graph& graph, NodeMarks& marks,
              const MatchOptions& options);

  absl::StatusOr<MatchList> find();
  /// Adds the match whose first anchor is this node; with Overlap::kAll, all such matches.
  absl::Status find_at(Node& root, MatchList& list);
  static void clear(MatchList& list);
  /// After this call, find_at finds one match, and matches do not exclude each other.
  void find_one() {
    is_one_ = true;
    engine_.set_skip_taken(false);
  }
  absl::StatusOr<Mismatch> explain(const Node* at);

 private:
  /// Tries DirectMatcher at the node; returns true if it decides.
  bool find_directly(Node& root, MatchList& list);
  /// Reserves memory for the expected number of matches, after `visited` of `all` nodes.
  static void reserve(MatchList& list, size_t visited, size_t all);
  absl::Status limit_error(const Node& root) const;
  absl::StatusOr<bool> accept(const Node& root, MatchList& list);
  bool inputs_are_valid();
  bool is_returned(const Node& node) const;
  bool is_replaced(uint32_t index) const;
  const Node* last_replaced() const;
  bool is_contained();
  absl::StatusOr<bool> has_cycle(const Node& root);
  void mark_taken();
  void add(MatchList& list) const;
  static void remove_last(MatchList& list);
  static void reverse(MatchList& list);
  void filter(MatchList& list) const;

  const Pattern shared_;
  const CompiledPattern& pattern_;
  const Graph& graph_;
  NodeMarks& marks_;
  const MatchOptions& options_;
  MatchEngine engine_;
  DirectMatcher direct_;
  bool use_direct_;  // false if the pattern or the options require the search
  bool is_one_ = false;
  std::vector<Node*> worklist_;
};

}  // namespace fx::rewrite
