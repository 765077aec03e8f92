// Matching without search, for patterns that leave no choice: calls of given functions whose
// arguments are calls, placeholders and plain constants, with one result. Most are like that, and
// most places of a graph are decided so; where arguments are given in another form, or a
// placeholder meets a constant, MatchEngine decides.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/rewrite/pattern_internal.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fx::rewrite {

class StraightMatcher {
 public:
  explicit StraightMatcher(const CompiledPattern& pattern);

  /// The pattern is of this kind.
  bool is_usable() const { return is_usable_; }
  enum class Verdict : uint8_t { kNo, kYes, kUnknown };
  /// Whether the pattern, with its result at `root`, is found as MatchEngine and MatchFinder would:
  /// inputs outside, values inside without other readers.
  Verdict match(Node& root);
  /// After kYes: what each node of the pattern was found to be.
  const std::vector<Node*>& found() const { return found_; }
  /// Those of them that a replacement takes away.
  std::span<Node* const> calls() const { return {calls_, num_calls_}; }

 private:
  static constexpr size_t kMaxCalls = 32;  // they are compared with each other
  static bool is_straight(const CompiledPattern& pattern);
  bool holds(const Node& node) const;
  bool enter(uint32_t index, Node& node);
  Verdict match_arguments(const PatternNode& wanted, const Node& node);
  Verdict match_value(const PatternValue& value, const ArgumentRef& found);

  const CompiledPattern& pattern_;
  const bool is_usable_;
  std::vector<Node*> found_;
  Node* calls_[kMaxCalls];
  uint32_t indexes_[kMaxCalls];
  size_t num_calls_ = 0;
};

}  // namespace fx::rewrite
