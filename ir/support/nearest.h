// Suggestions for mistyped names.
#pragma once

#include "absl/types/span.h"

#include <string>
#include <string_view>

namespace fx {

/// The first candidate with the smallest edit distance to `name`, if at most a third of the letters
/// differ; a transposition of adjacent letters is one change. Else, for a name of three letters or
/// more, the first candidate that begins with it, or whose words begin with its letters in any
/// order (`dce`: eliminate_dead_code); else empty.
std::string_view nearest_name(std::string_view name, absl::Span<const std::string_view> candidates);

/// ` (did you mean "relu"?)`, to be appended to the name in an error; empty if there is no near
/// candidate.
std::string did_you_mean(std::string_view name, absl::Span<const std::string_view> candidates);

}  // namespace fx
