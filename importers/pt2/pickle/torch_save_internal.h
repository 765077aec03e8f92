// Reads torch.save files, which contain a pickle and the storages of its tensors: ZIP archives
// and the format of PyTorch before 1.6 (`_use_new_zipfile_serialization=False`).
#pragma once

#include "fx/importers/pt2/archive/zip_internal.h"
#include "fx/importers/pt2/pickle/pickle_internal.h"
#include "fx/ir/module/tensor.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace fx::pt2 {

class TorchSave {
 public:
  /// Reads the pickle. Returns InvalidArgument if the bytes are not a torch.save file.
  static absl::StatusOr<TorchSave> open(std::shared_ptr<Storage> bytes);
  /// Returns true if the bytes start like a file from PyTorch before 1.6, which is not a ZIP
  /// archive.
  static bool is_legacy(std::string_view bytes);

  const Pickle& pickle() const { return pickle_; }
  /// Returns true if a value is a tensor or a Parameter.
  bool is_tensor(PickleId id) const;
  /// Returns the tensor of a value. Tensors with the same storage share it. Returns InvalidArgument
  /// if the value is not a tensor, or is a tensor that is not dense.
  absl::StatusOr<Tensor> tensor(PickleId id);

 private:
  static absl::StatusOr<TorchSave> open_archive(std::shared_ptr<Storage> bytes);
  static absl::StatusOr<TorchSave> open_legacy(const std::shared_ptr<Storage>& bytes);
  /// Reads the storages that follow the pickle; `offset` is the position of the list of their keys.
  absl::Status read_legacy_storages(const std::shared_ptr<Storage>& bytes, size_t offset);
  absl::StatusOr<std::shared_ptr<Storage>> storage(const PickleValue& key);

  ZipArchive zip_;
  std::string root_;
  std::shared_ptr<Storage> pickle_bytes_;
  Pickle pickle_;
  absl::flat_hash_map<std::string, std::shared_ptr<Storage>> storages_;
};

/// Returns the storage class of a dtype, such as "FloatStorage", or an empty string if there is
/// none.
std::string_view storage_class_name(DType dtype);

}  // namespace fx::pt2
