// A graph's calling convention (docs/json.md): how its forward packs and unpacks structures, as
// torch.fx's _PyTreeCodeGen writes it.
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
  /// The input structure is (args, kwargs): how many args, and the keys of the kwargs.
  bool has_kwargs = false;
  size_t num_args = 0;
  std::vector<std::string> keys;

  /// The specs as the graph has them; empty: none.
  std::string in_spec, out_spec;

  /// The parameters of the function.
  std::vector<Parameter> parameters() const;
  /// The lines after the head that unpack the structures into the inputs of the graph.
  std::string bindings(const std::vector<Parameter>& inputs, bool expanded_def) const;
};

/// std::nullopt when the graph has none. InvalidArgument when it does not have the form that
/// docs/json.md states, or has a name that cannot be a parameter.
absl::StatusOr<std::optional<Convention>> read_convention(const Graph& graph);

}  // namespace fx::python
