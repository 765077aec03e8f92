// Sizes for tests that algorithms do not recurse.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FX_TEST_HAS_SANITIZERS 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FX_TEST_HAS_SANITIZERS 1
#endif

namespace fx::testing {

/// Lengths of chains and depths of nesting that would overflow the stack if each level used a stack
/// frame. With sanitizers, frames are several times larger and code is 20 times slower.
#ifdef FX_TEST_HAS_SANITIZERS
inline constexpr size_t kManyLevels = 100'000;
#else
inline constexpr size_t kManyLevels = 1'000'000;
#endif

}  // namespace fx::testing
