// What most type functions share: dtype promotion, broadcasting, and the strides that libtorch's
// TensorIterator gives its results. Private to passes/shape/.
#pragma once

#include "fx/ir/types/strides.h"
#include "fx/passes/shape/type_call.h"

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace fx::shape {

// ---- Dtypes
/// torch.promote_types; kUndefined where PyTorch refuses.
DType promote(DType a, DType b);
bool is_integer_or_bool(DType dtype);
/// float32 for integers and bool: what exp() of them is.
DType float_of(DType dtype);
/// complex64 -> float32; others as they are.
DType real_of(DType dtype);
/// float32 -> complex64; integers count as float32.
DType complex_of(DType dtype);
/// The dtype in which sums of it are formed: int64 for integers and bool.
DType sum_dtype(DType dtype);

/// torch.result_type: tensors with dimensions outweigh those without, and these Python's numbers,
/// within one category (bool, integer, floating, complex).
class Promotion {
 public:
  void add_tensor(Type tensor) {
    DType& place = tensor.rank() > 0 ? dim_ : zero_;
    place = join(place, tensor.dtype());
  }
  void add_number(DType dtype) { number_ = join(number_, dtype); }
  /// Argument `i`, a tensor or a number in its place; nothing when it is None.
  void add(const TypeCall& call, int i) {
    if (call.is_none(i)) return;
    if (call.is_number(i))
      add_number(call.tensor(i).dtype());
    else
      add_tensor(call.tensor(i));
  }
  DType result() const;

 private:
  static DType join(DType a, DType b);
  DType dim_ = DType::kUndefined;
  DType zero_ = DType::kUndefined;
  DType number_ = DType::kUndefined;
};

// ---- Sizes
/// `dim` counted from the front; -1 after failing. A scalar is taken as one dimension.
int wrap_dim(TypeCall& call, int64_t dim, int rank);
/// The same for a list, as a set of flags; empty means all where `empty_is_all`. Fails when one
/// occurs twice.
absl::InlinedVector<bool, 8> dim_set(TypeCall& call, absl::Span<const int64_t> dims, int rank,
                                     bool empty_is_all = true);
/// Broadcasts `sizes` with `other`; false after failing.
bool broadcast(TypeCall& call, DimVector& sizes, absl::Span<const Dim> other);
/// True when both are the same, or can only be; records guards.
bool same_sizes(TypeCall& call, absl::Span<const Dim> a, absl::Span<const Dim> b);
inline DimVector to_vector(absl::Span<const Dim> dims) {
  return DimVector(dims.begin(), dims.end());
}
inline size_t index(int i) { return static_cast<size_t>(i); }

// ---- Results
/// The result of an elementwise operation: sizes broadcast, strides as TensorIterator gives them.
Type elementwise(TypeCall& call, DType dtype, absl::Span<const Type> operands);
inline Type elementwise(TypeCall& call, DType dtype, std::initializer_list<Type> operands) {
  return elementwise(call, dtype, absl::MakeConstSpan(operands.begin(), operands.size()));
}
/// The same where the operation computes in `common`, the dtype that its operands promote to: on
/// the CPU an operand of another dtype is copied first, and the copy's strides count
/// (TensorIteratorBase::compute_types, promote_inputs_to_common_dtype).
Type promoted_elementwise(TypeCall& call, DType dtype, DType common,
                          absl::Span<const Type> operands);
inline Type promoted_elementwise(TypeCall& call, DType common, absl::Span<const Type> operands) {
  return promoted_elementwise(call, common, common, operands);
}
/// `tensor` as `.to(dtype)` gives it on the CPU; the tensor itself on other devices, where kernels
/// convert on the fly, and null for null (a number).
Type operand_as(TypeCall& call, Type tensor, DType dtype);
/// The strides that TensorIterator gives a result of these sizes; each operand has strides for all
/// of them, 0 where it is broadcast.
DimVector iterated_strides(TypeCall& call, absl::Span<const Dim> sizes,
                           absl::Span<const absl::Span<const Dim>> operands);
/// Strides of a dense tensor with the order of dimensions of these (of one tensor): what
/// empty_like(preserve_format) does with a tensor that is not dense.
DimVector order_preserving_strides(TypeCall& call, absl::Span<const Dim> sizes,
                                   absl::Span<const Dim> strides);
/// Strides of empty_like(tensor, memory_format).
DimVector like_strides(TypeCall& call, Type tensor, MemoryFormat format);
/// empty_like.
Type like(TypeCall& call, Type tensor, DType dtype, MemoryFormat format = MemoryFormat::kPreserve);
/// A row-major tensor of these sizes, otherwise like this one.
inline Type contiguous_like(TypeCall& call, Type tensor) {
  return call.result(tensor.dtype(), tensor.sizes());
}
/// suggest_memory_format(): channels last when the strides say so, else contiguous.
MemoryFormat suggested_format(TypeCall& call, Type tensor);
/// A view: same storage and dtype.
Type view_of(TypeCall& call, Type tensor, absl::Span<const Dim> sizes,
             absl::Span<const Dim> strides, const Dim& offset);

}  // namespace fx::shape
