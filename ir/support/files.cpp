// Reads and writes whole files: see files.h.
#include "fx/ir/support/files.h"

#include "fmt/format.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace fx {
namespace {

struct CloseFile {
  void operator()(FILE* file) const {
    if (file) std::fclose(file);
  }
};
using File = std::unique_ptr<FILE, CloseFile>;

absl::Status io_error(std::string_view what, const std::string& path) {
  return absl::UnknownError(fmt::format("{} {}: {}", what, path, std::strerror(errno)));
}

/// Maps the pages of data that may be a mapped file, such as weights. Otherwise, a write
/// would map them one by one and take twice as long, because it would copy single pages.
void map_pages([[maybe_unused]] const std::byte* data, [[maybe_unused]] size_t num_bytes) {
#ifdef MADV_POPULATE_READ
  static const auto kPageSize = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t before = reinterpret_cast<uintptr_t>(data) % kPageSize;
  // An error has no effect: the write maps the pages.
  (void)madvise(const_cast<std::byte*>(data - before), num_bytes + before, MADV_POPULATE_READ);
#endif
}

}  // namespace

NewFile::NewFile(const std::string& path) : path_(path), target_(path) {
  namespace fs = std::filesystem;
  std::error_code error;
  // Follow a link even to a file that does not exist. The system follows at most forty links.
  for (int i = 0; i < 40 && fs::is_symlink(target_, error); ++i)
    target_ = (fs::path(target_).parent_path() / fs::read_symlink(target_, error)).string();
  const fs::file_status status = fs::status(target_, error);
  const bool is_replaced =
      !fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status);
  if (fs::is_regular_file(status) && access(target_.c_str(), W_OK) != 0) {
    error_ = errno;
    return;
  }
  if (is_replaced) temporary_ = fmt::format("{}.{}.tmp", target_, getpid());
  file_ = std::fopen((is_replaced ? temporary_ : target_).c_str(), "wb");
  if (file_ == nullptr) error_ = errno;
}

NewFile::~NewFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void NewFile::write(const void* data, size_t num_bytes) {
  if (error_ != 0 || num_bytes == 0) return;
  constexpr size_t kMinMapped = size_t{1} << 16, kMaxWrite = size_t{1} << 20;
  const auto* begin = static_cast<const std::byte*>(data);
  for (size_t done = 0, size = 0; done < num_bytes && error_ == 0; done += size) {
    size = std::min(num_bytes - done, kMaxWrite);
    if (size > kMinMapped) map_pages(begin + done, size);
    if (std::fwrite(begin + done, 1, size, file_) != size) error_ = errno;
  }
}

absl::Status NewFile::commit() {
  if (file_ != nullptr && std::fclose(std::exchange(file_, nullptr)) != 0 && error_ == 0)
    error_ = errno;
  if (error_ == 0 && !temporary_.empty() && std::rename(temporary_.c_str(), target_.c_str()) != 0)
    error_ = errno;
  if (error_ != 0) {
    return absl::UnavailableError(fmt::format("cannot write {}: {}", path_, std::strerror(error_)));
  }
  temporary_.clear();
  return absl::OkStatus();
}

bool is_device_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_other(std::filesystem::status(path, error));
}

absl::StatusOr<std::string> read_file(const std::string& path) {
  File opened(path == "-" ? nullptr : std::fopen(path.c_str(), "rb"));
  if (path != "-" && !opened) return io_error("cannot open", path);
  FILE* file = opened ? opened.get() : stdin;
  std::string text;
  char buffer[65536];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
  if (std::ferror(file)) return io_error("cannot read", path);
  return text;
}

absl::Status write_file(const std::string& path, std::string_view text) {
  if (path.empty() || path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      return io_error("cannot write to", "standard output");
    return absl::OkStatus();
  }
  NewFile file(path);
  file.write(text.data(), text.size());
  return file.commit();
}

}  // namespace fx
