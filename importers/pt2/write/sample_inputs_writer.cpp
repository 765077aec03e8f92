// Writes example inputs: see sample_inputs_writer_internal.h.
#include "fx/importers/pt2/pickle/torch_pickler_internal.h"
#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/importers/pt2/write/sample_inputs_writer_internal.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <memory>
#include <utility>
#include <vector>

namespace fx::pt2 {
namespace {

/// Pickles example inputs, arranged as a tree spec describes.
class InputPickler {
 public:
  explicit InputPickler(absl::Span<const Pt2SampleInput> leaves) : leaves_(leaves) {}

  absl::StatusOr<std::string> archive(Json spec) {
    FX_RETURN_IF_ERROR(tree(spec));
    if (next_ != leaves_.size())
      return absl::InvalidArgumentError(
          "there are more example inputs than leaves in the tree spec");
    std::string bytes;
    ZipWriter zip([&bytes](std::string_view part) { bytes += part; });
    FX_RETURN_IF_ERROR(pickler_.write(zip));
    return bytes;
  }

 private:
  // kMaxJsonDepth bounds the recursion.
  absl::Status tree(Json spec) {
    FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(spec, "tree spec"));
    Json type, context, children;
    if (object.at_key("type").get(type) != simdjson::SUCCESS ||
        object.at_key("context").get(context) != simdjson::SUCCESS ||
        object.at_key("children_spec").get(children) != simdjson::SUCCESS)
      return absl::InvalidArgumentError("a field is missing from a tree spec");
    if (type.is_null()) return leaf();
    FX_ASSIGN_OR_RETURN(const std::string_view name, json_string(type, "type"));
    FX_ASSIGN_OR_RETURN(const JsonList list, json_list(children, "children_spec"));
    if (name == "builtins.tuple") {
      pickler_.begin_tuple();
      for (const Json child : list) FX_RETURN_IF_ERROR(tree(child));
      pickler_.end_tuple();
      return absl::OkStatus();
    }
    if (name == "builtins.list") {
      pickler_.begin_list();
      for (const Json child : list) FX_RETURN_IF_ERROR(tree(child));
      pickler_.end_list();
      return absl::OkStatus();
    }
    if (name == "builtins.dict" || name == "collections.OrderedDict")
      return dict(context, list, name == "builtins.dict");
    return absl::UnimplementedError(fmt::format(
        "the inputs contain an object of class {}, which only Python can create", name));
  }

  absl::Status dict(Json context, JsonList children, bool is_plain) {
    FX_ASSIGN_OR_RETURN(const std::string_view text, json_string(context, "context"));
    FX_ASSIGN_OR_RETURN(const std::unique_ptr<JsonDocument> keys, JsonDocument::parse(text));
    FX_ASSIGN_OR_RETURN(const JsonList list, json_list(keys->root(), "context"));
    if (list.size() != children.size())
      return absl::InvalidArgumentError("a dict in a tree spec must have as many keys as values");
    if (is_plain) {
      pickler_.begin_dict();
    } else {
      pickler_.begin_ordered_dict();
    }
    auto key = list.begin();
    for (const Json child : children) {
      const Json name = *key;
      ++key;
      if (name.is_int64()) {
        pickler_.integer(name.get_int64().value_unsafe());
      } else if (name.is_string()) {
        pickler_.string(name.get_string().value_unsafe());
      } else {
        return absl::UnimplementedError("the keys of a dict must be strings or integers");
      }
      FX_RETURN_IF_ERROR(tree(child));
    }
    pickler_.end_dict();
    return absl::OkStatus();
  }

  absl::Status leaf() {
    if (next_ == leaves_.size())
      return absl::InvalidArgumentError(
          "there are fewer example inputs than leaves in the tree spec");
    const Pt2SampleInput& input = leaves_[next_++];
    if (input.tensor) return with_context(pickler_.tensor(input.tensor), "an example input");
    if (pickler_.constant(input.value)) return absl::OkStatus();
    return absl::UnimplementedError(fmt::format("an example input of kind {} is not supported",
                                                argument_kind_name(input.value.kind())));
  }

  absl::Span<const Pt2SampleInput> leaves_;
  size_t next_ = 0;
  TorchPickler pickler_;
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
