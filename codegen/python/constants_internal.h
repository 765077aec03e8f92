// Writes constants as Python expressions.
#pragma once

#include <complex>
#include <string>
#include <string_view>

namespace fx::python {

/// True if the text cannot end the enclosing expression. Text with line breaks must have balanced
/// brackets, line breaks only inside brackets, and no quotes, comments or backslashes.
bool is_contained(std::string_view text);

/// True if the text of an expression can be the base of a power, a subscript or an attribute: it
/// consists of names, brackets and quoted strings without operators or whitespace between them.
bool is_primary_text(std::string_view text);

/// Appends an expression that evaluates to the number: its repr() if that evaluates to the same
/// number, otherwise a call such as `complex(-0.0, inf)`. The repr() of complex(-0.0, 2.0), for
/// example, is `(-0+2j)`, which evaluates to 2j.
void append_complex(std::string& out, std::complex<double> value);

}  // namespace fx::python
