// Functions that most type functions share: dtype promotion, broadcasting, reductions, and the
// strides of libtorch's TensorIterator. Private to passes/shape/.
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
/// Returns torch.promote_types(a, b); kUndefined if PyTorch rejects the pair.
DType promote(DType a, DType b);
bool is_integer_or_bool(DType dtype);
/// Returns the dtype of exp() and similar functions: float32 for integers and bool, else `dtype`.
DType float_of(DType dtype);
/// Returns float32 for complex64, and so on; returns other dtypes unchanged.
DType real_of(DType dtype);
/// Returns complex64 for float32, and so on; treats integers as float32.
DType complex_of(DType dtype);
/// Returns the dtype of sums: int64 for integers and bool, else `dtype`.
DType sum_dtype(DType dtype);

/// Computes torch.result_type. Within a category (bool, integer, floating point, complex), tensors
/// of rank 1 or more take precedence over 0-dimensional tensors, which take precedence over Python
/// numbers.
class Promotion {
 public:
  void add_tensor(Type tensor) {
    DType& dtype = tensor.rank() > 0 ? dim_ : zero_;
    dtype = join(dtype, tensor.dtype());
  }
  void add_number(DType dtype) { number_ = join(number_, dtype); }
  /// Adds argument `i`, a tensor or a number instead of a tensor. Ignores None.
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
/// Returns `dim` counted from the front. If it is out of range, fails the call and returns -1. A
/// 0-dimensional tensor counts as a tensor of rank 1.
int wrap_dim(TypeCall& call, int64_t dim, int rank);
/// The same for a dimension whose size is read: a 0-dimensional tensor has none.
int sized_dim(TypeCall& call, int64_t dim, int rank);
/// Returns the absolute value of an integer, also of the least one.
inline Dim magnitude(int64_t value) { return value < 0 ? Dim(0) - Dim(value) : Dim(value); }
/// Returns a flag for each dimension: true if it is in the list. With `empty_is_all`, an empty list
/// means all dimensions. Fails the call if a dimension is out of range or appears twice.
absl::InlinedVector<bool, 8> dim_set(TypeCall& call, absl::Span<const int64_t> dims, int rank,
                                     bool empty_is_all = true);
/// Broadcasts `sizes` with `other`. Returns false if the call fails.
bool broadcast(TypeCall& call, DimVector& sizes, absl::Span<const Dim> other);
/// True if the sizes are equal, or symbolic and assumed to be equal. Records assumptions as guards.
bool same_sizes(TypeCall& call, absl::Span<const Dim> a, absl::Span<const Dim> b);
inline DimVector to_vector(absl::Span<const Dim> dims) {
  return DimVector(dims.begin(), dims.end());
}
inline size_t index(int i) { return static_cast<size_t>(i); }

// ---- Results
/// Returns the type of the result of an elementwise operation: broadcast sizes, and
/// TensorIterator's strides.
Type elementwise(TypeCall& call, DType dtype, absl::Span<const Type> operands);
inline Type elementwise(TypeCall& call, DType dtype, std::initializer_list<Type> operands) {
  return elementwise(call, dtype, absl::MakeConstSpan(operands.begin(), operands.size()));
}
/// Like elementwise(), for an operation that computes in `common`, the dtype to which its operands
/// promote. On the CPU, operands of a different dtype are copied first, and the strides of the
/// copies determine the result (TensorIteratorBase::compute_types, promote_inputs_to_common_dtype).
Type promoted_elementwise(TypeCall& call, DType dtype, DType common,
                          absl::Span<const Type> operands);
inline Type promoted_elementwise(TypeCall& call, DType common, absl::Span<const Type> operands) {
  return promoted_elementwise(call, common, common, operands);
}
/// Returns the type of `tensor.to(dtype)` on the CPU. Returns `tensor` on other devices, whose
/// kernels convert elements as they load them, and null for null (a number).
Type operand_as(TypeCall& call, Type tensor, DType dtype);
/// Returns TensorIterator's strides of a result of these sizes. Each item of `operands` contains
/// one stride for each size; 0 for a broadcast dimension.
DimVector iterated_strides(TypeCall& call, absl::Span<const Dim> sizes,
                           absl::Span<const absl::Span<const Dim>> operands);
/// True if one of the two sizes is 1 whenever strides `a` and `b` are equal, or if the strides are
/// never equal.
bool is_one_where_equal(TypeCall& call, const Dim& a, const Dim& b, const Dim& size_a,
                        const Dim& size_b);
/// Returns the strides of a dense tensor with the same order of dimensions, as
/// empty_like(preserve_format) computes them if the tensor is not dense.
DimVector order_preserving_strides(TypeCall& call, absl::Span<const Dim> sizes,
                                   absl::Span<const Dim> strides);
/// Returns the strides of empty_like(tensor, memory_format).
DimVector like_strides(TypeCall& call, Type tensor, MemoryFormat format);
/// Returns the type of empty_like(tensor, dtype=dtype, memory_format=format).
Type like(TypeCall& call, Type tensor, DType dtype, MemoryFormat format = MemoryFormat::kPreserve);
/// Returns the type of a row-major tensor of the same sizes and dtype on the device of the result.
inline Type contiguous_like(TypeCall& call, Type tensor) {
  return call.result(tensor.dtype(), tensor.sizes());
}
/// Equivalent to suggest_memory_format(): channels_last if the strides have this
/// order, else contiguous.
MemoryFormat suggested_format(TypeCall& call, Type tensor);
/// Returns the type of a view with the dtype and device of `tensor`.
Type view_of(TypeCall& call, Type tensor, absl::Span<const Dim> sizes,
             absl::Span<const Dim> strides, const Dim& offset);

// ---- Reductions
/// Returns the type of `x` reduced over the flagged dimensions, row-major. With keepdim, these have
/// size 1.
Type reduced(TypeCall& c, Type x, DType dtype, absl::Span<const bool> dims, bool keepdim);
/// As above, but with the indices of the arguments dim (a list or a number; None for all
/// dimensions) and keepdim (-1 if the operator has none).
Type reduced(TypeCall& c, Type x, DType dtype, int dims, int keepdim);

}  // namespace fx::shape
