// Locations of operations: `#loc3 = loc("layer1.conv"(#loc2))`, from the metadata of nodes.
#pragma once

#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/support/ordered_map.h"

#include "absl/container/flat_hash_map.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::mlir {

/// Numbers locations. Equal locations have the same number.
class Locations {
 public:
  /// Returns the number of a node's location: its stack trace as torch-mlir writes it, innermost
  /// frame first, inside the name of its module; 0 if the node has neither.
  uint32_t of(const Node& node);
  /// Returns the number of a location that has only a name.
  uint32_t of_name(std::string_view name);

  /// Appends ` loc(#loc3)`, or nothing if `location` is 0.
  static void append_use(std::string& out, uint32_t location);
  /// Returns the definitions, for the end of the module.
  const std::string& definitions() const { return definitions_; }

 private:
  struct Hash : TextHash {
    using is_transparent = void;
  };
  uint32_t of_trace(std::string_view trace);
  uint32_t of_module(std::string_view module, uint32_t inside);
  uint32_t define(std::string_view text);

  std::string definitions_;
  uint32_t last_ = 0;
  using ByText = absl::flat_hash_map<std::string, uint32_t, Hash, std::equal_to<>>;
  ByText traces_, by_text_;
  std::vector<ByText> modules_;  // by the number of the inner location
};

}  // namespace fx::mlir
