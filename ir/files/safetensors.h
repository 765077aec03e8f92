// Files of named tensors in the safetensors format (huggingface/safetensors, README "Format").
//
// A file consists of an 8-byte header length, a JSON header, and the bytes of all tensors without
// gaps. Reading maps the file: the tensors are views of the mapping, copied on write, so that
// opening a file takes little time. Files are not trusted: errors are InvalidArgument and name the
// tensor.
#pragma once

#include "fx/ir/module/module.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/types/dtype.h"

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

/// The format's limit on the size of the header.
inline constexpr size_t kMaxSafetensorsHeader = 100'000'000;

struct Safetensors {
  OrderedMap<Tensor> tensors;        ///< in the order of the header
  OrderedMap<std::string> metadata;  ///< arbitrary text
};

/// Maps and reads a file. NotFound, PermissionDenied, ... if it cannot be read.
absl::StatusOr<Safetensors> read_safetensors(const std::string& path);
/// Parses a file in memory: tensors are views of `bytes`, except those that are not aligned there.
absl::StatusOr<Safetensors> parse_safetensors(const std::shared_ptr<Storage>& bytes);

/// Returns true if the format supports the dtype.
bool is_safetensors_dtype(DType dtype);

/// Writes a file; an existing file is replaced only after the new one is complete. Tensors are in
/// the format's usual order: by dtype, then name. InvalidArgument, with nothing written, for
/// tensors without data, dtypes that the format does not support (complex128, quantized, ...), and
/// names that are duplicated or not UTF-8.
absl::Status write_safetensors(const std::string& path,
                               absl::Span<const std::pair<std::string, Tensor>> tensors,
                               absl::Span<const std::pair<std::string, std::string>> metadata = {});

/// Writes the state dict of a module. A tensor with multiple names is written under its first name,
/// and the metadata maps the other names to it, as safetensors.torch.save_model does. Overlapping
/// views are written as separate tensors.
absl::Status save_state(const Module& module, const std::string& path,
                        StateDictOptions options = {});

struct LoadStateOptions {
  /// If true, every entry of the state dict must be in the file, and every tensor in the file must
  /// be in the module. Non-persistent buffers and constants are loaded if the file has them.
  bool strict = true;
  /// If true, a tensor whose strides or offset in the module differ from those in the file is copied
  /// to memory with the strides and the offset in the module, unless the copy would consist mostly
  /// of gaps.
  bool restore_strides = false;
};

/// Sets the tensors of a module to those of a file, by name, without copying by default. Tied
/// tensors are loaded if one of their names is in the file; different data for two of them is an
/// error. On error, nothing changes. Errors: NotFound lists missing tensors; InvalidArgument lists
/// unexpected tensors and tensors with a different dtype or different sizes.
absl::Status load_state(Module& module, const Safetensors& file, LoadStateOptions options = {});

}  // namespace fx
