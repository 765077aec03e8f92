// Reads Python's pickles as trees of values. The reader runs no code: a call (REDUCE, NEWOBJ)
// becomes a value with the name of the function and its arguments, and no name is looked up.
#pragma once

#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::pt2 {

/// The index of a value in its Pickle. A value may occur at several places, and may contain itself.
using PickleId = uint32_t;

enum class PickleKind : uint8_t {
  kNone,
  kBool,
  kInt,
  kBigInt,  ///< an integer beyond 64 bits; text: its bytes, two's complement, little-endian
  kFloat,
  kString,
  kBytes,
  kTuple,
  kList,
  kDict,
  kGlobal,      ///< a class or function by its name
  kCall,        ///< items: the function, then the arguments as a tuple, then states set by BUILD
  kPersistent,  ///< an object outside the pickle; the item is its id
};

struct PickleValue {
  PickleKind kind = PickleKind::kNone;
  int64_t integer = 0;  ///< of kInt and kBool
  double number = 0;
  std::string_view text;        ///< of kString, kBytes and kBigInt; of kGlobal the module
  std::string_view name;        ///< of kGlobal, in the module
  std::vector<PickleId> items;  ///< of aggregates, calls and persistent objects
  std::vector<std::pair<PickleId, PickleId>> entries;  ///< of dicts, and of calls that create dicts
};

/// A parsed pickle. Its strings refer to the parsed bytes.
struct Pickle {
  std::vector<PickleValue> values;
  PickleId root = 0;
  size_t num_bytes = 0;  ///< up to its STOP, which other data may follow

  const PickleValue& operator[](PickleId id) const { return values[id]; }
  bool is_global(PickleId id, std::string_view module, std::string_view name) const {
    const PickleValue& value = values[id];
    return value.kind == PickleKind::kGlobal && value.text == module && value.name == name;
  }
};

/// Reads a pickle of protocol 2 to 5. The number of values is at most the number of bytes. Returns
/// InvalidArgument, with the offset, for damaged bytes, and Unimplemented for opcodes that
/// torch.save does not use.
absl::StatusOr<Pickle> parse_pickle(std::string_view bytes);

}  // namespace fx::pt2
