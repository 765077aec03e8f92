// Writes torch.save archives, which torch_save_internal.h reads.
#pragma once

#include "fx/importers/pt2/archive/zip_writer_internal.h"
#include "fx/ir/graph/argument.h"
#include "fx/ir/module/tensor.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fx::pt2 {

/// Writes a protocol 2 pickle, value by value, and collects the tensors. Python's
/// Lib/pickletools.py documents the opcodes, and torch/_utils.py defines the functions that create
/// tensors.
class TorchPickler {
 public:
  TorchPickler();

  void none() { pickle_ += 'N'; }
  void boolean(bool value) { pickle_ += value ? '\x88' : '\x89'; }
  void integer(int64_t value);
  void real(double value);
  /// Writes a string, which must be UTF-8 and shorter than 4 GiB.
  void string(std::string_view text);
  /// Writes None, a bool, an int, a float or a string. Writes nothing and returns false for other
  /// kinds.
  bool constant(const Argument& value);
  /// The values that are written between begin and end are the items. The items of a dict alternate
  /// between keys and values.
  void begin_tuple() { pickle_ += '('; }
  void end_tuple() { pickle_ += 't'; }
  void begin_list() { pickle_ += "]("; }
  void end_list() { pickle_ += 'e'; }
  void begin_dict() { pickle_ += "}("; }
  void begin_ordered_dict();
  void end_dict() { pickle_ += 'u'; }
  /// Writes an object of a class. Its attributes are written between begin and end, as keys and
  /// values like those of a dict.
  void begin_object(std::string_view module, std::string_view name);
  void end_object() { pickle_ += "ub"; }
  /// Writes a tensor with its strides. Tensors of one dtype that overlap in memory share a storage.
  /// A tensor that overlaps no other one, and whose memory from the first to the last element is
  /// more than four times as large as its elements, is written as a contiguous copy. Returns
  /// InvalidArgument if the tensor has no data in host memory.
  absl::Status tensor(const Tensor& tensor);

  /// Writes the archive "archive/" with the data of the tensors. Must be the last call. Returns
  /// ResourceExhausted if there is no memory for a copy.
  absl::Status write(ZipWriter& zip);

 private:
  /// A tensor that write() inserts into the pickle.
  struct Inserted {
    size_t position;  ///< in pickle_
    Tensor tensor;
  };
  struct StoragePart {
    size_t first;  ///< the index of the first tensor with this storage
    size_t key;    ///< the name of its entry
    absl::Span<const std::byte> bytes;
  };

  void number(uint64_t value, int num_bytes);
  void integers(absl::Span<const int64_t> values);
  void global(std::string_view module, std::string_view name);
  absl::StatusOr<std::vector<StoragePart>> find_storages();
  void insert(const Tensor& tensor, const StoragePart& storage);

  std::string pickle_;
  std::vector<Inserted> tensors_;
};

}  // namespace fx::pt2
