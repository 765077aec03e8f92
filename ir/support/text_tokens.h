// Writes tokens of the `.fx` text: numbers, quoted strings, and strings that need no quotes. The
// lexer reads the same tokens (ir/text/lexer_internal.h). This header also defines Literal:
// text as a template argument.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fx {

/// `template <Literal name> void f();` is called as `f<"aten.abs.default">()`.
template <size_t size>
struct Literal {
  char text[size];
  consteval Literal(const char (&literal)[size]) { std::copy_n(literal, size, text); }
  constexpr std::string_view view() const { return {text, size - 1}; }
};

}  // namespace fx

namespace fx::text {

// Classes of bytes.
inline constexpr uint8_t kNameChar = 1;  // letters, digits, _
inline constexpr uint8_t kPathChar = 2;  // kNameChar and .
inline constexpr uint8_t kDigit = 4;
inline constexpr uint8_t kSpace = 8;       // space, tab, line break, carriage return
inline constexpr uint8_t kPlainChar = 16;  // needs no escape in a quoted string

inline constexpr std::array<uint8_t, 256> kCharClass = [] {
  std::array<uint8_t, 256> table{};
  for (int c = 0; c < 256; ++c) {
    uint8_t classes = 0;
    const bool digit = c >= '0' && c <= '9';
    if (digit || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
      classes |= kNameChar | kPathChar;
    if (c == '.') classes |= kPathChar;
    if (digit) classes |= kDigit;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') classes |= kSpace;
    if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') classes |= kPlainChar;
    table[static_cast<size_t>(c)] = classes;
  }
  return table;
}();

inline bool is_class(char c, uint8_t classes) {
  return (kCharClass[static_cast<unsigned char>(c)] & classes) != 0;
}

/// True for letters, digits and underscores, at least one: a name after `%` or `@` without quotes.
bool is_name(std::string_view text);
/// True for a name that does not start with a digit: a key.
bool is_key(std::string_view text);
/// True for letters, digits, underscores and dots, at least one: a path.
bool is_path(std::string_view text);
/// True for a path that starts like a key and is not a word of the grammar at the start of a call
/// or value.
bool is_function_word(std::string_view text);

void append_int(std::string& out, int64_t value);
/// Appends the shortest text that is parsed as the same number, like Python's repr(): `1.0`,
/// `1e-05`, `-0.0`, `inf`.
void append_float(std::string& out, double value);
/// Appends the text in double quotes. Escapes: \" \\ \n \r \t, and \xNN for other control
/// characters and for bytes that are not UTF-8.
void append_quoted(std::string& out, std::string_view text);

/// The number of bytes of the UTF-8 character at the start of `text`, which must not be empty; 0 if
/// the character is invalid. Sets `*code` to its code point.
size_t utf8_length(std::string_view text, uint32_t* code);
void append_utf8(std::string& out, uint32_t code);

}  // namespace fx::text
