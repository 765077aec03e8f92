#include "fx/importers/pt2/write/member_writer_internal.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::pt2 {
namespace {

/// Returns the range of bytes in the storage that a tensor uses.
std::pair<size_t, size_t> byte_range(const Tensor& tensor) {
  int64_t last = tensor.offset();
  for (size_t i = 0; i < tensor.sizes().size(); ++i)
    last += (tensor.sizes()[i] - 1) * tensor.strides()[i];
  const int64_t item = dtype_item_size(tensor.dtype());
  return {static_cast<size_t>(tensor.offset() * item), static_cast<size_t>((last + 1) * item)};
}

bool has_elements(const Tensor& tensor) { return tensor.has_data() && tensor.num_elements() > 0; }

}  // namespace

/// Finds the parts of each storage. Tensors with different dtypes do not share a part, since
/// PyTorch's loader uses the dtype of the first tensor for all tensors in an entry.
void MemberWriter::find_parts(absl::Span<const WrittenMember> members) {
  std::vector<StorageKey> order;
  absl::flat_hash_map<StorageKey, std::vector<std::pair<size_t, size_t>>> ranges;
  for (const WrittenMember& member : members) {
    if (!has_elements(member.tensor)) continue;
    const StorageKey key(member.tensor.storage().get(), member.tensor.dtype());
    auto& found = ranges[key];
    if (found.empty()) order.push_back(key);
    found.push_back(byte_range(member.tensor));
  }
  for (const StorageKey& key : order) {
    auto& found = ranges[key];
    std::sort(found.begin(), found.end());
    std::vector<size_t>& parts = by_storage_[key];
    const auto item = static_cast<size_t>(dtype_item_size(key.second));
    const size_t storage_bytes = key.first->num_bytes();
    if (whole_storages_ && storage_bytes % item == 0) found = {{0, storage_bytes}};
    for (const auto& [begin, end] : found) {
      if (!parts.empty() && begin < parts_[parts.back()].end) {
        parts_[parts.back()].end = std::max(parts_[parts.back()].end, end);
        continue;
      }
      parts.push_back(parts_.size());
      parts_.push_back({.name = {}, .data = key.first->data(), .begin = begin, .end = end});
    }
    // Like PyTorch, write the entire storage if most of it is used.
    Part& first = parts_[parts[0]];
    if (parts.size() == 1 && first.begin == 0 && storage_bytes / 2 <= first.end &&
        storage_bytes % item == 0)
      first.end = storage_bytes;
  }
}

MemberWriter::Part& MemberWriter::add_part() {
  parts_.emplace_back();
  return parts_.back();
}

const MemberWriter::Part& MemberWriter::part_of(const Tensor& tensor) {
  Part* part = nullptr;
  if (has_elements(tensor)) {
    const size_t begin = byte_range(tensor).first;
    for (const size_t i : by_storage_.at({tensor.storage().get(), tensor.dtype()}))
      if (parts_[i].begin <= begin) part = &parts_[i];
  } else {
    part = &add_part();
  }
  if (part->name.empty()) part->name = fmt::format("{}{}", prefix_, count_++);
  return *part;
}

absl::StatusOr<std::string> MemberWriter::plan(absl::Span<const WrittenMember> members,
                                               ValueWriter& values) {
  for (const WrittenMember& member : members) {
    if (member.tensor.has_data() && member.tensor.storage()->device().type != DeviceType::kCpu) {
      return absl::UnimplementedError(
          fmt::format("\"{}\" is on device {}; copy it to the host first", member.path,
                      device_name(member.tensor.storage()->device())));
    }
  }
  find_parts(members);
  JsonWriter json;
  json.begin_union("config");
  json.begin_object();
  for (const WrittenMember& member : members) {
    const Tensor& tensor = member.tensor;
    const Part& part = part_of(tensor);
    int64_t offset = 0;
    if (has_elements(tensor)) {
      offset = tensor.offset() - static_cast<int64_t>(part.begin) / dtype_item_size(tensor.dtype());
    }
    json.key(member.path);
    json.begin_object();
    json.key("path_name");
    json.text(part.name);
    json.key("is_param");
    json.boolean(member.is_parameter);
    json.key("use_pickle");
    json.boolean(false);
    json.key("tensor_meta");
    FX_RETURN_IF_ERROR(with_context(values.member(json, tensor, offset, member.requires_grad),
                                    fmt::format("\"{}\"", member.path)));
    json.end_object();
  }
  json.end_object();
  json.end_object();
  FX_RETURN_IF_ERROR(json.status());
  return json.take();
}

void MemberWriter::write(ZipWriter& zip, std::string_view folder) const {
  for (const Part& part : parts_) {
    zip.add(fmt::format("{}{}", folder, part.name),
            {part.data == nullptr ? "" : reinterpret_cast<const char*>(part.data) + part.begin,
             part.end - part.begin});
  }
}

}  // namespace fx::pt2
