// Values of stored tensors: see graph_data.h. Private to interp/torch/.
#pragma once

#include "fx/ir/module/tensor.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Storage.h>

namespace fx {

/// Copies stored tensors with their entire storage. Copies of tensors in one storage are in one
/// storage.
class StoredTensorCopier {
 public:
  at::Tensor operator()(const Tensor& stored);

 private:
  absl::flat_hash_map<const Storage*, c10::Storage> copies_;
};

/// Converts a stored tensor to a value of this type, for a placeholder or get_attr node. The symbols
/// in the type have these values. A tensor that has the strides and the offset of the type shares
/// memory with the other copies of `copier`. Returns InvalidArgument if the dtype or the sizes
/// differ, or if elements at one location have different values.
absl::StatusOr<c10::IValue> convert_stored(const Tensor& stored, Type type,
                                           const SymBindings& symbols, StoredTensorCopier& copier);

/// True if the elements of two tensors have the same bits, in row-major order.
bool same_bytes(const at::Tensor& a, const at::Tensor& b);

}  // namespace fx
