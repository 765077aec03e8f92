// The constants of `.fxb` files, shared by reader and writer (docs/binary_format.md).
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"

#include <cstddef>
#include <cstdint>

namespace fx {

namespace binary {

// The header: magic, then little-endian numbers.
inline constexpr size_t kVersionAt = 8;    // 4 bytes
inline constexpr size_t kChecksumAt = 12;  // 8 bytes: XXH3 of all bytes after it
inline constexpr size_t kHeadSize = 20;

// The first byte of a node: opcode and flags.
inline constexpr uint8_t kOpcodeMask = 7;
inline constexpr uint8_t kSameType = 8;   // as the previous node; else its type is stored
inline constexpr uint8_t kNextName = 16;  // the name is derived from the target; else stored
inline constexpr uint8_t kHasKwargs = 32;
inline constexpr uint8_t kHasMeta = 64;

// The first byte of an argument: its ArgumentKind, or kNearOperand plus the distance to an operand.
inline constexpr uint8_t kNearOperand = 32;
inline constexpr uint32_t kMaxNearDistance = 255 - kNearOperand + 1;

// Kinds are written as their numeric values, which therefore must not change.
static_assert(static_cast<int>(ArgumentKind::kNone) == 0);
static_assert(static_cast<int>(ArgumentKind::kString) == 5);
static_assert(static_cast<int>(ArgumentKind::kSymbolic) == 10);
static_assert(static_cast<int>(ArgumentKind::kNode) == 16);
static_assert(static_cast<int>(ArgumentKind::kRange) == 22);
static_assert(static_cast<int>(ArgumentKind::kRange) < kNearOperand);
static_assert(static_cast<int>(Opcode::kOutput) == 5);

/// The number in the name of a node whose name is not stored. The name has the same base as that of
/// the previous node with the same target, and the number that follows the last one of that base.
/// Reader and writer maintain the same tables. Numbers are Name::number_plus_one.
inline uint32_t next_number(uint32_t last) { return last == 0 ? 2 : last + 1; }

constexpr uint64_t zigzag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}
constexpr int64_t unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1 ^ (0 - (value & 1)));
}

}  // namespace binary

}  // namespace fx
