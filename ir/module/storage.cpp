// Storage: the memory of tensors. See tensor.h.
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/pluralize.h"

#include "fmt/format.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace fx {
namespace {

constexpr size_t kAlignment = 64;
/// The address space of a process. Larger requests are not passed to malloc, because sanitizers
/// report them.
constexpr size_t kAddressSpace = size_t{1} << 47;

absl::Status file_error(const std::string& path, std::string_view verb, int error) {
  std::string message = fmt::format("cannot {} {}: {}", verb, path, std::strerror(error));
  if (error == ENOENT) return absl::NotFoundError(message);
  if (error == EACCES || error == EPERM) return absl::PermissionDeniedError(message);
  return absl::UnavailableError(message);
}

/// Closes a file descriptor at the end of its scope.
class File {
 public:
  explicit File(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

std::byte* allocate(size_t num_bytes) {
  if (num_bytes > kAddressSpace) return nullptr;
  const size_t rounded =
      (std::max(num_bytes, size_t{1}) + kAlignment - 1) / kAlignment * kAlignment;
  return static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded));
}

}  // namespace

Storage::Storage(std::byte* data, size_t num_bytes, std::function<void()> release, Device device,
                 bool writable)
    : data_(data),
      num_bytes_(num_bytes),
      release_(std::move(release)),
      device_(device),
      writable_(writable) {}

Storage::~Storage() {
  if (release_) release_();
}

std::byte* Storage::mutable_data() const {
  FX_CHECK(writable_, "the storage refers to read-only memory; clone the tensor first");
  return data_;
}

absl::StatusOr<std::shared_ptr<Storage>> Storage::zeros(size_t num_bytes) {
  std::byte* data = allocate(num_bytes);
  if (!data)
    return absl::ResourceExhaustedError(
        fmt::format("cannot allocate {}", pluralize(num_bytes, "byte")));
  std::memset(data, 0, num_bytes);
  return std::shared_ptr<Storage>(
      new Storage(data, num_bytes, [data] { std::free(data); }, Device{}, true));
}

absl::StatusOr<std::shared_ptr<Storage>> Storage::copy_of(absl::Span<const std::byte> bytes) {
  std::byte* data = allocate(bytes.size());
  if (!data)
    return absl::ResourceExhaustedError(
        fmt::format("cannot allocate {}", pluralize(bytes.size(), "byte")));
  if (!bytes.empty()) std::memcpy(data, bytes.data(), bytes.size());
  return std::shared_ptr<Storage>(
      new Storage(data, bytes.size(), [data] { std::free(data); }, Device{}, true));
}

std::shared_ptr<Storage> Storage::external(void* data, size_t num_bytes,
                                           std::function<void()> release, Device device) {
  FX_CHECK(data || num_bytes == 0, "external memory must have an address");
  return std::shared_ptr<Storage>(new Storage(static_cast<std::byte*>(data), num_bytes,
                                              std::move(release), device, /*writable=*/true));
}

std::shared_ptr<Storage> Storage::external(const void* data, size_t num_bytes,
                                           std::function<void()> release, Device device) {
  FX_CHECK(data || num_bytes == 0, "external memory must have an address");
  auto* bytes = static_cast<std::byte*>(const_cast<void*>(data));  // never written: not writable
  return std::shared_ptr<Storage>(
      new Storage(bytes, num_bytes, std::move(release), device, /*writable=*/false));
}

absl::StatusOr<std::shared_ptr<Storage>> Storage::map_file(const std::string& path) {
  const File file(path);
  if (file.descriptor() < 0) return file_error(path, "open", errno);
  struct stat info = {};
  if (fstat(file.descriptor(), &info) != 0) return file_error(path, "inspect", errno);
  if (!S_ISREG(info.st_mode))
    return absl::InvalidArgumentError(fmt::format("{} must be a regular file", path));
  const auto num_bytes = static_cast<size_t>(info.st_size);
  if (num_bytes == 0) return zeros(0);
  // Private and writable: a page is copied when it is first written to.
  void* address = mmap(nullptr, num_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                       file.descriptor(), 0);
  if (address == MAP_FAILED) return file_error(path, "map", errno);
  return external(address, num_bytes, [address, num_bytes] { munmap(address, num_bytes); });
}

std::shared_ptr<Storage> Storage::part(std::shared_ptr<Storage> whole, size_t begin,
                                       size_t num_bytes) {
  FX_CHECK(whole && begin <= whole->num_bytes_ && num_bytes <= whole->num_bytes_ - begin,
           "the range must be within the storage");
  std::byte* data = whole->data_ + begin;
  const Device device = whole->device_;
  const bool writable = whole->writable_;
  // The closure only keeps `whole` alive.
  return std::shared_ptr<Storage>(
      new Storage(data, num_bytes, [held = std::move(whole)] {}, device, writable));
}

}  // namespace fx
