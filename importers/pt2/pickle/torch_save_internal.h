// Reads files of torch.save, which contain a pickle and the storages of its tensors: ZIP archives, and
// the format of PyTorch before 1.6 (`_use_new_zipfile_serialization=False`).
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
  /// Reads the pickle. Returns InvalidArgument if the bytes are not such a file.
  static absl::StatusOr<TorchSave> open(std::shared_ptr<Storage> bytes);
  /// True if the bytes start like a file of PyTorch before 1.6, which is not a ZIP archive.
  static bool is_legacy(std::string_view bytes);

  const Pickle& pickle() const { return pickle_; }
  /// Returns true if a value is a tensor or a Parameter.
  bool is_tensor(PickleId id) const;
  /// The tensor of a value. Tensors of one storage share it. Returns InvalidArgument for a value
  /// that is not a tensor, or a tensor that is not dense.
  absl::StatusOr<Tensor> tensor(PickleId id);

 private:
  static absl::StatusOr<TorchSave> open_archive(std::shared_ptr<Storage> bytes);
  static absl::StatusOr<TorchSave> open_legacy(const std::shared_ptr<Storage>& bytes);
  /// Reads the storages that follow the pickle; `rest` starts at the list of their keys.
  absl::Status read_legacy_storages(const std::shared_ptr<Storage>& bytes, size_t rest);
  absl::StatusOr<std::shared_ptr<Storage>> storage(const PickleValue& key);

  ZipArchive zip_;
  std::string root_;
  std::shared_ptr<Storage> pickle_bytes_;
  Pickle pickle_;
  absl::flat_hash_map<std::string, std::shared_ptr<Storage>> storages_;
};

/// The class of storages of a dtype: "FloatStorage". Empty for dtypes without one.
std::string_view storage_class_name(DType dtype);

}  // namespace fx::pt2
