// Reads ZIP archives from a mapped file.
//
// The central directory is read once and checked: every entry must be inside the file and before
// the directory, entries must not overlap, and names must be unique relative paths without "..".
// The data of a stored entry is part of the mapped file; a deflated entry is unpacked. libzip is
// not used, because it does not return the offset of an entry's data, which is required to map the
// data.
#pragma once

#include "fx/ir/module/tensor.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::pt2 {

/// Limits on archives, which protect against corrupted or malicious files.
inline constexpr size_t kMaxEntryName = 4096;
/// The maximum compression ratio of Deflate.
inline constexpr uint64_t kMaxDeflateRatio = 1032;
/// The maximum total size of the unpacked deflated entries of an archive.
inline constexpr uint64_t kMaxUnpackedBytes = uint64_t{4} << 30;

struct ZipEntry {
  std::string_view name;     ///< refers to the mapped file
  uint64_t data = 0;         ///< the offset of the data in the file
  uint64_t packed_size = 0;  ///< the number of bytes in the file
  uint64_t size = 0;         ///< the number of bytes of the unpacked data
  uint32_t crc = 0;
  bool is_deflated = false;
};

enum class Checksum : uint8_t { kVerify, kIgnore };

class ZipArchive {
 public:
  /// Reads the directory. Returns InvalidArgument if the data is not an archive as described above.
  static absl::StatusOr<ZipArchive> parse(std::shared_ptr<Storage> file);

  /// Returns the entries, in the order of the directory.
  absl::Span<const ZipEntry> entries() const { return entries_; }
  /// Returns the entry with this name, or null if the archive has no such entry.
  const ZipEntry* find(std::string_view name) const;
  /// Returns the data of an entry, either part of the mapped file or unpacked. Returns
  /// InvalidArgument, naming the entry, if the data is corrupted.
  absl::StatusOr<std::shared_ptr<Storage>> read(const ZipEntry& entry,
                                                Checksum checksum = Checksum::kVerify) const;

 private:
  std::shared_ptr<Storage> file_;
  std::vector<ZipEntry> entries_;
  absl::flat_hash_map<std::string_view, size_t> by_name_;
};

/// Returns a description for messages: `entry "model/data/weights/weight_0"`. Truncates long names.
std::string describe_entry(std::string_view name);
/// Returns the bytes of a storage as text.
std::string_view text_of(const Storage& storage);

}  // namespace fx::pt2
