// Mixing of numbers into hashes: the one place for it.
//
// For keys of hash tables use Abseil's (AbslHashValue), which call nothing here. These functions are
// for hashes that are stored or compared, and for tables indexed by a few bits.
#pragma once

#include <cstdint>

namespace fx::internal {

/// A factor that spreads a number over the upper bits of a product: 2^64 divided by the golden ratio.
inline constexpr uint64_t kGoldenRatio64 = 0x9e3779b97f4a7c15;

/// A number of 64 mixed bits, each of which depends on all bits of both factors: the two halves of
/// their product combined. 0 when a factor is 0.
inline uint64_t hash_fold(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/// Mixes `value` into the running hash `hash`.
inline uint64_t hash_mix(uint64_t hash, uint64_t value) {
  return hash_fold(hash ^ value, kGoldenRatio64);
}

/// A number of which each bit is well mixed: use any of them to index a table.
inline uint64_t hash_bits(uint64_t value) { return hash_fold(value, kGoldenRatio64); }

}  // namespace fx::internal
