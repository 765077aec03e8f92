// Suggestions for mistyped names.
#pragma once

#include "absl/types/span.h"

#include <string>
#include <string_view>

namespace fx {

/// The first candidate with the smallest edit distance to `name`, if the distance is at most
/// (name.size() + 1) / 3; a transposition of adjacent letters is one change. Otherwise, for a name
/// of at least three letters, the first candidate that begins with the name or, if there is none
/// and the name has at most eight letters, the first candidate whose words begin with these letters
/// in any order (`dce`: eliminate_dead_code). Empty if there is none.
std::string_view nearest_name(std::string_view name, absl::Span<const std::string_view> candidates);

/// ` (did you mean "relu"?)`, to be appended to the name in an error; empty if there is no close
/// candidate.
std::string did_you_mean(std::string_view name, absl::Span<const std::string_view> candidates);

}  // namespace fx
