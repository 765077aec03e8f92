// interp/torch/storage_copier.h - copies of tensors that share memory as the tensors do.
#pragma once

#include "absl/container/flat_hash_map.h"
#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

namespace fx {

/// Copies tensors together with the storage that they are in: strides and offsets stay, and copies
/// made by one StorageCopier share memory where the tensors do. Copies require no gradient. A tensor
/// without strided memory (sparse, oneDNN) is cloned by itself.
class StorageCopier {
 public:
  at::Tensor operator()(const at::Tensor& tensor);

 private:
  absl::flat_hash_map<const c10::StorageImpl*, c10::Storage> copies_;
};

}  // namespace fx
