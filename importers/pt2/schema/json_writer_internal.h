// Writes JSON like Python's json.dumps: with ", " and ": ", and non-ASCII characters as \uXXXX.
#pragma once

#include "fx/ir/graph/argument.h"

#include "absl/status/status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace fx::pt2 {

/// Appends values. The caller must pair calls to begin and end functions, and write a key before
/// each value of an object.
class JsonWriter {
 public:
  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_list() { begin('['); }
  void end_list() { end(']'); }
  void key(std::string_view key);

  void integer(int64_t value);
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void null() { raw("null"); }
  void text(std::string_view value);
  /// Writes a number, or one of the strings "Infinity", "-Infinity" and "NaN", which the schema
  /// requires.
  void floating(double value);
  /// Writes a value that consists of dicts with string keys, lists, numbers, strings, bools and
  /// None. For other values, status() returns an error.
  void plain(const Argument& value);
  /// Writes a value that is already JSON.
  void raw(std::string_view json);

  // These write unions of the schema: {kind: value}.
  void begin_union(std::string_view kind) {
    begin_object();
    key(kind);
  }
  void union_of(std::string_view kind, int64_t value) {
    begin_union(kind);
    integer(value);
    end_object();
  }
  void named(std::string_view kind, std::string_view field, std::string_view name) {
    begin_union(kind);
    begin_union(field);
    text(name);
    end_object();
    end_object();
  }

  /// Returns InvalidArgument if a string was not UTF-8 or a value was not plain.
  const absl::Status& status() const { return status_; }
  bool empty() const { return out_.empty(); }
  const std::string& str() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  void separate();
  void begin(char bracket);
  void end(char bracket);

  std::string out_;
  bool needs_comma_ = false;
  absl::Status status_;
};

}  // namespace fx::pt2
