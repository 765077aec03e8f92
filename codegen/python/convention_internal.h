// A graph's calling convention (docs/json.md): how its forward packs and unpacks nested structures.
// The code is identical to that of torch.fx's _PyTreeCodeGen.
#pragma once

#include "fx/codegen/python/parameters_internal.h"

#include "absl/status/statusor.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {
class Graph;
}

namespace fx::python {

struct Convention {
  std::vector<std::string> orig_args;
  bool has_out_spec = false;
  /// True if the input structure is (args, kwargs). Then `num_args` is the number of args, and
  /// `keys` are the keys of kwargs.
  bool has_kwargs = false;
  size_t num_args = 0;
  std::vector<std::string> keys;

  /// The specs in the graph's metadata; empty if it does not have them.
  std::string in_spec, out_spec;

  /// Returns the parameters of the function.
  std::vector<Parameter> parameters() const;
  /// Returns the lines after the `def` that unpack the structures into the inputs of the graph.
  std::string bindings(const std::vector<Parameter>& inputs, bool expanded_def) const;
};

/// Reads the convention from the graph's metadata; std::nullopt if it has none. Returns
/// InvalidArgument if it does not have the form in docs/json.md or contains a name that cannot be a
/// parameter.
absl::StatusOr<std::optional<Convention>> read_convention(const Graph& graph);

}  // namespace fx::python
