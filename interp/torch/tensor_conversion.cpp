// Conversions between fx::Tensor and at::Tensor (graph_data.h).
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/support/check.h"

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include <ATen/Functions.h>
#include <ATen/ops/from_blob.h>
#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

namespace {

std::shared_ptr<Storage> storage_of(const at::Tensor& tensor) {
  FX_CHECK(tensor.is_cpu() && tensor.layout() == at::kStrided,
           "the tensor must be dense and on the CPU");
  return Storage::external(tensor.storage().mutable_data(), tensor.storage().nbytes(),
                           [keep = tensor] {});
}

Tensor with_storage(const at::Tensor& tensor, std::shared_ptr<Storage> storage) {
  const auto span = [](at::IntArrayRef values) {
    return absl::Span<const int64_t>(values.data(), values.size());
  };
  absl::StatusOr<Tensor> result =
      Tensor::create_strided(from_torch(tensor.scalar_type()), span(tensor.sizes()),
                             span(tensor.strides()), tensor.storage_offset(), std::move(storage));
  FX_CHECK_OK(result);
  return *std::move(result);
}

}  // namespace

Tensor from_torch(const at::Tensor& tensor) { return with_storage(tensor, storage_of(tensor)); }

std::vector<Tensor> from_torch(absl::Span<const at::Tensor> tensors) {
  absl::flat_hash_map<const c10::StorageImpl*, std::shared_ptr<Storage>> storages;
  absl::flat_hash_map<const c10::TensorImpl*, Tensor> known;
  std::vector<Tensor> results;
  results.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) {
    Tensor& result = known[tensor.unsafeGetTensorImpl()];
    if (!result.defined()) {
      std::shared_ptr<Storage>& storage = storages[tensor.storage().unsafeGetStorageImpl()];
      if (storage == nullptr) storage = storage_of(tensor);
      result = with_storage(tensor, storage);
    }
    results.push_back(result);
  }
  return results;
}

at::Tensor to_torch(const Tensor& tensor) {
  const auto array = [](absl::Span<const int64_t> values) {
    return at::IntArrayRef(values.data(), values.size());
  };
  // libtorch has no read-only memory. Callers must not write to tensors in mapped files.
  const Storage& storage = *tensor.storage();
  auto* const data = const_cast<std::byte*>(storage.data());
  at::Tensor result = at::from_blob(
      data, array(tensor.sizes()), array(tensor.strides()), tensor.offset(),
      [keep = tensor](void*) {}, at::TensorOptions().dtype(to_torch(tensor.dtype())));
  result.storage().set_nbytes(storage.num_bytes());  // as_strided may read other elements
  return result;
}

absl::StatusOr<at::Tensor> to_torch(std::string_view name, const Tensor& tensor) {
  if (tensor.has_host_data()) return to_torch(tensor);
  return absl::FailedPreconditionError(
      fmt::format("the tensor \"{}\" has no data on the CPU; load its weights first", name));
}

}  // namespace fx
