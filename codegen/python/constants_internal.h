// Constants as Python expressions.
#pragma once

#include <complex>
#include <string>
#include <string_view>

namespace fx::python {

/// True if the text does not end the expression around it: its brackets balance, and it has line
/// breaks only inside its own brackets and only if it has neither quotes nor comments.
bool is_contained(std::string_view text);

/// True if the text of an expression can be the base of a power, a subscript or an attribute:
/// names, brackets and quoted strings without operators or blanks between them.
bool is_primary_text(std::string_view text);

/// Appends an expression that evaluates to the number: its repr() if that has the same value, else
/// a call such as `complex(-0.0, inf)`. (The repr of complex(-0.0, 2.0) is `(-0+2j)`, whose value
/// is 2j.)
void append_complex(std::string& out, std::complex<double> value);

}  // namespace fx::python
