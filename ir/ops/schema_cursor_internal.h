// Shared by the readers of schema text: a position in the text, and the first error.
#pragma once

#include "fx/ir/ops/schema_words_internal.h"

#include "absl/status/status.h"
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace fx::ops {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
inline bool is_word_start(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_word_part(char c) { return is_word_start(c) || is_digit(c); }

/// The accept functions consume the given text if it is next. The read functions do the same, and
/// fail if it is not; a false result means that `status` is set.
class SchemaCursor {
 public:
  explicit SchemaCursor(std::string_view text) : text_(text) {}

  const absl::Status& status() const { return status_; }
  size_t position() const { return position_; }
  void set_position(size_t position) { position_ = position; }
  std::string_view text() const { return text_; }
  std::string_view since(size_t begin) const { return text_.substr(begin, position_ - begin); }

  /// Sets the status, with the position. Always returns false.
  bool fail(std::string_view message) {
    constexpr size_t kContext = 40;
    const size_t from = position_ > kContext ? position_ - kContext : 0;
    const std::string_view before = text_.substr(from, position_ - from);
    const std::string_view after = text_.substr(position_, kContext);
    status_ = absl::InvalidArgumentError(
        fmt::format("invalid operator schema at column {}: {}; here: {}{}<<>>{}{}", position_ + 1,
                    message, from > 0 ? "..." : "", before, after,
                    position_ + after.size() < text_.size() ? "..." : ""));
    return false;
  }
  bool fail_expected(std::string_view what) { return fail(fmt::format("expected {}", what)); }

  /// The next character that is not whitespace, without consuming it; 0 at the end.
  char peek() {
    while (kSchemaWhitespace.find(here()) != std::string_view::npos && position_ < text_.size()) {
      ++position_;
    }
    return here();
  }
  /// The next character, whitespace or not; 0 at the end.
  char here() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  char take() { return text_[position_++]; }
  bool at_end() {
    peek();
    return position_ == text_.size();
  }

  bool accept(std::string_view token) {
    peek();
    if (text_.substr(position_, token.size()) != token) return false;
    position_ += token.size();
    return true;
  }
  /// Like accept, but for a whole word.
  bool accept_word(std::string_view word) {
    const size_t begin = position_;
    if (accept(word) && !is_word_part(here())) return true;
    position_ = begin;
    return false;
  }
  bool read(std::string_view token) {
    return accept(token) || fail(fmt::format("expected '{}'", token));
  }
  bool read_word(std::string_view what, std::string_view& word) {
    if (!is_word_start(peek())) return fail_expected(what);
    const size_t begin = position_;
    while (is_word_part(here())) ++position_;
    word = since(begin);
    return true;
  }

 private:
  std::string_view text_;
  size_t position_ = 0;
  absl::Status status_;
};

/// Reads the default of an argument of this type.
bool read_default(SchemaCursor& cursor, const SchemaType& type, SchemaConstant& constant);
/// Reads an int, a float, or a complex number: `1j`, `0.5+1.j`.
bool read_number(SchemaCursor& cursor, SchemaConstant& constant);

}  // namespace fx::ops
