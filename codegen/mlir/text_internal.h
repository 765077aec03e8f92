// Tokens of MLIR's text format.
#pragma once

#include "fmt/format.h"

#include <concepts>
#include <string>
#include <string_view>

namespace fx::mlir {

inline void append_part(std::string& out, std::string_view part) { out += part; }
template <std::integral T>
void append_part(std::string& out, T number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}
/// Appends strings and integers.
template <class... Parts>
void append(std::string& out, const Parts&... parts) {
  (append_part(out, parts), ...);
}
template <class... Parts>
std::string text_of(const Parts&... parts) {
  std::string out;
  append(out, parts...);
  return out;
}

/// Appends a string literal with its quotes. Accepts arbitrary bytes.
void append_string(std::string& out, std::string_view text);
/// Appends `@main`, or `@"..."`.
void append_symbol_name(std::string& out, std::string_view name);
/// Appends the MLIR value name, without the `%`, for a name in the graph. Different names
/// produce different results. No result contains a '.', which is reserved for names that the writer
/// creates.
void append_value_name(std::string& out, std::string_view name);
/// Appends a literal that parses to the same double, including NaN and infinity.
void append_float(std::string& out, double value);
/// Appends two hexadecimal digits for each byte.
void append_hex(std::string& out, std::string_view bytes);

}  // namespace fx::mlir
