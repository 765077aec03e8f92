#include "fx/codegen/escape.h"

#include <cstdint>

namespace fx {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Returns the number of bytes of the UTF-8 character at `i`; 0 if there is no valid character.
size_t character_length(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<uint8_t>(text[k]); };
  const uint8_t first = byte(i);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || i + length > text.size()) return 0;
  for (size_t k = i + 1; k < i + length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  const uint8_t second = byte(i + 1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
    return 0;  // an overlong encoding, a surrogate, or a value greater than U+10FFFF
  // XML does not allow U+FFFE and U+FFFF.
  if (first == 0xef && second == 0xbf && byte(i + 2) >= 0xbe) return 0;
  return length;
}

/// Copies `text`, and calls `ascii` to append characters of one byte.
template <class Ascii>
std::string escape(std::string_view text, Ascii ascii) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (size_t i = 0; i < text.size();) {
    const size_t length = character_length(text, i);
    if (length == 1) {
      ascii(out, text[i]);
    } else if (length == 0) {
      out += kReplacement;
    } else {
      out += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out;
}

bool is_control(char c) {
  return (static_cast<uint8_t>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

}  // namespace

std::string escape_xml(std::string_view text) {
  return escape(text, [](std::string& out, char c) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        if (is_control(c))
          out += kReplacement;
        else
          out += c;
    }
  });
}

std::string escape_dot(std::string_view text) {
  return escape(text, [](std::string& out, char c) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (is_control(c)) {
      out += kReplacement;
    } else {
      out += c;
    }
  });
}

std::string shorten(std::string_view text, size_t limit) {
  size_t end = 0, characters = 0;
  while (end < text.size()) {
    const size_t length = character_length(text, end);
    if (++characters > limit) return std::string(text.substr(0, end)) + "…";
    end += length == 0 ? 1 : length;
  }
  return std::string(text);
}

}  // namespace fx
