// Higher-order operators that are loops, or that call an operator on copies, for torch_control.cpp.
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

/// Runs map_impl: runs the graph once for each index of dimension 0 of `sequences`, and stacks the
/// results.
absl::StatusOr<std::vector<c10::IValue>> run_map(absl::Span<const c10::IValue> sequences,
                                                 absl::Span<const c10::IValue> additional_inputs,
                                                 RunGraph run);

/// Runs associative_scan. Combines rows in the order of
/// torch/_higher_order_ops/associative_scan.py, so that results are bit-equal. Each run of the
/// graph combines many pairs of rows.
absl::StatusOr<std::vector<c10::IValue>> run_associative_scan(
    absl::Span<const c10::IValue> sequences, absl::Span<const c10::IValue> additional_inputs,
    RunGraph run);

/// A call to an operator on copies of the tensors that it writes to.
struct CopiedCall {
  std::vector<NamedValue<c10::IValue>> kwargs;  ///< all arguments of the operator
  std::vector<c10::IValue> written;  ///< the copies, which follow the results of the operator
};

/// Returns the call to an operator with `schema` in a call to auto_functionalized or
/// auto_functionalized_v2 (torch/_higher_order_ops/auto_functionalize.py). The latter (`has_bases`)
/// passes tensors, and describes the arguments as views of these tensors.
absl::StatusOr<CopiedCall> copied_call(const c10::FunctionSchema& schema,
                                       const Call<c10::IValue>& call, bool has_bases);

}  // namespace fx::internal
