// Calling conventions: see convention_internal.h.
#include "fx/codegen/python/convention_internal.h"
#include "fx/codegen/python/globals_internal.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/python/python_text.h"

#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <algorithm>

namespace fx::python {
namespace {

using Json = nlohmann::json;

/// Returns the children of a node of a tree spec, {"type", "context", "children_spec"}; null if it
/// does not have this type.
const Json* children(const Json& spec, std::string_view type) {
  if (!spec.is_object() || !spec.contains("type") || !spec.contains("children_spec"))
    return nullptr;
  const Json& name = spec["type"];
  if (!name.is_string() || name.get_ref<const std::string&>() != type) return nullptr;
  const Json& list = spec["children_spec"];
  return list.is_array() ? &list : nullptr;
}

void read_in_spec(const Json& document, Convention& out) {
  if (!document.is_array() || document.size() != 2) return;
  const Json* parts = children(document[1], "builtins.tuple");
  if (!parts || parts->size() != 2) return;
  const Json* args = children((*parts)[0], "builtins.tuple");
  const Json* kwargs = children((*parts)[1], "builtins.dict");
  if (!args || !kwargs || !(*parts)[1].contains("context")) return;
  out.has_kwargs = true;
  out.num_args = args->size();
  const Json& context = (*parts)[1]["context"];
  const Json keys = context.is_string()
                        ? Json::parse(context.get_ref<const std::string&>(), nullptr, false)
                        : context;
  if (keys.is_array())
    for (const Json& key : keys)
      if (key.is_string()) out.keys.push_back(key.get<std::string>());
}

}  // namespace

absl::StatusOr<std::optional<Convention>> read_convention(const Graph& graph) {
  const std::optional<Argument> value = graph.meta("calling_convention");
  if (!value) return std::nullopt;
  Convention out;
  const Argument* args = value->find("orig_args");
  if (!args || !args->is_list())
    return absl::InvalidArgumentError(
        "the graph's calling_convention must have a list \"orig_args\"");
  for (size_t i = 0; i < args->size(); ++i) {
    const Argument& name = (*args)[i];
    const std::string_view text = name.is_string() ? name.as_string() : std::string_view();
    if (!is_identifier(text.substr(std::min(text.size(), text.find_first_not_of('*')))))
      return absl::InvalidArgumentError(
          "the graph's calling_convention: each item of \"orig_args\" must be a Python name");
    out.orig_args.emplace_back(text);
  }
  const Argument* in_spec = value->find("in_spec");
  const Argument* out_spec = value->find("out_spec");
  out.has_out_spec = out_spec && !out_spec->is_none();
  if (out_spec && out_spec->is_string()) out.out_spec = out_spec->as_string();
  if (in_spec && in_spec->is_string()) {
    out.in_spec = in_spec->as_string();
    const Json document = Json::parse(in_spec->as_string(), nullptr, /*allow_exceptions=*/false);
    if (document.is_discarded())
      return absl::InvalidArgumentError(
          "the graph's calling_convention: \"in_spec\" must be valid JSON");
    read_in_spec(document, out);
  }
  return out;
}

std::vector<Parameter> Convention::parameters() const {
  std::vector<Parameter> out;
  out.reserve(orig_args.size());
  for (const std::string& name : orig_args) out.push_back({.name = name});
  return out;
}

std::string Convention::bindings(const std::vector<Parameter>& inputs, bool expanded_def) const {
  std::vector<std::string> annotated, bare;
  if (!orig_args.empty() && orig_args[0] == "self") bare.emplace_back("self");
  for (const Parameter& input : inputs) {
    if (!input.annotation.empty()) annotated.push_back(input.text());
    bare.push_back(input.name);
  }
  std::string out;
  if (!annotated.empty() && expanded_def) {
    out += fmt::format("\n    {}", absl::StrJoin(annotated, "\n    "));
  } else if (!annotated.empty()) {
    out += "\n    ";
    for (const std::string& input : annotated) out += fmt::format("{}; ", input);
    out += '\n';
  }
  std::string signature;
  if (!has_kwargs) {
    signature = fmt::format("[{}]", absl::StrJoin(orig_args, ", "));
  } else {
    const size_t count = std::min(num_args, orig_args.size());
    const auto middle = orig_args.begin() + static_cast<std::ptrdiff_t>(count);
    signature = fmt::format("([{}], {{", absl::StrJoin(orig_args.begin(), middle, ", "));
    for (size_t i = 0; i < keys.size() && count + i < orig_args.size(); ++i) {
      if (i) signature += ", ";
      text::append_python_string(signature, keys[i]);
      signature += ':';
      signature += orig_args[count + i];
    }
    signature += "})";
  }
  out += fmt::format("\n    {}, = fx_pytree.tree_flatten_spec({}, self._in_spec)",
                     absl::StrJoin(bare, ", "), signature);
  return out;
}

}  // namespace fx::python
