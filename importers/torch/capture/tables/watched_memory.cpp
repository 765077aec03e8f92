#include "fx/importers/torch/capture/tables/watched_memory_internal.h"

#include "absl/hash/hash.h"
#include <c10/core/Storage.h>

#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

namespace fx {
namespace {

/// The maximum number of bytes of a storage that is watched for writes that bypass operators.
constexpr size_t kMaxWatched = size_t{16} << 20;
constexpr size_t kMaxWatchedFake = size_t{64}
                                   << 10;  // smaller, since reading fake tensors allocates memory
/// The value to which the bytes of empty() are set, so that their initial contents are known.
constexpr int kUninitializedByte = 0x5a;

size_t hash_of_bytes(const c10::Storage& storage) {
  return absl::HashOf(std::string_view(static_cast<const char*>(storage.data()), storage.nbytes()));
}

}  // namespace

bool watch_memory(ValueTable& values, const OperatorRow& row, Node& node, const at::Tensor& tensor,
                  bool is_fake) {
  // A fake tensor does not contain the numbers that the operator would write.
  if (row.initial_contents == OperatorRow::InitialContents::kOther ||
      (is_fake && row.initial_contents == OperatorRow::InitialContents::kNumbers))
    return false;
  if (!tensor.defined() || !tensor.is_cpu() || !tensor.has_storage() ||
      tensor.layout() != at::kStrided || tensor.storage_offset() != 0)
    return false;
  const c10::Storage& storage = tensor.storage();
  const size_t limit = is_fake ? kMaxWatchedFake : kMaxWatched;
  if (storage.nbytes() == 0 || storage.nbytes() > limit || storage.data() == nullptr) return false;
  if (row.initial_contents == OperatorRow::InitialContents::kUninitialized)
    std::memset(storage.mutable_data(), kUninitializedByte, storage.nbytes());
  TracedStorage* known = values.storage(tensor);
  known->creator = &node;
  known->contents = hash_of_bytes(storage);
  return true;
}

bool has_changed(TracedStorage& storage, const at::Tensor& tensor) {
  const size_t contents = hash_of_bytes(tensor.storage());
  return std::exchange(storage.contents, contents) != contents;
}

void for_each_written(ValueTable& values, const OperatorRow& row,
                      absl::Span<const c10::IValue> arguments,
                      absl::FunctionRef<void(TracedStorage& storage)> f) {
  if (row.unwritten_if) {
    const auto [index, value] = *row.unwritten_if;
    if (arguments[index].isBool() && arguments[index].toBool() == value) return;
  }
  const auto note = [&](const c10::IValue& value) {
    if (!value.isTensor() || !value.toTensor().defined()) return;
    if (TracedStorage* storage = values.storage(value.toTensor())) f(*storage);
  };
  for (const size_t i : row.written) {
    if (arguments[i].isList()) {
      for (const c10::IValue& item : arguments[i].toListRef()) note(item);
    } else {
      note(arguments[i]);
    }
  }
}

void note_writes(ValueTable& values, const OperatorRow& row,
                 absl::Span<const c10::IValue> arguments) {
  for_each_written(values, row, arguments, [](TracedStorage& storage) {
    storage.written = true;
    storage.creator = nullptr;
  });
}

}  // namespace fx
