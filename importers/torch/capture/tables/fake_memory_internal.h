// Memory for tensors whose elements are never used.
#pragma once

#include <c10/core/Storage.h>
#include <c10/util/intrusive_ptr.h>

#include <cstddef>

namespace fx {

/// Address space for tensors, reserved in large pieces without committing memory. A piece is
/// unmapped when its last storage is destroyed.
class FakeTensorMemory {
 public:
  FakeTensorMemory();
  FakeTensorMemory(FakeTensorMemory&& other) noexcept;
  FakeTensorMemory& operator=(FakeTensorMemory&& other) noexcept;
  ~FakeTensorMemory();

  /// Throws c10::Error if no address space remains.
  c10::Storage allocate(size_t bytes);
  /// Returns true if a FakeTensorMemory allocated the storage.
  static bool owns(const c10::Storage& storage);

 private:
  struct Piece;
  static void release_piece(void* piece);
  c10::intrusive_ptr<Piece> piece_;
  size_t used_ = 0;
};

}  // namespace fx
