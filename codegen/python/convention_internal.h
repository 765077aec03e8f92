// A graph's calling convention (docs/json.md): how its forward packs and unpacks structures, as
// torch.fx's _PyTreeCodeGen writes it.
#pragma once

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
  /// The input structure is (args, kwargs): how many args, and the keys of the kwargs.
  bool has_kwargs = false;
  size_t num_args = 0;
  std::vector<std::string> keys;

  /// The lines after the head that take the structures apart into the graph's own parameters.
  std::string bindings(const std::vector<std::string>& parameters, bool expanded_def) const;
};

/// Nothing when the graph has none. InvalidArgument when it is not of the form that docs/json.md
/// states, or names what is no parameter.
absl::StatusOr<std::optional<Convention>> read_convention(const Graph& graph);

}  // namespace fx::python
