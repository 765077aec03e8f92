// Writes torch.save archives: see torch_pickler_internal.h.
#include "fx/importers/pt2/pickle/torch_pickler_internal.h"
#include "fx/importers/pt2/pickle/torch_save_internal.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <bit>
#include <limits>
#include <utility>

namespace fx::pt2 {
namespace {

/// A tensor is written with its strides only if its memory is at most this many times as large as
/// its elements.
constexpr int64_t kMaxMemoryRatio = 4;

/// Returns the distance from the first to the last element in memory, plus 1, in elements.
int64_t span_of(const Tensor& tensor) {
  if (tensor.num_elements() == 0) return 0;
  int64_t span = 1;
  for (size_t i = 0; i < tensor.sizes().size(); ++i)
    span += (tensor.sizes()[i] - 1) * tensor.strides()[i];
  return span;
}

}  // namespace

TorchPickler::TorchPickler() : pickle_("\x80\x02") {}

void TorchPickler::number(uint64_t value, int num_bytes) {
  for (int i = 0; i < num_bytes; ++i) pickle_ += static_cast<char>(value >> (8 * i) & 0xff);
}

void TorchPickler::integer(int64_t value) {
  using Small = std::numeric_limits<int32_t>;
  if (value >= Small::min() && value <= Small::max()) {
    pickle_ += 'J';
    number(static_cast<uint64_t>(value), 4);
  } else {
    pickle_ += "\x8a\x08";
    number(static_cast<uint64_t>(value), 8);
  }
}

void TorchPickler::real(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  pickle_ += 'G';
  for (int i = 7; i >= 0; --i) pickle_ += static_cast<char>(bits >> (8 * i) & 0xff);
}

void TorchPickler::string(std::string_view text) {
  pickle_ += 'X';
  number(text.size(), 4);
  pickle_ += text;
}

bool TorchPickler::constant(const Argument& value) {
  if (value.is_none()) {
    none();
  } else if (value.is_bool()) {
    boolean(value.as_bool());
  } else if (value.is_int()) {
    integer(value.as_int());
  } else if (value.is_float()) {
    real(value.as_float());
  } else if (value.is_string()) {
    string(value.as_string());
  } else {
    return false;
  }
  return true;
}

void TorchPickler::global(std::string_view module, std::string_view name) {
  pickle_ += fmt::format("c{}\n{}\n", module, name);
}

void TorchPickler::begin_ordered_dict() {
  global("collections", "OrderedDict");
  pickle_ += ")R(";
}

void TorchPickler::begin_object(std::string_view module, std::string_view name) {
  global(module, name);
  pickle_ += ")\x81}(";
}

void TorchPickler::integers(absl::Span<const int64_t> values) {
  begin_tuple();
  for (const int64_t value : values) integer(value);
  end_tuple();
}

size_t TorchPickler::storage_of(const Tensor& tensor) {
  const std::string memory_key = fmt::format(
      "{} {} {} {}", static_cast<const void*>(tensor.data()), dtype_name(tensor.dtype()),
      fmt::join(tensor.sizes(), ","), fmt::join(tensor.strides(), ","));
  return storage_keys_.try_emplace(memory_key, storages_.size()).first->second;
}

absl::Status TorchPickler::tensor(const Tensor& tensor) {
  if (!tensor.has_data() || tensor.storage()->device().type != DeviceType::kCpu)
    return absl::InvalidArgumentError("it must have data in host memory");
  Tensor written = tensor;
  if (span_of(tensor) > kMaxMemoryRatio * tensor.num_elements()) {
    FX_ASSIGN_OR_RETURN(written, tensor.contiguous());
  }
  const int64_t span = span_of(written);
  FX_ASSIGN_OR_RETURN(const Tensor memory,
                      written.as_strided({span}, {1}, span == 0 ? 0 : written.offset()));
  const size_t key = storage_of(tensor);
  if (key == storages_.size()) {
    storages_.push_back(memory);
    kept_alive_.push_back(tensor);
  }
  const std::string_view class_name = storage_class_name(tensor.dtype());
  const bool is_untyped = class_name.empty();
  global("torch._utils", is_untyped ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
  pickle_ += "((";
  string("storage");
  if (is_untyped) {
    global("torch.storage", "UntypedStorage");
  } else {
    global("torch", class_name);
  }
  string(fmt::format("{}", key));
  string("cpu");
  integer(is_untyped ? static_cast<int64_t>(memory.num_bytes()) : memory.num_elements());
  pickle_ += "tQ";
  integer(0);
  integers(written.sizes());
  integers(written.strides());
  boolean(false);  // requires_grad
  global("collections", "OrderedDict");
  pickle_ += ")R";
  if (is_untyped) global("torch", dtype_name(tensor.dtype()));
  pickle_ += "tR";
  return absl::OkStatus();
}

void TorchPickler::write(ZipWriter& zip) {
  pickle_ += '.';
  zip.add("archive/data.pkl", pickle_);
  zip.add("archive/byteorder", "little");
  for (size_t i = 0; i < storages_.size(); ++i) {
    const absl::Span<const std::byte> bytes = storages_[i].bytes();
    zip.add(fmt::format("archive/data/{}", i),
            {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  zip.add("archive/version", "3\n");
  zip.finish();
}

}  // namespace fx::pt2
