#include "fx/importers/pt2/write/member_writer_internal.h"
#include "fx/ir/module/memory_parts.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <numeric>
#include <utility>

namespace fx::pt2 {
namespace {

bool has_elements(const Tensor& tensor) { return tensor.has_data() && tensor.num_elements() > 0; }

}  // namespace

/// Finds the part of each member. Tensors with different dtypes do not share a part, since PyTorch's
/// loader uses the dtype of the first tensor for all tensors in an entry.
void MemberWriter::find_parts(absl::Span<const WrittenMember> members) {
  using StorageKey = std::pair<const Storage*, DType>;
  std::vector<Tensor> tensors;
  tensors.reserve(members.size());
  for (const WrittenMember& member : members)
    tensors.push_back(has_elements(member.tensor) ? member.tensor : Tensor());
  const std::vector<MemoryPart> found = memory_parts(tensors, MemoryParts::kOneDType);
  const auto key_of = [&](const MemoryPart& part) {
    const Tensor& tensor = tensors[part.tensors[0]];
    return StorageKey(tensor.storage().get(), tensor.dtype());
  };
  absl::flat_hash_map<StorageKey, size_t> num_parts;
  for (const MemoryPart& each : found) ++num_parts[key_of(each)];
  absl::flat_hash_map<StorageKey, size_t> whole;  // parts that are entire storages
  parts_.resize(members.size());
  for (const MemoryPart& each : found) {
    const StorageKey key = key_of(each);
    const Storage& storage = *key.first;
    // Like PyTorch, write the entire storage if most of it is used.
    const bool is_most = num_parts[key] == 1 && each.data == storage.data() &&
                         storage.num_bytes() / 2 <= each.num_bytes;
    const bool is_inside = each.data >= storage.data() &&
                           each.data + each.num_bytes <= storage.data() + storage.num_bytes();
    const bool is_whole =
        (whole_storages_ || is_most) && is_inside &&
        storage.num_bytes() % static_cast<size_t>(dtype_item_size(key.second)) == 0;
    size_t part = each.tensors[0];
    if (is_whole) part = whole.try_emplace(key, part).first->second;
    parts_[part].memory = is_whole ? absl::MakeConstSpan(storage.data(), storage.num_bytes())
                                   : absl::MakeConstSpan(each.data, each.num_bytes);
    for (const size_t i : each.tensors) part_of_[i] = part;
  }
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
  part_of_.resize(members.size());
  std::iota(part_of_.begin(), part_of_.end(), size_t{0});
  find_parts(members);
  size_t count = 0;
  JsonWriter json;
  json.begin_union("config");
  json.begin_object();
  for (size_t i = 0; i < members.size(); ++i) {
    const WrittenMember& member = members[i];
    const Tensor& tensor = member.tensor;
    Part& part = parts_[part_of_[i]];
    if (part.name.empty()) part.name = fmt::format("{}{}", prefix_, count++);
    int64_t offset = 0;
    if (has_elements(tensor))
      offset = (tensor.data() - part.memory.data()) / dtype_item_size(tensor.dtype());
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
    if (part.name.empty()) continue;
    zip.add(fmt::format("{}{}", folder, part.name),
            {reinterpret_cast<const char*>(part.memory.data()), part.memory.size()});
  }
}

}  // namespace fx::pt2
