// Copies tensors; copies share memory if the tensors do.
#pragma once

#include "absl/container/flat_hash_map.h"
#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

namespace fx {

/// Copies tensors with their entire storage. Strides, offsets, and conjugate and negative bits do
/// not change, and copies created by one StorageCopier share memory if the tensors do. Copies do
/// not require grad. A tensor that is not strided (sparse, oneDNN) is cloned, and does not share
/// memory.
class StorageCopier {
 public:
  at::Tensor operator()(const at::Tensor& tensor);

 private:
  struct Entry {
    c10::Storage original;  // kept alive, so that its address is not reused
    c10::Storage copy;
  };
  absl::flat_hash_map<const c10::StorageImpl*, Entry> copies_;
};

}  // namespace fx
