// Records writes to the memory of values, and finds those that bypass operators. A program may
// write numbers to a new tensor directly, as at::tensor(std::vector) does. The contents of memory
// that an operator created without using tensor elements are thus compared with the known contents
// before each use.
#pragma once

#include "fx/importers/torch/capture/tables/operator_table_internal.h"
#include "fx/importers/torch/capture/tables/value_table_internal.h"

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

namespace fx {

/// Starts watching the memory of `tensor`, the result of a call to the operator, which `node`
/// represents. Returns false if it is not watched. Sets the bytes of empty() to known contents.
bool watch_memory(ValueTable& values, const OperatorRow& row, Node& node, const at::Tensor& tensor,
                  bool is_fake);

/// Returns true if the program has written to watched memory since the previous call.
bool has_changed(TracedStorage& storage, const at::Tensor& tensor);

/// Records that a call to the operator writes to the memory of its arguments, and stops watching
/// that memory.
void note_writes(ValueTable& values, const OperatorRow& row,
                 absl::Span<const c10::IValue> arguments);
/// Calls `f` for the storage of each tensor that a call to the operator writes to.
void for_each_written(ValueTable& values, const OperatorRow& row,
                      absl::Span<const c10::IValue> arguments,
                      absl::FunctionRef<void(TracedStorage& storage)> f);

}  // namespace fx
