// Hashes of numbers, and of names in constant expressions.
//
// Tables keyed by values use Abseil's hashing (AbslHashValue) if they can. The functions here are
// for hashes that are stored or compared, for tables indexed by a few bits of a number, and for
// constant expressions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fx::internal {

/// 2^64 divided by the golden ratio: odd, with irregular bits.
inline constexpr uint64_t kGoldenRatio64 = 0x9e3779b97f4a7c15;

/// The exclusive or of the two halves of the 128-bit product. 0 if a factor is 0.
inline uint64_t hash_fold(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/// A hash of one number, with well-mixed bits.
inline uint64_t hash_bits(uint64_t value) { return hash_fold(value, kGoldenRatio64); }

/// Continues the hash `hash` with one number.
inline uint64_t hash_mix(uint64_t hash, uint64_t value) { return hash_bits(hash ^ value); }

/// `count` odd pseudo-random factors (splitmix64). The sum of the products of words and these
/// factors is a fast hash, because the products are independent; mix it with hash_bits.
template <size_t count>
constexpr std::array<uint64_t, count> hash_factors() {
  std::array<uint64_t, count> factors{};
  uint64_t state = 0;
  for (uint64_t& factor : factors) {
    uint64_t z = state += kGoldenRatio64;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    factor = (z ^ z >> 31) | 1;
  }
  return factors;
}

/// FNV-1a of a name, continued from `hash`: for names in constant expressions.
constexpr uint32_t hash_name(std::string_view name, uint32_t hash = 2166136261U) {
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619U;
  return hash;
}

}  // namespace fx::internal
