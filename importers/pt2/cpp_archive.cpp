// Writes archives in the format of C++'s torch::save: see state_dict.h. They are TorchScript
// archives. data.pkl contains a tree of objects, and code/ declares the class of each object, which
// determines the types of its attributes.
#include "fx/importers/pt2/pickle/torch_pickler_internal.h"
#include "fx/importers/pt2/state_dict.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// An object of the tree. A leaf has a tensor or a value.
struct ArchiveObject {
  OrderedMap<std::unique_ptr<ArchiveObject>> attributes;
  const Tensor* tensor = nullptr;
  const Argument* value = nullptr;
  int number = -1;  ///< of its class; -1: the root

  bool is_leaf() const { return tensor != nullptr || value != nullptr; }
  std::string class_module() const {
    return number < 0 ? "__torch__" : fmt::format("__torch__.___torch_mangle_{}", number);
  }
};

/// The maximum number of parts of a name.
constexpr size_t kMaxArchiveDepth = 64;

absl::Status check_name(std::string_view name) {
  const bool is_plain = std::ranges::all_of(name, [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '"' && c != '\\' && c != '\x7f';
  });
  if (!is_plain) {
    return absl::InvalidArgumentError(
        "names in a C++ archive must not contain quotes, backslashes or control characters");
  }
  const auto depth = static_cast<size_t>(std::ranges::count(name, '.')) + 1;
  const bool has_empty_part = name.empty() || name.starts_with('.') || name.ends_with('.') ||
                              name.find("..") != std::string_view::npos;
  if (has_empty_part || depth > kMaxArchiveDepth) {
    return absl::InvalidArgumentError(
        fmt::format("a name in a C++ archive must have at most {} parts, none of them empty",
                    kMaxArchiveDepth));
  }
  return absl::OkStatus();
}

class CppArchive {
 public:
  absl::Status add(const std::string& name, const Tensor* tensor, const Argument* value) {
    FX_RETURN_IF_ERROR(with_context(check_name(name), name));
    ArchiveObject* object = &root_;
    std::string_view remaining = name;
    while (true) {
      const size_t dot = remaining.find('.');
      const auto [slot, is_new] = object->attributes.find_or_append(remaining.substr(0, dot));
      if (is_new) *slot = std::make_unique<ArchiveObject>();
      const bool is_last = dot == std::string_view::npos;
      if (!is_new && (is_last || (*slot)->is_leaf())) {
        return absl::InvalidArgumentError(
            fmt::format("{}: duplicate name, or a prefix of another name", name));
      }
      object = slot->get();
      if (is_last) break;
      remaining.remove_prefix(dot + 1);
    }
    object->tensor = tensor;
    object->value = value;
    return absl::OkStatus();
  }

  absl::Status write(const std::string& path) {
    FX_RETURN_IF_ERROR(pickle(root_));
    NewFile file(path);
    pt2::ZipWriter zip([&file](std::string_view part) { file.write(part.data(), part.size()); });
    zip.add("archive/constants.pkl", "\x80\x02).");  // an empty tuple
    add_code(root_, zip);
    FX_RETURN_IF_ERROR(pickler_.write(zip));
    return file.commit();
  }

 private:
  // Numbers classes in the order of their objects. kMaxArchiveDepth bounds the recursion.
  absl::Status pickle(ArchiveObject& object) {
    pickler_.begin_object(object.class_module(), "Module");
    for (auto& [name, attribute] : object.attributes) {
      pickler_.string(name);
      if (attribute->tensor != nullptr) {
        FX_RETURN_IF_ERROR(with_context(pickler_.tensor(*attribute->tensor), name));
      } else if (attribute->value != nullptr) {
        FX_RETURN_IF_ERROR(with_context(pickle_value(*attribute->value), name));
      } else {
        attribute->number = num_classes_++;
        FX_RETURN_IF_ERROR(pickle(*attribute));
      }
    }
    pickler_.end_object();
    return absl::OkStatus();
  }

  absl::Status pickle_value(const Argument& value) {
    if (pickler_.constant(value)) return absl::OkStatus();
    if (!value.is_tuple()) return absl::InvalidArgumentError("a C++ archive cannot contain lists");
    pickler_.begin_tuple();
    for (const Argument& item : value.items()) FX_RETURN_IF_ERROR(pickle_value(item));
    pickler_.end_tuple();
    return absl::OkStatus();
  }

  static std::string type_of(const ArchiveObject& attribute) {
    if (attribute.tensor != nullptr) return "Tensor";
    if (attribute.value == nullptr) return attribute.class_module() + ".Module";
    return type_of(*attribute.value);
  }
  static std::string type_of(const Argument& value) {
    if (value.is_tuple()) {
      std::vector<std::string> items;
      for (const Argument& item : value.items()) items.push_back(type_of(item));
      return items.empty() ? "Tuple[()]" : fmt::format("Tuple[{}]", fmt::join(items, ", "));
    }
    return value.is_bool()    ? "bool"
           : value.is_int()   ? "int"
           : value.is_float() ? "float"
           : value.is_none()  ? "NoneType"
                              : "str";
  }

  static void add_code(const ArchiveObject& object, pt2::ZipWriter& zip) {
    std::string code =
        "class Module(Module):\n  __parameters__ = []\n  __buffers__ = []\n  __annotations__ = "
        "[]\n";
    for (const auto& [name, attribute] : object.attributes)
      code += fmt::format("  __annotations__[\"{}\"] = {}\n", name, type_of(*attribute));
    zip.add(object.number < 0
                ? "archive/code/__torch__.py"
                : fmt::format("archive/code/__torch__/___torch_mangle_{}.py", object.number),
            code);
    for (const auto& entry : object.attributes)
      if (!entry.value->is_leaf()) add_code(*entry.value, zip);
  }

  ArchiveObject root_;
  int num_classes_ = 0;
  pt2::TorchPickler pickler_;
};

}  // namespace

absl::Status write_cpp_archive(const std::string& path, const StateDict& state) {
  CppArchive archive;
  for (const auto& [name, tensor] : state.tensors)
    FX_RETURN_IF_ERROR(archive.add(name, &tensor, nullptr));
  for (const auto& [name, value] : state.values)
    FX_RETURN_IF_ERROR(archive.add(name, nullptr, &value));
  return archive.write(path);
}

}  // namespace fx
