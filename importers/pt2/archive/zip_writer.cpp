// Writes ZIP archives: see zip_writer_internal.h. PKWARE's APPNOTE.TXT defines the records, in
// sections 4.3.7 (local header), 4.3.12 (directory), 4.3.14 to 4.3.16 (end records) and 4.5.3
// (ZIP64).
#include "fx/importers/pt2/archive/zip_internal.h"
#include "fx/importers/pt2/archive/zip_writer_internal.h"
#include "fx/ir/support/check.h"

#include <zlib.h>

namespace fx::pt2 {
namespace {

constexpr uint64_t kMax16 = 0xffff;
constexpr uint64_t kMax32 = 0xffffffff;
constexpr uint64_t kVersion = 20, kZip64Version = 45;
constexpr uint64_t kUtf8Names = 0x0800;
constexpr uint64_t kFirstDate =
    0x21;  // 1980-01-01 for all entries, so that equal programs result in equal files
constexpr uint64_t kPaddingId = 0x4246;
constexpr uint64_t kZip64Id = 1;
constexpr uint64_t kWrittenHeaderSize = 30;

/// Appends the `count` low bytes of a number in little-endian order.
void append_bytes(std::string& out, uint64_t value, int count) {
  for (int i = 0; i < count; ++i, value >>= 8) out.push_back(static_cast<char>(value & 0xff));
}

uint64_t clamp_to_marker(uint64_t value, uint64_t marker) {
  return value < marker ? value : marker;
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  sink_(bytes);
  offset_ += bytes.size();
}

void ZipWriter::add(std::string_view name, std::string_view bytes) {
  FX_CHECK(name.size() <= kMaxEntryName, "the name of an entry is too long");
  Entry entry{.name = std::string(name), .size = bytes.size(), .offset = offset_, .crc = 0};
  entry.crc =
      static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  const bool is_large = entry.size >= kMax32;
  std::string extra;
  if (is_large) {
    append_bytes(extra, kZip64Id, 2);
    append_bytes(extra, 16, 2);
    append_bytes(extra, entry.size, 8);
    append_bytes(extra, entry.size, 8);
  }
  const uint64_t unpadded = offset_ + kWrittenHeaderSize + name.size() + extra.size() + 4;
  const uint64_t padding = (kEntryAlignment - unpadded % kEntryAlignment) % kEntryAlignment;
  append_bytes(extra, kPaddingId, 2);
  append_bytes(extra, padding, 2);
  extra.append(padding, 'Z');

  std::string header;
  append_bytes(header, 0x04034b50, 4);
  append_bytes(header, is_large ? kZip64Version : kVersion, 2);
  append_bytes(header, kUtf8Names, 2);
  append_bytes(header, 0, 2);  // stored
  append_bytes(header, 0, 2);
  append_bytes(header, kFirstDate, 2);
  append_bytes(header, entry.crc, 4);
  append_bytes(header, clamp_to_marker(entry.size, kMax32), 4);
  append_bytes(header, clamp_to_marker(entry.size, kMax32), 4);
  append_bytes(header, name.size(), 2);
  append_bytes(header, extra.size(), 2);
  header += name;
  header += extra;
  write(header);
  write(bytes);
  entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
  const uint64_t start = offset_;
  for (const Entry& entry : entries_) {
    std::string extra;
    if (entry.size >= kMax32) {
      append_bytes(extra, entry.size, 8);
      append_bytes(extra, entry.size, 8);
    }
    if (entry.offset >= kMax32) append_bytes(extra, entry.offset, 8);
    const bool is_zip64 = !extra.empty();
    std::string header;
    append_bytes(header, 0x02014b50, 4);
    append_bytes(header, is_zip64 ? kZip64Version : kVersion, 2);
    append_bytes(header, is_zip64 ? kZip64Version : kVersion, 2);
    append_bytes(header, kUtf8Names, 2);
    append_bytes(header, 0, 2);
    append_bytes(header, 0, 2);
    append_bytes(header, kFirstDate, 2);
    append_bytes(header, entry.crc, 4);
    append_bytes(header, clamp_to_marker(entry.size, kMax32), 4);
    append_bytes(header, clamp_to_marker(entry.size, kMax32), 4);
    append_bytes(header, entry.name.size(), 2);
    append_bytes(header, is_zip64 ? extra.size() + 4 : 0, 2);
    append_bytes(header, 0, 10);  // comment, disk, attributes
    append_bytes(header, clamp_to_marker(entry.offset, kMax32), 4);
    header += entry.name;
    if (is_zip64) {
      append_bytes(header, kZip64Id, 2);
      append_bytes(header, extra.size(), 2);
      header += extra;
    }
    write(header);
  }
  const uint64_t size = offset_ - start;
  const uint64_t count = entries_.size();
  std::string end;
  if (start >= kMax32 || size >= kMax32 || count >= kMax16) {
    append_bytes(end, 0x06064b50, 4);
    append_bytes(end, 44, 8);
    append_bytes(end, kZip64Version, 2);
    append_bytes(end, kZip64Version, 2);
    append_bytes(end, 0, 8);  // disks
    append_bytes(end, count, 8);
    append_bytes(end, count, 8);
    append_bytes(end, size, 8);
    append_bytes(end, start, 8);
    append_bytes(end, 0x07064b50, 4);
    append_bytes(end, 0, 4);
    append_bytes(end, offset_, 8);
    append_bytes(end, 1, 4);
  }
  append_bytes(end, 0x06054b50, 4);
  append_bytes(end, 0, 4);
  append_bytes(end, clamp_to_marker(count, kMax16), 2);
  append_bytes(end, clamp_to_marker(count, kMax16), 2);
  append_bytes(end, clamp_to_marker(size, kMax32), 4);
  append_bytes(end, clamp_to_marker(start, kMax32), 4);
  append_bytes(end, 0, 2);
  write(end);
}

}  // namespace fx::pt2
