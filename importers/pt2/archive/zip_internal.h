// ZIP archives, read in memory that a file is mapped to.
//
// The central directory is read once, and checked: every entry lies inside the file before the
// directory, entries do not overlap, names are relative paths without "..", and none occurs twice.
// A stored entry is then a part of the mapped file; a deflated one is unpacked. (libzip does not
// return where the data of an entry are, so that nothing could be mapped with it.)
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

/// Limits on archives: see the head of this file.
inline constexpr size_t kMaxEntryName = 4096;
/// Deflate cannot pack better than this.
inline constexpr uint64_t kMaxDeflateRatio = 1032;
/// All deflated entries of an archive unpack to at most this.
inline constexpr uint64_t kMaxUnpackedBytes = uint64_t{4} << 30;

struct ZipEntry {
  std::string_view name;     ///< in the mapped file
  uint64_t data = 0;         ///< offset of its bytes in the file
  uint64_t packed_size = 0;  ///< bytes in the file
  uint64_t size = 0;         ///< bytes when unpacked
  uint32_t crc = 0;
  bool is_deflated = false;
};

enum class Checksum : uint8_t { kVerify, kIgnore };

class ZipArchive {
 public:
  /// Reads the directory. InvalidArgument for anything but an archive as described above.
  static absl::StatusOr<ZipArchive> parse(std::shared_ptr<Storage> file);

  /// In the order of the directory.
  absl::Span<const ZipEntry> entries() const { return entries_; }
  /// Null when there is no entry of this name.
  const ZipEntry* find(std::string_view name) const;
  /// The bytes of an entry: a part of the file, or unpacked. InvalidArgument, naming the entry, when
  /// it is damaged.
  absl::StatusOr<std::shared_ptr<Storage>> read(const ZipEntry& entry,
                                                Checksum checksum = Checksum::kVerify) const;

 private:
  std::shared_ptr<Storage> file_;
  std::vector<ZipEntry> entries_;
  absl::flat_hash_map<std::string_view, size_t> by_name_;
};

/// "entry \"model/data/weights/weight_0\"", of a long name the start.
std::string describe_entry(std::string_view name);
/// The bytes of a storage as text.
std::string_view text_of(const Storage& storage);

}  // namespace fx::pt2
