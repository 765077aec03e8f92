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

/// The bytes of each entry start at a multiple of this, as in archives of PyTorch.
inline constexpr uint64_t kEntryAlignment = 64;

/// Writes an archive to a sink, entry by entry. Sizes and offsets of 4 GiB and more are written in
/// the form of ZIP64.
class ZipWriter {
 public:
  using Sink = std::function<void(std::string_view bytes)>;

  explicit ZipWriter(Sink sink) : sink_(std::move(sink)) {}

  /// Each name must be unique. A name has at most kMaxEntryName bytes (checked).
  void add(std::string_view name, std::string_view bytes);
  /// Writes the directory. Must be the last call.
  void finish();

 private:
  struct Entry {
    std::string name;
    uint64_t size;
    uint64_t offset;  ///< of its header
    uint32_t crc;
  };

  void write(std::string_view bytes);

  Sink sink_;
  uint64_t offset_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace fx::pt2
