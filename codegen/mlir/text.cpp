#include "fx/codegen/mlir/text_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace fx::mlir {
namespace {

constexpr char kDigits[] = "0123456789ABCDEF";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_byte(std::string& out, char c) {
  const auto byte = static_cast<uint8_t>(c);
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\' || static_cast<uint8_t>(c) < 0x20 ||
        static_cast<uint8_t>(c) >= 0x7f) {
      out += '\\';
      append_byte(out, c);
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_symbol_name(std::string& out, std::string_view name) {
  out += '@';
  const bool is_bare = !name.empty() && is_letter(name[0]) && std::ranges::all_of(name, [](char c) {
    return is_letter(c) || is_digit(c) || c == '$' || c == '.';
  });
  if (is_bare) {
    out += name;
  } else {
    append_string(out, name);
  }
}

void append_value_name(std::string& out, std::string_view name) {
  // `%12` numbers a value, and `%0a` is not a token.
  if (name.empty() || is_digit(name[0])) out += "$_";
  for (const char c : name) {
    if (is_letter(c) || is_digit(c)) {
      out += c;
    } else {
      out += '$';
      append_byte(out, c);
    }
  }
}

void append_float(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += fmt::format("0x{:016X}", std::bit_cast<uint64_t>(value));
    return;
  }
  const size_t begin = out.size();
  out += fmt::format("{}", value);
  // MLIR's literals have a decimal point: 1.0e-05.
  if (out.find('.', begin) != std::string::npos) return;
  const size_t exponent = out.find('e', begin);
  out.insert(exponent == std::string::npos ? out.size() : exponent, ".0");
}

void append_hex(std::string& out, std::string_view bytes) {
  const size_t begin = out.size();
  out.resize(begin + 2 * bytes.size());
  char* to = out.data() + begin;
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    *to++ = kDigits[byte >> 4];
    *to++ = kDigits[byte & 15];
  }
}

}  // namespace fx::mlir
