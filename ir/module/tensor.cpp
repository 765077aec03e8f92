#include "fx/ir/module/tensor.h"

#include "fx/ir/graph/argument.h"
#include "fx/ir/module/tensor_element_internal.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/type.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace fx {

static_assert(std::endian::native == std::endian::little, "tensor bytes must be little-endian");

struct Tensor::Record {
  DType dtype = DType::kUndefined;
  bool has_shape = false;
  Type declared;  // set if there is no data
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  int64_t offset = 0;
  int64_t num_elements = 0;
  std::shared_ptr<Storage> storage;
};

namespace {

std::string list_text(absl::Span<const int64_t> values) {
  return fmt::format("[{}]", fmt::join(values.begin(), values.end(), ", "));
}

absl::StatusOr<int64_t> count_elements(absl::Span<const int64_t> sizes) {
  int64_t count = 1;
  bool overflow = false, empty = false;
  for (const int64_t size : sizes) {
    if (size < 0)
      return absl::InvalidArgumentError(
          fmt::format("sizes {}: {} is negative", list_text(sizes), size));
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(count, size, &count);
  }
  if (empty) return 0;
  if (!overflow) return count;
  return absl::InvalidArgumentError(
      fmt::format("sizes {}: the number of elements does not fit in 64 bits", list_text(sizes)));
}

absl::StatusOr<size_t> count_bytes(absl::Span<const int64_t> sizes, int64_t num_elements,
                                   int64_t item_size) {
  int64_t bytes = 0;
  if (!__builtin_mul_overflow(num_elements, item_size, &bytes)) return static_cast<size_t>(bytes);
  return absl::InvalidArgumentError(
      fmt::format("sizes {}: the number of bytes does not fit in 64 bits", list_text(sizes)));
}

absl::Status check_num_strides(size_t strides, size_t sizes) {
  if (strides == sizes) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "the number of strides, {}, differs from the number of sizes, {}", strides, sizes));
}

/// The alignment of an element type in bytes.
size_t alignment_of(DType dtype) {
  const auto size = static_cast<size_t>(dtype_item_size(dtype));
  return is_complex(dtype) ? size / 2 : size;
}

/// The end of the last element, in bytes from the start of the storage; false on overflow.
bool end_in_bytes(absl::Span<const int64_t> sizes, absl::Span<const int64_t> strides,
                  int64_t offset, int64_t item_size, int64_t& end) {
  int64_t last = offset;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t span = 0;
    if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &span) ||
        __builtin_add_overflow(last, span, &last))
      return false;
  }
  return !__builtin_add_overflow(last, 1, &last) && !__builtin_mul_overflow(last, item_size, &end);
}

bool contiguous_shape(absl::Span<const int64_t> sizes, absl::Span<const int64_t> strides,
                      int64_t num_elements) {
  if (num_elements == 0) return true;
  int64_t expected = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

/// Iterates over runs of adjacent elements in row-major order.
class RunWalk {
 public:
  RunWalk(absl::Span<const int64_t> sizes, absl::Span<const int64_t> strides) {
    size_t outer = sizes.size();
    while (outer > 0 && (sizes[outer - 1] == 1 || strides[outer - 1] == run_))
      run_ *= sizes[--outer];
    sizes_ = sizes.subspan(0, outer);
    strides_ = strides.subspan(0, outer);
    index_.assign(outer, 0);
  }
  /// The number of elements in each run.
  int64_t run() const { return run_; }
  /// The start of the run, in elements from the first one.
  int64_t position() const { return position_; }
  void next() {
    for (size_t i = index_.size(); i-- > 0;) {
      position_ += strides_[i];
      if (++index_[i] < sizes_[i]) return;
      position_ -= sizes_[i] * strides_[i];
      index_[i] = 0;
    }
  }

 private:
  absl::Span<const int64_t> sizes_, strides_;
  std::vector<int64_t> index_;
  int64_t run_ = 1;
  int64_t position_ = 0;
};

/// Calls f(position, elements) for the runs of a non-empty tensor.
template <class F>
void for_each_run(const Tensor& tensor, F f) {
  RunWalk walk(tensor.sizes(), tensor.strides());
  for (int64_t done = 0; done < tensor.num_elements(); done += walk.run(), walk.next())
    f(walk.position(), walk.run());
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> contiguous_strides(absl::Span<const int64_t> sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    if (sizes[i] < 0 ||
        (i > 0 && __builtin_mul_overflow(stride, std::max<int64_t>(sizes[i], 1), &stride))) {
      return absl::InvalidArgumentError(fmt::format(
          "sizes {}: a size is negative, or a stride does not fit in 64 bits", list_text(sizes)));
    }
  }
  return strides;
}

// ---------------------------------------------------------------- creation

absl::StatusOr<Tensor> Tensor::create(DType dtype, absl::Span<const int64_t> sizes,
                                      std::shared_ptr<Storage> storage) {
  FX_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, contiguous_strides(sizes));
  return create_strided(dtype, sizes, strides, 0, std::move(storage));
}

absl::StatusOr<Tensor> Tensor::create_strided(DType dtype, absl::Span<const int64_t> sizes,
                                              absl::Span<const int64_t> strides, int64_t offset,
                                              std::shared_ptr<Storage> storage) {
  FX_CHECK(storage, "a tensor with data must have a storage");
  if (dtype == DType::kUndefined)
    return absl::InvalidArgumentError("a tensor with data must have a dtype");
  FX_RETURN_IF_ERROR(check_num_strides(strides.size(), sizes.size()));
  if (offset < 0) return absl::InvalidArgumentError(fmt::format("offset {} is negative", offset));
  for (const int64_t stride : strides) {
    if (stride >= 0) continue;
    return absl::InvalidArgumentError(
        fmt::format("strides {}: {} is negative", list_text(strides), stride));
  }
  FX_ASSIGN_OR_RETURN(const int64_t num_elements, count_elements(sizes));
  const int64_t item_size = dtype_item_size(dtype);
  FX_RETURN_IF_ERROR(count_bytes(sizes, num_elements, item_size).status());
  if (num_elements > 0) {
    int64_t end = 0;
    if (!end_in_bytes(sizes, strides, offset, item_size, end) ||
        static_cast<uint64_t>(end) > storage->num_bytes()) {
      return absl::InvalidArgumentError(fmt::format(
          "a {} tensor with sizes {}, strides {} and offset {} exceeds its storage of {} bytes",
          dtype_name(dtype), list_text(sizes), list_text(strides), offset, storage->num_bytes()));
    }
    if (storage->device().type == DeviceType::kCpu &&
        reinterpret_cast<uintptr_t>(storage->data()) % alignment_of(dtype) != 0) {
      return absl::InvalidArgumentError(
          fmt::format("the memory is not aligned to the {} bytes that {} requires; copy it first",
                      alignment_of(dtype), dtype_name(dtype)));
    }
  }
  auto record = std::make_shared<Record>();
  record->dtype = dtype;
  record->has_shape = true;
  record->sizes.assign(sizes.begin(), sizes.end());
  record->strides.assign(strides.begin(), strides.end());
  record->offset = offset;
  record->num_elements = num_elements;
  record->storage = std::move(storage);
  return Tensor(std::move(record));
}

absl::StatusOr<Tensor> Tensor::zeros(DType dtype, absl::Span<const int64_t> sizes) {
  FX_ASSIGN_OR_RETURN(const int64_t count, count_elements(sizes));
  FX_ASSIGN_OR_RETURN(const size_t bytes, count_bytes(sizes, count, dtype_item_size(dtype)));
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> storage, Storage::zeros(bytes));
  return create(dtype, sizes, std::move(storage));
}

absl::StatusOr<Tensor> Tensor::copy_of(DType dtype, absl::Span<const int64_t> sizes,
                                       absl::Span<const std::byte> bytes) {
  FX_ASSIGN_OR_RETURN(const int64_t count, count_elements(sizes));
  const int64_t item_size = dtype_item_size(dtype);
  if (item_size == 0 || bytes.size() % static_cast<size_t>(item_size) != 0 ||
      bytes.size() / static_cast<size_t>(item_size) != static_cast<size_t>(count)) {
    return absl::InvalidArgumentError(
        fmt::format("{} bytes do not match {} elements of type {} (sizes {})", bytes.size(), count,
                    dtype_name(dtype), list_text(sizes)));
  }
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> storage, Storage::copy_of(bytes));
  return create(dtype, sizes, std::move(storage));
}

absl::StatusOr<Tensor> Tensor::from_elements(DType dtype, absl::Span<const int64_t> sizes,
                                             absl::Span<const Argument> elements) {
  FX_ASSIGN_OR_RETURN(const int64_t count, count_elements(sizes));
  if (static_cast<uint64_t>(count) != elements.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{} elements do not match sizes {}", elements.size(), list_text(sizes)));
  }
  FX_ASSIGN_OR_RETURN(Tensor tensor, zeros(dtype, sizes));
  std::byte* to = tensor.mutable_data();
  const int64_t item_size = dtype_item_size(dtype);
  for (const Argument& element : elements) {
    FX_RETURN_IF_ERROR(internal::write_element(dtype, element, to));
    to += item_size;
  }
  return tensor;
}

Tensor Tensor::declared(Type type) {
  FX_CHECK(type && type.is_tensor(), "a declared tensor must have a tensor type");
  auto record = std::make_shared<Record>();
  record->declared = type;
  record->dtype = type.dtype();
  record->has_shape = type.has_rank() && type.has_strides() && type.offset().is_int();
  if (record->has_shape) {
    for (const Dim& size : type.sizes()) record->has_shape &= size.is_int();
    for (const Dim& stride : type.strides()) record->has_shape &= stride.is_int();
  }
  if (record->has_shape) {
    for (const Dim& size : type.sizes()) record->sizes.push_back(size.value());
    for (const Dim& stride : type.strides()) record->strides.push_back(stride.value());
    record->offset = type.offset().value();
    const absl::StatusOr<int64_t> count = count_elements(record->sizes);
    record->has_shape = count.ok();
    record->num_elements = count.ok() ? *count : 0;
  }
  return Tensor(std::move(record));
}

absl::StatusOr<Tensor> Tensor::as_strided(absl::Span<const int64_t> sizes,
                                          absl::Span<const int64_t> strides, int64_t offset) const {
  FX_CHECK(has_data(), "a tensor without data cannot have views");
  return create_strided(dtype(), sizes, strides, offset, storage());
}

// ---------------------------------------------------------------- reading

const Tensor::Record& Tensor::record() const {
  FX_CHECK(record_, "the tensor must be defined");
  return *record_;
}

bool Tensor::has_data() const { return record().storage != nullptr; }
bool Tensor::has_host_data() const { return has_data() && device().type == DeviceType::kCpu; }
bool Tensor::has_shape() const { return record().has_shape; }
DType Tensor::dtype() const { return record().dtype; }
Device Tensor::device() const {
  return has_data() ? record().storage->device() : record().declared.device();
}
absl::Span<const int64_t> Tensor::sizes() const {
  FX_CHECK(has_shape(), "the sizes of this tensor must be known integers");
  return record().sizes;
}
absl::Span<const int64_t> Tensor::strides() const {
  FX_CHECK(has_shape(), "the strides of this tensor must be known integers");
  return record().strides;
}
int64_t Tensor::offset() const {
  FX_CHECK(has_shape(), "the offset of this tensor must be a known integer");
  return record().offset;
}
int64_t Tensor::num_elements() const {
  FX_CHECK(has_shape(), "the sizes of this tensor must be known integers");
  return record().num_elements;
}
size_t Tensor::num_bytes() const {
  return static_cast<size_t>(num_elements()) * static_cast<size_t>(dtype_item_size(dtype()));
}
bool Tensor::is_contiguous() const { return contiguous_shape(sizes(), strides(), num_elements()); }
const std::shared_ptr<Storage>& Tensor::storage() const { return record().storage; }

Type Tensor::type(TypeTable& types, bool requires_grad) const {
  if (!has_data()) {
    TensorSpec spec = record().declared.spec();
    spec.requires_grad = requires_grad;
    return types.tensor(spec);
  }
  const DimVector dim_sizes(sizes().begin(), sizes().end());
  const DimVector dim_strides(strides().begin(), strides().end());
  return types.tensor({.dtype = dtype(),
                       .sizes = dim_sizes,
                       .strides = StrideSpec(dim_strides),
                       .offset = offset(),
                       .device = device(),
                       .requires_grad = requires_grad});
}

const std::byte* Tensor::data() const {
  FX_CHECK(has_data(), "the tensor must have data");
  FX_CHECK(device().type == DeviceType::kCpu, "the data must be in host memory");
  if (num_elements() == 0) return storage()->data();
  return storage()->data() + offset() * dtype_item_size(dtype());
}

std::byte* Tensor::mutable_data() const {
  const ptrdiff_t distance = data() - storage()->data();
  return storage()->mutable_data() + distance;
}

absl::Span<const std::byte> Tensor::bytes() const {
  FX_CHECK(is_contiguous(), "the tensor must be contiguous; call contiguous() first");
  return {data(), num_bytes()};
}

absl::Span<std::byte> Tensor::mutable_bytes() const {
  FX_CHECK(is_contiguous(), "the tensor must be contiguous");
  return {mutable_data(), num_bytes()};
}

void Tensor::check_dtype(DType used) const {
  FX_CHECK(dtype() == used, fmt::format("elements of type {} were requested, but the dtype is {}",
                                        dtype_name(used), dtype_name(dtype())));
}

Argument Tensor::element(int64_t index) const {
  FX_CHECK(index >= 0 && index < num_elements(),
           fmt::format("element {} is out of range for {} elements", index, num_elements()));
  int64_t position = 0;
  for (size_t i = sizes().size(); i-- > 0;) {
    position += index % sizes()[i] * strides()[i];
    index /= sizes()[i];
  }
  return internal::read_element(dtype(), data() + position * dtype_item_size(dtype()));
}

// ---------------------------------------------------------------- copies and comparison

absl::StatusOr<Tensor> Tensor::contiguous() const {
  if (is_contiguous()) return *this;
  return clone();
}

absl::StatusOr<Tensor> Tensor::clone() const {
  if (is_contiguous()) return copy_of(dtype(), sizes(), bytes());
  const int64_t item_size = dtype_item_size(dtype());
  FX_ASSIGN_OR_RETURN(Tensor copy, zeros(dtype(), sizes()));
  const std::byte* from = data();
  std::byte* to = copy.mutable_data();
  for_each_run(*this, [&](int64_t position, int64_t elements) {
    const auto count = static_cast<size_t>(elements * item_size);
    std::memcpy(to, from + position * item_size, count);
    to += count;
  });
  return copy;
}

bool Tensor::same_bits(const Tensor& other) const {
  if (is_same(other)) return true;
  if (!defined() || !other.defined()) return false;
  if (!has_data() || !other.has_data())
    return !has_data() && !other.has_data() && record().declared == other.record().declared;
  if (dtype() != other.dtype() || sizes() != other.sizes()) return false;
  if (num_elements() == 0) return true;
  if (is_contiguous() && other.is_contiguous())
    return std::memcmp(data(), other.data(), num_bytes()) == 0;
  // Advance by the shorter of the two runs.
  const int64_t item_size = dtype_item_size(dtype());
  RunWalk mine(sizes(), strides());
  RunWalk theirs(sizes(), other.strides());
  const std::byte* a = data();
  const std::byte* b = other.data();
  int64_t in_mine = 0;
  int64_t in_theirs = 0;
  for (int64_t done = 0; done < num_elements();) {
    const int64_t step = std::min(mine.run() - in_mine, theirs.run() - in_theirs);
    if (std::memcmp(a + (mine.position() + in_mine) * item_size,
                    b + (theirs.position() + in_theirs) * item_size,
                    static_cast<size_t>(step * item_size)) != 0)
      return false;
    done += step;
    in_mine += step;
    in_theirs += step;
    if (in_mine == mine.run()) {
      mine.next();
      in_mine = 0;
    }
    if (in_theirs == theirs.run()) {
      theirs.next();
      in_theirs = 0;
    }
  }
  return true;
}

absl::StatusOr<Tensor> TensorCopier::copy(const Tensor& tensor) {
  if (!tensor || !tensor.has_data()) return tensor;  // immutable
  if (auto it = tensors_.find(tensor.record_.get()); it != tensors_.end()) return it->second.copy;
  std::shared_ptr<Storage>& storage = storages_[tensor.storage().get()];
  if (!storage) {
    if (tensor.device().type != DeviceType::kCpu) {
      return absl::FailedPreconditionError(
          fmt::format("memory on device {} cannot be copied; share the tensors instead",
                      device_name(tensor.device())));
    }
    FX_ASSIGN_OR_RETURN(
        storage, Storage::copy_of({tensor.storage()->data(), tensor.storage()->num_bytes()}));
  }
  auto record = std::make_shared<Tensor::Record>(*tensor.record_);
  record->storage = storage;
  Tensor copy(std::move(record));
  tensors_.emplace(tensor.record_.get(), Entry{tensor, copy});
  return copy;
}

std::string Tensor::str(int64_t max_elements) const {
  if (!defined()) return "undefined";
  if (!has_data()) return to_string(record().declared);
  std::string out = fmt::format("{}{}", dtype_abbreviation(dtype()), list_text(sizes()));
  if (!is_contiguous()) out += list_text(strides());
  out += ' ';
  if (device().type != DeviceType::kCpu) return out + device_name(device());
  if (num_elements() == 0) return out + "[]";
  const int64_t shown = std::min(num_elements(), std::max<int64_t>(max_elements, 0));
  // The number of brackets around an element: the dimensions that it starts or ends.
  auto dimensions_at = [&](int64_t index) {
    size_t count = 0;
    for (size_t i = sizes().size(); i-- > 0 && index % sizes()[i] == 0; index /= sizes()[i])
      ++count;
    return count;
  };
  for (int64_t i = 0; i < shown; ++i) {
    const size_t brackets = dimensions_at(i);
    if (i > 0) {
      out.append(brackets, ']');
      out += ", ";
    }
    out.append(brackets, '[');
    internal::append_element(element(i), out);
  }
  if (shown == 0) return out + "...";
  if (shown < num_elements()) out += ", ...";
  out.append(sizes().size(), ']');
  return out;
}

}  // namespace fx
