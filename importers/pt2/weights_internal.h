// Maps the weights and constants of a program from the archive.
#pragma once

#include "fx/importers/pt2/archive/zip_internal.h"
#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/importers/pt2/schema/values_internal.h"
#include "fx/ir/module/module.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::pt2 {

/// Members by path, in the order of the file.
using NamedMembers = std::vector<std::pair<std::string, Attribute>>;

/// Reads, from a folder of the archive, the files that a config file lists.
class WeightReader {
 public:
  WeightReader(const ZipArchive& archive, ValueReader& values, Checksum checksum)
      : archive_(archive), values_(values), checksum_(checksum) {}

  /// `config` is the contents of the config file. `folder` ends with '/'. Tensors in one entry
  /// share its storage, and paths with the same layout in an entry have the same tensor. Tensors
  /// that are not parameters become buffers; other objects become constants, of which only the name
  /// is known. Returns InvalidArgument, naming the path and the entry, if a file is missing,
  /// corrupted or too short for its tensors.
  absl::StatusOr<NamedMembers> read(Json config, std::string_view folder);

 private:
  struct Payload {
    std::shared_ptr<Storage> storage;
    absl::flat_hash_map<TensorLayout, Tensor> tensors;
  };

  absl::StatusOr<Attribute> read_member(Json payload, std::string_view folder);
  absl::StatusOr<Payload*> payload(const std::string& entry);
  absl::StatusOr<Tensor> tensor(Payload& payload, const TensorLayout& tensor_layout);

  const ZipArchive& archive_;
  ValueReader& values_;
  Checksum checksum_;
  absl::flat_hash_map<std::string, Payload> payloads_;  // by entry
};

}  // namespace fx::pt2
