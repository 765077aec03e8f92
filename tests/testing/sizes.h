// Sizes for tests that check that algorithms do not recurse.
#pragma once

#include <cstddef>

namespace fx::testing {

/// Lengths of chains and depths of nesting that overflow a stack of 8 MiB if each level uses a
/// stack frame of 84 bytes or more.
inline constexpr size_t kManyLevels = 100'000;

}  // namespace fx::testing
