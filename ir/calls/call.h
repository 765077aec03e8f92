// Calls and the schemas of their operators: the values of a call's arguments, and its effects.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/ops/effects.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/schema.h"

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace internal {
/// effects() without the fast path.
ops::Effects effects_in_full(const Node& node);
}  // namespace internal

/// The effects of a node:
///   - placeholder, get_attr, output: none;
///   - call_function: the effects of its operator, except those that constant arguments exclude
///     (dropout with train=False draws no random numbers), and of the graphs among its arguments
///     (higher_order.cond); all effects for an unknown function;
///   - call_method: the effects of the ATen operator with that name; a trailing underscore implies
///     a write to the receiver; all effects for an unknown method, and if may_call_container();
///   - call_module: the effects of the module's class in its current mode and of its settings
///     (`inplace=True` writes to the argument) if the graph's owning module has a module of a known
///     class at the path; otherwise all.
inline ops::Effects effects(const Node& node) {
  // Fast path: most operators are pure for all arguments.
  const ops::OpInfo* op = node.function().op();
  if (op != nullptr && op->effects().is_pure() && !op->has(ops::OpTrait::kSubgraphs)) return {};
  return internal::effects_in_full(node);
}

/// Calls `f` with the path in the graph's owning module of each tensor that a call_module of
/// torch.nn's layers writes to: running statistics in training mode, the weight of an Embedding with
/// `max_norm`. Other paths may have the same tensor or its memory
/// (interp/shared_attributes.h).
void for_each_written_member(const Node& call, absl::FunctionRef<void(const std::string& path)> f);

/// True for a method of a list, dict or other object, which may change it, unlike the method of a
/// tensor with this name: `l.sort()`, `s.add(x)`. A value without a type is a list, dict or set if it
/// is the result of its constructor, and may be one if it is the result of an unknown function; for
/// `sort`, also if it is an input or an item.
bool may_call_container(const Node& node);

/// True for a call whose result is known to be the sizes of a tensor, without a type: `x.size()`,
/// `x.shape`, `x.shape[1:]`. Its method numel is not that of a tensor.
bool is_shape(const Node& value);

/// True if the node must be kept even without users: placeholders, outputs, and calls with effects
/// that are not removable. With `impure_random`, this includes random calls, which advance the
/// generator.
bool is_impure(const Node& node, bool impure_random = true);

/// Calls `f` with each operand, or item of a list, with which a result of a call to `op` may share
/// memory according to OpInfo::output_aliases.
void for_each_aliased_input(const Node& node, const ops::OpInfo& op,
                            absl::FunctionRef<void(const Node*)> f);

/// A call's arguments in the order and with the names of its schema, including defaults.
struct NormalizedArguments {
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
};
/// Normalizes the arguments of a call_function: all arguments of the schema, positional if the
/// schema allows it, or all by keyword with `only_kwargs`, except those that have no name in Python.
/// Returns FailedPrecondition if the function has no schema or a vararg schema, and InvalidArgument
/// if the call does not match the schema.
absl::StatusOr<NormalizedArguments> normalized_arguments(const Node& node,
                                                         bool only_kwargs = false);

/// True for a call whose result depends on which arguments are positional, and on their number:
/// torch.unique_consecutive(x, True).
bool keeps_argument_positions(const Node& node);

/// The default value of a schema's argument; the argument must have one.
Argument schema_default(const ops::SchemaArgument& argument);

}  // namespace fx
