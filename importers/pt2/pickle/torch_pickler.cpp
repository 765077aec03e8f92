// Writes torch.save archives: see torch_pickler_internal.h.
#include "fx/importers/pt2/pickle/torch_pickler_internal.h"
#include "fx/importers/pt2/pickle/torch_save_internal.h"
#include "fx/ir/module/memory_parts.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace fx::pt2 {
namespace {

/// A tensor that shares its memory with no other one is written with its strides only if its memory
/// is at most this many times as large as its elements.
constexpr size_t kMaxMemoryRatio = 4;

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

absl::Status TorchPickler::tensor(const Tensor& tensor) {
  if (!tensor.has_host_data())
    return absl::InvalidArgumentError("it must have data in host memory");
  tensors_.push_back({.position = pickle_.size(), .tensor = tensor});
  return absl::OkStatus();
}

/// Returns the storage of each tensor. Replaces tensors with their contiguous copies.
absl::StatusOr<std::vector<TorchPickler::StoragePart>> TorchPickler::find_storages() {
  std::vector<Tensor> tensors;
  tensors.reserve(tensors_.size());
  for (const Inserted& each : tensors_) tensors.push_back(each.tensor);
  std::vector<StoragePart> storages(tensors.size());
  for (size_t i = 0; i < storages.size(); ++i) storages[i].first = i;
  for (const MemoryPart& part : memory_parts(tensors, MemoryParts::kOneDType)) {
    const size_t first = part.tensors[0];
    const auto is_same = [&](size_t i) {
      return tensors[i].sizes() == tensors[first].sizes() &&
             tensors[i].strides() == tensors[first].strides() &&
             tensors[i].data() == tensors[first].data();
    };
    absl::Span<const std::byte> bytes(part.data, part.num_bytes);
    if (bytes.size() / kMaxMemoryRatio > tensors[first].num_bytes() &&
        std::ranges::all_of(part.tensors, is_same)) {
      FX_ASSIGN_OR_RETURN(const Tensor copy, tensors[first].contiguous());
      for (const size_t i : part.tensors) tensors_[i].tensor = copy;
      bytes = copy.bytes();
    }
    for (const size_t i : part.tensors) storages[i] = {.first = first, .key = 0, .bytes = bytes};
  }
  size_t count = 0;
  for (size_t i = 0; i < storages.size(); ++i)
    storages[i].key = storages[i].first == i ? count++ : storages[storages[i].first].key;
  return storages;
}

/// Appends a tensor to the pickle.
void TorchPickler::insert(const Tensor& tensor, const StoragePart& storage) {
  const std::string_view class_name = storage_class_name(tensor.dtype());
  const bool is_untyped = class_name.empty();
  const auto item_size = static_cast<int64_t>(dtype_item_size(tensor.dtype()));
  const auto num_bytes = static_cast<int64_t>(storage.bytes.size());
  global("torch._utils", is_untyped ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
  pickle_ += "((";
  string("storage");
  if (is_untyped) {
    global("torch.storage", "UntypedStorage");
  } else {
    global("torch", class_name);
  }
  string(fmt::format("{}", storage.key));
  string("cpu");
  integer(is_untyped ? num_bytes : num_bytes / item_size);
  pickle_ += "tQ";
  integer(num_bytes == 0 ? 0 : (tensor.data() - storage.bytes.data()) / item_size);
  integers(tensor.sizes());
  integers(tensor.strides());
  boolean(false);  // requires_grad
  global("collections", "OrderedDict");
  pickle_ += ")R";
  if (is_untyped) global("torch", dtype_name(tensor.dtype()));
  pickle_ += "tR";
}

absl::Status TorchPickler::write(ZipWriter& zip) {
  FX_ASSIGN_OR_RETURN(const std::vector<StoragePart> storages, find_storages());
  const std::string text = std::exchange(pickle_, {});
  size_t end = 0;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    pickle_.append(text, end, tensors_[i].position - end);
    end = tensors_[i].position;
    insert(tensors_[i].tensor, storages[i]);
  }
  pickle_.append(text, end);
  pickle_ += '.';
  zip.add("archive/data.pkl", pickle_);
  zip.add("archive/byteorder", "little");
  for (size_t i = 0; i < storages.size(); ++i) {
    if (storages[i].first != i) continue;
    const absl::Span<const std::byte> bytes = storages[i].bytes;
    zip.add(fmt::format("archive/data/{}", storages[i].key),
            {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  zip.add("archive/version", "3\n");
  zip.finish();
  return absl::OkStatus();
}

}  // namespace fx::pt2
