// Computes the results of operators from types alone, in memory that is never written.
#pragma once

#include "fx/importers/torch/capture/tables/fake_memory_internal.h"
#include "fx/importers/torch/capture/tables/operator_table_internal.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/target.h"
#include "fx/ir/support/symbol.h"
#include "fx/passes/shape/shape_env.h"

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/core/Storage.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace fx {

struct ReturnedNumber;

/// Executes operators on the types of their arguments, with the type functions of passes/shape. The
/// kernels of views run, since they only compute sizes and strides. Throws c10::Error, like
/// libtorch's kernels, for an operator whose result depends on data, or whose type function is
/// missing or fails.
class FakeTensorKernels {
 public:
  /// `numbers`, if not null, contains the results of operators that return numbers to the program,
  /// in order. Tensors are created in the memory of `operators`, which must outlive this object.
  explicit FakeTensorKernels(Context& context, OperatorTable& operators,
                             const std::vector<ReturnedNumber>* numbers = nullptr)
      : context_(&context), env_(context), operators_(operators), numbers_(numbers) {}

  /// Replaces the arguments on `stack` with the results. `row` is the row of `op`. `forms` contains
  /// the types of tensors among the arguments, without requires_grad, or null where they are
  /// unknown; it may be shorter than the arguments. Returns the likely type of the result, or null.
  Type call(const c10::OperatorHandle& op, OperatorRow& row, torch::jit::Stack& stack,
            absl::Span<const Type> forms);
  void call(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    call(op, operators_.row_of(op), stack, {});
  }

  /// Creates a tensor of a static type.
  at::Tensor empty(Type type) { return make_tensor(type); }
  /// Creates a tensor with the type of `like`.
  at::Tensor empty_like(const at::Tensor& like);
  /// Returns the type of a tensor with sizes that are unknown before a real run, such as a
  /// workspace of oneDNN, or null for other tensors. These sizes are 0 in the tensor and symbols in
  /// the type.
  Type symbolic_type(const at::Tensor& tensor) const;

 private:
  using Row = OperatorRow;

  Type call_view(const c10::OperatorHandle& op, Row& row, torch::jit::Stack& stack,
                 absl::Span<const Type> forms);
  bool is_known(const Row& row, const torch::jit::Stack& stack) const;
  void note_write(const c10::IValue& value);
  Argument describe(const c10::IValue& value, ArgumentCode code);
  InferredCall infer(const Row& row, absl::Span<const c10::IValue> values,
                     absl::Span<const Type> forms);
  InferredCall infer_or_find(Row& row, absl::Span<const c10::IValue> values,
                             absl::Span<const Type> forms);
  /// Creates a result in new memory, or in `storage`.
  c10::IValue make(Type type, const c10::Storage* storage, const Row& row);
  at::Tensor make_tensor(Type type, const c10::Storage* storage = nullptr);

  const c10::IValue* next_number(const Row& row);
  static void check_lengths(const Row& row, const c10::IValue& lengths);

  Context* context_;
  ShapeEnv env_;
  OperatorTable& operators_;
  const std::vector<ReturnedNumber>* numbers_;
  size_t next_number_ = 0;
  absl::flat_hash_map<const c10::StorageImpl*, std::pair<c10::Storage, Type>> symbolic_;
  absl::flat_hash_map<const c10::StorageImpl*, c10::Storage>
      written_;  // the written storages of 0-dimensional tensors
};

}  // namespace fx
