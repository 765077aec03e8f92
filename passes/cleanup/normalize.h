// Normal forms of calls: full arguments, functions in place of methods, one spelling of an
// operator.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/target.h"

#include "absl/status/statusor.h"

#include <cstddef>

namespace fx {

/// Writes the arguments of every call of a function with a schema as the schema has them: all, with
/// defaults filled in, in their order; positional where the schema allows that, or by keyword with
/// `only_kwargs` (torch.fx's NormalizeArgs with normalize_to_only_use_kwargs). Calls that do not
/// fit their schema, functions without one, and Python's operator.add and the like, whose arguments
/// have no names, stay. Names, types and meta data stay. Nested graphs too; returns whether
/// anything changed.
///
///   aten.add.Tensor(%x, %y)   becomes   aten.add.Tensor(%x, %y, alpha=1)
struct NormalizeArgsOptions {
  bool only_kwargs = false;
};
absl::StatusOr<bool> normalize_args(Graph& graph, const NormalizeArgsOptions& options = {});

/// Turns method calls into calls of torch's function of the same name, where there is one that
/// takes the same: `call_method relu(%x)` becomes `torch.relu(%x)`. A receiver that is known not to
/// be a tensor keeps its method, and so does `reshape(%n)` of a value, which may be a number or a
/// size. New calls have names made from the old ones. fx-tools' method_to_function.
absl::StatusOr<bool> methods_to_functions(Graph& graph);

enum class OperatorSpelling : uint8_t {
  kOperator,  ///< operator.add(%x, %y)
  kTorch,     ///< torch.add(%x, %y)
};
/// Spells arithmetic, comparisons and matmul that both modules have in one way: add, sub, mul,
/// truediv (torch.div, true_divide), matmul, neg, lt, le, gt, ge, eq, ne. Calls with keywords
/// (`alpha=2`, `out=`, `rounding_mode=`) or a third argument stay; torch.fx's NormalizeOperators
/// drops them and changes the result. From operator to torch only where the type of an operand says
/// that it is a tensor, since operator.add also adds numbers and lists.
absl::StatusOr<bool> normalize_operators(Graph& graph, OperatorSpelling to);

/// Lets every call of `from` call `to` with the same arguments; returns how many there were. Names,
/// types and meta data stay (torch.fx's replace_target_nodes_with loses them). Nested graphs too.
size_t replace_targets(Graph& graph, Target from, Target to);

}  // namespace fx
