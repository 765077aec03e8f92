// Files of tensors by name, in the safetensors format (huggingface/safetensors, README "Format").
//
// 8 bytes of header length, a JSON header, then the bytes of all tensors without gaps. Reading maps
// the file: tensors lie in it until they are written to, so that opening a file of any size is
// quick. Files are not trusted: whatever is wrong with one is InvalidArgument, which names the
// tensor.
#pragma once

#include "fx/ir/module/module.h"
#include "fx/ir/module/tensor.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// The format's own limit.
inline constexpr size_t kMaxSafetensorsHeader = 100'000'000;

struct Safetensors {
  OrderedMap<Tensor> tensors;        ///< in the order of the header
  OrderedMap<std::string> metadata;  ///< free texts
};

/// Maps and reads a file. NotFound, PermissionDenied, ... when that fails.
absl::StatusOr<Safetensors> read_safetensors(const std::string& path);
/// The same from memory: tensors are parts of `bytes`, except those that are not aligned there.
absl::StatusOr<Safetensors> parse_safetensors(const std::shared_ptr<Storage>& bytes);

/// Writes a file, in place of an older one only when it is complete. Tensors are in the format's
/// usual order: by dtype, then name. InvalidArgument, with nothing written, for tensors without
/// data, dtypes that the format does not have (complex128, quantized, ...), and names that occur
/// twice or are not UTF-8.
absl::Status write_safetensors(const std::string& path,
                               absl::Span<const std::pair<std::string, Tensor>> tensors,
                               absl::Span<const std::pair<std::string, std::string>> metadata = {});

/// Writes the state dict of a module. A tensor with several names is written under its first, and
/// the others go to the metadata, name to first name, as safetensors.torch.save_model does. Views
/// that only overlap are written each by itself.
absl::Status save_state(const Module& module, const std::string& path,
                        StateDictOptions options = {});

struct LoadStateOptions {
  /// Every entry of the state dict must be in the file, and everything in the file must have its
  /// place in the module. Non-persistent buffers and constants are taken when the file has them.
  bool strict = true;
};

/// Gives the module the tensors of a file, by name, without copying. Tied tensors stay tied: one
/// name in the file is enough, and different data for two is an error. NotFound lists what is
/// missing, InvalidArgument what is too much or has another dtype or other sizes; then nothing is
/// changed.
absl::Status load_state(Module& module, const Safetensors& file, LoadStateOptions options = {});

}  // namespace fx
