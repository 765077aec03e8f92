// Effects: the actions of a call other than computing its results.
//
// An operator has a small set of effect flags. The predicates that passes need (whether a call may
// be erased, merged or moved) are derived from the flags here. An operator without a row has all
// effects.
//
// The flags describe a single call. Alias analysis of the graph handles interactions between
// calls through shared memory (a view of a tensor that a later call writes to).
#pragma once

#include <cstdint>
#include <string>

namespace fx::ops {

enum class Effect : uint8_t {
  /// Writes to memory of its arguments, or changes their sizes or storage. OpInfo specifies which
  /// ones.
  kWritesArguments = 1 << 0,
  /// Changes something that outlives the call and is not an argument: gradients, a mode, a file,
  /// the screen, another process.
  kWritesState = 1 << 1,
  /// Its results depend on such state: the time, a mode, messages from another process.
  kReadsState = 1 << 2,
  /// Draws from a random number generator and so advances it.
  kRandom = 1 << 3,
  /// Its results are uninitialized memory (`empty`).
  kUninitialized = 1 << 4,
  /// Fails if values violate a condition (`_assert_async`).
  kChecks = 1 << 5,
};

/// A set of Effect. `|` is the union.
class Effects {
 public:
  constexpr Effects() = default;
  constexpr Effects(Effect effect) : bits_(static_cast<uint8_t>(effect)) {}  // NOLINT: a set of one

  static constexpr Effects none() { return {}; }
  /// The effects of a call to an unknown function.
  static constexpr Effects all() { return Effects(uint8_t{0x3f}); }

  constexpr bool has(Effect effect) const { return (bits_ & static_cast<uint8_t>(effect)) != 0; }
  constexpr bool has_any(Effects effects) const { return (bits_ & effects.bits_) != 0; }

  /// No effects: the results depend only on the arguments.
  constexpr bool is_pure() const { return bits_ == 0; }
  /// May be erased if its results have no users. A random call may not: it advances the generator.
  constexpr bool is_removable() const;
  /// May be erased if its results have no users and the random numbers of later calls may change.
  constexpr bool is_removable_ignoring_random() const;
  /// One of two calls with equal arguments may replace the other, if there is no write to the
  /// arguments between them and none to the results after them.
  constexpr bool is_dedupable() const;
  /// May be reordered with any call that shares no memory with it.
  constexpr bool is_movable() const;

  friend constexpr Effects operator|(Effects a, Effects b) {
    return Effects(static_cast<uint8_t>(a.bits_ | b.bits_));
  }
  /// The effects of `a` that are not in `b`.
  friend constexpr Effects operator-(Effects a, Effects b) {
    return Effects(static_cast<uint8_t>(a.bits_ & ~b.bits_));
  }
  constexpr Effects& operator|=(Effects other) { return *this = *this | other; }
  constexpr Effects& operator-=(Effects other) { return *this = *this - other; }
  friend constexpr bool operator==(Effects, Effects) = default;

 private:
  explicit constexpr Effects(uint8_t bits) : bits_(bits) {}
  uint8_t bits_ = 0;
};

constexpr Effects operator|(Effect a, Effect b) { return Effects(a) | Effects(b); }

/// Reads and writes state that is not an argument.
inline constexpr Effects kState = Effect::kReadsState | Effect::kWritesState;

constexpr bool Effects::is_removable_ignoring_random() const {
  return !has_any(Effect::kWritesArguments | Effect::kWritesState | Effect::kChecks);
}
constexpr bool Effects::is_removable() const {
  return is_removable_ignoring_random() && !has(Effect::kRandom);
}
constexpr bool Effects::is_dedupable() const {
  return !has_any(Effect::kWritesArguments | Effect::kWritesState | Effect::kReadsState |
                  Effect::kRandom | Effect::kUninitialized);
}
constexpr bool Effects::is_movable() const {
  return !has_any(Effect::kWritesArguments | Effect::kWritesState | Effect::kReadsState |
                  Effect::kRandom | Effect::kChecks);
}

/// `pure`, `all`, or the flags: `writes_arguments, random`.
std::string to_string(Effects effects);

}  // namespace fx::ops
