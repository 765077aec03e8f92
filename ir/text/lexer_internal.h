// Reads the tokens of the `.fx` text, as views of the text.
//
// The lexer does not produce a stream of tokens: the parser requests the kind of token that its
// state allows, so that `0.weight` is a path after call_module and `0.5` a number among arguments.
#pragma once

#include "fx/ir/support/text_tokens.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fx::text {

/// An error with its position. The lexer keeps the first one.
struct TextError {
  size_t offset = 0;
  std::string message;
  std::string hint;
};

/// A prefix that some editors add to UTF-8 text; it is skipped.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class Lexer {
 public:
  explicit Lexer(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {
    if (text.starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
  }

  size_t offset() const { return static_cast<size_t>(at_ - begin_); }
  void seek(size_t offset) { at_ = begin_ + offset; }
  std::string_view text() const { return {begin_, static_cast<size_t>(end_ - begin_)}; }

  /// Skips whitespace and comments.
  void skip_space() {
    while (at_ != end_ && is_class(*at_, kSpace)) ++at_;
    if (at_ != end_ && *at_ == '#') skip_comment();
  }
  /// The next character after whitespace and comments; 0 at the end of the text.
  char peek() {
    skip_space();
    return here();
  }
  /// The current character; 0 at the end.
  char here() const { return at_ == end_ ? '\0' : *at_; }
  /// Skips whitespace and comments, and consumes `c` if it is the next character.
  bool take(char c) {
    if (peek() != c || at_ == end_) return false;
    ++at_;
    return true;
  }
  /// Consumes `c` if it is the next character.
  bool take_here(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool take_here(std::string_view word) {
    if (!std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  /// Consumes the characters of these classes; the result may be empty.
  std::string_view take_while(uint8_t classes) {
    const char* start = at_;
    while (at_ != end_ && is_class(*at_, classes)) ++at_;
    return {start, static_cast<size_t>(at_ - start)};
  }
  /// The rest of this line. The end of a line is searched for only once, so that a file of one long
  /// line is read in linear time.
  std::string_view rest_of_line() {
    if (at_ < line_from_ || at_ > line_end_) {
      line_from_ = at_;
      line_end_ = std::find(at_, end_, '\n');
    }
    return {at_, static_cast<size_t>(line_end_ - at_)};
  }
  void advance(size_t bytes) { at_ += bytes; }

  /// A quoted string; the next character must be the opening quote. The result is a view of the
  /// text, or of `scratch` if it has escapes.
  bool quoted(std::string& scratch, std::string_view* result);

  struct Number {
    bool is_float = false;
    int64_t integer = 0;
    double real = 0;
  };
  /// A number that starts with a sign or a digit, including `-inf`.
  bool number(Number* result);

  /// Records an error; always returns false.
  bool fail_at(size_t offset, std::string message, std::string hint = {});
  bool fail(std::string message, std::string hint = {}) {
    return fail_at(offset(), std::move(message), std::move(hint));
  }
  const TextError& error() const { return error_; }

 private:
  void skip_comment();
  bool escape(std::string& out);
  bool hex(int digits, uint32_t* value);

  const char* begin_;
  const char* at_;
  const char* end_;
  // The start and the result of the last search of rest_of_line.
  const char* line_from_ = nullptr;
  const char* line_end_ = nullptr;
  TextError error_;
};

/// The current character as a message shows it: 'x', end of text, byte 0x01.
std::string describe_next(const Lexer& lexer);

/// "file:line:column: error: message", the line and a caret.
std::string render_error(std::string_view text, std::string_view file_name, const TextError& error);

}  // namespace fx::text
