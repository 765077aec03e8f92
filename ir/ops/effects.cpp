// Converts effects to text.
#include "fx/ir/ops/effects.h"

#include <string_view>
#include <utility>

namespace fx::ops {

std::string to_string(Effects effects) {
  if (effects.is_pure()) return "pure";
  if (effects == Effects::all()) return "all";
  constexpr std::pair<Effect, std::string_view> kNames[] = {
      {Effect::kWritesArguments, "writes_arguments"}, {Effect::kWritesState, "writes_state"},
      {Effect::kReadsState, "reads_state"},           {Effect::kRandom, "random"},
      {Effect::kUninitialized, "uninitialized"},      {Effect::kChecks, "checks"},
  };
  std::string text;
  for (const auto& [effect, name] : kNames) {
    if (!effects.has(effect)) continue;
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

}  // namespace fx::ops
