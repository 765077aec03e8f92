// Reads and writes torch.save files: see state_dict.h.
#include "fx/importers/pt2/state_dict.h"

#include "fx/importers/pt2/pickle/torch_pickler_internal.h"
#include "fx/importers/pt2/pickle/torch_save_internal.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string_view>

namespace fx {
namespace {

using pt2::Pickle;
using pt2::PickleId;
using pt2::PickleKind;
using pt2::PickleValue;

/// The maximum nesting depth. A value may contain itself.
constexpr int kMaxStateDepth = 64;

class StateReader {
 public:
  explicit StateReader(pt2::TorchSave& file) : file_(file), pickle_(file.pickle()) {}

  absl::StatusOr<StateDict> read() {
    FX_RETURN_IF_ERROR(add("", pickle_.root, 0));
    return std::move(state_);
  }

 private:
  absl::Status error(const std::string& name, std::string_view what) const {
    return absl::InvalidArgumentError(fmt::format("{}: {}", shown(name), what));
  }
  static std::string shown(const std::string& name) { return name.empty() ? "value" : name; }

  absl::Status add(const std::string& name, PickleId id, int depth) {
    if (depth > kMaxStateDepth)
      return error(name, fmt::format("values are nested more than {} levels deep", kMaxStateDepth));
    const PickleValue& value = pickle_[id];
    if (const std::optional<Argument> constant = constant_of(value))
      return add_value(name, *constant);
    switch (value.kind) {
      case PickleKind::kGlobal:
        if (value.text != "torch") return omit(name, value);
        return add_value(name, Argument(fmt::format("torch.{}", value.name)));
      case PickleKind::kBytes:
      case PickleKind::kBigInt:
        return omit(name, value.kind == PickleKind::kBytes ? "bytes" : "int of more than 64 bits");
      case PickleKind::kPersistent:
        return omit(name, "storage");
      case PickleKind::kTuple:
      case PickleKind::kList:
        return add_sequence(name, value, depth);
      case PickleKind::kDict:
        return add_entries(name, value, depth);
      case PickleKind::kCall:
        return add_object(name, id, depth);
      default:
        return error(name, "its kind is unknown");
    }
  }

  /// Returns a number, string or None.
  static std::optional<Argument> constant_of(const PickleValue& value) {
    switch (value.kind) {
      case PickleKind::kNone:
        return Argument();
      case PickleKind::kBool:
        return Argument(value.integer != 0);
      case PickleKind::kInt:
        return Argument(value.integer);
      case PickleKind::kFloat:
        return Argument(value.number);
      case PickleKind::kString:
        return Argument(value.text);
      default:
        return std::nullopt;
    }
  }

  absl::Status count(const std::string& name) {
    if (++num_entries_ <= kMaxStateEntries) return absl::OkStatus();
    return error(name, fmt::format("the file has more than {} values", kMaxStateEntries));
  }
  absl::Status add_value(const std::string& name, const Argument& value) {
    FX_RETURN_IF_ERROR(count(name));
    const auto [slot, is_new] = state_.values.find_or_append(shown(name));
    if (!is_new || state_.tensors.contains(shown(name))) return error(name, "duplicate name");
    *slot = value;
    return absl::OkStatus();
  }
  absl::Status add_tensor(const std::string& name, PickleId id) {
    FX_RETURN_IF_ERROR(count(name));
    absl::StatusOr<Tensor> tensor = file_.tensor(id);
    if (!tensor.ok()) return with_context(tensor.status(), shown(name));
    const auto [slot, is_new] = state_.tensors.find_or_append(shown(name));
    if (!is_new || state_.values.contains(shown(name))) return error(name, "duplicate name");
    *slot = *std::move(tensor);
    return absl::OkStatus();
  }
  absl::Status omit(const std::string& name, std::string_view what) {
    FX_RETURN_IF_ERROR(count(name));
    state_.omitted.push_back(fmt::format("{} ({})", shown(name), what));
    return absl::OkStatus();
  }
  absl::Status omit(const std::string& name, const PickleValue& global) {
    return omit(name, fmt::format("{}.{}", global.text, global.name));
  }

  static std::string join(const std::string& name, std::string_view key) {
    return name.empty() ? std::string(key) : fmt::format("{}.{}", name, key);
  }
  absl::Status add_sequence(const std::string& name, const PickleValue& sequence, int depth) {
    const std::vector<PickleId>& items = sequence.items;
    std::vector<Argument> constants;
    for (const PickleId item : items) {
      std::optional<Argument> constant = constant_of(pickle_[item]);
      if (!constant) break;
      FX_RETURN_IF_ERROR(count(name));
      constants.push_back(*std::move(constant));
    }
    if (constants.size() == items.size()) {
      return add_value(name, sequence.kind == PickleKind::kTuple ? Argument::tuple(constants)
                                                                 : Argument::list(constants));
    }
    for (size_t i = 0; i < items.size(); ++i) {
      FX_RETURN_IF_ERROR(count(name));
      FX_RETURN_IF_ERROR(add(join(name, fmt::format("{}", i)), items[i], depth + 1));
    }
    return absl::OkStatus();
  }
  absl::Status add_entries(const std::string& name, const PickleValue& dict, int depth) {
    for (const auto& [key, value] : dict.entries) {
      FX_RETURN_IF_ERROR(count(name));
      if (pickle_[key].kind == PickleKind::kString) {
        FX_RETURN_IF_ERROR(add(join(name, pickle_[key].text), value, depth + 1));
      } else if (pickle_[key].kind == PickleKind::kInt) {
        const std::string index = fmt::format("{}", pickle_[key].integer);
        FX_RETURN_IF_ERROR(add(join(name, index), value, depth + 1));
      } else {
        return error(name, "a key of the dict is neither a string nor an integer");
      }
    }
    return absl::OkStatus();
  }

  /// Returns the entry of a dict with this key, or null.
  const PickleValue* entry(const PickleValue& dict, std::string_view name) const {
    for (const auto& [key, value] : dict.entries)
      if (pickle_[key].kind == PickleKind::kString && pickle_[key].text == name)
        return &pickle_[value];
    return nullptr;
  }

  /// Returns the class of an object. In the older format, the class of a module is a persistent
  /// object ("module", class, source file, source).
  const PickleValue& class_of(PickleId function) const {
    if (pickle_[function].kind != PickleKind::kPersistent) return pickle_[function];
    const PickleValue& id = pickle_[pickle_[function].items[0]];
    const bool is_class = id.kind == PickleKind::kTuple && id.items.size() > 1 &&
                          pickle_[id.items[0]].text == "module";
    return pickle_[is_class ? id.items[1] : function];
  }

  absl::Status add_object(const std::string& name, PickleId id, int depth) {
    if (file_.is_tensor(id)) return add_tensor(name, id);
    const PickleValue& call = pickle_[id];
    const PickleValue& function = class_of(call.items[0]);
    if (function.kind != PickleKind::kGlobal) return omit(name, "object");
    // The attributes of an object are the state that BUILD sets after its creation.
    const PickleValue* state = call.items.size() > 2 ? &pickle_[call.items.back()] : nullptr;
    if (state != nullptr && state->kind != PickleKind::kDict) state = nullptr;
    if (function.text == "collections" &&
        (function.name == "OrderedDict" || function.name == "defaultdict"))
      return add_entries(name, call, depth);
    if (function.text.starts_with("__torch__"))
      return state != nullptr ? add_entries(name, *state, depth) : absl::OkStatus();
    if (state != nullptr && entry(*state, "_parameters") && entry(*state, "_modules"))
      return add_module(name, *state, depth);
    return add_call(name, function, pickle_[call.items[1]], depth);
  }

  /// Adds the attributes of a torch.nn.Module that its state dict contains, and all buffers.
  absl::Status add_module(const std::string& name, const PickleValue& attributes, int depth) {
    for (const std::string_view kind : {"_parameters", "_buffers", "_modules"}) {
      const PickleValue* members = entry(attributes, kind);
      if (members == nullptr) continue;
      for (const auto& [key, value] : members->entries) {
        if (pickle_[value].kind == PickleKind::kNone) continue;  // registered as None
        FX_RETURN_IF_ERROR(add(join(name, pickle_[key].text), value, depth + 1));
      }
    }
    return absl::OkStatus();
  }

  /// Adds the result of a call if a StateDict can represent it; otherwise omits it.
  absl::Status add_call(const std::string& name, const PickleValue& function,
                        const PickleValue& arguments, int depth) {
    const std::vector<PickleId>& args = arguments.items;
    if (function.text == "torch" && function.name == "Size" && !args.empty())
      return add(name, args[0], depth + 1);
    if (function.text == "torch" && function.name == "device" && !args.empty()) {
      std::string device(pickle_[args[0]].text);
      if (args.size() > 1) device += fmt::format(":{}", pickle_[args[1]].integer);
      return add_value(name, Argument(device));
    }
    // TorchScript's typed lists and dicts.
    if (function.text == "torch.jit._pickle" && !args.empty()) return add(name, args[0], depth + 1);
    return omit(name, function);
  }

  pt2::TorchSave& file_;
  const Pickle& pickle_;
  StateDict state_;
  size_t num_entries_ = 0;
};

}  // namespace

bool is_state_file(const Storage& bytes) {
  const std::string_view text = pt2::text_of(bytes);
  return text.starts_with("PK\x03\x04") || pt2::TorchSave::is_legacy(text);
}

absl::StatusOr<StateDict> parse_state_dict(std::shared_ptr<Storage> bytes) {
  if (!is_state_file(*bytes))
    return absl::InvalidArgumentError(
        "it is not a torch.save file: neither a ZIP archive nor the format of PyTorch before "
        "1.6");
  FX_ASSIGN_OR_RETURN(pt2::TorchSave file, pt2::TorchSave::open(std::move(bytes)));
  return StateReader(file).read();
}

absl::StatusOr<StateDict> read_state_dict(const std::string& path) {
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> bytes, Storage::map_file(path));
  absl::StatusOr<StateDict> state = parse_state_dict(std::move(bytes));
  if (!state.ok()) return with_context(state.status(), path);
  return state;
}

absl::Status write_state_dict(const std::string& path,
                              absl::Span<const std::pair<std::string, Tensor>> tensors) {
  pt2::TorchPickler pickler;
  absl::flat_hash_set<std::string_view> names;
  pickler.begin_ordered_dict();
  for (const auto& [name, tensor] : tensors) {
    if (!names.insert(name).second)
      return absl::InvalidArgumentError(fmt::format("{}: duplicate name", name));
    if (!llvm::json::isUTF8(name))
      return absl::InvalidArgumentError(fmt::format("{}: the name is not UTF-8", name));
    pickler.string(name);
    FX_RETURN_IF_ERROR(with_context(pickler.tensor(tensor), name));
  }
  pickler.end_dict();
  NewFile file(path);
  pt2::ZipWriter zip([&file](std::string_view part) { file.write(part.data(), part.size()); });
  FX_RETURN_IF_ERROR(pickler.write(zip));
  return file.commit();
}

}  // namespace fx
