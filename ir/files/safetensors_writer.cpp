// Writes safetensors files: see safetensors.h.
#include "fx/ir/files/safetensors.h"
#include "fx/ir/files/safetensors_internal.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace fx {
namespace {

using safetensors::in_quotes;
using safetensors::kDTypes;
using safetensors::kMetadataKey;

struct WriteEntry {
  std::string_view name;
  size_t dtype;  // index into kDTypes
  const Tensor* tensor;
};

/// Checks the tensors and returns them in the order of the file.
absl::StatusOr<std::vector<WriteEntry>> plan_write(
    absl::Span<const std::pair<std::string, Tensor>> tensors) {
  std::vector<WriteEntry> entries;
  entries.reserve(tensors.size());
  absl::flat_hash_set<std::string_view> names;
  for (const auto& [name, tensor] : tensors) {
    if (name == kMetadataKey) {
      return absl::InvalidArgumentError(
          fmt::format("a tensor must not be named {}, which the format reserves", kMetadataKey));
    }
    if (!names.insert(name).second)
      return absl::InvalidArgumentError(fmt::format("duplicate tensor {}", in_quotes(name)));
    if (!tensor || !tensor.has_data())
      return absl::InvalidArgumentError(fmt::format("tensor {} has no data", in_quotes(name)));
    if (tensor.device().type != DeviceType::kCpu) {
      return absl::InvalidArgumentError(
          fmt::format("tensor {} is on device {}; copy it to the host first", in_quotes(name),
                      device_name(tensor.device())));
    }
    size_t dtype = 0;
    while (dtype < kDTypes.size() && kDTypes[dtype].dtype != tensor.dtype()) ++dtype;
    if (dtype == kDTypes.size()) {
      return absl::InvalidArgumentError(
          fmt::format("tensor {}: {} is not supported by the safetensors format", in_quotes(name),
                      dtype_name(tensor.dtype())));
    }
    entries.push_back({name, dtype, &tensor});
  }
  std::sort(entries.begin(), entries.end(), [](const WriteEntry& a, const WriteEntry& b) {
    return std::pair(b.dtype, a.name) < std::pair(a.dtype, b.name);
  });
  return entries;
}

absl::StatusOr<std::string> header_text(
    absl::Span<const WriteEntry> entries,
    absl::Span<const std::pair<std::string, std::string>> metadata) {
  std::string text = "{";
  const auto json_text = [](std::string_view plain) { return nlohmann::json(plain).dump(); };
  try {
    if (!metadata.empty()) {
      absl::flat_hash_set<std::string_view> keys;
      for (const auto& [key, value] : metadata) {
        if (!keys.insert(key).second) {
          return absl::InvalidArgumentError(
              fmt::format("duplicate metadata key {}", in_quotes(key)));
        }
        text += keys.size() == 1 ? fmt::format("\"{}\":{{", kMetadataKey) : std::string(",");
        text += fmt::format("{}:{}", json_text(key), json_text(value));
      }
      text += '}';
    }
    uint64_t end = 0;
    for (const WriteEntry& entry : entries) {
      const uint64_t begin = end;
      end += entry.tensor->num_bytes();
      if (text.size() > 1) text += ',';
      text += fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                          json_text(entry.name), kDTypes[entry.dtype].name,
                          fmt::join(entry.tensor->sizes(), ","), begin, end);
    }
  } catch (const nlohmann::json::exception&) {
    return absl::InvalidArgumentError("names and metadata must be UTF-8");
  }
  text += '}';
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > kMaxSafetensorsHeader) {
    return absl::InvalidArgumentError(
        fmt::format("the header has {}, but the format allows only {}",
                    pluralize(text.size(), "byte"), kMaxSafetensorsHeader));
  }
  return text;
}

}  // namespace

bool is_safetensors_dtype(DType dtype) {
  return std::ranges::any_of(kDTypes, [dtype](const auto& row) { return row.dtype == dtype; });
}

absl::Status write_safetensors(const std::string& path,
                               absl::Span<const std::pair<std::string, Tensor>> tensors,
                               absl::Span<const std::pair<std::string, std::string>> metadata) {
  FX_ASSIGN_OR_RETURN(const std::vector<WriteEntry> entries, plan_write(tensors));
  FX_ASSIGN_OR_RETURN(const std::string header, header_text(entries, metadata));
  NewFile file(path);
  const uint64_t header_size = header.size();
  file.write(&header_size, sizeof header_size);
  file.write(header.data(), header.size());
  for (const WriteEntry& entry : entries) {
    FX_ASSIGN_OR_RETURN(const Tensor tensor, entry.tensor->contiguous());
    file.write(tensor.data(), tensor.num_bytes());
  }
  return file.commit();
}

}  // namespace fx
