// Reads the JSON of .pt2 archives with simdjson. Error messages name the field.
#pragma once

#include "fx/importers/pt2/schema/notes_internal.h"
#include "fx/ir/graph/argument.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

// The library does not use exceptions. This disables simdjson's throwing conversions of `element`.
#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

namespace fx::pt2 {

using Json = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonList = simdjson::dom::array;

inline constexpr size_t kMaxJsonBytes = size_t{1} << 30;
inline constexpr size_t kMaxJsonDepth = 512;

/// A parsed document. It owns its elements and their strings.
class JsonDocument {
 public:
  /// Returns InvalidArgument if the text is not JSON, is longer than kMaxJsonBytes, is nested more
  /// than kMaxJsonDepth levels deep, or contains an integer of more than 64 bits.
  static absl::StatusOr<std::unique_ptr<JsonDocument>> parse(std::string_view text);

  Json root() const { return root_; }

 private:
  JsonDocument() : parser_(kMaxJsonBytes) {}
  simdjson::dom::parser parser_;
  Json root_;
};

// Each function returns the value of a field if it is of the kind in the function's name, and
// InvalidArgument, naming the field, otherwise.
absl::StatusOr<JsonObject> json_object(Json value, std::string_view field);
absl::StatusOr<JsonList> json_list(Json value, std::string_view field);
absl::StatusOr<std::string_view> json_string(Json value, std::string_view field);
absl::StatusOr<int64_t> json_int(Json value, std::string_view field);
absl::StatusOr<bool> json_bool(Json value, std::string_view field);
/// Also accepts the strings "Infinity", "-Infinity" and "NaN".
absl::StatusOr<double> json_float(Json value, std::string_view field);
/// Returns "an object", "a list", ..., for messages.
std::string_view json_kind(Json value);

/// The only field of a union.
struct JsonUnion {
  std::string_view kind;
  Json value;
};
absl::StatusOr<JsonUnion> json_union(Json value, std::string_view field);

/// Converts a plain value, which consists of dicts with string keys, lists, numbers, strings, bools
/// and None. Returns InvalidArgument if it is nested more than kMaxArgumentDepth levels deep or has
/// duplicate keys.
absl::StatusOr<Argument> plain_argument(Json value, std::string_view field);

/// A field of a record.
struct JsonField {
  std::string_view name;
  bool is_required = true;
};

/// The fields of a record, by their index in `fields`.
template <const auto& fields>
class JsonRecord {
 public:
  static constexpr size_t kSize = std::size(fields);

  /// Returns InvalidArgument if a required field is missing or a field is a duplicate. Adds a note
  /// for each unknown field.
  static absl::StatusOr<JsonRecord> read(Json value, std::string_view what, Notes& notes);

  /// Returns true if the field has a value other than null.
  bool has(size_t i) const { return values_[i].has_value() && !values_[i]->is_null(); }
  /// Returns the field. It must be required, or has() must return true for it.
  Json operator[](size_t i) const { return *values_[i]; }

 private:
  std::array<std::optional<Json>, kSize> values_;
};

/// Stores the fields of `value` in `values`, in the order of `fields`, for JsonRecord::read.
absl::Status read_fields(Json value, std::string_view what, absl::Span<const JsonField> fields,
                         absl::Span<std::optional<Json>> values, Notes& notes);

template <const auto& fields>
absl::StatusOr<JsonRecord<fields>> JsonRecord<fields>::read(Json value, std::string_view what,
                                                            Notes& notes) {
  JsonRecord record;
  absl::Status status = read_fields(value, what, fields, absl::MakeSpan(record.values_), notes);
  if (!status.ok()) return status;
  return record;
}

}  // namespace fx::pt2
