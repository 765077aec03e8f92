#include "fx/importers/pt2/input_paths_internal.h"
#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/support/status.h"

#include "absl/strings/numbers.h"
#include "fmt/format.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fx::pt2 {
namespace {

/// Returns the placeholders that the caller of a program passes.
std::vector<const Node*> user_inputs(const Graph& graph) {
  std::vector<const Node*> inputs;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    const std::optional<Argument> input = node.meta().get(meta::kInput);
    const bool is_member = input && !input->find_text("target").empty();
    const bool is_token = input && input->find_text("kind") == "token";
    if (!is_member && !is_token) inputs.push_back(&node);
  }
  return inputs;
}

std::string quoted_key(std::string_view key) {
  std::string text = "[";
  text::append_python_repr(text, Argument(key));
  return text + ']';
}

/// Walks a tree spec, and records the paths of its leaves, in order.
class SpecWalker {
 public:
  /// `names`: of the positional arguments.
  absl::Status walk(Json spec, const Argument& names) {
    FX_ASSIGN_OR_RETURN(const JsonList call, children_of(spec));
    if (call.size() != 2)
      return absl::InvalidArgumentError("a tree spec of a call must have arguments and keywords");
    FX_ASSIGN_OR_RETURN(const JsonList args, children_of(call.at(0).value_unsafe()));
    size_t i = 0;
    for (const Json arg : args) {
      const bool is_named = i < names.size() && names[i].is_string();
      std::vector<std::string> paths;
      if (is_named) paths = argument_paths(names[i].as_string());
      ++i;
      FX_RETURN_IF_ERROR(visit(arg, paths));
    }
    return visit(call.at(1).value_unsafe(), {"L"});
  }

  /// For each leaf, its paths.
  const std::vector<std::vector<std::string>>& leaves() const { return leaves_; }

 private:
  /// An argument that *args contains is named args_0, and has the path L['args'][0].
  static std::vector<std::string> argument_paths(std::string_view name) {
    std::vector<std::string> paths = {fmt::format("L{}", quoted_key(name))};
    const size_t end = name.rfind('_');
    size_t index = 0;
    if (end != std::string_view::npos &&
        absl::SimpleAtoi(std::string(name.substr(end + 1)), &index))
      paths.push_back(fmt::format("L{}[{}]", quoted_key(name.substr(0, end)), index));
    return paths;
  }

  static absl::StatusOr<JsonList> children_of(Json spec) {
    FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(spec, "tree spec"));
    Json children;
    if (object.at_key("children_spec").get(children) != simdjson::SUCCESS)
      return absl::InvalidArgumentError("a tree spec must have the field children_spec");
    return json_list(children, "children_spec");
  }

  /// Returns the subscripts of the items of a container, or an empty vector if they are unknown.
  static absl::StatusOr<std::vector<std::string>> subscripts(JsonObject spec, std::string_view type,
                                                             size_t count) {
    std::vector<std::string> keys;
    if (type == "builtins.tuple" || type == "builtins.list") {
      for (size_t i = 0; i < count; ++i) keys.push_back(fmt::format("[{}]", i));
      return keys;
    }
    if (type != "builtins.dict" && type != "collections.OrderedDict") return keys;
    Json context;
    if (spec.at_key("context").get(context) != simdjson::SUCCESS) return keys;
    FX_ASSIGN_OR_RETURN(const std::string_view text, json_string(context, "context"));
    FX_ASSIGN_OR_RETURN(const std::unique_ptr<JsonDocument> document, JsonDocument::parse(text));
    FX_ASSIGN_OR_RETURN(const JsonList list, json_list(document->root(), "context"));
    for (const Json key : list) {
      if (key.is_string())
        keys.push_back(quoted_key(key.get_string().value_unsafe()));
      else if (key.is_int64())
        keys.push_back(fmt::format("[{}]", key.get_int64().value_unsafe()));
    }
    if (keys.size() != count) keys.clear();
    return keys;
  }

  // kMaxJsonDepth bounds the recursion.
  absl::Status visit(Json spec, const std::vector<std::string>& paths) {
    FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(spec, "tree spec"));
    Json type;
    if (object.at_key("type").get(type) != simdjson::SUCCESS)
      return absl::InvalidArgumentError("a tree spec must have the field type");
    if (type.is_null()) {
      leaves_.push_back(paths);
      return absl::OkStatus();
    }
    FX_ASSIGN_OR_RETURN(const std::string_view name, json_string(type, "type"));
    FX_ASSIGN_OR_RETURN(const JsonList children, children_of(spec));
    FX_ASSIGN_OR_RETURN(const std::vector<std::string> keys,
                        subscripts(object, name, children.size()));
    size_t i = 0;
    for (const Json child : children) {
      std::vector<std::string> inner;
      if (!keys.empty())
        for (const std::string& path : paths) inner.push_back(path + keys[i]);
      ++i;
      FX_RETURN_IF_ERROR(visit(child, inner));
    }
    return absl::OkStatus();
  }

  std::vector<std::vector<std::string>> leaves_;
};

absl::StatusOr<std::vector<std::vector<std::string>>> leaf_paths(const Argument& convention) {
  const Argument* const names = convention.find("orig_args");
  if (names == nullptr) return absl::InvalidArgumentError("the names of the arguments are missing");
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<JsonDocument> document,
                      JsonDocument::parse(convention.find_text("in_spec")));
  FX_ASSIGN_OR_RETURN(const JsonList versioned, json_list(document->root(), "tree spec"));
  if (versioned.size() != 2)
    return absl::InvalidArgumentError("a tree spec must be [version, spec]");
  SpecWalker walker;
  FX_RETURN_IF_ERROR(walker.walk(versioned.at(1).value_unsafe(), *names));
  return walker.leaves();
}

}  // namespace

absl::flat_hash_map<std::string, const Node*> input_paths(const Graph& graph) {
  absl::flat_hash_map<std::string, const Node*> found;
  const std::vector<const Node*> inputs = user_inputs(graph);
  const std::optional<Argument> convention = graph.meta("calling_convention");
  if (convention) {
    const auto paths = leaf_paths(*convention);
    if (paths.ok() && paths->size() == inputs.size()) {
      // A name that is an argument takes precedence over an item of *args.
      for (const bool of_items : {false, true})
        for (size_t i = 0; i < inputs.size(); ++i)
          for (size_t k = 0; k < (*paths)[i].size(); ++k)
            if ((k > 0) == of_items) found.emplace((*paths)[i][k], inputs[i]);
      return found;
    }
  }
  for (const Node* input : inputs)
    found.emplace(fmt::format("L{}", quoted_key(input->name())), input);
  return found;
}

absl::flat_hash_map<const Node*, std::string> paths_of_inputs(const Graph& graph,
                                                              bool keeps_convention) {
  absl::flat_hash_map<const Node*, std::string> found;
  const std::vector<const Node*> inputs = user_inputs(graph);
  if (!keeps_convention) {
    for (const Node* input : inputs)
      found.emplace(input, fmt::format("L{}", quoted_key(input->target())));
    return found;
  }
  const auto paths = leaf_paths(graph.meta("calling_convention").value_or(Argument()));
  if (!paths.ok() || paths->size() != inputs.size()) return found;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!(*paths)[i].empty()) found.emplace(inputs[i], (*paths)[i].front());
  return found;
}

}  // namespace fx::pt2
