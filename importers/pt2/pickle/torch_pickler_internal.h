// Writes archives of torch.save: the reverse of torch_save_internal.h.
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

/// Writes a pickle of protocol 2, value by value, and collects the tensors. The opcodes are those of
/// Python's Lib/pickletools.py; torch/_utils.py has the functions that create tensors.
class TorchPickler {
 public:
  TorchPickler();

  void none() { pickle_ += 'N'; }
  void boolean(bool value) { pickle_ += value ? '\x88' : '\x89'; }
  void integer(int64_t value);
  void real(double value);
  /// Must be UTF-8, and shorter than 4 GiB.
  void string(std::string_view text);
  /// Writes None, a bool, an int, a float or a string. Returns false, with nothing written, for other
  /// kinds.
  bool constant(const Argument& value);
  /// The values between begin and end are items; those of a dict alternate between keys and values.
  void begin_tuple() { pickle_ += '('; }
  void end_tuple() { pickle_ += 't'; }
  void begin_list() { pickle_ += "]("; }
  void end_list() { pickle_ += 'e'; }
  void begin_dict() { pickle_ += "}("; }
  void begin_ordered_dict();
  void end_dict() { pickle_ += 'u'; }
  /// An object of a class whose attributes, keys and values as in a dict, come between begin and end.
  void begin_object(std::string_view module, std::string_view name);
  void end_object() { pickle_ += "ub"; }
  /// Writes a tensor with its strides; as a contiguous one if its memory, from the first element to the
  /// last, is larger than four times that of its elements. Tensors with the same bytes, dtype, sizes and
  /// strides share a storage. Returns InvalidArgument if it has no data in host memory.
  absl::Status tensor(const Tensor& tensor);

  /// Writes the archive "archive/", with the data of the tensors, and finishes it. Call it once, at the
  /// end.
  void write(ZipWriter& zip);

 private:
  void number(uint64_t value, int num_bytes);
  void integers(absl::Span<const int64_t> values);
  void global(std::string_view module, std::string_view name);
  /// Returns the key of the tensor's storage, "0".
  size_t storage_of(const Tensor& tensor);

  std::string pickle_;
  std::vector<Tensor> storages_;  // of one dimension
  absl::flat_hash_map<std::string, size_t>
      known_;                 // storages by the place and type of their tensor
  std::vector<Tensor> kept_;  // so that places are not reused
};

}  // namespace fx::pt2
