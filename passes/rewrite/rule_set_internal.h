// A rule that is prepared for matching.
#pragma once

#include "fx/passes/rewrite/replacer_internal.h"
#include "fx/passes/rewrite/rule_set.h"

#include <optional>
#include <string>

namespace fx {

struct RuleSet::Rule {
  std::string name;
  int priority = 0;
  RewriteFunction function;  // if null, the rule has a pattern and a recipe
  std::optional<Pattern> pattern;
  std::optional<rewrite::Recipe> recipe;
  MatchOptions match;
  ReplaceOptions replace;
  /// True if a match depends only on the matched nodes and their users, not on other paths or on
  /// the nodes that a function accesses.
  bool is_local = false;
};

}  // namespace fx
