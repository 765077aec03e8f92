// ir/support/nearest.h - what somebody meant who mistyped a name.
#pragma once

#include "absl/types/span.h"

#include <string>
#include <string_view>

namespace fx {

/// The candidate with the smallest edit distance to `name` (Levenshtein's), the first of several,
/// if at most a third of the letters have to change; else the first that begins with `name`, if
/// that has three letters; else empty.
std::string_view nearest_name(std::string_view name, absl::Span<const std::string_view> candidates);

/// ` (did you mean "relu"?)`, to be put behind the name in an error; empty when no candidate is
/// near.
std::string did_you_mean(std::string_view name, absl::Span<const std::string_view> candidates);

}  // namespace fx
