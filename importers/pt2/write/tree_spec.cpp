#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/importers/pt2/schema/json_writer_internal.h"
#include "fx/importers/pt2/write/tree_spec_internal.h"
#include "fx/ir/support/status.h"

#include <vector>

namespace fx::pt2 {
namespace {

constexpr int64_t kSpecVersion = 1;

// kMaxJsonDepth bounds the recursion.
absl::StatusOr<size_t> leaves_of(Json spec) {
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(spec, "tree spec"));
  Json type, children;
  if (object.at_key("type").get(type) != simdjson::SUCCESS ||
      object.at_key("children_spec").get(children) != simdjson::SUCCESS)
    return absl::InvalidArgumentError("a tree spec must have the fields type and children_spec");
  if (type.is_null()) return size_t{1};
  FX_ASSIGN_OR_RETURN(const JsonList list, json_list(children, "children_spec"));
  size_t count = 0;
  for (const Json child : list) {
    FX_ASSIGN_OR_RETURN(const size_t leaves, leaves_of(child));
    count += leaves;
  }
  return count;
}

void write_leaf(JsonWriter& json) {
  json.begin_object();
  json.key("type");
  json.null();
  json.key("context");
  json.null();
  json.key("children_spec");
  json.begin_list();
  json.end_list();
  json.end_object();
}

void begin_spec(JsonWriter& json, std::string_view type, std::string_view context) {
  json.begin_object();
  json.key("type");
  json.text(type);
  json.key("context");
  json.text(context);
  json.key("children_spec");
  json.begin_list();
}

void end_spec(JsonWriter& json) {
  json.end_list();
  json.end_object();
}

void write_tuple(JsonWriter& json, size_t count) {
  begin_spec(json, "builtins.tuple", "null");
  for (size_t i = 0; i < count; ++i) write_leaf(json);
  end_spec(json);
}

bool has_text_keys(const Argument& dict) {
  for (size_t i = 0; i < dict.size(); ++i)
    if (!dict.key(i).is_string()) return false;
  return true;
}

// kMaxArgumentDepth bounds the recursion.
void write_structure(JsonWriter& json, const Argument& value) {
  if (value.is_dict() && has_text_keys(value)) {
    JsonWriter keys;
    keys.begin_list();
    for (size_t i = 0; i < value.size(); ++i) keys.text(value.key(i).as_string());
    keys.end_list();
    begin_spec(json, "builtins.dict", keys.str());
  } else if (value.is_list()) {
    begin_spec(json, "builtins.list", "null");
  } else if (value.is_tuple() || value.kind() == ArgumentKind::kStruct || value.is_dict()) {
    begin_spec(json, "builtins.tuple", "null");
  } else {
    return write_leaf(json);
  }
  for (size_t i = 0; i < value.size(); ++i) write_structure(json, value[i]);
  end_spec(json);
}

template <class Write>
std::string spec_text(Write write) {
  JsonWriter json;
  json.begin_list();
  json.integer(kSpecVersion);
  write(json);
  json.end_list();
  return json.take();
}

}  // namespace

absl::StatusOr<size_t> count_leaves(std::string_view spec) {
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<JsonDocument> document, JsonDocument::parse(spec));
  FX_ASSIGN_OR_RETURN(const JsonList list, json_list(document->root(), "tree spec"));
  if (list.size() != 2) return absl::InvalidArgumentError("a tree spec must be [version, spec]");
  return leaves_of(list.at(1).value_unsafe());
}

std::string positional_spec(size_t count) {
  return spec_text([count](JsonWriter& json) {
    begin_spec(json, "builtins.tuple", "null");
    write_tuple(json, count);
    begin_spec(json, "builtins.dict", "[]");
    end_spec(json);
    end_spec(json);
  });
}

std::string result_spec(const Argument& result) {
  return spec_text([&](JsonWriter& json) { write_structure(json, result); });
}

std::string tuple_or_value_spec(size_t count) {
  return spec_text([count](JsonWriter& json) {
    if (count == 1) {
      write_leaf(json);
    } else {
      write_tuple(json, count);
    }
  });
}

}  // namespace fx::pt2
