#include "fx/importers/torch/capture/tables/fake_memory_internal.h"

#include <c10/core/Device.h>
#include <c10/core/StorageImpl.h>
#include <c10/util/Exception.h>

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace fx {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kPieceBytes = size_t{1} << 40;  // 1 TiB of address space, without committed memory

}  // namespace

/// Reserved address space, owned jointly by a FakeTensorMemory and the storages in the piece.
struct FakeTensorMemory::Piece : c10::intrusive_ptr_target {
  explicit Piece(size_t size) : bytes(size) {
    start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    TORCH_CHECK(start != MAP_FAILED, "cannot reserve ", size,
                " bytes of address space for fake tensors");
    madvise(start, size, MADV_DONTDUMP);
  }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  ~Piece() override {
    if (start != MAP_FAILED) munmap(start, bytes);
  }

  void* start = nullptr;
  size_t bytes;
};

FakeTensorMemory::FakeTensorMemory() = default;
FakeTensorMemory::FakeTensorMemory(FakeTensorMemory&& other) noexcept = default;
FakeTensorMemory& FakeTensorMemory::operator=(FakeTensorMemory&& other) noexcept = default;
FakeTensorMemory::~FakeTensorMemory() = default;

void FakeTensorMemory::release_piece(void* piece) {
  c10::raw::intrusive_ptr::decref(static_cast<c10::intrusive_ptr_target*>(piece));
}

c10::Storage FakeTensorMemory::allocate(size_t bytes) {
  const size_t needed = (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  if (piece_ == nullptr || used_ + needed > piece_->bytes) {
    piece_ = c10::make_intrusive<Piece>(std::max(needed, kPieceBytes));
    used_ = 0;
  }
  c10::intrusive_ptr_target* const owner = piece_.get();
  c10::raw::intrusive_ptr::incref(owner);
  c10::DataPtr data(static_cast<char*>(piece_->start) + used_, owner, &release_piece, at::kCPU);
  used_ += needed;
  return c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes,
                                               std::move(data), /*allocator=*/nullptr,
                                               /*resizable=*/false);
}

bool FakeTensorMemory::owns(const c10::Storage& storage) {
  return storage.data_ptr().get_deleter() == &release_piece;
}

}  // namespace fx
