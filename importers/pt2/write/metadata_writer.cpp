#include "fx/importers/pt2/graph/node_metadata_internal.h"
#include "fx/importers/pt2/write/metadata_writer_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/status/statusor.h"
#include "absl/strings/str_replace.h"
#include "fmt/format.h"

#include <optional>

namespace fx::pt2 {
namespace {

/// Returns the target of a function as it is written to the file: "torch.ops.aten.add.Tensor".
std::string function_text(const Argument& function) {
  if (function.is_string()) return std::string(function.as_string());
  const std::string_view name = function.as_function().name();
  return function.as_function().op() != nullptr && is_operator_overload(name)
             ? fmt::format("torch.ops.{}", name)
             : std::string(name);
}

bool is_text_like(const Argument& value) {
  return value.is_string() || value.kind() == ArgumentKind::kFunction;
}

/// Converts [[a, b, ...], ...] to "a,b;a,b". Each frame must have `count` parts.
absl::StatusOr<std::string> join_frames(const Argument& frames, size_t count,
                                        std::string_view key) {
  std::string text;
  for (size_t i = 0; i < frames.size(); ++i) {
    const Argument& frame = frames[i];
    if (i > 0) text += ';';
    for (size_t k = 0; k < count; ++k) {
      if (frame.size() < count || !is_text_like(frame[k])) {
        return absl::InvalidArgumentError(
            fmt::format("metadata {}: frame {} must have {}", key, i, pluralize(count, "string")));
      }
      if (k > 0) text += ',';
      text += function_text(frame[k]);
    }
  }
  return text;
}

}  // namespace

const std::string& MetadataWriter::stack_of_path(std::string_view path) {
  const auto [it, is_new] = stacks_.try_emplace(std::string(path));
  if (!is_new) return it->second;
  std::string& stack = it->second;
  const auto add = [&](std::string_view prefix) {
    const Module* const module = members_.find_module(prefix);
    std::string key = "L__self__";
    key += absl::StrReplaceAll(absl::string_view(prefix.data(), prefix.size()), {{".", "_"}});
    stack +=
        fmt::format("{}{},{},{}", stack.empty() ? "" : ";", key, prefix,
                    module == nullptr ? kPlainModuleClass : std::string_view(module->class_name()));
  };
  add("");
  for (size_t dot = path.find('.'); dot != path.npos; dot = path.find('.', dot + 1))
    add(path.substr(0, dot));
  add(path);
  return stack;
}

absl::Status MetadataWriter::write(JsonWriter& json, const Node& node) {
  json.begin_object();
  const auto add = [&json](std::string_view key, std::string_view text) {
    json.key(key);
    json.text(text);
  };
  const auto add_frames = [&](std::string_view key, const Argument& frames,
                              size_t count) -> absl::Status {
    FX_ASSIGN_OR_RETURN(const std::string text, join_frames(frames, count, key));
    add(key, text);
    return absl::OkStatus();
  };
  const auto add_json = [&](std::string_view key) -> absl::Status {
    const Argument* const value = node.meta().find(key);
    if (value == nullptr) return absl::OkStatus();
    JsonWriter inner;
    inner.plain(*value);
    FX_RETURN_IF_ERROR(with_context(inner.status(), fmt::format("metadata {}", key)));
    add(key, inner.str());
    return absl::OkStatus();
  };
  if (const auto trace = node.meta().get(meta::kStackTrace)) add("stack_trace", *trace);
  if (const auto stack = node.meta().get(meta::kModuleStack)) {
    FX_RETURN_IF_ERROR(add_frames("nn_module_stack", *stack, 3));
  } else if (const auto path = node.meta().get(meta::kModule); path && !path->empty()) {
    add("nn_module_stack", stack_of_path(*path));
  }
  if (const Argument* const functions = node.meta().find(kSourceFnKey))
    FX_RETURN_IF_ERROR(add_frames("source_fn_stack", *functions, 2));
  if (const Argument* const function = node.meta().find(kTorchFnKey)) {
    if (function->size() != 2 || !(*function)[0].is_string() || !(*function)[1].is_string())
      return absl::InvalidArgumentError("metadata torch_fn must have two strings");
    add("torch_fn", fmt::format("{};{}", (*function)[0].as_string(), (*function)[1].as_string()));
  }
  FX_RETURN_IF_ERROR(add_json(kCustomKey));
  FX_RETURN_IF_ERROR(add_json(meta::kFromNode.name));
  json.end_object();
  return absl::OkStatus();
}

}  // namespace fx::pt2
