// Safetensors files: any input is either read or rejected, and all tensors in a file that was read
// can be accessed.
#include "fx/ir/files/safetensors.h"

#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes =
      fx::Storage::copy_of(absl::MakeConstSpan(reinterpret_cast<const std::byte*>(data), size));
  if (!bytes.ok()) return 0;
  const auto file = fx::parse_safetensors(*bytes);
  if (!file.ok()) return 0;
  for (const auto& [name, tensor] : file->tensors) {
    const auto copy = tensor.clone();
    if (!copy.ok() || !tensor.same_bits(*copy)) std::abort();
    (void)tensor.str();
  }
  return 0;
}
