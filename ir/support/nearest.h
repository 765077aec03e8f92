// ir/support/nearest.h - the name most likely meant by a mistyped one.
#pragma once

#include "absl/types/span.h"

#include <string>
#include <string_view>

namespace fx {

/// The candidate with the smallest edit distance to `name`, the first of several, if at most a
/// third of the letters have to change; two letters in each other's place are one change. Else, for
/// a name of three letters or more, the first that begins with it, or whose words begin with its
/// letters in some order (`dce`: eliminate_dead_code); else empty.
std::string_view nearest_name(std::string_view name, absl::Span<const std::string_view> candidates);

/// ` (did you mean "relu"?)`, to append to the name in an error; empty when no candidate is
/// near.
std::string did_you_mean(std::string_view name, absl::Span<const std::string_view> candidates);

}  // namespace fx
