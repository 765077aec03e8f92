// Matches without search, for patterns without alternatives: calls to given functions whose
// arguments are calls, placeholders and plain constants, with one result. Most patterns have this
// form, and DirectMatcher decides most nodes of a graph. If arguments are passed in a different
// form, or a placeholder is compared with a constant, MatchEngine decides.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/rewrite/pattern_internal.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fx::rewrite {

class DirectMatcher {
 public:
  explicit DirectMatcher(const CompiledPattern& pattern);

  /// True if the pattern has this form.
  bool is_usable() const { return is_usable_; }
  enum class Verdict : uint8_t { kNo, kYes, kUnknown };
  /// Tests whether the pattern matches with its result at `root`, by the rules of MatchEngine and
  /// MatchFinder: inputs are outside the match, and inner values have no users outside it.
  Verdict match(Node& root);
  /// Returns the match of each node of the pattern, after kYes.
  const std::vector<Node*>& found() const { return found_; }
  /// Returns the matched nodes that a replacement erases.
  std::span<Node* const> calls() const { return {calls_, num_calls_}; }

 private:
  static constexpr size_t kMaxCalls = 32;  // calls are compared pairwise
  static bool is_direct(const CompiledPattern& pattern);
  bool is_matched(const Node& node) const;
  bool add_match(uint32_t index, Node& node);
  Verdict match_arguments(const PatternNode& expected, const Node& node);
  Verdict match_value(const PatternValue& value, const ArgumentRef& found);

  const CompiledPattern& pattern_;
  const bool is_usable_;
  std::vector<Node*> found_;
  Node* calls_[kMaxCalls];
  uint32_t indexes_[kMaxCalls];
  size_t num_calls_ = 0;
};

}  // namespace fx::rewrite
