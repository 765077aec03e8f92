// Reads files that may be compressed with gzip: see command.h.
#include "fx/ir/support/status.h"
#include "tools/command.h"

#include "fmt/format.h"

#include <zlib.h>

#include <algorithm>

namespace fx::tools {
namespace {

/// The maximum size of decompressed data, as protection against decompression bombs.
constexpr size_t kMaxBytes = size_t{4} << 30;

absl::StatusOr<std::string> gunzip(std::string_view packed) {
  z_stream stream = {};
  constexpr int kGzip = 16;  // added to the window bits
  if (inflateInit2(&stream, 15 + kGzip) != Z_OK)
    return absl::InternalError("cannot initialize zlib");
  std::string text;
  char buffer[65536];
  int status = Z_OK;
  size_t next = 0;  // the next byte to pass to zlib, which uses 32-bit sizes
  while (status == Z_OK && text.size() <= kMaxBytes) {
    if (stream.avail_in == 0 && next < packed.size()) {
      const size_t part = std::min(packed.size() - next, size_t{1} << 24);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + next));
      stream.avail_in = static_cast<uInt>(part);
      next += part;
    }
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer, sizeof buffer - stream.avail_out);
    // Concatenated gzip files form one file.
    if (status == Z_STREAM_END && (stream.avail_in > 0 || next < packed.size()))
      status = inflateReset(&stream);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END)
    return absl::InvalidArgumentError("the gzip data is corrupted or too large");
  return text;
}

}  // namespace

absl::StatusOr<std::string> read_compressed_input(const std::string& path) {
  absl::StatusOr<std::string> text = read_file(path);
  if (!text.ok() || text->compare(0, 2, "\x1f\x8b") != 0) return text;
  auto unpacked = gunzip(*text);
  if (!unpacked.ok()) return with_context(unpacked.status(), path);
  return unpacked;
}

}  // namespace fx::tools
