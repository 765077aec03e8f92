// Reads tensors from archives of torch.save: see torch_save_internal.h. PyTorch's torch/_utils.py
// and torch/serialization.py define the functions and persistent ids that the pickles name.
#include "fx/importers/pt2/pickle/torch_save_internal.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <optional>
#include <utility>
#include <vector>

namespace fx::pt2 {
namespace {

constexpr std::pair<std::string_view, DType> kStorageClasses[] = {
    {"FloatStorage", DType::kFloat32},
    {"DoubleStorage", DType::kFloat64},
    {"HalfStorage", DType::kFloat16},
    {"BFloat16Storage", DType::kBFloat16},
    {"LongStorage", DType::kInt64},
    {"IntStorage", DType::kInt32},
    {"ShortStorage", DType::kInt16},
    {"CharStorage", DType::kInt8},
    {"ByteStorage", DType::kUInt8},
    {"BoolStorage", DType::kBool},
    {"ComplexFloatStorage", DType::kComplex64},
    {"ComplexDoubleStorage", DType::kComplex128},
};
constexpr uintptr_t kStorageAlignment = 8;

absl::Status bad_tensor(std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("a tensor of the pickle: {}", what));
}

std::optional<DType> dtype_of_storage(std::string_view name) {
  for (const auto& [known, dtype] : kStorageClasses)
    if (known == name) return dtype;
  return std::nullopt;
}

/// The items of a tuple of nonnegative integers.
absl::StatusOr<std::vector<int64_t>> integers(const Pickle& pickle, PickleId id) {
  std::vector<int64_t> values;
  if (pickle[id].kind != PickleKind::kTuple) return bad_tensor("its sizes must be a tuple");
  for (const PickleId item : pickle[id].items) {
    const PickleValue& value = pickle[item];
    if (value.kind != PickleKind::kInt || value.integer < 0)
      return bad_tensor("sizes and strides must be numbers");
    values.push_back(value.integer);
  }
  return values;
}

/// The arguments of a call of a function of torch._utils; null for other values.
const std::vector<PickleId>* arguments_of(const Pickle& pickle, PickleId id,
                                          std::string_view name) {
  const PickleValue& call = pickle[id];
  if (call.kind != PickleKind::kCall || !pickle.is_global(call.items[0], "torch._utils", name) ||
      pickle[call.items[1]].kind != PickleKind::kTuple)
    return nullptr;
  return &pickle[call.items[1]].items;
}

}  // namespace

std::string_view storage_class_name(DType dtype) {
  for (const auto& [name, known] : kStorageClasses)
    if (known == dtype) return name;
  return {};
}

absl::StatusOr<TorchSave> TorchSave::open(std::shared_ptr<Storage> bytes) {
  TorchSave file;
  FX_ASSIGN_OR_RETURN(file.zip_, ZipArchive::parse(std::move(bytes)));
  if (file.zip_.entries().empty()) return absl::InvalidArgumentError("the archive is empty");
  const std::string_view first = file.zip_.entries()[0].name;
  file.root_ = first.substr(0, first.find('/') + 1);
  const ZipEntry* const data = file.zip_.find(file.root_ + "data.pkl");
  if (data == nullptr) return absl::InvalidArgumentError("the entry data.pkl is missing");
  if (const ZipEntry* const order = file.zip_.find(file.root_ + "byteorder")) {
    FX_ASSIGN_OR_RETURN(const std::shared_ptr<Storage> text, file.zip_.read(*order));
    if (text_of(*text) != "little") return absl::InvalidArgumentError("it must be little-endian");
  }
  FX_ASSIGN_OR_RETURN(file.pickle_bytes_, file.zip_.read(*data));
  FX_ASSIGN_OR_RETURN(file.pickle_, parse_pickle(text_of(*file.pickle_bytes_)));
  return file;
}

bool TorchSave::is_tensor(PickleId id) const {
  for (const std::string_view name :
       {"_rebuild_tensor_v2", "_rebuild_tensor_v3", "_rebuild_parameter"})
    if (arguments_of(pickle_, id, name) != nullptr) return true;
  return false;
}

absl::StatusOr<std::shared_ptr<Storage>> TorchSave::storage(const PickleValue& key) {
  const auto [it, is_new] = storages_.try_emplace(std::string(key.text));
  if (!is_new && it->second != nullptr) return it->second;
  const ZipEntry* const entry = zip_.find(fmt::format("{}data/{}", root_, key.text));
  if (entry == nullptr) {
    return bad_tensor(
        fmt::format("{} is missing", describe_entry(fmt::format("data/{}", key.text))));
  }
  FX_ASSIGN_OR_RETURN(it->second, zip_.read(*entry));
  std::shared_ptr<Storage>& bytes = it->second;
  if (reinterpret_cast<uintptr_t>(bytes->data()) % kStorageAlignment != 0) {
    FX_ASSIGN_OR_RETURN(bytes, Storage::copy_of({bytes->data(), bytes->num_bytes()}));
  }
  return bytes;
}

absl::StatusOr<Tensor> TorchSave::tensor(PickleId id) {
  // A Parameter contains its tensor; a tensor does not contain other tensors.
  if (const std::vector<PickleId>* const args = arguments_of(pickle_, id, "_rebuild_parameter")) {
    if (args->empty()) return bad_tensor("a Parameter has no tensor");
    id = args->front();
  }
  const std::vector<PickleId>* args = arguments_of(pickle_, id, "_rebuild_tensor_v2");
  const bool has_dtype = args == nullptr;
  if (has_dtype) args = arguments_of(pickle_, id, "_rebuild_tensor_v3");
  if (args == nullptr || args->size() < (has_dtype ? 7U : 4U)) return bad_tensor("it is malformed");
  const PickleValue& persistent = pickle_[(*args)[0]];
  if (persistent.kind != PickleKind::kPersistent ||
      pickle_[persistent.items[0]].kind != PickleKind::kTuple ||
      pickle_[persistent.items[0]].items.size() < 5)
    return bad_tensor("its storage is malformed");
  const std::vector<PickleId>& parts = pickle_[persistent.items[0]].items;
  const PickleValue& storage_class = pickle_[parts[1]];
  const PickleValue& key = pickle_[parts[2]];
  const PickleValue& offset = pickle_[(*args)[1]];
  if (storage_class.kind != PickleKind::kGlobal || key.kind != PickleKind::kString ||
      offset.kind != PickleKind::kInt)
    return bad_tensor("its storage is malformed");
  std::optional<DType> dtype = dtype_of_storage(storage_class.name);
  if (has_dtype) {
    const PickleValue& name = pickle_[(*args)[6]];
    if (name.kind == PickleKind::kGlobal && name.text == "torch")
      dtype = dtype_from_name(name.name);
  }
  if (!dtype || *dtype == DType::kUndefined)
    return bad_tensor(
        fmt::format("elements of {} are not supported", storage_class.name.substr(0, 100)));
  FX_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, integers(pickle_, (*args)[2]));
  FX_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, integers(pickle_, (*args)[3]));
  if (sizes.size() != strides.size() || sizes.size() > 64) return bad_tensor("its rank is wrong");
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> bytes, storage(key));
  return Tensor::create_strided(*dtype, sizes, strides, offset.integer, std::move(bytes));
}

}  // namespace fx::pt2
