// Higher-order operators of TorchInterpreter that are loops, or that call an operator on copies.
// torch_control.cpp calls them.
#pragma once

#include "fx/interp/call.h"

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <vector>

namespace fx::internal {

/// Runs the graph of a higher-order operator on these inputs, and returns its results.
using RunGraph =
    absl::FunctionRef<absl::StatusOr<std::vector<c10::IValue>>(std::vector<c10::IValue> inputs)>;

/// map_impl: runs the graph once for each index of the first dimension of `sequences`, and stacks the
/// results.
absl::StatusOr<std::vector<c10::IValue>> run_map(absl::Span<const c10::IValue> sequences,
                                                 absl::Span<const c10::IValue> more, RunGraph run);

/// associative_scan, in the order of torch/_higher_order_ops/associative_scan.py, so that results are
/// bit-equal: the graph combines many pairs of rows at once.
absl::StatusOr<std::vector<c10::IValue>> run_associative_scan(
    absl::Span<const c10::IValue> sequences, absl::Span<const c10::IValue> more, RunGraph run);

/// A call of an operator on copies of the tensors that it writes.
struct CopiedCall {
  std::vector<NamedValue<c10::IValue>> kwargs;  ///< all arguments of the operator
  std::vector<c10::IValue> written;             ///< the copies, which follow the operator's results
};

/// The call of an operator with `schema` in a call of auto_functionalized, or of
/// auto_functionalized_v2 (`has_bases`), which passes tensors and describes the arguments as views of
/// them (torch/_higher_order_ops/auto_functionalize.py).
absl::StatusOr<CopiedCall> copied_call(const c10::FunctionSchema& schema,
                                       const Call<c10::IValue>& call, bool has_bases);

}  // namespace fx::internal
