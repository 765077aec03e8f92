// Constants in the types of inputs: `int(3)`, `str("mean")`, `none`. Passes rely on types, and
// programs of torch.export are specialized for these inputs, so a run must pass equal values.
#pragma once

#include "fx/interp/size_checks.h"
#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"

#include <optional>
#include <vector>

namespace fx {

/// A value in an input that the type of the input determines.
struct InputConstant {
  SizeChecks::Location location;  ///< of quantity kNumber
  Argument value;                 ///< a number, a string or None
};

/// Returns the only value of a type; nullopt for a type with multiple values.
std::optional<Argument> constant_of(Type type);

/// Returns the constants in the types of the inputs and of items of their lists and tuples. Inputs
/// `*args` and `**kwargs` have none.
std::vector<InputConstant> input_constants(const Graph& graph);

}  // namespace fx
