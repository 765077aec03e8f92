#include "fx/interp/torch/storage_copier.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>

namespace fx {

at::Tensor StorageCopier::operator()(const at::Tensor& tensor) {
  const at::NoGradGuard no_grad;
  const at::Tensor source = tensor.detach();
  if (source.layout() != at::kStrided || !source.has_storage()) return source.clone();
  auto& [original, copy] = copies_[source.storage().unsafeGetStorageImpl()];
  if (!copy) {
    original = source.storage();
    const auto bytes = static_cast<int64_t>(source.storage().nbytes());
    copy = at::empty({0}, source.options().dtype(at::kByte))
               .set_(source.storage(), 0, {bytes}, {1})
               .clone()
               .storage();
  }
  at::Tensor result = at::empty({0}, source.options())
                          .set_(copy, source.storage_offset(), source.sizes(), source.strides());
  if (source.is_conj()) result = at::_conj(result);
  if (source.is_neg()) result = at::_neg_view(result);
  return result;
}

}  // namespace fx
