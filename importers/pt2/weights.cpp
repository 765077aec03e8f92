#include "fx/importers/pt2/weights_internal.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>

namespace fx::pt2 {
namespace {

struct ConfigFields {
  enum { kConfig };
};
constexpr JsonField kConfigFields[] = {{"config"}};

struct PayloadFields {
  enum { kPathName, kIsParam, kUsePickle, kTensorMeta };
};
constexpr JsonField kPayloadFields[] = {
    {"path_name"}, {"is_param"}, {"use_pickle"}, {"tensor_meta", false}};

Tensor tensor_without_data(TypeTable& types, const TensorLayout& tensor_layout) {
  DimVector sizes(tensor_layout.sizes.begin(), tensor_layout.sizes.end());
  DimVector strides(tensor_layout.strides.begin(), tensor_layout.strides.end());
  TensorSpec spec{.dtype = tensor_layout.dtype,
                  .sizes = sizes,
                  .offset = Dim(tensor_layout.offset),
                  .layout = tensor_layout.layout};
  if (tensor_layout.layout == Layout::kStrided) spec.strides = strides;
  return Tensor::declared(types.tensor(spec));
}

/// The largest alignment that elements require.
constexpr uintptr_t kAlignment = 8;

}  // namespace

absl::StatusOr<NamedMembers> WeightReader::read(Json config, std::string_view folder) {
  FX_ASSIGN_OR_RETURN(const auto record,
                      JsonRecord<kConfigFields>::read(config, "config", values_.notes()));
  FX_ASSIGN_OR_RETURN(const JsonObject object,
                      json_object(record[ConfigFields::kConfig], "config"));
  NamedMembers members;
  absl::flat_hash_set<std::string_view> paths;
  for (const auto [path, payload] : object) {
    const std::string_view short_path = path.substr(0, 200);
    if (path.empty()) return absl::InvalidArgumentError("a member has an empty path");
    if (!paths.insert(path).second)
      return absl::InvalidArgumentError(fmt::format("duplicate path \"{}\"", short_path));
    absl::StatusOr<Attribute> member = read_member(payload, folder);
    if (!member.ok()) return with_context(member.status(), fmt::format("\"{}\"", short_path));
    members.emplace_back(path, *std::move(member));
  }
  return members;
}

absl::StatusOr<Attribute> WeightReader::read_member(Json json, std::string_view folder) {
  using F = PayloadFields;
  FX_ASSIGN_OR_RETURN(const auto record,
                      JsonRecord<kPayloadFields>::read(json, "PayloadMeta", values_.notes()));
  FX_ASSIGN_OR_RETURN(const std::string_view file, json_string(record[F::kPathName], "path_name"));
  FX_ASSIGN_OR_RETURN(const bool is_parameter, json_bool(record[F::kIsParam], "is_param"));
  FX_ASSIGN_OR_RETURN(const bool use_pickle, json_bool(record[F::kUsePickle], "use_pickle"));
  if (file.empty() || file.find('/') != file.npos) {
    return absl::InvalidArgumentError(
        fmt::format("path_name: \"{}\" must be a file name without '/'", file.substr(0, 200)));
  }
  if (!record.has(F::kTensorMeta)) {  // an object of a Python or TorchBind class
    values_.notes().add(fmt::format(
        "{} contains a Python or TorchBind object; only its name is kept", describe_entry(file)));
    return Attribute::constant(Argument::object(file));
  }
  FX_ASSIGN_OR_RETURN(const TensorLayout tensor_layout,
                      values_.read_tensor_layout(record[F::kTensorMeta]));
  Tensor value;
  if (use_pickle || tensor_layout.layout != Layout::kStrided) {
    values_.notes().add(
        fmt::format("{} contains a tensor of an unsupported class or layout; its data is ignored",
                    describe_entry(file)));
    value = tensor_without_data(values_.context().types(), tensor_layout);
  } else {
    FX_ASSIGN_OR_RETURN(Payload* const payload, this->payload(fmt::format("{}{}", folder, file)));
    absl::StatusOr<Tensor> created = tensor(*payload, tensor_layout);
    if (!created.ok()) return with_context(created.status(), describe_entry(file));
    value = *std::move(created);
  }
  return is_parameter ? Attribute::parameter(std::move(value), tensor_layout.requires_grad)
                      : Attribute::buffer(std::move(value));
}

absl::StatusOr<WeightReader::Payload*> WeightReader::payload(const std::string& name) {
  const auto [it, is_new] = payloads_.try_emplace(name);
  if (!is_new) return &it->second;
  const ZipEntry* const entry = archive_.find(name);
  if (entry == nullptr)
    return absl::InvalidArgumentError(fmt::format("{} is missing", describe_entry(name)));
  std::shared_ptr<Storage>& storage = it->second.storage;
  FX_ASSIGN_OR_RETURN(storage, archive_.read(*entry, checksum_));
  // PyTorch aligns entries to 64 bytes, but other programs may not.
  if (reinterpret_cast<uintptr_t>(storage->data()) % kAlignment != 0) {
    FX_ASSIGN_OR_RETURN(storage, Storage::copy_of({storage->data(), storage->num_bytes()}));
  }
  return &it->second;
}

absl::StatusOr<Tensor> WeightReader::tensor(Payload& payload, const TensorLayout& tensor_layout) {
  if (const auto it = payload.tensors.find(tensor_layout); it != payload.tensors.end())
    return it->second;
  const int64_t item_size = dtype_item_size(tensor_layout.dtype);
  const size_t num_bytes = payload.storage->num_bytes();
  const bool is_empty = std::find(tensor_layout.sizes.begin(), tensor_layout.sizes.end(), 0) !=
                        tensor_layout.sizes.end();
  if (num_bytes % static_cast<size_t>(item_size) != 0) {
    return absl::InvalidArgumentError(
        fmt::format("its size of {} is not a multiple of the element size of {}",
                    pluralize(num_bytes, "byte"), pluralize(item_size, "byte")));
  }
  Tensor result;
  if (num_bytes == 0 && !is_empty) {
    values_.notes().add(
        "the archive does not contain the data of some weights; it was probably exported with fake "
        "tensors");
    result = tensor_without_data(values_.context().types(), tensor_layout);
  } else {
    FX_ASSIGN_OR_RETURN(result, Tensor::create_strided(tensor_layout.dtype, tensor_layout.sizes,
                                                       tensor_layout.strides, tensor_layout.offset,
                                                       payload.storage));
  }
  payload.tensors.emplace(tensor_layout, result);
  return result;
}

}  // namespace fx::pt2
