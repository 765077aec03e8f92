// Reads tensors from torch.save archives: see torch_save_internal.h. PyTorch's torch/_utils.py
// and torch/serialization.py define the functions and persistent IDs that occur in the pickles.
#include "fx/importers/pt2/pickle/torch_save_internal.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <cstring>
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

/// The pickle of the number 0x1950a86a20f9469cfc6c, at the start of files that are not archives.
constexpr std::string_view kLegacyMagic =
    "\x80\x02\x8a\nl\xfc\x9c"
    "F\xf9 j\xa8P\x19.";
constexpr int64_t kLegacyProtocol = 1001;

absl::Status bad_tensor(std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("a tensor in the pickle: {}", what));
}

std::optional<DType> dtype_of_storage(std::string_view name) {
  for (const auto& [known, dtype] : kStorageClasses)
    if (known == name) return dtype;
  return std::nullopt;
}

/// Returns the items of a tuple of nonnegative integers.
absl::StatusOr<std::vector<int64_t>> integers(const Pickle& pickle, PickleId id) {
  std::vector<int64_t> values;
  if (pickle[id].kind != PickleKind::kTuple)
    return bad_tensor("its sizes and strides must be tuples");
  for (const PickleId item : pickle[id].items) {
    const PickleValue& value = pickle[item];
    if (value.kind != PickleKind::kInt || value.integer < 0)
      return bad_tensor("sizes and strides must be nonnegative integers");
    values.push_back(value.integer);
  }
  return values;
}

/// Returns the parts of the persistent ID of a storage: "storage", class, key, device, number of
/// elements and, optionally, a view. Returns null if the ID is malformed.
const std::vector<PickleId>* storage_id(const Pickle& pickle, const PickleValue& persistent) {
  if (persistent.kind != PickleKind::kPersistent) return nullptr;
  const PickleValue& id = pickle[persistent.items[0]];
  if (id.kind != PickleKind::kTuple || id.items.size() < 5 ||
      pickle[id.items[1]].kind != PickleKind::kGlobal ||
      pickle[id.items[2]].kind != PickleKind::kString)
    return nullptr;
  return &id.items;
}

/// Copies the storage unless it is aligned for every element type.
absl::StatusOr<std::shared_ptr<Storage>> align(std::shared_ptr<Storage> bytes) {
  if (reinterpret_cast<uintptr_t>(bytes->data()) % kStorageAlignment == 0) return bytes;
  return Storage::copy_of({bytes->data(), bytes->num_bytes()});
}

/// Returns the arguments of a call to this function of torch._utils, or null for other values.
const std::vector<PickleId>* arguments_of(const Pickle& pickle, PickleId id,
                                          std::string_view name) {
  const PickleValue& call = pickle[id];
  if (call.kind != PickleKind::kCall || pickle[call.items[1]].kind != PickleKind::kTuple)
    return nullptr;
  PickleId function = call.items[0];
  const std::vector<PickleId>* args = &pickle[call.items[1]].items;
  // A tensor with Python attributes is a call to (function, class, arguments, attributes).
  // torch.export adds an attribute to inputs with Dim.DYNAMIC, and torch.nn.Buffer adds two. The
  // value of the tensor does not depend on them.
  if (pickle.is_global(function, "torch._tensor", "_rebuild_from_type_v2")) {
    if (args->size() != 4 || pickle[(*args)[2]].kind != PickleKind::kTuple ||
        !(pickle.is_global((*args)[1], "torch", "Tensor") ||
          pickle.is_global((*args)[1], "torch.nn.parameter", "Parameter")))
      return nullptr;
    function = (*args)[0];
    args = &pickle[(*args)[2]].items;
  }
  return pickle.is_global(function, "torch._utils", name) ? args : nullptr;
}

/// Changes the sign of every `step`-th number, starting at index `first`. Numbers have `item_size`
/// bytes.
void change_signs(absl::Span<std::byte> bytes, size_t item_size, size_t first, size_t step) {
  for (size_t i = (first + 1) * item_size - 1; i < bytes.size(); i += step * item_size)
    bytes[i] ^= std::byte{0x80};
}

/// Applies the conjugate and negative bits in the last argument of a call, if any, to a contiguous
/// copy of the tensor.
absl::StatusOr<Tensor> resolve_conj_and_neg(const Pickle& pickle, PickleId id, Tensor tensor) {
  bool conjugates = false, negates = false;
  for (const auto& [key, value] : pickle[id].entries) {
    const PickleValue& flag = pickle[value];
    if (flag.kind != PickleKind::kBool)
      return bad_tensor("its conjugate and negative bits must be bools");
    if (pickle[key].text == "conj") conjugates = flag.integer != 0;
    if (pickle[key].text == "neg") negates = flag.integer != 0;
  }
  if (!conjugates && !negates) return tensor;
  const bool has_parts = is_complex(tensor.dtype());
  if (!has_parts && (conjugates || !is_floating_point(tensor.dtype())))
    return bad_tensor(conjugates ? "only complex numbers can be conjugated"
                                 : "only real and complex numbers can be negated");
  FX_ASSIGN_OR_RETURN(Tensor copy, tensor.clone());
  const size_t size = static_cast<size_t>(dtype_item_size(tensor.dtype())) / (has_parts ? 2U : 1U);
  if (negates) change_signs(copy.mutable_bytes(), size, 0, 1);
  if (conjugates) change_signs(copy.mutable_bytes(), size, 1, 2);
  return copy;
}

}  // namespace

std::string_view storage_class_name(DType dtype) {
  for (const auto& [name, known] : kStorageClasses)
    if (known == dtype) return name;
  return {};
}

absl::StatusOr<TorchSave> TorchSave::open(std::shared_ptr<Storage> bytes) {
  return is_legacy(text_of(*bytes)) ? open_legacy(bytes) : open_archive(std::move(bytes));
}

absl::StatusOr<TorchSave> TorchSave::open_archive(std::shared_ptr<Storage> bytes) {
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

// torch/serialization.py (_legacy_save) writes pickles of a magic number, the protocol version, a
// description of the machine, the object, and the keys of its storages, and then the number of
// elements and the data of each storage.
bool TorchSave::is_legacy(std::string_view bytes) { return bytes.starts_with(kLegacyMagic); }

absl::StatusOr<TorchSave> TorchSave::open_legacy(const std::shared_ptr<Storage>& bytes) {
  TorchSave file;
  file.pickle_bytes_ = bytes;
  std::string_view remaining = text_of(*bytes).substr(kLegacyMagic.size());
  const auto next = [&remaining]() -> absl::StatusOr<Pickle> {
    FX_ASSIGN_OR_RETURN(Pickle pickle, parse_pickle(remaining));
    remaining.remove_prefix(pickle.num_bytes);
    return pickle;
  };
  FX_ASSIGN_OR_RETURN(const Pickle protocol, next());
  const PickleValue& version = protocol[protocol.root];
  if (version.kind != PickleKind::kInt || version.integer != kLegacyProtocol)
    return absl::InvalidArgumentError("its version is unknown");
  FX_ASSIGN_OR_RETURN(const Pickle machine, next());
  for (const auto& [key, value] : machine[machine.root].entries) {
    if (machine[key].text == "little_endian" && machine[value].integer != 1)
      return absl::InvalidArgumentError("it must be little-endian");
  }
  FX_ASSIGN_OR_RETURN(file.pickle_, next());
  FX_RETURN_IF_ERROR(file.read_legacy_storages(bytes, bytes->num_bytes() - remaining.size()));
  return file;
}

absl::Status TorchSave::read_legacy_storages(const std::shared_ptr<Storage>& bytes, size_t offset) {
  absl::flat_hash_map<std::string_view, size_t> item_sizes;  // in bytes, by key
  for (const PickleValue& value : pickle_.values) {
    const std::vector<PickleId>* const id = storage_id(pickle_, value);
    if (id == nullptr) continue;
    const std::string_view name = pickle_[(*id)[1]].name;
    std::optional<DType> dtype = dtype_of_storage(name);
    if (name == "UntypedStorage") dtype = DType::kUInt8;  // its size is in bytes
    if (dtype)
      item_sizes.emplace(pickle_[(*id)[2]].text, static_cast<size_t>(dtype_item_size(*dtype)));
  }
  const std::string_view text = text_of(*bytes);
  FX_ASSIGN_OR_RETURN(const Pickle keys, parse_pickle(text.substr(offset)));
  offset += keys.num_bytes;
  if (keys[keys.root].kind != PickleKind::kList)
    return absl::InvalidArgumentError("its list of storages is missing");
  for (const PickleId key : keys[keys.root].items) {
    const std::string_view name = keys[key].text;
    const auto size = item_sizes.find(name);
    uint64_t count = 0;
    if (size == item_sizes.end() || text.size() - offset < sizeof count)
      return absl::InvalidArgumentError(
          fmt::format("the storage {} is truncated, or no tensor uses it", name.substr(0, 100)));
    std::memcpy(&count, text.data() + offset, sizeof count);
    offset += sizeof count;
    if (count > (text.size() - offset) / size->second)
      return absl::InvalidArgumentError(
          fmt::format("the storage {} is truncated", name.substr(0, 100)));
    const size_t num_bytes = static_cast<size_t>(count) * size->second;
    FX_ASSIGN_OR_RETURN(storages_[std::string(name)],
                        align(Storage::part(bytes, offset, num_bytes)));
    offset += num_bytes;
  }
  return absl::OkStatus();
}

bool TorchSave::is_tensor(PickleId id) const {
  for (const std::string_view name : {"_rebuild_tensor_v2", "_rebuild_tensor_v3",
                                      "_rebuild_parameter", "_rebuild_parameter_with_state"})
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
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> bytes, zip_.read(*entry));
  FX_ASSIGN_OR_RETURN(it->second, align(std::move(bytes)));
  return it->second;
}

absl::StatusOr<Tensor> TorchSave::tensor(PickleId id) {
  // A Parameter contains its tensor; a tensor does not contain other tensors.
  for (const std::string_view name : {"_rebuild_parameter", "_rebuild_parameter_with_state"}) {
    const std::vector<PickleId>* const args = arguments_of(pickle_, id, name);
    if (args == nullptr) continue;
    if (args->empty()) return bad_tensor("a Parameter has no tensor");
    id = args->front();
    break;
  }
  const std::vector<PickleId>* args = arguments_of(pickle_, id, "_rebuild_tensor_v2");
  const bool has_dtype = args == nullptr;
  if (has_dtype) args = arguments_of(pickle_, id, "_rebuild_tensor_v3");
  if (args == nullptr || args->size() < (has_dtype ? 7U : 4U)) return bad_tensor("it is malformed");
  const std::vector<PickleId>* const parts = storage_id(pickle_, pickle_[(*args)[0]]);
  const PickleValue& offset = pickle_[(*args)[1]];
  if (parts == nullptr || offset.kind != PickleKind::kInt)
    return bad_tensor("its storage is malformed");
  if (parts->size() > 5 && pickle_[(*parts)[5]].kind != PickleKind::kNone)
    return bad_tensor("storages that are views of other storages are not supported");
  const PickleValue& storage_class = pickle_[(*parts)[1]];
  const PickleValue& key = pickle_[(*parts)[2]];
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
  if (sizes.size() != strides.size() || sizes.size() > 64)
    return bad_tensor("it must have as many sizes as strides, at most 64");
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> bytes, storage(key));
  FX_ASSIGN_OR_RETURN(Tensor tensor, Tensor::create_strided(*dtype, sizes, strides, offset.integer,
                                                            std::move(bytes)));
  const size_t bits = has_dtype ? 7 : 6;
  return args->size() > bits ? resolve_conj_and_neg(pickle_, (*args)[bits], std::move(tensor))
                             : tensor;
}

}  // namespace fx::pt2
