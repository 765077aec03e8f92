// A position in text, for the readers of types and expressions. The writers' functions are in
// text_tokens.h. Private to ir/.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fx::internal {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_word(char c) { return is_word_start(c) || is_digit(c); }

/// A position in text. Reading skips whitespace before the token.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  size_t position() const { return position_; }
  void set_position(size_t position) { position_ = position; }
  std::string_view text() const { return text_; }
  std::string_view remaining() const { return text_.substr(position_); }

  void skip_space() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  }
  bool at_end() {
    skip_space();
    return position_ == text_.size();
  }
  /// The character at the position, or `ahead` characters after it, without skipping whitespace; 0
  /// at the end.
  char here(size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  /// The next character that is not whitespace; 0 at the end.
  char peek() {
    skip_space();
    return here();
  }
  bool consume(std::string_view token) {
    skip_space();
    if (!remaining().starts_with(token)) return false;
    position_ += token.size();
    return true;
  }
  /// A word of letters, digits and '_' that does not start with a digit; empty if none exists.
  std::string_view word();

  /// Reads a quoted string, in the form of text::append_quoted.
  absl::StatusOr<std::string> quoted();
  /// Reads a decimal integer, optionally with a minus sign.
  absl::StatusOr<int64_t> integer();
  /// Reads a float, an integer, "inf" or "nan", optionally with a minus sign.
  absl::StatusOr<double> real();

  /// An error at the position: "at offset 12: expected ']'".
  absl::Status error(std::string_view what) const { return error_at(position_, what); }
  /// Does the same at another position, which becomes the current one.
  absl::Status error_at(size_t position, std::string_view what);
  absl::Status error_at(size_t position, std::string_view what) const;

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  std::string_view text_;
  size_t position_ = 0;
};

/// The length of the longest number (digits, '.', exponent) at the start; 0 if none exists. Sets
/// `is_float`.
size_t scan_number(std::string_view text, bool& is_float);

}  // namespace fx::internal
