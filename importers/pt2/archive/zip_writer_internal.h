// Writes ZIP archives. Entries are stored uncompressed, at offsets that readers can map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::pt2 {

/// The offset of the data of each entry is a multiple of this number of bytes, as in PyTorch's
/// archives.
inline constexpr uint64_t kEntryAlignment = 64;

/// Writes an archive to a sink, entry by entry. Uses ZIP64 for sizes and offsets of 4 GiB or more.
class ZipWriter {
 public:
  using Sink = std::function<void(std::string_view bytes)>;

  explicit ZipWriter(Sink sink) : sink_(std::move(sink)) {}

  /// Writes an entry. Names must be unique and have at most kMaxEntryName bytes; the length is
  /// checked.
  void add(std::string_view name, std::string_view bytes);
  /// Writes the directory. Must be the last call.
  void finish();

 private:
  struct Entry {
    std::string name;
    uint64_t size;
    uint64_t offset;  ///< the offset of the header
    uint32_t crc;
  };

  void write(std::string_view bytes);

  Sink sink_;
  uint64_t offset_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace fx::pt2
