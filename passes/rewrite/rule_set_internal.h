// One rule, prepared.
#pragma once

#include "fx/passes/rewrite/replacer_internal.h"
#include "fx/passes/rewrite/rule_set.h"

#include <optional>
#include <string>

namespace fx {

struct RuleSet::Rule {
  std::string name;
  int priority = 0;
  RewriteFunction function;  // or else:
  std::optional<Pattern> pattern;
  std::optional<rewrite::Recipe> recipe;
  MatchOptions match;
  ReplaceOptions replace;
  /// Whether the pattern matches somewhere shows in the nodes that it would match and their readers
  /// alone: not in paths beside it, nor in what a function looks at.
  bool is_local = false;
};

}  // namespace fx
