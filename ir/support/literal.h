// Text as a template argument: `template <Literal name>`, used as `f<"aten.abs.default">`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace fx {

template <size_t size>
struct Literal {
  char text[size];
  consteval Literal(const char (&literal)[size]) { std::copy_n(literal, size, text); }
  constexpr std::string_view view() const { return {text, size - 1}; }
};

}  // namespace fx
