// What a call means by its operator's schema: which value each argument has, and what the call may
// do beyond computing its result.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/ops/effects.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/schema.h"

#include "absl/status/statusor.h"

#include <optional>
#include <string_view>
#include <vector>

namespace fx {
namespace internal {
/// The same as effects, of every node.
ops::Effects effects_in_full(const Node& node);
}  // namespace internal

/// What the node may do:
///   - placeholder, get_attr, output: nothing;
///   - call_function: the effects of its operator less those that its constant arguments rule out
///     (dropout with train=False draws nothing), and those of the graphs that it is given
///     (higher_order.cond); all effects for an unknown function;
///   - call_method: those of the ATen operator of that name, where a trailing underscore
///     writes to the object; all effects for an unknown method;
///   - call_module: those of the module's class in its present mode, and of its settings
///     (`inplace=True` writes to the argument), when the graph's owning module has one of a known
///     class there; otherwise all.
inline ops::Effects effects(const Node& node) {
  // Most calls are of pure operators, whose arguments need no look.
  const ops::OpInfo* op = node.function().op();
  if (op != nullptr && op->effects().is_pure() && !op->has(ops::OpTrait::kSubgraphs)) return {};
  return internal::effects_in_full(node);
}

/// True when the node must stay even without users: placeholders, outputs, and calls whose
/// effects are not removable. `impure_random`: a random call counts, since it moves the generator
/// on.
bool is_impure(const Node& node, bool impure_random = true);

/// A call's arguments in the order and under the names of its schema, defaults filled in.
struct NormalizedArguments {
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
};
/// Normalizes the arguments of a call_function: all arguments of the schema, positional where the
/// schema allows, or all by keyword with `only_kwargs`. FailedPrecondition when the function has no
/// schema; InvalidArgument when the call does not fit it.
absl::StatusOr<NormalizedArguments> normalized_arguments(const Node& node,
                                                         bool only_kwargs = false);

/// The default value of a schema's argument; the argument must have one.
Argument schema_default(const ops::SchemaArgument& argument);

}  // namespace fx
