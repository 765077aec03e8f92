// Tokens of the `.fx` text: see text_tokens.h.
#include "fx/ir/support/text_tokens.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fx::text {
namespace {

// Words that do not start a function call or a named tuple.
constexpr std::string_view kWords[] = {
    "False",       "None",  "True",   "call_method", "call_module", "complex", "device",
    "get_attr",    "graph", "inf",    "nan",         "object",      "op",      "output",
    "placeholder", "range", "return", "slice",       "sym",         "type",
};

constexpr char kHex[] = "0123456789abcdef";

bool all(std::string_view text, uint8_t classes) {
  if (text.empty()) return false;
  for (const char c : text)
    if (!is_class(c, classes)) return false;
  return true;
}

}  // namespace

bool is_name(std::string_view text) { return all(text, kNameChar); }
bool is_key(std::string_view text) { return all(text, kNameChar) && !is_class(text[0], kDigit); }
bool is_path(std::string_view text) { return all(text, kPathChar); }
bool is_function_word(std::string_view text) {
  return all(text, kPathChar) && is_class(text[0], kNameChar) && !is_class(text[0], kDigit) &&
         std::find(std::begin(kWords), std::end(kWords), text) == std::end(kWords);
}

void append_int(std::string& out, int64_t value) {
  char digits[24];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, result.ptr);
}

void append_float(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "nan";
    return;
  }
  if (std::isinf(value)) {
    out += value < 0 ? "-inf" : "inf";
    return;
  }
  // Shortest digits, as d.ddde+XX; then Python's rule: an exponent is written if it is below -4 or
  // at least 16.
  char buffer[40];
  const char* end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  const char* at = buffer;
  if (*at == '-') {
    out += '-';
    ++at;
  }
  const char* mark = std::find(at, end, 'e');
  int exponent = 0;
  const char* digits_of_exponent = mark + 1 + (mark[1] == '+');
  std::from_chars(digits_of_exponent, end, exponent);
  char digits[24];
  int count = 0;
  for (const char* c = at; c != mark; ++c)
    if (*c != '.') digits[count++] = *c;
  const auto append = [&](int from, int to) {
    out.append(digits + from, static_cast<size_t>(to - from));
  };
  if (exponent < -4 || exponent >= 16) {
    append(0, 1);
    if (count > 1) {
      out += '.';
      append(1, count);
    }
    out += 'e';
    out += exponent < 0 ? '-' : '+';
    const int size = std::abs(exponent);
    if (size < 10) out += '0';
    append_int(out, size);
  } else if (exponent < 0) {
    out += "0.";
    out.append(static_cast<size_t>(-exponent - 1), '0');
    append(0, count);
  } else {
    const int whole = exponent + 1;
    append(0, std::min(count, whole));
    if (count < whole) out.append(static_cast<size_t>(whole - count), '0');
    out += '.';
    if (count > whole)
      append(whole, count);
    else
      out += '0';
  }
}

size_t utf8_length(std::string_view text, uint32_t* code) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const uint32_t first = byte(0);
  if (first < 0x80) {
    *code = first;
    return 1;
  }
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  uint32_t value = first & (0xffU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    value = value << 6 | (byte(i) & 0x3fU);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
    return 0;
  *code = value;
  return length;
}

void append_utf8(std::string& out, uint32_t code) {
  const auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && is_class(text[plain], kPlainChar)) ++plain;
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const char c = text[0];
    uint32_t code = 0;
    size_t length = utf8_length(text, &code);
    if (length > 1) {
      out += text.substr(0, length);
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += '\\';
      out += c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
      length = 1;
    }
    text.remove_prefix(length);
  }
  out += '"';
}

}  // namespace fx::text
