// Normal forms of calls: complete arguments, functions instead of methods, one spelling per
// operator.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/target.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <functional>

namespace fx {

/// Normalizes the arguments of every call to a function with a schema: writes all arguments,
/// including defaults, in the order of the schema; positional if the schema allows it, or by
/// keyword with `only_kwargs` (torch.fx's NormalizeArgs with normalize_to_only_use_kwargs).
/// Arguments that have no name in Python, such as the receiver of a method, stay positional. Does
/// not change calls that do not match their schema, calls that depend on the number of positional
/// arguments (torch.unique_consecutive(x, True)), functions without a schema, and functions such as
/// Python's operator.add, whose arguments have no names. Keeps names, types and metadata. Includes
/// nested graphs; returns true if the graph changed.
///
///   aten.add.Tensor(%x, %y)   becomes   aten.add.Tensor(%x, %y, alpha=1)
struct NormalizeArgsOptions {
  bool only_kwargs = false;
};
absl::StatusOr<bool> normalize_args(Graph& graph, const NormalizeArgsOptions& options = {});

/// Replaces method calls with calls to torch's function of the same name if it exists and accepts
/// the same arguments: `call_method relu(%x)` becomes `torch.relu(%x)`. Does not change a method
/// call whose receiver is known not to be a tensor, or `reshape(%n)` with a value that may be a
/// number or a size. The names of new calls are derived from the old names. Equivalent to fx-tools'
/// method_to_function.
absl::StatusOr<bool> methods_to_functions(Graph& graph);

enum class OperatorSpelling : uint8_t {
  kOperator,  ///< operator.add(%x, %y)
  kTorch,     ///< torch.add(%x, %y)
};
/// Uses one spelling of arithmetic, comparisons and matmul that both modules have: add, sub, mul,
/// truediv (torch.div, true_divide), matmul, neg, lt, le, gt, ge, eq, ne. Calls with keywords
/// (`alpha=2`, `out=`, `rounding_mode=`) or a third argument do not change; torch.fx's
/// NormalizeOperators drops them and changes the result. A call changes only if an operand has a
/// tensor type, because operator.add also adds numbers and lists, and torch.add of numbers returns a
/// tensor. If the first operand is a number, it changes only where both spellings round the same:
/// `2 / x` is `x.reciprocal() * 2`, not torch.div(2, x).
absl::StatusOr<bool> normalize_operators(Graph& graph, OperatorSpelling to);

/// Replaces every call to `from` with a call to `to` with the same arguments, or only the calls for
/// which `only` returns true; returns the number of replaced calls. Names, types and metadata are
/// kept (torch.fx's replace_target_nodes_with loses them). Includes nested graphs.
size_t replace_targets(Graph& graph, Target from, Target to,
                       const std::function<bool(const Node&)>& only = {});

}  // namespace fx
