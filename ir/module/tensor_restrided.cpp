// Tensor::restrided: see tensor.h.
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace fx {

absl::StatusOr<Tensor> Tensor::restrided(absl::Span<const int64_t> strides, int64_t offset,
                                         std::optional<int64_t> max_span) const {
  const absl::Span<const int64_t> sizes = this->sizes();
  const int64_t limit =
      max_span.value_or(4 * std::min(num_elements(), INT64_MAX / 8) + (int64_t{1} << 20));
  if (strides.size() != sizes.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{} for {} dimensions", pluralize(strides.size(), "stride"), sizes.size()));
  }
  int64_t span = num_elements() == 0 ? 0 : 1;
  for (size_t i = 0; i < sizes.size() && span > 0; ++i) {
    if (strides[i] < 0 || (strides[i] > 0 && sizes[i] - 1 > (limit - span) / strides[i]))
      return absl::InvalidArgumentError("a stride is negative or exceeds the memory limit");
    span += (sizes[i] - 1) * strides[i];
  }
  if (offset < 0 || offset > limit - span)
    return absl::InvalidArgumentError("the offset is negative or exceeds the memory limit");
  FX_ASSIGN_OR_RETURN(const Tensor dense, contiguous());
  const int64_t item_size = dtype_item_size(dtype());
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> storage,
                      Storage::zeros(static_cast<size_t>((offset + span) * item_size)));
  const std::byte* from = dense.data();
  std::vector<int64_t> index(sizes.size());
  int64_t at = offset;
  for (int64_t k = 0; k < num_elements(); ++k, from += item_size) {
    std::memcpy(storage->mutable_data() + at * item_size, from, static_cast<size_t>(item_size));
    // The next index in row-major order.
    for (size_t i = sizes.size(); i-- > 0;) {
      at += strides[i];
      if (++index[i] < sizes[i]) break;
      at -= sizes[i] * strides[i];
      index[i] = 0;
    }
  }
  FX_ASSIGN_OR_RETURN(Tensor copy,
                      create_strided(dtype(), sizes, strides, offset, std::move(storage)));
  if (!copy.same_bits(dense)) {
    return absl::InvalidArgumentError(fmt::format(
        "elements that are at one location in a tensor with strides {} have different values",
        fmt::join(strides, ", ")));
  }
  return copy;
}

}  // namespace fx
