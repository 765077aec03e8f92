// Reads JSON values: see json_internal.h.
#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace fx::pt2 {
namespace {

absl::Status wrong_json(std::string_view field, std::string_view expected, Json value) {
  return absl::InvalidArgumentError(
      fmt::format("{}: expected {}, not {}", field, expected, json_kind(value)));
}

std::string_view shortened(std::string_view name) { return name.substr(0, 200); }

absl::StatusOr<Argument> plain_number(Json value, std::string_view field) {
  // is_double is also true for integers.
  if (value.type() == simdjson::dom::element_type::DOUBLE)
    return Argument(double{value.get_double().value_unsafe()});
  FX_ASSIGN_OR_RETURN(const int64_t number, json_int(value, field));
  return Argument(number);
}

absl::StatusOr<Argument> plain_at(Json value, std::string_view field, int depth);

absl::StatusOr<Argument> plain_list(Json value, std::string_view field, int depth) {
  std::vector<Argument> items;
  FX_ASSIGN_OR_RETURN(const JsonList list, json_list(value, field));
  for (const Json item : list) {
    FX_ASSIGN_OR_RETURN(Argument argument, plain_at(item, field, depth));
    items.push_back(std::move(argument));
  }
  return Argument::list(items);
}

absl::StatusOr<Argument> plain_dict(Json value, std::string_view field, int depth) {
  std::vector<std::pair<Argument, Argument>> entries;
  absl::flat_hash_set<std::string_view> keys;
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(value, field));
  for (const auto [key, item] : object) {
    if (!keys.insert(key).second) {
      return absl::InvalidArgumentError(
          fmt::format("{}: duplicate key \"{}\"", field, shortened(key)));
    }
    FX_ASSIGN_OR_RETURN(Argument argument, plain_at(item, field, depth));
    entries.emplace_back(Argument(key), std::move(argument));
  }
  return Argument::dict(entries);
}

/// `depth` is the number of additional levels that are allowed. It bounds the recursion.
absl::StatusOr<Argument> plain_at(Json value, std::string_view field, int depth) {
  switch (value.type()) {
    case simdjson::dom::element_type::NULL_VALUE:
      return Argument::none();
    case simdjson::dom::element_type::BOOL:
      return Argument(bool{value.get_bool().value_unsafe()});
    case simdjson::dom::element_type::STRING:
      return Argument(std::string_view(value.get_string().value_unsafe()));
    case simdjson::dom::element_type::INT64:
    case simdjson::dom::element_type::UINT64:
    case simdjson::dom::element_type::DOUBLE:
      return plain_number(value, field);
    case simdjson::dom::element_type::ARRAY:
    case simdjson::dom::element_type::OBJECT:
      break;
  }
  if (depth == 0) {
    return absl::InvalidArgumentError(
        fmt::format("{}: it is nested more than {} levels deep", field, kMaxArgumentDepth));
  }
  return value.is_array() ? plain_list(value, field, depth - 1)
                          : plain_dict(value, field, depth - 1);
}

}  // namespace

absl::StatusOr<std::unique_ptr<JsonDocument>> JsonDocument::parse(std::string_view text) {
  if (text.size() > kMaxJsonBytes) {
    return absl::InvalidArgumentError(fmt::format("its JSON has {}, but at most {} are supported",
                                                  pluralize(text.size(), "byte"), kMaxJsonBytes));
  }
  std::unique_ptr<JsonDocument> document(new JsonDocument);
  simdjson::error_code error = document->parser_.allocate(text.size(), kMaxJsonDepth);
  if (error == simdjson::SUCCESS)
    error = document->parser_.parse(text.data(), text.size()).get(document->root_);
  if (error == simdjson::DEPTH_ERROR) {
    return absl::InvalidArgumentError(
        fmt::format("its JSON is nested more than {} levels deep", kMaxJsonDepth));
  }
  if (error == simdjson::MEMALLOC)
    return absl::ResourceExhaustedError("its JSON does not fit in memory");
  if (error != simdjson::SUCCESS)
    return absl::InvalidArgumentError(
        fmt::format("it is not valid JSON: {}", simdjson::error_message(error)));
  return document;
}

std::string_view json_kind(Json value) {
  switch (value.type()) {
    case simdjson::dom::element_type::NULL_VALUE:
      return "null";
    case simdjson::dom::element_type::BOOL:
      return "a bool";
    case simdjson::dom::element_type::STRING:
      return "a string";
    case simdjson::dom::element_type::INT64:
      return "an integer";
    case simdjson::dom::element_type::UINT64:
      return "an integer of more than 63 bits";
    case simdjson::dom::element_type::DOUBLE:
      return "a float";
    case simdjson::dom::element_type::ARRAY:
      return "a list";
    case simdjson::dom::element_type::OBJECT:
      return "an object";
  }
  return "an unknown value";
}

absl::StatusOr<JsonObject> json_object(Json value, std::string_view field) {
  if (!value.is_object()) return wrong_json(field, "an object", value);
  return value.get_object().value_unsafe();
}

absl::StatusOr<JsonList> json_list(Json value, std::string_view field) {
  if (!value.is_array()) return wrong_json(field, "a list", value);
  return value.get_array().value_unsafe();
}

absl::StatusOr<std::string_view> json_string(Json value, std::string_view field) {
  if (!value.is_string()) return wrong_json(field, "a string", value);
  return value.get_string().value_unsafe();
}

absl::StatusOr<int64_t> json_int(Json value, std::string_view field) {
  if (value.type() != simdjson::dom::element_type::INT64)
    return wrong_json(field, "a signed 64-bit integer", value);
  return value.get_int64().value_unsafe();
}

absl::StatusOr<bool> json_bool(Json value, std::string_view field) {
  if (!value.is_bool()) return wrong_json(field, "a bool", value);
  return value.get_bool().value_unsafe();
}

absl::StatusOr<double> json_float(Json value, std::string_view field) {
  if (value.is_string()) {
    const std::string_view text = value.get_string().value_unsafe();
    if (text == "Infinity") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  }
  double number = 0;
  if (!value.is_number() || value.get_double().get(number) != simdjson::SUCCESS)
    return wrong_json(field, "a number", value);
  return number;
}

absl::StatusOr<JsonUnion> json_union(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(value, field));
  auto it = object.begin();
  if (it == object.end())
    return absl::InvalidArgumentError(
        fmt::format("{}: expected an object with exactly one key", field));
  const JsonUnion result{it.key(), it.value()};
  if (++it != object.end()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: expected one key, but found \"{}\" and \"{}\"", field,
                    shortened(result.kind), shortened(it.key())));
  }
  return result;
}

absl::StatusOr<Argument> plain_argument(Json value, std::string_view field) {
  return plain_at(value, field, kMaxArgumentDepth);
}

absl::Status read_fields(Json value, std::string_view what, absl::Span<const JsonField> fields,
                         absl::Span<std::optional<Json>> values, Notes& notes) {
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(value, what));
  for (const auto [key, item] : object) {
    size_t i = 0;
    while (i < fields.size() && fields[i].name != key) ++i;
    if (i == fields.size()) {
      notes.add(fmt::format("{}: ignored the unknown field \"{}\"", what, shortened(key)));
      continue;
    }
    if (values[i])
      return absl::InvalidArgumentError(fmt::format("{}: duplicate field \"{}\"", what, key));
    values[i] = item;
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].is_required || values[i]) continue;
    return absl::InvalidArgumentError(
        fmt::format("{}: the field \"{}\" is missing", what, fields[i].name));
  }
  return absl::OkStatus();
}

}  // namespace fx::pt2
