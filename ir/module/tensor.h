// Tensor: the bytes and the type of an array. For arithmetic, use libtorch (interp/torch).
//
//   FX_ASSIGN_OR_RETURN(Tensor w, Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
//   w.values<float>()[4];                              // 5
//   FX_ASSIGN_OR_RETURN(Tensor column, w.as_strided({2}, {3}, 1));  // shares the bytes
//
// A Tensor is a handle: copies refer to the same tensor (is_same), as in torch. Multiple tensors
// may be views of one Storage, a reference-counted block of owned, mapped or external memory. The
// shape of a tensor never changes; its bytes may. Threads that only read may share tensors.
#pragma once

#include "fx/ir/support/check.h"
#include "fx/ir/types/dtype.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Argument;
class Type;
class TypeTable;

/// A block of memory; see the top of this file. Held by shared_ptr.
class Storage {
 public:
  /// Owned memory, all zero, aligned to 64 bytes. ResourceExhausted if it cannot be allocated.
  static absl::StatusOr<std::shared_ptr<Storage>> zeros(size_t num_bytes);
  /// A copy of `bytes`.
  static absl::StatusOr<std::shared_ptr<Storage>> copy_of(absl::Span<const std::byte> bytes);
  /// External memory. `release`, if set, is called when the storage is no longer
  /// used. The library never reads or writes memory on other devices.
  static std::shared_ptr<Storage> external(void* data, size_t num_bytes,
                                           std::function<void()> release = {}, Device device = {});
  /// Does the same for read-only memory.
  static std::shared_ptr<Storage> external(const void* data, size_t num_bytes,
                                           std::function<void()> release = {}, Device device = {});
  /// The mapping of an entire file. Writes stay in memory and do not change the file. The file must
  /// not be truncated while it is mapped; replacing it by rename is allowed. NotFound,
  /// PermissionDenied or another error, depending on the cause.
  static absl::StatusOr<std::shared_ptr<Storage>> map_file(const std::string& path);
  /// The `num_bytes` bytes of `whole` that start at `begin`. Keeps `whole` alive. The range must be
  /// within `whole`; checked.
  static std::shared_ptr<Storage> part(std::shared_ptr<Storage> whole, size_t begin,
                                       size_t num_bytes);

  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  size_t num_bytes() const { return num_bytes_; }
  Device device() const { return device_; }
  bool writable() const { return writable_; }
  const std::byte* data() const { return data_; }
  /// Must be writable; checked.
  std::byte* mutable_data() const;

 private:
  Storage(std::byte* data, size_t num_bytes, std::function<void()> release, Device device,
          bool writable);
  std::byte* data_;
  size_t num_bytes_;
  std::function<void()> release_;
  Device device_;
  bool writable_;
};

/// The DType of a C++ element type; kUndefined for other types.
template <class T>
inline constexpr DType kDTypeOf = DType::kUndefined;
// clang-format off
template <> inline constexpr DType kDTypeOf<bool> = DType::kBool;
template <> inline constexpr DType kDTypeOf<uint8_t> = DType::kUInt8;
template <> inline constexpr DType kDTypeOf<uint16_t> = DType::kUInt16;
template <> inline constexpr DType kDTypeOf<uint32_t> = DType::kUInt32;
template <> inline constexpr DType kDTypeOf<uint64_t> = DType::kUInt64;
template <> inline constexpr DType kDTypeOf<int8_t> = DType::kInt8;
template <> inline constexpr DType kDTypeOf<int16_t> = DType::kInt16;
template <> inline constexpr DType kDTypeOf<int32_t> = DType::kInt32;
template <> inline constexpr DType kDTypeOf<int64_t> = DType::kInt64;
template <> inline constexpr DType kDTypeOf<float> = DType::kFloat32;
template <> inline constexpr DType kDTypeOf<double> = DType::kFloat64;
template <> inline constexpr DType kDTypeOf<std::complex<float>> = DType::kComplex64;
template <> inline constexpr DType kDTypeOf<std::complex<double>> = DType::kComplex128;
// clang-format on

/// See the top of this file. The default-constructed Tensor is undefined: false in conditions.
class Tensor {
 public:
  Tensor() = default;

  // ---- Creation. InvalidArgument when the dtype is undefined, a size or stride is negative, the
  // number of elements overflows, an element is outside the storage, or the data is not aligned to
  // its element type. An empty tensor may have any offset.
  /// A contiguous tensor at the start of `storage`.
  static absl::StatusOr<Tensor> create(DType dtype, absl::Span<const int64_t> sizes,
                                       std::shared_ptr<Storage> storage);
  /// Strides and offset count elements.
  static absl::StatusOr<Tensor> create_strided(DType dtype, absl::Span<const int64_t> sizes,
                                               absl::Span<const int64_t> strides, int64_t offset,
                                               std::shared_ptr<Storage> storage);
  static absl::StatusOr<Tensor> zeros(DType dtype, absl::Span<const int64_t> sizes);
  /// A copy of `values`, in row-major order. The number of values must match the sizes.
  template <class T>
  static absl::StatusOr<Tensor> of(absl::Span<const int64_t> sizes,
                                   absl::Span<const std::type_identity_t<T>> values) {
    static_assert(kDTypeOf<T> != DType::kUndefined, "not an element type");
    return copy_of(kDTypeOf<T>, sizes,
                   {reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(T)});
  }
  /// A copy of the bytes of a contiguous tensor.
  static absl::StatusOr<Tensor> copy_of(DType dtype, absl::Span<const int64_t> sizes,
                                        absl::Span<const std::byte> bytes);
  /// Creates a tensor from numbers and bools in row-major order; for floating-point dtypes, they
  /// are rounded to the nearest value. InvalidArgument if their number does not match the sizes, or
  /// a value does not fit the dtype.
  static absl::StatusOr<Tensor> from_elements(DType dtype, absl::Span<const int64_t> sizes,
                                              absl::Span<const Argument> elements);
  /// A tensor without data. `type` must be a tensor type.
  static Tensor declared(Type type);

  /// Another view of the same storage.
  absl::StatusOr<Tensor> as_strided(absl::Span<const int64_t> sizes,
                                    absl::Span<const int64_t> strides, int64_t offset) const;

  // ---- Reading. The tensor must be defined, except for defined() and operator bool; checked.
  explicit operator bool() const { return record_ != nullptr; }
  bool defined() const { return record_ != nullptr; }
  bool has_data() const;
  /// True for a tensor with data that this process can read: not on another device.
  bool has_host_data() const;
  /// False for declared tensors whose sizes, strides or offset are unknown or symbolic: then
  /// sizes(), strides(), offset() and num_elements() must not be called; checked.
  bool has_shape() const;
  DType dtype() const;
  Device device() const;
  absl::Span<const int64_t> sizes() const;
  absl::Span<const int64_t> strides() const;
  int64_t offset() const;
  int64_t num_elements() const;
  /// The number of bytes of all elements: the size of a contiguous copy.
  size_t num_bytes() const;
  /// True if the elements are in row-major order without gaps. As in torch, strides of dimensions
  /// of size 1 are ignored.
  bool is_contiguous() const;
  /// The storage; null without data.
  const std::shared_ptr<Storage>& storage() const;
  Type type(TypeTable& types, bool requires_grad = false) const;

  // ---- Data. There must be data, in host memory; checked.
  /// The address of the first element; strides() determines the addresses of the others.
  const std::byte* data() const;
  /// The storage must be writable; checked.
  std::byte* mutable_data() const;
  /// All elements of a contiguous tensor; checked.
  absl::Span<const std::byte> bytes() const;
  absl::Span<std::byte> mutable_bytes() const;
  /// All elements of a contiguous tensor as values of type T; the dtype must be that of T.
  template <class T>
  absl::Span<const T> values() const {
    check_dtype(kDTypeOf<T>);
    // Do not use braces: with bool they would create a list of two elements.
    return absl::Span<const T>(reinterpret_cast<const T*>(bytes().data()),
                               static_cast<size_t>(num_elements()));
  }
  template <class T>
  absl::Span<T> mutable_values() const {
    check_dtype(kDTypeOf<T>);
    return absl::Span<T>(reinterpret_cast<T*>(mutable_bytes().data()),
                         static_cast<size_t>(num_elements()));
  }
  /// Element `index` in row-major order: a bool, int, float or complex; an unsigned 64-bit integer
  /// that does not fit in int64 is an object with its digits. None for dtypes whose elements are
  /// not numbers (bits, quantized). `index` is checked.
  Argument element(int64_t index) const;

  /// This tensor if it is contiguous, else a contiguous copy.
  absl::StatusOr<Tensor> contiguous() const;
  /// A copy with these strides and this offset, in new memory with zeros in the gaps.
  /// InvalidArgument if a stride or the offset is negative, the number of strides does not match
  /// the sizes, elements that would be at one location differ, or the memory would span more than
  /// `max_span` elements; by default, it must not consist mostly of gaps.
  absl::StatusOr<Tensor> restrided(absl::Span<const int64_t> strides, int64_t offset,
                                   std::optional<int64_t> max_span = std::nullopt) const;
  /// A contiguous copy in new memory.
  absl::StatusOr<Tensor> clone() const;

  /// True if both are handles to the same tensor. False for different tensors that are equal.
  bool is_same(const Tensor& other) const { return record_ == other.record_; }
  /// Identifies the tensor as long as a handle to it exists: a key for tables.
  const void* identity() const { return record_.get(); }
  /// True if dtype, sizes and the bits of every element are equal; strides may differ. Tensors
  /// without data are equal if their types are. Undefined tensors are equal.
  bool same_bits(const Tensor& other) const;

  /// "f32[2, 3] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]". Prints at most `max_elements` elements, and
  /// "..." for the rest. Without data, prints only the type: "f32[2, 3]".
  std::string str(int64_t max_elements = 16) const;

 private:
  friend class TensorCopier;
  struct Record;
  explicit Tensor(std::shared_ptr<const Record> record) : record_(std::move(record)) {}
  const Record& record() const;
  void check_dtype(DType requested) const;
  std::shared_ptr<const Record> record_;
};

/// Copies tensors and keeps their sharing: views of one storage become views of one copy, and
/// handles to one tensor become handles to one copy.
class TensorCopier {
 public:
  /// ResourceExhausted when memory runs out, FailedPrecondition for memory on another device.
  absl::StatusOr<Tensor> copy(const Tensor& tensor);

 private:
  struct Entry {
    Tensor original;  // kept alive, so that its address is not reused
    Tensor copy;
  };
  absl::flat_hash_map<const void*, Entry> tensors_;
  absl::flat_hash_map<const Storage*, std::shared_ptr<Storage>> storages_;
};

/// The strides of a contiguous tensor of these sizes, as torch computes them: a size of 0 counts as
/// 1. InvalidArgument when a size is negative or a stride overflows.
absl::StatusOr<std::vector<int64_t>> contiguous_strides(absl::Span<const int64_t> sizes);

}  // namespace fx
