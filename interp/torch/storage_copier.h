// Copies tensors and the way in which they share memory.
#pragma once

#include "absl/container/flat_hash_map.h"
#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

namespace fx {

/// Copies tensors with their whole storage: strides, offsets, conjugation and negation stay the
/// same, and copies created by one StorageCopier share memory if the tensors do. Copies do not
/// require grad. A tensor that is not strided (sparse, oneDNN) is cloned alone.
class StorageCopier {
 public:
  at::Tensor operator()(const at::Tensor& tensor);

 private:
  absl::flat_hash_map<const c10::StorageImpl*, c10::Storage> copies_;
};

}  // namespace fx
