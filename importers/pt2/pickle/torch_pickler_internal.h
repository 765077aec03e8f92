// Writes torch.save archives, which torch_save_internal.h reads.
#pragma once

#include "fx/importers/pt2/archive/zip_writer_internal.h"
#include "fx/ir/graph/argument.h"
#include "fx/ir/module/tensor.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

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
  /// Writes a tensor with its strides. If the memory from the first to the last element is more
  /// than four times as large as the elements, writes a contiguous copy instead. Tensors with the
  /// same memory, dtype, sizes and strides share a storage. Returns InvalidArgument if the tensor
  /// has no data in host memory.
  absl::Status tensor(const Tensor& tensor);

  /// Writes the archive "archive/" with the data of the tensors. Must be the last call.
  void write(ZipWriter& zip);

 private:
  void number(uint64_t value, int num_bytes);
  void integers(absl::Span<const int64_t> values);
  void global(std::string_view module, std::string_view name);
  /// Returns the key of the tensor's storage: 0, 1, ...
  size_t storage_of(const Tensor& tensor);

  std::string pickle_;
  std::vector<Tensor> storages_;  // 1-dimensional
  absl::flat_hash_map<std::string, size_t>
      storage_keys_;                // keys of storages, by the memory and type of the tensor
  std::vector<Tensor> kept_alive_;  // keeps memory alive, so that addresses remain unique
};

}  // namespace fx::pt2
