#include "fx/importers/pt2/graph/node_metadata_internal.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "fmt/format.h"

#include <cstddef>

namespace fx::pt2 {
namespace {

/// Returns the parts of `key,path,type`. Ignores commas in brackets, since paths may contain `[`
/// and `(`.
std::vector<std::string_view> split_frame(std::string_view frame) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int open = 0;
  for (size_t i = 0; i < frame.size(); ++i) {
    const char c = frame[i];
    if (c == '[' || c == '(') ++open;
    if ((c == ']' || c == ')') && open > 0) --open;
    if (c != ',' || open > 0) continue;
    parts.push_back(frame.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(frame.substr(begin));
  return parts;
}

/// Returns the path from the root module: "layer" for "L['self'].layer".
std::string_view module_path(std::string_view path) {
  constexpr std::string_view kSelf = "L['self']";
  if (path.starts_with("_empty_nn_module_stack")) return {};
  if (path.starts_with(kSelf)) {
    path.remove_prefix(kSelf.size());
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return path;
}

/// Converts "name,target;name,target" to [[name, target], ...].
Argument function_stack(std::string_view text) {
  std::vector<Argument> frames;
  for (const absl::string_view frame :
       absl::StrSplit(absl::string_view(text.data(), text.size()), ';')) {
    const size_t comma = frame.find(',');
    const std::string_view view(frame.data(), frame.size());
    const std::string_view name = view.substr(0, comma);
    const std::string_view target =
        comma == view.npos ? std::string_view() : view.substr(comma + 1);
    frames.push_back(Argument::list({Argument(name), Argument(target)}));
  }
  return Argument::list(frames);
}

}  // namespace

const MetadataReader::ModuleStack& MetadataReader::module_stack(std::string_view text) {
  const auto [it, is_new] = module_stacks_.try_emplace(text);
  if (!is_new) return it->second;
  std::vector<Argument> frames;
  std::string_view innermost;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(';', begin), text.size());
    const std::vector<std::string_view> parts = split_frame(text.substr(begin, end - begin));
    begin = end + 1;
    if (parts.size() != 3) {
      notes_.add("nn_module_stack: ignored a frame that does not have three parts");
      continue;
    }
    innermost = module_path(parts[1]);
    frames.push_back(Argument::list({Argument(parts[0]), Argument(parts[1]), Argument(parts[2])}));
  }
  it->second = {Argument::list(frames), std::string(innermost)};
  return it->second;
}

void MetadataReader::add_json(NodeMetadata& metadata, std::string_view key, std::string_view text) {
  const absl::StatusOr<std::unique_ptr<JsonDocument>> document = JsonDocument::parse(text);
  absl::StatusOr<Argument> value = document.ok() ? plain_argument((*document)->root(), key)
                                                 : absl::StatusOr<Argument>(document.status());
  if (value.ok()) {
    metadata.add(key, *std::move(value));
  } else {
    notes_.add(fmt::format("metadata {}: ignored: {}", key, std::string(value.status().message())));
  }
}

absl::StatusOr<NodeMetadata> MetadataReader::read(Json json) {
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(json, "metadata"));
  NodeMetadata metadata;
  for (const auto [key, value] : object) {
    FX_ASSIGN_OR_RETURN(const std::string_view text, json_string(value, "metadata"));
    if (key == "stack_trace") {
      metadata.add(meta::kStackTrace.name, Argument(text));
    } else if (key == "nn_module_stack") {
      const ModuleStack& stack = module_stack(text);
      if (stack.stack.size() > 0) metadata.add(meta::kModuleStack.name, stack.stack);
      if (!stack.path.empty()) metadata.add(meta::kModule.name, Argument(stack.path));
    } else if (key == "torch_fn") {
      const size_t split = text.find(';');
      const std::string_view second =
          split == text.npos ? std::string_view() : text.substr(split + 1);
      metadata.add(kTorchFnKey,
                   Argument::list({Argument(text.substr(0, split)), Argument(second)}));
    } else if (key == "source_fn_stack") {
      metadata.add(kSourceFnKey, function_stack(text));
    } else if (key == "custom") {
      add_json(metadata, kCustomKey, text);
    } else if (key == "from_node") {
      add_json(metadata, meta::kFromNode.name, text);
    } else {
      notes_.add(fmt::format("metadata: ignored the unknown key \"{}\"", key.substr(0, 200)));
    }
  }
  return metadata;
}

}  // namespace fx::pt2
