// Reads Python pickles as trees of values. The reader does not run code or look up names. A call
// (REDUCE, NEWOBJ) becomes a value with the name of the function and its arguments.
#pragma once

#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::pt2 {

/// The index of a value in its Pickle. A value may be an item of more than one other value, and
/// may contain itself.
using PickleId = uint32_t;

enum class PickleKind : uint8_t {
  kNone,
  kBool,
  kInt,
  kBigInt,  ///< more than 64 bits; `text` is its bytes, little-endian two's complement
  kFloat,
  kString,
  kBytes,
  kTuple,
  kList,
  kDict,
  kGlobal,  ///< the name of a class or function
  kCall,    ///< the items are the function, a tuple of arguments, and the states that BUILD sets
  kPersistent,  ///< an object outside the pickle; the item is its ID
};

struct PickleValue {
  PickleKind kind = PickleKind::kNone;
  int64_t integer = 0;  ///< the value of kInt and kBool
  double number = 0;
  std::string_view text;  ///< the contents of kString, kBytes and kBigInt; the module of kGlobal
  std::string_view name;  ///< the name of kGlobal in the module
  std::vector<PickleId> items;  ///< the items of aggregates, calls and persistent objects
  std::vector<std::pair<PickleId, PickleId>>
      entries;  ///< the entries of dicts and of calls that create dicts
};

/// A parsed pickle. Its strings refer to the parsed bytes.
struct Pickle {
  std::vector<PickleValue> values;
  PickleId root = 0;
  size_t num_bytes = 0;  ///< the size up to STOP; other data may follow

  const PickleValue& operator[](PickleId id) const { return values[id]; }
  bool is_global(PickleId id, std::string_view module, std::string_view name) const {
    const PickleValue& value = values[id];
    return value.kind == PickleKind::kGlobal && value.text == module && value.name == name;
  }
};

/// Reads a pickle (protocols 2 to 5). It has at most one value for each byte. Returns
/// InvalidArgument, with the offset, for malformed pickles, and Unimplemented for opcodes that
/// torch.save does not use.
absl::StatusOr<Pickle> parse_pickle(std::string_view bytes);

}  // namespace fx::pt2
