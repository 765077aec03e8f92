// Reads ZIP archives: see zip_internal.h. PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.3, defines the
// records.
#include "fx/importers/pt2/archive/zip_internal.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace fx::pt2 {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kDirectoryHeader = 0x02014b50;
constexpr uint32_t kEndRecord = 0x06054b50;
constexpr uint32_t kEndRecord64 = 0x06064b50;
constexpr uint32_t kEndLocator64 = 0x07064b50;
constexpr size_t kLocalHeaderSize = 30;
constexpr size_t kDirectoryHeaderSize = 46;
constexpr size_t kEndRecordSize = 22;
constexpr size_t kEndRecord64Size = 56;
constexpr size_t kEndLocator64Size = 20;
constexpr uint16_t kZip64Extra = 1;
constexpr uint16_t kStored = 0;
constexpr uint16_t kDeflated = 8;
constexpr uint16_t kEncryptedFlags = 0x2041;  // encryption, strong encryption, masked headers
constexpr uint16_t kSizesFollow = 0x0008;     // sizes and CRC are in a descriptor after the data

absl::Status bad_archive(std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("not a usable ZIP archive: {}", what));
}

absl::Status bad_entry(std::string_view name, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", describe_entry(name), what));
}

/// Reads little-endian numbers at offsets that the caller has checked.
class Bytes {
 public:
  explicit Bytes(const Storage& storage) : data_(storage.data()), size_(storage.num_bytes()) {}

  uint64_t size() const { return size_; }
  /// Returns true if `count` bytes exist at offset `at`.
  bool has(uint64_t at, uint64_t count) const { return at <= size_ && count <= size_ - at; }
  uint16_t u16(uint64_t at) const { return static_cast<uint16_t>(number(at, 2)); }
  uint32_t u32(uint64_t at) const { return static_cast<uint32_t>(number(at, 4)); }
  uint64_t u64(uint64_t at) const { return number(at, 8); }
  std::string_view text(uint64_t at, uint64_t count) const {
    return {reinterpret_cast<const char*>(data_) + at, static_cast<size_t>(count)};
  }

 private:
  uint64_t number(uint64_t at, int bytes) const {
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;)
      value = value << 8 | static_cast<uint64_t>(data_[at + static_cast<uint64_t>(i)]);
    return value;
  }
  const std::byte* data_;
  uint64_t size_;
};

/// The location of the central directory.
struct Directory {
  uint64_t begin = 0, end = 0, count = 0;
};

/// Returns the offset of the end record whose comment ends at the end of the file.
std::optional<uint64_t> find_end_record(const Bytes& file) {
  if (file.size() < kEndRecordSize) return std::nullopt;
  const uint64_t last = file.size() - kEndRecordSize;
  const uint64_t first = last - std::min<uint64_t>(last, std::numeric_limits<uint16_t>::max());
  for (uint64_t at = last + 1; at-- > first;)
    if (file.u32(at) == kEndRecord && at + kEndRecordSize + file.u16(at + 20) == file.size())
      return at;
  return std::nullopt;
}

absl::StatusOr<Directory> find_directory(const Bytes& file) {
  const std::optional<uint64_t> end = find_end_record(file);
  if (!end) return bad_archive("it has no end record; the file is truncated or not a ZIP archive");
  const uint32_t disks = file.u32(*end + 4);
  Directory directory{.begin = file.u32(*end + 16), .count = file.u16(*end + 10)};
  uint64_t size = file.u32(*end + 12), limit = *end;
  const bool is_large =
      *end >= kEndLocator64Size && file.u32(*end - kEndLocator64Size) == kEndLocator64;
  if (is_large) {
    const uint64_t record = file.u64(*end - kEndLocator64Size + 8);
    if (!file.has(record, kEndRecord64Size) || record + kEndRecord64Size > *end ||
        file.u32(record) != kEndRecord64)
      return bad_archive("its ZIP64 end record is missing");
    if (file.u64(record + 16) != 0) return bad_archive("it must not span multiple files");
    const Directory small = directory;
    directory = {.begin = file.u64(record + 48), .count = file.u64(record + 32)};
    const uint64_t small_size = size;
    size = file.u64(record + 40);
    limit = record;
    const auto differ = [](uint64_t narrow, uint64_t marker, uint64_t wide) {
      return narrow != marker && narrow != wide;
    };
    if (differ(small.begin, UINT32_MAX, directory.begin) ||
        differ(small.count, UINT16_MAX, directory.count) || differ(small_size, UINT32_MAX, size))
      return bad_archive("its two end records do not match");
  } else if (disks != 0) {
    return bad_archive("it must not span multiple files");
  }
  if (directory.begin > limit || size > limit - directory.begin)
    return bad_archive("its directory is outside the file");
  directory.end = directory.begin + size;
  if (directory.count > size / kDirectoryHeaderSize)
    return bad_archive(fmt::format("its directory of {} is too small for {}",
                                   pluralize(size, "byte"),
                                   pluralize(directory.count, "entry", "entries")));
  return directory;
}

absl::Status check_name(std::string_view name) {
  if (name.empty()) return bad_archive("an entry has no name");
  if (name.size() > kMaxEntryName)
    return bad_entry(name,
                     fmt::format("its name is too long ({})", pluralize(name.size(), "byte")));
  if (name.find('\0') != std::string_view::npos || name.find('\\') != std::string_view::npos ||
      name.front() == '/' || (name.size() > 1 && name[1] == ':'))
    return bad_entry(name, "its name must be a relative path");
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == "..")
      return bad_entry(name, "its name must not contain \"..\"");
    begin = end + 1;
  }
  return absl::OkStatus();
}

/// Replaces fields that do not fit in 32 bits with values from the ZIP64 extra field, which
/// contains only the values of these fields, in this order.
absl::Status read_wide_fields(const Bytes& file, std::string_view name, uint64_t begin,
                              uint64_t end, absl::Span<uint64_t* const> fields) {
  if (std::none_of(fields.begin(), fields.end(),
                   [](const uint64_t* field) { return *field == UINT32_MAX; }))
    return absl::OkStatus();
  for (uint64_t at = begin; at + 4 <= end;) {
    const uint16_t id = file.u16(at);
    uint64_t position = at + 4;
    at = position + file.u16(at + 2);
    if (at > end) break;
    if (id != kZip64Extra) continue;
    for (uint64_t* field : fields) {
      if (*field != UINT32_MAX) continue;
      if (position + 8 > at) return bad_entry(name, "its ZIP64 field is too short");
      *field = file.u64(position);
      position += 8;
    }
    return absl::OkStatus();
  }
  return bad_entry(name, "its ZIP64 field is missing");
}

/// One entry of the directory; `header` is the offset of its local header.
struct ListedEntry {
  ZipEntry entry;
  uint64_t header = 0;
  uint16_t flags = 0, method = 0;
};

/// Finds the data of an entry after its local header, which must match the directory.
absl::Status locate(const Bytes& file, uint64_t limit, ListedEntry& listed) {
  ZipEntry& entry = listed.entry;
  const uint64_t header = listed.header;
  if (header > limit || limit - header < kLocalHeaderSize || file.u32(header) != kLocalHeader)
    return bad_entry(entry.name, "it has no header at the offset in the directory");
  const uint64_t name_size = file.u16(header + 26), extra_size = file.u16(header + 28);
  if (name_size + extra_size > limit - header - kLocalHeaderSize)
    return bad_entry(entry.name, "its header ends outside the file");
  if (file.text(header + kLocalHeaderSize, name_size) != entry.name)
    return bad_entry(entry.name, "its header and its directory entry have different names");
  const bool sizes_follow = (file.u16(header + 6) & kSizesFollow) != 0;
  const auto differ = [](uint32_t local, uint64_t wide) {
    return local != UINT32_MAX && local != wide;
  };
  if (file.u16(header + 8) != listed.method ||
      (!sizes_follow &&
       (file.u32(header + 14) != entry.crc || differ(file.u32(header + 18), entry.packed_size) ||
        differ(file.u32(header + 22), entry.size))))
    return bad_entry(entry.name, "its header does not match its directory entry");
  entry.data = header + kLocalHeaderSize + name_size + extra_size;
  if (entry.packed_size > limit - entry.data)
    return bad_entry(
        entry.name,
        fmt::format("its {} bytes extend past the end of the archive's data", entry.packed_size));
  return absl::OkStatus();
}

/// Reads the entry at `at`, and advances `at` to the next entry.
absl::StatusOr<ListedEntry> read_listed(const Bytes& file, const Directory& directory,
                                        uint64_t& at) {
  if (directory.end - at < kDirectoryHeaderSize || file.u32(at) != kDirectoryHeader)
    return bad_archive(fmt::format("its directory is corrupted at byte {}", at));
  const uint64_t name_size = file.u16(at + 28), extra_size = file.u16(at + 30),
                 comment_size = file.u16(at + 32);
  const uint64_t name_at = at + kDirectoryHeaderSize;
  if (name_size + extra_size + comment_size > directory.end - name_at)
    return bad_archive(fmt::format("its directory is corrupted at byte {}", at));
  ListedEntry listed;
  ZipEntry& entry = listed.entry;
  entry.name = file.text(name_at, name_size);
  FX_RETURN_IF_ERROR(check_name(entry.name));
  listed.flags = file.u16(at + 8);
  listed.method = file.u16(at + 10);
  entry.crc = file.u32(at + 16);
  entry.packed_size = file.u32(at + 20);
  entry.size = file.u32(at + 24);
  listed.header = file.u32(at + 42);
  const uint64_t extra = name_at + name_size;
  FX_RETURN_IF_ERROR(read_wide_fields(file, entry.name, extra, extra + extra_size,
                                      {&entry.size, &entry.packed_size, &listed.header}));
  if ((listed.flags & kEncryptedFlags) != 0)
    return bad_entry(entry.name, "encrypted entries are not supported");
  if (listed.method != kStored && listed.method != kDeflated) {
    return bad_entry(entry.name, fmt::format("its compression method is {}; 0 (stored) and 8 "
                                             "(deflate) are supported",
                                             listed.method));
  }
  entry.is_deflated = listed.method == kDeflated;
  if (!entry.is_deflated && entry.packed_size != entry.size)
    return bad_entry(entry.name, "it is stored uncompressed, but its two sizes differ");
  if (entry.is_deflated && entry.size / kMaxDeflateRatio > entry.packed_size)
    return bad_entry(entry.name,
                     fmt::format("{} bytes cannot unpack to {}", entry.packed_size, entry.size));
  at = extra + extra_size + comment_size;
  return listed;
}

absl::Status check_overlaps(std::vector<ListedEntry>& all) {
  std::sort(all.begin(), all.end(),
            [](const ListedEntry& a, const ListedEntry& b) { return a.header < b.header; });
  for (size_t i = 1; i < all.size(); ++i) {
    const ZipEntry& before = all[i - 1].entry;
    if (before.data + before.packed_size > all[i].header)
      return bad_entry(all[i].entry.name,
                       fmt::format("it overlaps {}", describe_entry(before.name)));
  }
  return absl::OkStatus();
}

absl::Status unpack(const ZipEntry& entry, const std::byte* packed, Storage& out) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return absl::ResourceExhaustedError("zlib cannot allocate memory");
  constexpr uint64_t kMaxChunk = std::numeric_limits<uInt>::max();
  uint64_t in_left = entry.packed_size, out_left = entry.size;
  Bytef no_room = 0;
  // zlib does not change its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed));
  stream.next_out = entry.size == 0 ? &no_room : reinterpret_cast<Bytef*>(out.mutable_data());
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(std::min(in_left, kMaxChunk));
      in_left -= stream.avail_in;
    }
    if (stream.avail_out == 0) {
      stream.avail_out = static_cast<uInt>(std::min(out_left, kMaxChunk));
      out_left -= stream.avail_out;
    }
    status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_BUF_ERROR) break;
  }
  const bool is_whole = status == Z_STREAM_END && out_left == 0 && stream.avail_out == 0;
  inflateEnd(&stream);
  return is_whole ? absl::OkStatus() : bad_entry(entry.name, "its packed data is corrupted");
}

}  // namespace

std::string describe_entry(std::string_view name) {
  constexpr size_t kShown = 200;
  return name.size() <= kShown ? fmt::format("entry \"{}\"", name)
                               : fmt::format("entry \"{}...\"", name.substr(0, kShown));
}

std::string_view text_of(const Storage& storage) {
  return {reinterpret_cast<const char*>(storage.data()), storage.num_bytes()};
}

absl::StatusOr<ZipArchive> ZipArchive::parse(std::shared_ptr<Storage> file) {
  const Bytes bytes(*file);
  FX_ASSIGN_OR_RETURN(const Directory directory, find_directory(bytes));
  std::vector<ListedEntry> all;
  all.reserve(static_cast<size_t>(directory.count));
  ZipArchive archive;
  uint64_t unpacked = 0;
  uint64_t at = directory.begin;
  for (uint64_t i = 0; i < directory.count; ++i) {
    FX_ASSIGN_OR_RETURN(ListedEntry listed, read_listed(bytes, directory, at));
    FX_RETURN_IF_ERROR(locate(bytes, directory.begin, listed));
    const ZipEntry& entry = listed.entry;
    if (!archive.by_name_.try_emplace(entry.name, archive.entries_.size()).second)
      return bad_entry(entry.name, "it is a duplicate");
    if (entry.is_deflated) unpacked += entry.size;
    if (unpacked > kMaxUnpackedBytes)
      return bad_archive(
          fmt::format("its entries unpack to more than {} bytes", kMaxUnpackedBytes));
    archive.entries_.push_back(entry);
    all.push_back(listed);
  }
  FX_RETURN_IF_ERROR(check_overlaps(all));
  archive.file_ = std::move(file);
  return archive;
}

const ZipEntry* ZipArchive::find(std::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : &entries_[it->second];
}

absl::StatusOr<std::shared_ptr<Storage>> ZipArchive::read(const ZipEntry& entry,
                                                          Checksum checksum) const {
  std::shared_ptr<Storage> bytes;
  if (entry.is_deflated) {
    FX_ASSIGN_OR_RETURN(bytes, Storage::zeros(static_cast<size_t>(entry.size)));
    FX_RETURN_IF_ERROR(unpack(entry, file_->data() + entry.data, *bytes));
  } else {
    bytes = Storage::part(file_, static_cast<size_t>(entry.data), static_cast<size_t>(entry.size));
  }
  if (checksum == Checksum::kIgnore) return bytes;
  const uLong crc = crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes->data()),
                            bytes->num_bytes());
  if (crc != entry.crc) {
    return bad_entry(entry.name,
                     fmt::format("its bytes are corrupted: their CRC-32 is {:08x} instead of "
                                 "{:08x}",
                                 crc, entry.crc));
  }
  return bytes;
}

}  // namespace fx::pt2
