// Writes checks of input sizes into the Python file of a graph.
#pragma once

#include "fx/interp/size_checks.h"

#include <string>
#include <string_view>

namespace fx::python {

/// Appends the tables SIZES and GUARDS, which checked_load() uses.
void append_size_checks(std::string& out, const SizeChecks& checks);
/// Returns the text of the function load() for a file with these tables. The module that load()
/// returns checks the sizes of its inputs.
std::string_view checked_load();

}  // namespace fx::python
