// Writes the weights and constants of a program as entries of the archive, which weights_internal.h
// reads.
#pragma once

#include "fx/importers/pt2/archive/zip_writer_internal.h"
#include "fx/importers/pt2/schema/value_writer_internal.h"
#include "fx/ir/module/tensor.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fx::pt2 {

struct WrittenMember {
  std::string path;
  Tensor tensor;
  bool is_parameter = false;
  bool requires_grad = false;
};

/// The entries of one folder of the archive. Tensors of the same dtype that overlap in memory
/// share an entry, which preserves their aliasing.
class MemberWriter {
 public:
  /// `prefix` starts the name of each entry, for example "weight_".
  explicit MemberWriter(std::string_view prefix) : prefix_(prefix) {}

  /// Writes entire storages, for a graph that reads elements of a storage by their position in it.
  /// Otherwise, bytes that no tensor uses are omitted, unless most of the storage is used.
  void keep_storages() { whole_storages_ = true; }

  /// Plans the entries and returns the config file. Tensors without data have an empty entry, like
  /// fake tensors in PyTorch's archives. Errors name the member: Unimplemented for tensors on
  /// devices other than the CPU, FailedPrecondition for symbolic sizes.
  absl::StatusOr<std::string> plan(absl::Span<const WrittenMember> members, ValueWriter& values);
  /// Writes the entries. `folder` is their path and ends with '/'. The tensors of the members must
  /// still exist.
  void write(ZipWriter& zip, std::string_view folder) const;

 private:
  /// A range of memory that is written as one entry.
  struct Part {
    std::string name;  ///< empty for a part that is not written
    absl::Span<const std::byte> memory;
  };

  void find_parts(absl::Span<const WrittenMember> members);

  std::string prefix_;
  bool whole_storages_ = false;
  std::vector<Part> parts_;      // by the index of the part's first member
  std::vector<size_t> part_of_;  // the index of each member's part
};

}  // namespace fx::pt2
