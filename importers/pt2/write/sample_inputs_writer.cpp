// Writes archives of torch.save: see sample_inputs_writer_internal.h. The opcodes are those of
// Python's pickletools, protocol 2; torch/_utils.py has the functions that create tensors.
#include "fx/importers/pt2/archive/zip_writer_internal.h"
#include "fx/importers/pt2/pickle/torch_save_internal.h"
#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/importers/pt2/write/sample_inputs_writer_internal.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <bit>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace fx::pt2 {
namespace {

/// Writes a pickle, and collects the storages of its tensors.
class InputPickler {
 public:
  explicit InputPickler(absl::Span<const Pt2SampleInput> leaves) : leaves_(leaves) {}

  absl::StatusOr<std::string> archive(Json spec) {
    pickle_ = "\x80\x02";
    FX_RETURN_IF_ERROR(tree(spec));
    if (next_ != leaves_.size())
      return absl::InvalidArgumentError("there are more example inputs than leaves of the tree");
    pickle_ += '.';
    std::string bytes;
    ZipWriter zip([&bytes](std::string_view part) { bytes += part; });
    zip.add("archive/data.pkl", pickle_);
    zip.add("archive/byteorder", "little");
    for (size_t i = 0; i < storages_.size(); ++i)
      zip.add(fmt::format("archive/data/{}", i), storages_[i]);
    zip.add("archive/version", "3\n");
    zip.finish();
    return bytes;
  }

 private:
  // Depth is bounded by kMaxJsonDepth.
  absl::Status tree(Json spec) {
    FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(spec, "tree spec"));
    Json type, context, children;
    if (object.at_key("type").get(type) != simdjson::SUCCESS ||
        object.at_key("context").get(context) != simdjson::SUCCESS ||
        object.at_key("children_spec").get(children) != simdjson::SUCCESS)
      return absl::InvalidArgumentError("a tree spec lacks a field");
    if (type.is_null()) return leaf();
    FX_ASSIGN_OR_RETURN(const std::string_view name, json_string(type, "type"));
    FX_ASSIGN_OR_RETURN(const JsonList list, json_list(children, "children_spec"));
    if (name == "builtins.tuple") {
      pickle_ += '(';
      for (const Json child : list) FX_RETURN_IF_ERROR(tree(child));
      pickle_ += 't';
      return absl::OkStatus();
    }
    if (name == "builtins.list") {
      pickle_ += "](";
      for (const Json child : list) FX_RETURN_IF_ERROR(tree(child));
      pickle_ += 'e';
      return absl::OkStatus();
    }
    if (name == "builtins.dict") return dict(context, list);
    return absl::UnimplementedError(
        fmt::format("the inputs have an object of {}, which only Python can create", name));
  }

  absl::Status dict(Json context, JsonList children) {
    FX_ASSIGN_OR_RETURN(const std::string_view text, json_string(context, "context"));
    FX_ASSIGN_OR_RETURN(const std::unique_ptr<JsonDocument> keys, JsonDocument::parse(text));
    FX_ASSIGN_OR_RETURN(const JsonList list, json_list(keys->root(), "context"));
    if (list.size() != children.size())
      return absl::InvalidArgumentError("a dict of a tree spec must have as many keys as values");
    pickle_ += "}(";
    auto key = list.begin();
    for (const Json child : children) {
      const Json name = *key;
      ++key;
      if (!name.is_string()) return absl::UnimplementedError("the keys of a dict must be strings");
      FX_ASSIGN_OR_RETURN(const std::string_view key_text, json_string(name, "key"));
      string(key_text);
      FX_RETURN_IF_ERROR(tree(child));
    }
    pickle_ += 'u';
    return absl::OkStatus();
  }

  absl::Status leaf() {
    if (next_ == leaves_.size())
      return absl::InvalidArgumentError("there are fewer example inputs than leaves of the tree");
    const Pt2SampleInput& input = leaves_[next_++];
    if (input.tensor) return tensor(input.tensor);
    switch (input.value.kind()) {
      case ArgumentKind::kNone:
        pickle_ += 'N';
        return absl::OkStatus();
      case ArgumentKind::kBool:
        pickle_ += input.value.as_bool() ? '\x88' : '\x89';
        return absl::OkStatus();
      case ArgumentKind::kInt:
        integer(input.value.as_int());
        return absl::OkStatus();
      case ArgumentKind::kFloat: {
        const auto bits = std::bit_cast<uint64_t>(input.value.as_float());
        pickle_ += 'G';
        for (int i = 7; i >= 0; --i) pickle_ += static_cast<char>(bits >> (8 * i) & 0xff);
        return absl::OkStatus();
      }
      case ArgumentKind::kString:
        string(input.value.as_string());
        return absl::OkStatus();
      default:
        return absl::UnimplementedError(fmt::format("an example input of kind {} is not supported",
                                                    argument_kind_name(input.value.kind())));
    }
  }

  void number(uint64_t value, int count) {
    for (int i = 0; i < count; ++i) pickle_ += static_cast<char>(value >> (8 * i) & 0xff);
  }

  void integer(int64_t value) {
    using Small = std::numeric_limits<int32_t>;
    if (value >= Small::min() && value <= Small::max()) {
      pickle_ += 'J';
      number(static_cast<uint64_t>(value), 4);
    } else {
      pickle_ += "\x8a\x08";
      number(static_cast<uint64_t>(value), 8);
    }
  }

  void string(std::string_view text) {
    pickle_ += 'X';
    number(text.size(), 4);
    pickle_ += text;
  }

  void global(std::string_view module, std::string_view name) {
    pickle_ += fmt::format("c{}\n{}\n", module, name);
  }

  void integers(absl::Span<const int64_t> values) {
    pickle_ += '(';
    for (const int64_t value : values) integer(value);
    pickle_ += 't';
  }

  absl::Status tensor(const Tensor& given) {
    if (!given.has_data() || given.storage()->device().type != DeviceType::kCpu)
      return absl::InvalidArgumentError("an example input must have data in host memory");
    FX_ASSIGN_OR_RETURN(const Tensor tensor, given.contiguous());
    const std::string_view class_name = storage_class_name(tensor.dtype());
    const bool is_untyped = class_name.empty();
    global("torch._utils", is_untyped ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
    pickle_ += "((";
    string("storage");
    if (is_untyped) {
      global("torch.storage", "UntypedStorage");
    } else {
      global("torch", class_name);
    }
    string(fmt::format("{}", storages_.size()));
    string("cpu");
    integer(is_untyped ? static_cast<int64_t>(tensor.num_bytes()) : tensor.num_elements());
    pickle_ += "tQ";
    integer(0);
    integers(tensor.sizes());
    integers(tensor.strides());
    pickle_ += '\x89';  // requires_grad
    global("collections", "OrderedDict");
    pickle_ += ")R";
    if (is_untyped) global("torch", dtype_name(tensor.dtype()));
    pickle_ += "tR";
    const absl::Span<const std::byte> bytes = tensor.bytes();
    storages_.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return absl::OkStatus();
  }

  absl::Span<const Pt2SampleInput> leaves_;
  size_t next_ = 0;
  std::string pickle_;
  std::vector<std::string> storages_;
};

}  // namespace

absl::StatusOr<std::string> sample_inputs_archive(std::string_view spec,
                                                  absl::Span<const Pt2SampleInput> leaves) {
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<JsonDocument> document, JsonDocument::parse(spec));
  FX_ASSIGN_OR_RETURN(const JsonList list, json_list(document->root(), "tree spec"));
  if (list.size() != 2) return absl::InvalidArgumentError("a tree spec must be [version, spec]");
  return InputPickler(leaves).archive(list.at(1).value_unsafe());
}

}  // namespace fx::pt2
